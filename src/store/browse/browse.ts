/** URLs for people, a page at a time by key. */
import type { ListedUrl } from "../../model.js";
import { hostIn } from "../../url/parse.js";
import type { DuckDBValue } from "../duckdb.js";
import { MARK_EVERY, orderFile } from "../urls/url-order.js";
import { type Connection, useDatabase, type Workspace } from "../workspace.js";
import { cutPage, type Page, readKey, writeKey } from "./page.js";

export interface UrlQuery {
  readonly sort: "url" | "hits";
  readonly descending: boolean;
  readonly host?: string;
  /** URLs that begin with this; sorted by URL only. */
  readonly prefix?: string;
  /** URLs that contain this text: every URL has to be looked at. */
  readonly contains?: string;
  readonly after?: string;
  readonly limit: number;
}

/** URLs in the order that `orderUrls` made. */
export async function listUrls(workspace: Workspace, query: UrlQuery): Promise<Page<ListedUrl> & { total: number }> {
  return useDatabase(orderFile(workspace), "read", async (connection) => {
    const total = await one(connection, "SELECT urls::DOUBLE FROM made");
    const range = await rangeOf(connection, query, total);
    const rows = await walk(connection, query, range, total);
    const page = cutPage(rows, query.limit, ({ place, id }) => writeKey([place, id]));
    return { ...page, rows: page.rows.map(({ place: _, ...row }) => row), total: range.to - range.from };
  });
}

interface Placed extends ListedUrl {
  /** Rank or position in its order. */
  readonly place: number;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The next rows along the order, with one more than the page has. The order's own numbers find them: without a filter
 * they are the numbers after the key's; with one the walk ends at the limit, since rows come in the table's order.
 */
async function walk(connection: Connection, query: UrlQuery, range: Range, total: number): Promise<Placed[]> {
  const { sort, limit } = query;
  const [table, column] = sort === "url" ? (["by_url", "rank"] as const) : (["by_hits", "position"] as const);
  // by_hits begins with the most requests.
  const forward = (sort === "hits") === query.descending;
  const key = await placeAfter(connection, query, table, column);
  let { from, to } = sort === "url" ? range : { from: 0, to: total };
  if (key !== undefined) {
    if (forward) from = Math.max(from, key + 1);
    else to = Math.min(to, key);
  }
  const whole = sort === "url" || range.to - range.from === total;
  if (whole && query.contains === undefined) {
    if (forward) to = Math.min(to, from + limit + 1);
    else from = Math.max(from, to - limit - 1);
  }
  const [where, values] = matching(query);
  // A host's URLs are side by side in by_url: where they are few, they are read there, and only numbers in by_hits.
  const few = !whole && range.to - range.from <= FEW_URLS;
  if (few) {
    const inRange = `rank >= ${range.from} AND rank < ${range.to}`;
    return placed(
      connection,
      `SELECT place, id, url, host, hits, classes, bytes
       FROM (SELECT position AS place, rank FROM by_hits WHERE position >= ${from} AND position < ${to} AND ${inRange}) p
       JOIN (SELECT * FROM by_url WHERE ${inRange} AND ${where}) u USING (rank)
       ORDER BY place ${forward ? "ASC" : "DESC"} LIMIT ${limit + 1}`,
      values,
    );
  }
  return placed(
    connection,
    `SELECT ${column} AS place, id, url, host, hits, classes, bytes FROM ${table}
     WHERE ${column} >= ${from} AND ${column} < ${to} ${whole ? "" : `AND rank >= ${range.from} AND rank < ${range.to}`} AND ${where}
     ${forward ? "" : "ORDER BY place DESC"} LIMIT ${limit + 1}`,
    values,
  );
}

const FEW_URLS = 200_000;

async function placed(connection: Connection, sql: string, values: DuckDBValue[]): Promise<Placed[]> {
  const found = await connection.runAndReadAll(sql, values);
  return found.getRows().map(([place, id, url, host, hits, classes, bytes]) => ({
    place: Number(place),
    id: Number(id),
    url: String(url),
    host: String(host),
    hits: Number(hits),
    statusClasses: Number(classes),
    bytes: bytes === null ? null : Number(bytes),
  }));
}

function matching(query: UrlQuery): [string, DuckDBValue[]] {
  if (query.contains === undefined) return ["true", []];
  // Without capital letters in the question, capitals in URLs do not matter.
  const folded = query.contains === query.contains.toLowerCase();
  return [folded ? "contains(lower(url), $1)" : "contains(url, $1)", [query.contains]];
}

/**
 * The place that a key names. It holds the place and the id that was there; where the order has been made again since,
 * the id says where the row is now.
 */
async function placeAfter(
  connection: Connection,
  { after }: UrlQuery,
  table: string,
  column: string,
): Promise<number | undefined> {
  if (after === undefined) return undefined;
  const [place, id] = readKey(after);
  const there = await connection.runAndReadAll(`SELECT id FROM ${table} WHERE ${column} = ${place}`);
  if (Number(there.getRows()[0]?.[0]) === id) return place;
  const now = await connection.runAndReadAll(`SELECT ${column} FROM ${table} WHERE id = ${id}`);
  const found = now.getRows()[0]?.[0];
  return found == null ? place : Number(found);
}

async function rangeOf(connection: Connection, query: UrlQuery, total: number): Promise<Range> {
  const { host, prefix } = query;
  if (prefix !== undefined && prefix !== "") {
    const name = host ?? hostIn(prefix);
    // U+10FFFF is after every character that a URL has.
    return {
      from: await rankOf(connection, "by_url", name, prefix, total),
      to: await rankOf(connection, "by_url", name, `${prefix}\u{10ffff}`, total),
    };
  }
  if (host === undefined) return { from: 0, to: total };
  return {
    from: await rankOf(connection, "by_url", host, "", total),
    to: await rankOf(connection, "by_url", host, "\u{10ffff}", total),
  };
}

/** The first rank whose (host, URL) is not before the given one. */
async function rankOf(
  connection: Connection,
  list: "by_url" | "named",
  host: string,
  url: string,
  total: number,
): Promise<number> {
  const marks = await connection.runAndReadAll(
    "SELECT coalesce(max(rank), 0)::DOUBLE FROM marks WHERE list = $3 AND (host, url) < ($1, $2)",
    [host, url, list],
  );
  const from = Number(marks.getRows()[0]?.[0]);
  const found = await connection.runAndReadAll(
    `SELECT min(rank)::DOUBLE FROM ${list}
     WHERE rank >= ${from} AND rank <= ${from + MARK_EVERY} AND (host, url) >= ($1, $2)`,
    [host, url],
  );
  const rank = found.getRows()[0]?.[0];
  return rank == null ? total : Number(rank);
}

async function one(connection: Connection, sql: string, values: DuckDBValue[] = []): Promise<number> {
  return Number((await connection.runAndReadAll(sql, values)).getRows()[0]?.[0] ?? 0);
}

/** The id of a URL that any input or link names; the order, which has to be made, finds it at once. */
export async function findUrl(workspace: Workspace, url: string): Promise<number | undefined> {
  return useDatabase(orderFile(workspace), "read", async (connection) => {
    for (const list of ["by_url", "named"] as const) {
      const rank = await rankOf(connection, list, hostIn(url), url, -1);
      const rows = await connection.runAndReadAll(`SELECT id FROM ${list} WHERE rank = ${rank} AND url = $1`, [url]);
      const id = rows.getRows()[0]?.[0];
      if (id !== undefined) return Number(id);
    }
    return undefined;
  });
}
