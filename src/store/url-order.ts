import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { InterruptedError } from "../errors.js";
import type { JobContext } from "../model.js";
import { quoted } from "./columns.js";
import { parquetFile } from "./damaged-rows.js";
import { type Connection, useDatabase, type Workspace } from "./workspace.js";

/**
 * The workspace's URLs in the orders in which people page through them, in a database of its own beside it (FILE.browse,
 * which may be deleted at any time). The `urls` table is in the order of first appearance: a page of it by URL takes
 * 1.5 s of CPU time at 10 million, one of a table in that order 0.03 s. It is no part of the workspace because sorting
 * takes longer than a command waits for the lock: here the workspace is only read, a million URLs at a time.
 *
 * - by_url: sorted by host, then URL; `rank` counts from 0. Zone maps make a range of ranks one read. They do not work
 *   on URLs (the first eight bytes, which they keep, are those of the scheme), hence:
 * - marks: every 2,048th row of by_url, to find the rank of a host or of a prefix;
 * - by_hits: the same rows by requests, most first; `position` counts from 0. A whole copy: looking up the 50 URLs of a
 *   page of ranks took 0.8 s of CPU time.
 */
export const markEvery = 2048;

const urlsPerRead = 1_000_000;

export const orderFile = ({ file }: Workspace) => `${file}.browse`;

/** What the order was made from: it is made anew where inputs came or went since. */
export async function readStamp(workspace: Workspace): Promise<string> {
  return workspace.read(async (connection) => {
    const rows = await connection.runAndReadAll(
      `SELECT (SELECT count(*) FROM urls)::VARCHAR || ' ' ||
         coalesce((SELECT string_agg(id || ':' || records || ':' || epoch_ms(added), ' ' ORDER BY id) FROM sources), '')`,
    );
    return String(rows.getRows()[0]?.[0]);
  });
}

export async function isOrdered(workspace: Workspace, stamp: string): Promise<boolean> {
  const file = orderFile(workspace);
  if (!existsSync(file)) return false;
  const rows = await useDatabase(file, "read", (connection) => connection.runAndReadAll("SELECT stamp FROM made"));
  return rows.getRows()[0]?.[0] === stamp;
}

/** Puts the URLs in order; readers see the former order until it is there. */
export async function orderUrls(workspace: Workspace, stamp: string, context: JobContext): Promise<void> {
  const file = orderFile(workspace);
  const folder = mkdtempSync(`${file}-`);
  try {
    const files = await copyOut(workspace, folder, context);
    context.onProgress({ step: "sorting the URLs", done: 0, unit: "URLs" });
    const made = path.join(folder, "order.duckdb");
    await useDatabase(made, "write", async (connection) => {
      await connection.run(`SET temp_directory = ${quoted(path.join(folder, "spill"))}`);
      await createOrder(connection, files, stamp);
    });
    if (context.signal.aborted) throw new InterruptedError("the URLs are not in order yet");
    renameSync(made, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function copyOut(workspace: Workspace, folder: string, { onProgress, signal }: JobContext): Promise<string[]> {
  const total = await workspace.read(async (connection) =>
    Number((await connection.runAndReadAll("SELECT coalesce(max(id) + 1, 0)::DOUBLE FROM urls")).getRows()[0]?.[0]),
  );
  const files: string[] = [];
  for (let from = 0; from < Math.max(1, total); from += urlsPerRead) {
    if (signal.aborted) throw new InterruptedError("the URLs are not in order yet");
    onProgress({ step: "reading the URLs", done: from, total, unit: "URLs" });
    const file = path.join(folder, `${from}.parquet`);
    const range = (column: string) => `${column} >= ${from} AND ${column} < ${from + urlsPerRead}`;
    await workspace.read((connection) =>
      connection.run(
        `COPY (
           WITH seen AS (
             SELECT url AS id, sum(hits) AS hits, bit_or(status_classes) AS classes, max(max_bytes) AS bytes
             FROM sightings WHERE ${range("url")} GROUP BY url)
           SELECT id, url, host, hits, classes, bytes FROM urls JOIN seen USING (id) WHERE ${range("id")}
         ) TO ${quoted(file)} (FORMAT parquet, COMPRESSION lz4)`,
      ),
    );
    files.push(file);
  }
  return files;
}

async function createOrder(connection: Connection, files: readonly string[], stamp: string): Promise<void> {
  await connection.run(
    `CREATE TABLE by_url AS SELECT (row_number() OVER () - 1)::UINTEGER AS rank, * FROM (
       SELECT id, url, host, hits, classes, bytes FROM read_parquet([${files.map(parquetFile).join(", ")}]) ORDER BY host, url)`,
  );
  await connection.run(
    `CREATE TABLE by_hits AS SELECT (row_number() OVER () - 1)::UINTEGER AS position, * FROM (
       SELECT * FROM by_url ORDER BY hits DESC, rank)`,
  );
  await connection.run(
    `CREATE TABLE marks AS SELECT rank, host, url FROM by_url WHERE rank % ${markEvery} = 0 ORDER BY rank`,
  );
  await connection.run("CREATE TABLE made AS SELECT $1::VARCHAR AS stamp, (SELECT count(*) FROM by_url) AS urls", [
    stamp,
  ]);
}
