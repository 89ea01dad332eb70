/** The web graph of a snapshot, read from the workspace. */
import { type DroppedLinks, type Links, linksFromTable, NONE, type WebPages } from "../../collections/web-graph.js";
import { UserError } from "../../errors.js";
import { findRoot, makeSets, union } from "../../pages/union-find.js";
import { copyNumbers, readChunks, readStrings, stageTable, toStrings } from "../columns.js";
import { findDownloads, isDownload, type SnapshotName } from "../pages/snapshots.js";
import { snapshotId } from "../snapshot-id.js";
import type { Connection } from "../workspace.js";

/** The web graph of a snapshot (Cho et al. 2000, definition 1), as its pages, links and redirects give it. */
export interface SnapshotWeb {
  readonly web: WebPages;
  readonly links: Links;
  readonly dropped: DroppedLinks;
  /** The number in `urls` of each page. */
  readonly id: Uint32Array;
  /** For each number in `urls` the page that the URL stands for, itself or where rules and redirects lead, or NONE. */
  readonly pageOf: Uint32Array;
  readonly bodyBytes: Float64Array;
  /** Downloads that are one page with another, since proven rules make their URLs equal. */
  readonly merged: number;
  readonly withText: number;
  readonly withSketch: number;
}

/** The snapshot of that name, or the last one with pages. */
export async function pageSnapshot(connection: Connection, name?: string): Promise<SnapshotName> {
  const rows = await connection.runAndReadAll(
    `SELECT id, name, EXISTS (SELECT 1 FROM pages WHERE pages.snapshot = snapshots.id AND ${isDownload("pages")})
       FROM snapshots ORDER BY id`,
  );
  const all = rows.getRows().map(([id, known, hasPages]) => ({ id: Number(id), name: String(known), hasPages }));
  const named = name === undefined ? undefined : await snapshotId(connection, name);
  const found = all.filter(({ id, hasPages }) => hasPages && (named === undefined || named === id)).at(-1);
  if (found === undefined) {
    const where = name === undefined ? "the workspace" : `snapshot "${name}"`;
    throw new UserError(`${where} has no pages; add WARC archives, or JSON lines or Parquet with html or text`);
  }
  return { id: found.id, name: found.name };
}

/** What a page is shown with, but is not a page of its own. */
const REQUISITES = "^(image|audio|video|font)/|^text/css|javascript";
const MOST_REDIRECTS = 10;

/**
 * Leaves `web (page, id, url, host, download)`: the pages in the order of their URLs, of URLs that `canon` makes equal
 * the canonical one if it was downloaded, else the first. Pages without text count too: nobody has compared them.
 */
export async function readWeb(
  connection: Connection,
  snapshot: SnapshotName,
  canon?: (url: string) => string,
): Promise<SnapshotWeb> {
  await findDownloads(connection, [snapshot]);
  await stageCanonical(connection, canon);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE web AS
     SELECT (row_number() OVER (ORDER BY url) - 1)::UINTEGER AS page, * FROM (
       SELECT n.id, n.url, n.key, n.host, d.page AS download
       FROM downloads d JOIN named n ON n.id = d.url JOIN pages p ON p.rowid = d.page
       WHERE p.media_type IS NULL OR NOT regexp_matches(p.media_type, '${REQUISITES}')
       QUALIFY row_number() OVER (PARTITION BY n.key ORDER BY n.url <> n.key, n.url) = 1)`,
  );
  const [pages, downloads, names, withText, withSketch] = await counts(
    connection,
    `SELECT (SELECT count(*) FROM web),
       (SELECT count(*) FROM downloads d JOIN named n ON n.id = d.url WHERE n.key IN (SELECT key FROM web)),
       (SELECT coalesce(max(id) + 1, 0) FROM urls), count(p.text), count(p.s0)
     FROM web JOIN pages p ON p.rowid = web.download`,
  );
  const id = new Uint32Array(pages!);
  const host = new Uint32Array(pages!);
  const bodyBytes = new Float64Array(pages!);
  let row = 0;
  await readChunks(
    connection,
    `SELECT id, (dense_rank() OVER (ORDER BY host) - 1)::UINTEGER, coalesce(p.body_bytes, 0)::DOUBLE
     FROM web JOIN pages p ON p.rowid = web.download ORDER BY page`,
    [],
    (chunk, rows) => {
      copyNumbers(chunk, 0, rows, id, row);
      copyNumbers(chunk, 1, rows, host, row);
      copyNumbers(chunk, 2, rows, bodyBytes, row);
      row += rows;
    },
  );
  const urls = await readStrings(connection, "SELECT url FROM web ORDER BY page", []);
  const site = await foldAliases(connection, snapshot, host);
  const pageOf = await readPageOf(connection, snapshot, names!);
  const { links, dropped } = await readLinks(connection, pages!, pageOf);
  return {
    web: { count: pages!, site, urls },
    links,
    dropped,
    id,
    pageOf,
    bodyBytes,
    merged: downloads! - pages!,
    withText: withText!,
    withSketch: withSketch!,
  };
}

async function counts(connection: Connection, sql: string): Promise<number[]> {
  return ((await connection.runAndReadAll(sql)).getRows()[0] ?? []).map(Number);
}

/** Leaves `named`: every URL with its key, which is the same for URLs that are one page. */
async function stageCanonical(connection: Connection, canon: ((url: string) => string) | undefined): Promise<void> {
  const ids: number[] = [];
  const keys: string[] = [];
  if (canon !== undefined) {
    const urls = toStrings(await readStrings(connection, "SELECT url FROM urls ORDER BY id", []));
    // Numbers in `urls` begin at 0 and have no gaps: no URL is ever removed.
    urls.forEach((url, id) => {
      const key = canon(url);
      if (key === url) return;
      ids.push(id);
      keys.push(key);
    });
  }
  await stageTable(connection, "canonical", { id: Uint32Array.from(ids), key: keys });
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE named AS
     SELECT u.id, u.url, coalesce(c.key, u.url) AS key, u.host FROM urls u LEFT JOIN canonical c ON c.id = u.id`,
  );
}

/**
 * A site is a host; two names of one host are one site where `mirrors` found that: names that differ only in "www." with
 * confirmed pages in common, or hosts at the same address with enough of them.
 */
async function foldAliases(connection: Connection, snapshot: SnapshotName, host: Uint32Array): Promise<Uint32Array> {
  const hosts = toStrings(await readStrings(connection, "SELECT DISTINCT host FROM web ORDER BY host", []));
  const numberOf = new Map(hosts.map((name, at) => [name, at]));
  const parent = new Uint32Array(hosts.length);
  makeSets(parent);
  const aliases = await connection.runAndReadAll(
    `SELECT a, b FROM mirrors WHERE snapshot = $1 AND alias IS NOT NULL AND is_mirror
     UNION ALL
     SELECT unnest(from_json(result, '{"aliases": [{"a": "VARCHAR", "b": "VARCHAR"}]}').aliases, recursive := true)
     FROM analyses WHERE name = 'mirrors' AND snapshot = $1`,
    [snapshot.id],
  );
  for (const names of aliases.getRows()) {
    const [a, b] = names.map((name) => numberOf.get(String(name)));
    if (a !== undefined && b !== undefined) union(parent, a, b);
  }
  return host.map((number) => findRoot(parent, number));
}

async function readPageOf(connection: Connection, snapshot: SnapshotName, names: number): Promise<Uint32Array> {
  const pageOf = new Uint32Array(names).fill(NONE);
  const take = async (sql: string, visit: (a: number, b: number) => void) => {
    const a = new Uint32Array(2048);
    const b = new Uint32Array(2048);
    await readChunks(connection, sql, [], (chunk, rows) => {
      copyNumbers(chunk, 0, rows, a, 0);
      copyNumbers(chunk, 1, rows, b, 0);
      for (let row = 0; row < rows; row++) visit(a[row]!, b[row]!);
    });
  };
  await take("SELECT named.id, web.page FROM named JOIN web ON web.key = named.key", (url, page) => {
    pageOf[url] = page;
  });
  // A URL that was once seen to lead somewhere else, and has no page of its own.
  const from: number[] = [];
  const to: number[] = [];
  await take(
    `SELECT url, min(target)::UINTEGER FROM (
       SELECT r.url, r.target FROM redirects r JOIN sources s ON s.id = r.source WHERE s.snapshot = ${snapshot.id}
       UNION ALL
       SELECT url, redirect FROM pages WHERE snapshot = ${snapshot.id} AND redirect IS NOT NULL AND status BETWEEN 300 AND 399)
     GROUP BY url`,
    (url, target) => {
      from.push(url);
      to.push(target);
    },
  );
  for (let round = 0, changed = true; changed && round < MOST_REDIRECTS; round++) {
    changed = false;
    from.forEach((url, at) => {
      if (pageOf[url] !== NONE || pageOf[to[at]!] === NONE) return;
      pageOf[url] = pageOf[to[at]!]!;
      changed = true;
    });
  }
  return pageOf;
}

async function readLinks(
  connection: Connection,
  pages: number,
  pageOf: Uint32Array,
): Promise<{ links: Links; dropped: DroppedLinks }> {
  const from =
    "FROM web JOIN pages p ON p.rowid = web.download JOIN links l ON l.snapshot = p.snapshot AND l.source_url = p.url";
  const [total] = await counts(connection, `SELECT count(*) ${from}`);
  const src = new Uint32Array(total!);
  const dest = new Uint32Array(total!);
  let row = 0;
  await readChunks(connection, `SELECT web.page, l.target_url ${from}`, [], (chunk, rows) => {
    copyNumbers(chunk, 0, rows, src, row);
    copyNumbers(chunk, 1, rows, dest, row);
    row += rows;
  });
  for (let at = 0; at < dest.length; at++) dest[at] = pageOf[dest[at]!]!;
  return linksFromTable(pages, src, dest);
}

/** Shows the text of each page of `web` in order, empty where there is none. */
export async function readTexts(connection: Connection, take: (text: string) => void): Promise<void> {
  await readChunks(
    connection,
    "SELECT coalesce(p.text, '') FROM web JOIN pages p ON p.rowid = web.download ORDER BY web.page",
    [],
    (chunk) => {
      for (const text of chunk.getColumnValues(0)) take(String(text));
    },
  );
}

/** The near-duplicate clusters of the pages of `web`: for each page that has one, the page and its cluster. */
export async function readTrivialTable(
  connection: Connection,
  snapshot: SnapshotName,
): Promise<{ rid: Uint32Array; pid: Uint32Array }> {
  const from = `FROM clusters c JOIN web ON web.id = c.url WHERE c.snapshot = ${snapshot.id} AND c.level = 'similar'`;
  const [total] = await counts(connection, `SELECT count(*) ${from}`);
  const rid = new Uint32Array(total!);
  const pid = new Uint32Array(total!);
  let row = 0;
  await readChunks(connection, `SELECT c.root, web.page ${from}`, [], (chunk, rows) => {
    copyNumbers(chunk, 0, rows, rid, row);
    copyNumbers(chunk, 1, rows, pid, row);
    row += rows;
  });
  return { rid, pid };
}
