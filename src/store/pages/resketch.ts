/** Sketches of an earlier version of the text, made again from the texts that the workspace has. */
import { InvariantError } from "../../errors.js";
import { sketchesOf } from "../../sketch/document-sketches.js";
import { TEXT_VERSION } from "../../sketch/encode-text.js";
import { decodeSketch, encodeSketch, supershingles } from "../../sketch/sketch.js";
import { readChunks, stageTable } from "../columns.js";
import { DuckDBBlobValue } from "../duckdb.js";
import { supershingleColumns } from "../schema.js";
import type { Connection } from "../workspace.js";

/** Checksum and length stay: they are of the page's bytes. Pages without text keep what they have. */
export async function resketchOldPages(connection: Connection): Promise<void> {
  const version = TEXT_VERSION.toString(16).padStart(2, "0").toUpperCase();
  const ids: number[] = [];
  const sketches: Uint8Array[] = [];
  const shingles: Uint8Array[] = [];
  const columns: bigint[][] = supershingleColumns.map(() => []);
  await readChunks(
    connection,
    `SELECT rowid, sketch, text FROM pages WHERE sketch IS NOT NULL AND text IS NOT NULL AND hex(sketch[3:3]) <> '${version}'`,
    [],
    (chunk) => {
      const [rows, blobs, texts] = [0, 1, 2].map((column) => chunk.getColumnValues(column));
      rows!.forEach((row, at) => {
        const blob = blobs![at];
        if (!(blob instanceof DuckDBBlobValue)) throw new InvariantError("a sketch is not a blob");
        const { checksum, lengthBytes } = decodeSketch(blob.bytes);
        const made = sketchesOf(String(texts![at]));
        if (made.sketch === undefined || made.shingles === undefined) return;
        ids.push(Number(row));
        sketches.push(encodeSketch({ ...made.sketch, checksum, lengthBytes }));
        shingles.push(new Uint8Array(made.shingles.buffer, made.shingles.byteOffset, made.shingles.byteLength));
        supershingles(made.sketch).forEach((value, column) => {
          columns[column]!.push(value);
        });
      });
    },
  );
  if (ids.length === 0) return;
  await stageTable(connection, "resketched", {
    id: Float64Array.from(ids),
    sketch: { blobs: sketches },
    shingles: { blobs: shingles },
    ...Object.fromEntries(supershingleColumns.map((name, column) => [name, BigUint64Array.from(columns[column]!)])),
  });
  const set = ["sketch", "shingles", ...supershingleColumns].map((name) => `${name} = r.${name}`).join(", ");
  await connection.run(`UPDATE pages SET ${set} FROM resketched r WHERE pages.rowid = r.id::BIGINT`);
  // What was found by the old sketches.
  await connection.run(
    "DELETE FROM analyses WHERE name LIKE 'clusters-%' OR name LIKE 'collections%' OR name = 'mirrors'",
  );
}
