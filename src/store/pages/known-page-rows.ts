/** Downloads that the workspace knows, as rows. */
import type { DocumentSketches } from "../../sketch/document-sketches.js";
import { decodeSketch } from "../../sketch/sketch.js";
import { DuckDBBlobValue } from "../duckdb.js";
import type { Workspace } from "../workspace.js";
import { asShingles } from "./page-json.js";

/** More words than a page has that says nothing but "log in" or "not found". */
const SHORT_WORDS = 250;
/** Pages of each host that tell what its pages have in common. */
const SAMPLED_PAGES = 32;

/** One download of a URL. */
export interface KnownPage extends DocumentSketches {
  readonly url: string;
  readonly status: number;
  /** Milliseconds since 1970. */
  readonly timeMs?: number;
  readonly redirect?: string;
  readonly canonical?: string;
  /** Of short pages, of a few of each host, and where another page has the same shingles and another text. */
  readonly text?: string;
  /** Digest of the text without the lines that have a digit in them, where the text was kept. */
  readonly wordLines?: string;
}

/** All downloads of a snapshot, or of all of them, by URL; the earliest first, those of unknown time before them. */
export async function readKnownPages(
  workspace: Workspace,
  snapshot?: string,
  signal?: AbortSignal,
): Promise<Map<string, KnownPage[]>> {
  return workspace.readUntil(signal, "the rules stay as they were", async (connection) => {
    const found = await connection.runAndReadAll(
      `SELECT u.url, p.status, epoch_ms(p.fetched)::DOUBLE, r.url AS redirect, c.url AS canonical, p.digest, p.shingles_kind, p.shingles, p.sketch,
         CASE WHEN p.words <= ${SHORT_WORDS} OR min(md5(p.text)) OVER likely <> max(md5(p.text)) OVER likely
           OR row_number() OVER (PARTITION BY split_part(u.url, '/', 3), p.text IS NULL ORDER BY md5(u.url)) <= ${SAMPLED_PAGES}
           THEN p.text END, md5(regexp_replace(p.text, '[^\\n]*[0-9][^\\n]*', '', 'g'))
       FROM pages p JOIN urls u ON u.id = p.url LEFT JOIN urls r ON r.id = p.redirect LEFT JOIN urls c ON c.id = p.canonical
       ${snapshot === undefined ? "" : "WHERE p.snapshot = (SELECT id FROM snapshots WHERE name = $1)"}
       WINDOW likely AS (PARTITION BY p.shingles)
       ORDER BY p.fetched NULLS FIRST, p.source DESC`,
      snapshot === undefined ? [] : [snapshot],
    );
    const pages = new Map<string, KnownPage[]>();
    for (const [
      url,
      status,
      timeMs,
      redirect,
      canonical,
      digest,
      kind,
      shingles,
      sketch,
      text,
      wordLines,
    ] of found.getRows()) {
      const downloads = pages.get(String(url)) ?? [];
      pages.set(String(url), downloads);
      downloads.push({
        url: String(url),
        status: Number(status),
        ...(timeMs !== null && { timeMs: Number(timeMs) }),
        ...(redirect !== null && { redirect: String(redirect) }),
        ...(canonical !== null && { canonical: String(canonical) }),
        ...(digest !== null && { digest: String(digest) }),
        ...(kind === 1 &&
          shingles instanceof DuckDBBlobValue && {
            shingles: asShingles(shingles.bytes),
          }),
        ...(sketch instanceof DuckDBBlobValue && { sketch: decodeSketch(sketch.bytes) }),
        ...(text !== null && { text: String(text) }),
        ...(wordLines !== null && { wordLines: String(wordLines) }),
      });
    }
    return pages;
  });
}
