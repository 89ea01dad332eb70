import { DuckDBBlobValue } from "@duckdb/node-api";
import type { DocumentSketches } from "../sketch/document-sketches.js";
import { decodeSketch } from "../sketch/sketch.js";
import type { Workspace } from "./workspace.js";

/** More words than a page has that says nothing but "log in" or "not found". */
const shortWords = 250;

/** The latest download of a URL. */
export interface KnownPage extends DocumentSketches {
  readonly url: string;
  /** Where redirects led, once they were followed. */
  readonly finalUrl?: string;
  readonly status: number;
  readonly redirect?: string;
  readonly canonical?: string;
  /** Of short pages only. */
  readonly text?: string;
}

/** All downloaded pages of a snapshot, or of all of them, by URL. */
export async function readKnownPages(workspace: Workspace, snapshot?: string): Promise<Map<string, KnownPage>> {
  return workspace.read(async (connection) => {
    const found = await connection.runAndReadAll(
      `SELECT u.url, p.status, r.url AS redirect, c.url AS canonical, p.digest, p.shingles_kind, p.shingles, p.sketch,
         CASE WHEN p.words <= ${shortWords} THEN p.text END
       FROM pages p JOIN urls u ON u.id = p.url LEFT JOIN urls r ON r.id = p.redirect LEFT JOIN urls c ON c.id = p.canonical
       ${snapshot === undefined ? "" : "WHERE p.snapshot = (SELECT id FROM snapshots WHERE name = $1)"}
       QUALIFY row_number() OVER (PARTITION BY p.url ORDER BY p.fetched DESC NULLS LAST, p.source DESC) = 1`,
      snapshot === undefined ? [] : [snapshot],
    );
    const pages = new Map<string, KnownPage>();
    for (const [url, status, redirect, canonical, digest, kind, shingles, sketch, text] of found.getRows()) {
      pages.set(String(url), {
        url: String(url),
        status: Number(status),
        ...(redirect !== null && { redirect: String(redirect) }),
        ...(canonical !== null && { canonical: String(canonical) }),
        ...(digest !== null && { digest: String(digest) }),
        ...(kind === 1 &&
          shingles instanceof DuckDBBlobValue && {
            shingles: new BigUint64Array(Uint8Array.from(shingles.bytes).buffer),
          }),
        ...(sketch instanceof DuckDBBlobValue && { sketch: decodeSketch(sketch.bytes) }),
        ...(text !== null && { text: String(text) }),
      });
    }
    return pages;
  });
}
