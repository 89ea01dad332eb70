/** URLs with their traffic. */
import { copyNumbers, readChunks } from "../columns.js";
import { snapshotId } from "../snapshot-id.js";
import type { Connection, Workspace } from "../workspace.js";

/** A URL of the URL lists with its traffic. */
export interface UrlTraffic {
  readonly id: number;
  readonly url: string;
  readonly requests: number;
  /** Of all responses whose size is known, and of one of them. */
  readonly bytes: number;
  readonly copyBytes: number;
}

/** Ids of the sources of a snapshot, or of all, as a list in SQL. */
export async function sourcesOf(workspace: Workspace, snapshot: string | undefined): Promise<string> {
  return workspace.read(async (connection) => {
    const of = snapshot === undefined ? "" : `WHERE snapshot = ${await snapshotId(connection, snapshot)}`;
    const found = await connection.runAndReadAll(`SELECT id FROM sources ${of}`);
    return found.getRows().join(", ") || "NULL";
  });
}

/** Every URL that was answered with something other than an error, from a copy with `seenUrls` as `urls`. */
export async function readTraffic(connection: Connection, take: (traffic: UrlTraffic) => void): Promise<void> {
  await readChunks(
    connection,
    "SELECT id, url, requests, bytes, copy_bytes FROM urls WHERE classes & 15 <> 0",
    [],
    (chunk, rows) => {
      const ids = new Uint32Array(rows);
      const numbers = [2, 3, 4].map((column) => {
        const values = new Float64Array(rows);
        copyNumbers(chunk, column, rows, values, 0);
        return values;
      });
      copyNumbers(chunk, 0, rows, ids, 0);
      chunk.getColumnValues(1).forEach((url, i) => {
        take({
          id: ids[i]!,
          url: String(url),
          requests: numbers[0]![i]!,
          bytes: numbers[1]![i]!,
          copyBytes: numbers[2]![i]!,
        });
      });
    },
  );
}
