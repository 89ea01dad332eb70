/** Downloads that the workspace knows, as rows. */
import type { DocumentSketches } from "../../sketch/document-sketches.js";
import { decodeSketch } from "../../sketch/sketch.js";
import { readChunks } from "../columns.js";
import { DuckDBBlobValue, type DuckDBValue } from "../duckdb.js";
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
    const pages = new Map<string, KnownPage[]>();
    const byRow = new Map<number, Draft>();
    const ofSnapshot = snapshot === undefined ? "" : "WHERE p.snapshot = (SELECT id FROM snapshots WHERE name = $1)";
    const values = snapshot === undefined ? [] : [snapshot];
    // Texts are long: they are neither sorted nor compared with those of other rows, but digests of them are.
    await readChunks(
      connection,
      `WITH known AS (
         SELECT p.rowid AS row, u.url, p.status, p.fetched, r.url AS redirect, c.url AS canonical, p.digest, p.shingles_kind, p.shingles, p.sketch,
           p.source, p.words, p.text IS NULL AS untold, md5(p.text) AS said, md5(regexp_replace(p.text, '[^\\n]*[0-9][^\\n]*', '', 'g')) AS word_lines
         FROM pages p JOIN urls u ON u.id = p.url LEFT JOIN urls r ON r.id = p.redirect LEFT JOIN urls c ON c.id = p.canonical ${ofSnapshot})
       SELECT row, url, status, epoch_ms(fetched)::DOUBLE, redirect, canonical, digest, shingles_kind, shingles, sketch, word_lines,
         NOT untold AND (words <= ${SHORT_WORDS} OR min(said) OVER likely <> max(said) OVER likely
           OR row_number() OVER (PARTITION BY split_part(url, '/', 3), untold ORDER BY md5(url)) <= ${SAMPLED_PAGES})
       FROM known WINDOW likely AS (PARTITION BY shingles)
       ORDER BY fetched NULLS FIRST, source DESC`,
      values,
      (chunk) => {
        for (const row of chunk.getRows()) {
          const page = pageOf(row);
          const downloads = pages.get(page.url) ?? [];
          pages.set(page.url, downloads);
          downloads.push(page);
          if (row.at(-1) === true) byRow.set(Number(row[0]), page);
        }
      },
    );
    await readChunks(connection, `SELECT p.rowid, p.text FROM pages p ${ofSnapshot}`, values, (chunk) => {
      const rows = chunk.getColumnValues(0);
      for (const [i, row] of rows.entries()) {
        const page = byRow.get(Number(row));
        if (page !== undefined) page.text = String(chunk.getColumnVector(1).getItem(i));
      }
    });
    return pages;
  });
}

/** A page whose text is yet to be read. */
type Draft = { -readonly [Field in keyof KnownPage]: KnownPage[Field] };

function pageOf([
  ,
  url,
  status,
  timeMs,
  redirect,
  canonical,
  digest,
  kind,
  shingles,
  sketch,
  wordLines,
]: DuckDBValue[]): Draft {
  return {
    url: String(url),
    status: Number(status),
    ...(timeMs !== null && { timeMs: Number(timeMs) }),
    ...(redirect !== null && { redirect: String(redirect) }),
    ...(canonical !== null && { canonical: String(canonical) }),
    ...(digest !== null && { digest: String(digest) }),
    ...(kind === 1 && shingles instanceof DuckDBBlobValue && { shingles: asShingles(shingles.bytes) }),
    ...(sketch instanceof DuckDBBlobValue && { sketch: decodeSketch(sketch.bytes) }),
    ...(wordLines !== null && { wordLines: String(wordLines) }),
  };
}
