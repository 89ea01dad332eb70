/** Pages of a snapshot with their features, and the texts of some of them. */
import type { ContainInput } from "../../pages/contains.js";
import { FEATURES } from "../../sketch/constants.js";
import { decodeSketch } from "../../sketch/sketch.js";
import { readChunks } from "../columns.js";
import { DuckDBBlobValue } from "../duckdb.js";
import type { Workspace } from "../workspace.js";
import { findDownloads, type SnapshotName } from "./snapshots.js";

export interface SketchedPages extends ContainInput {
  readonly urls: readonly string[];
  /** For `readTexts`. */
  readonly rows: Float64Array;
}

/** One page for each sketch, the one with the smallest URL: identical pages are not parts of each other. */
export async function readSketchedPages(workspace: Workspace, snapshot: SnapshotName): Promise<SketchedPages> {
  const [urls, rows, words, sketches]: [string[], number[], number[], BigUint64Array[]] = [[], [], [], []];
  await workspace.read(async (connection) => {
    await findDownloads(connection, [snapshot]);
    await readChunks(
      connection,
      `SELECT min(u.url), arg_min(p.rowid, u.url)::DOUBLE, max(p.words), p.sketch
       FROM downloads d JOIN pages p ON p.rowid = d.page JOIN urls u ON u.id = d.url
       WHERE p.sketch IS NOT NULL AND p.words IS NOT NULL GROUP BY p.sketch ORDER BY 1`,
      [],
      (chunk, count) => {
        const [url, row, length, sketch] = [0, 1, 2, 3].map((column) => chunk.getColumnValues(column));
        for (let i = 0; i < count; i++) {
          const bytes = sketch![i];
          if (!(bytes instanceof DuckDBBlobValue)) continue;
          urls.push(String(url![i]));
          rows.push(Number(row![i]));
          words.push(Number(length![i]));
          sketches.push(decodeSketch(bytes.bytes).features);
        }
      },
    );
  });
  const features = new BigUint64Array(urls.length * FEATURES);
  for (const [i, own] of sketches.entries()) features.set(own, i * FEATURES);
  return { count: urls.length, urls, rows: Float64Array.from(rows), words: Uint32Array.from(words), features };
}

/** The texts of these pages, as far as they were kept, by row of `pages`. */
export async function readTexts(workspace: Workspace, rows: readonly number[]): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  if (rows.length === 0) return texts;
  await workspace.read((connection) =>
    readChunks(
      connection,
      `SELECT rowid::DOUBLE, text FROM pages WHERE text IS NOT NULL AND rowid IN (${rows.join(", ")})`,
      [],
      (chunk, count) => {
        const [row, text] = [0, 1].map((column) => chunk.getColumnValues(column));
        for (let i = 0; i < count; i++) texts.set(Number(row![i]), String(text![i]));
      },
    ),
  );
  return texts;
}
