/** The order in which people page through URLs, kept beside the workspace. */

import { existsSync, renameSync } from "node:fs";
import path from "node:path";
import type { WorkspaceInfo } from "../../documents.js";
import type { JobContext } from "../../model.js";
import { stopIfAborted } from "../../progress.js";
import { describeWorkspace, fileOf } from "../browse/info.js";
import { quoted } from "../columns.js";
import { type Connection, useDatabase, type Workspace } from "../workspace.js";
import { seenUrls, withUrlCopy } from "./url-copy.js";

/**
 * The workspace's URLs in the orders in which people page through them, in a database of its own beside it (FILE.browse,
 * which may be deleted at any time). The `urls` table is in the order of first appearance: a page of it by URL takes
 * 1.5 s of CPU time at 10 million, one of a table in that order 0.03 s. It is not part of the workspace because sorting
 * takes longer than a command waits for the lock: here the workspace is only read, a range of URLs at a time.
 *
 * - by_url: sorted by host, then URL; `rank` counts from 0. Zone maps make a range of ranks one read. They do not work
 *   on URLs (the first eight bytes, which they keep, are those of the scheme), hence:
 * - named: URLs that no input saw and pages only link to, in the same order;
 * - marks: every 2,048th row of by_url and of named, to find the rank of a host, of a prefix or of a URL;
 * - by_hits: the same rows by requests, most first; `position` counts from 0. A whole copy: looking up the 50 URLs of a
 *   page of ranks took 0.8 s of CPU time;
 * - made: what the order was made from, and what `dustpan info` says of it, which takes a look at every URL.
 */
export const MARK_EVERY = 2048;

export const orderFile = ({ file }: Workspace) => `${file}.browse`;

/** Changes with the tables below. */
const ORDER_VERSION = 1;

/** What the order was made from: it is made again where inputs came or went since. */
export async function readStamp(workspace: Workspace): Promise<string> {
  return workspace.read(async (connection) => {
    const rows = await connection.runAndReadAll(
      `SELECT '${ORDER_VERSION} ' || (SELECT count(*) FROM urls)::VARCHAR || ' ' ||
         coalesce((SELECT string_agg(id || ':' || records || ':' || epoch_ms(added), ' ' ORDER BY id) FROM sources), '')`,
    );
    return String(rows.getRows()[0]?.[0]);
  });
}

export async function isOrdered(workspace: Workspace, stamp: string): Promise<boolean> {
  const file = orderFile(workspace);
  if (!existsSync(file)) return false;
  try {
    const rows = await useDatabase(file, "read", (connection) => connection.runAndReadAll("SELECT stamp FROM made"));
    return rows.getRows()[0]?.[0] === stamp;
  } catch {
    // Whatever it is, a new order can take its place.
    return false;
  }
}

/** Puts the URLs in order; readers see the former order until it is there. */
export async function orderUrls(workspace: Workspace, stamp: string, context: JobContext): Promise<void> {
  const info = await describeWorkspace(workspace, context);
  const urls = seenUrls("SELECT id FROM sources", "all");
  await withUrlCopy(workspace, { urls }, context, async (connection, folder) => {
    context.onProgress({ step: "sorting the URLs", done: 0, unit: "URLs" });
    const made = path.join(folder, "order.duckdb");
    await connection.run(`ATTACH ${quoted(made)} AS made`);
    await connection.run("USE made");
    await createOrder(connection, stamp, info);
    await connection.run("USE copy");
    await connection.run("DETACH made");
    stopIfAborted(context, "nothing was changed");
    renameSync(made, orderFile(workspace));
  });
}

async function createOrder(connection: Connection, stamp: string, info: WorkspaceInfo): Promise<void> {
  const sorted = (where: string, columns: string) =>
    `SELECT (row_number() OVER () - 1)::UINTEGER AS rank, * FROM (
       SELECT id, url, host ${columns} FROM copy.urls WHERE ${where} ORDER BY host, url)`;
  await connection.run(
    `CREATE TABLE by_url AS ${sorted("classes IS NOT NULL", ", requests AS hits, classes, max_bytes AS bytes")}`,
  );
  await connection.run(
    `CREATE TABLE by_hits AS SELECT (row_number() OVER () - 1)::UINTEGER AS position, * FROM (
       SELECT * FROM by_url ORDER BY hits DESC, rank)`,
  );
  await connection.run(`CREATE TABLE named AS ${sorted("classes IS NULL", "")}`);
  const marks = (list: string) =>
    `SELECT '${list}' AS list, rank, host, url FROM ${list} WHERE rank % ${MARK_EVERY} = 0`;
  await connection.run(`CREATE TABLE marks AS ${marks("by_url")} UNION ALL ${marks("named")} ORDER BY list, rank`);
  await connection.run(
    "CREATE TABLE made AS SELECT $1::VARCHAR AS stamp, (SELECT count(*) FROM by_url) AS urls, $2::JSON AS info",
    [stamp, JSON.stringify(info)],
  );
}

/** What the workspace held when the order was made. */
export async function readOrderedInfo(workspace: Workspace): Promise<WorkspaceInfo> {
  const rows = await useDatabase(orderFile(workspace), "read", (connection) =>
    connection.runAndReadAll("SELECT info::VARCHAR FROM made"),
  );
  return { ...JSON.parse(String(rows.getRows()[0]?.[0])), ...fileOf(workspace) };
}
