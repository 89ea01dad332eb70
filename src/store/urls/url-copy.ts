/** A copy of the URL lists, so that the workspace is not held while they are worked on. */

import { mkdirSync } from "node:fs";
import path from "node:path";
import type { JobContext } from "../../model.js";
import { quoted } from "../columns.js";
import { parquetFile } from "../pages/damaged-rows.js";
import { PRIVATE_FOLDER } from "../private.js";
import { removeScratch, scratchInTemporaryFolder } from "../scratch.js";
import { type Connection, until, useDatabase, type Workspace } from "../workspace.js";

/** Conditions on a column with URL numbers; the parts are read one after the other, and others get their turn in between. */
export type UrlRange = (column: string) => string;

const URLS_PER_READ = 500_000;
/** What is left of work that was cancelled: all of it happens beside the workspace. */
const NOTHING_CHANGED = "nothing was changed";

/** Calls `work` on a connection for each range of the URLs' numbers, each a read of its own. */
export async function readByRange(
  workspace: Workspace,
  { onProgress, signal }: JobContext,
  work: (connection: Connection, range: UrlRange, from: number) => Promise<void>,
): Promise<void> {
  const total = await workspace.read(async (connection) =>
    Number((await connection.runAndReadAll("SELECT coalesce(max(id) + 1, 0)::DOUBLE FROM urls")).getRows()[0]?.[0]),
  );
  for (let from = 0; from < Math.max(1, total); from += URLS_PER_READ) {
    onProgress({ step: "reading the URLs", done: from, total, unit: "URLs" });
    const range: UrlRange = (column) => `${column} >= ${from} AND ${column} < ${from + URLS_PER_READ}`;
    await workspace.readUntil(signal, NOTHING_CHANGED, (connection) => work(connection, range, from));
  }
}

/** SELECTs of what is copied, by the name that it has in the copy. */
export type CopiedTables = Readonly<Record<string, (range: UrlRange) => string>>;

/**
 * Tables of URLs in files of their own, for work that takes longer than others can wait for the workspace: it is only
 * read, range by range, and whatever is counted, sorted or canonized afterwards happens in a database beside it.
 */
export async function withUrlCopy<T>(
  workspace: Workspace,
  tables: CopiedTables,
  context: JobContext,
  work: (connection: Connection, folder: string) => Promise<T>,
): Promise<T> {
  const folder = makeScratchFolder(workspace);
  try {
    const files = new Map(Object.keys(tables).map((name) => [name, [] as string[]]));
    await readByRange(workspace, context, async (connection, range, from) => {
      for (const [name, select] of Object.entries(tables)) {
        const file = path.join(folder, `${name}-${from}.parquet`);
        await connection.run(`COPY (${select(range)}) TO ${quoted(file)} (FORMAT parquet, COMPRESSION lz4)`);
        files.get(name)!.push(file);
      }
    });
    return await useDatabase(path.join(folder, "copy.duckdb"), "write", async (connection) => {
      await connection.run(`SET temp_directory = ${quoted(path.join(folder, "spill"))}`);
      for (const [name, parts] of files) {
        await connection.run(
          `CREATE VIEW ${name} AS SELECT * FROM read_parquet([${parts.map(parquetFile).join(", ")}])`,
        );
      }
      return until(context.signal, NOTHING_CHANGED, connection, () => work(connection, folder));
    });
  } finally {
    removeScratch(folder);
  }
}

/** A workspace may be read where nothing can be written. */
function makeScratchFolder(workspace: Workspace): string {
  const beside = workspace.scratch();
  try {
    mkdirSync(beside, PRIVATE_FOLDER);
    return beside;
  } catch (error) {
    if (!["EACCES", "EROFS", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    const elsewhere = scratchInTemporaryFolder();
    mkdirSync(elsewhere, PRIVATE_FOLDER);
    return elsewhere;
  }
}

/**
 * URLs with what the chosen sources saw of them: bytes of all responses whose size is known, of one of them (their
 * mean), and of the largest; classes as in `sightings`. With "all", also those that no source saw, with NULLs.
 */
export function seenUrls(sources: string, which: "seen" | "all" = "seen"): (range: UrlRange) => string {
  return (range) =>
    `SELECT id, urls.url, host, requests, bytes, copy_bytes, max_bytes, classes
     FROM (SELECT id, url, host FROM urls WHERE ${range("id")}) urls ${which === "all" ? "LEFT" : ""} JOIN (
       SELECT url AS id, sum(hits) AS requests, sum(coalesce(hits * (min_bytes + max_bytes) / 2, 0)) AS bytes,
         coalesce(avg((min_bytes + max_bytes) / 2), 0) AS copy_bytes, max(max_bytes) AS max_bytes,
         bit_or(status_classes) AS classes
       FROM sightings WHERE ${range("url")} AND source IN (${sources}) GROUP BY url) USING (id)`;
}
