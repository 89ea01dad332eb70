/** URL lists of sites, as columns for mining and validation. */
import { InvariantError } from "../../errors.js";
import type { SizeRanges, SketchColumn, StringColumn, UrlList } from "../../model.js";
import { copyNumbers, readChunks, readStrings } from "../columns.js";
import { DuckDBBlobValue } from "../duckdb.js";
import { snapshotId } from "../snapshot-id.js";
import type { Connection, Workspace } from "../workspace.js";

/** What a user calls a site: everything, a registrable domain, a host, or a prefix of URLs. */
export type SiteChoice =
  | { readonly by: "all" }
  /** A registrable domain with all its hosts; the name of a single host means that host. */
  | { readonly by: "domain"; readonly name: string }
  | { readonly by: "host"; readonly name: string }
  | { readonly by: "prefix"; readonly name: string };

export interface SiteSummary {
  /** Registrable domain; "" for URLs without an origin. */
  readonly site: string;
  readonly urls: number;
}

/** Status classes unknown, 1xx, 2xx and 3xx, as input/sightings numbers them. */
const ANSWERED = 0b1111;

/**
 * URLs of the list are those with a record that is neither 4xx nor 5xx (thesis 5.1, step 3), in the order of their
 * first appearance.
 */
async function findMembers(connection: Connection, snapshot: string | undefined): Promise<void> {
  const of = snapshot === undefined ? "" : `WHERE snapshot = ${await snapshotId(connection, snapshot)}`;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE chosen AS
     SELECT id AS source, series, dense_rank() OVER (ORDER BY series) - 1 AS series_no FROM sources ${of}`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE members AS
     SELECT url AS id FROM sightings SEMI JOIN chosen USING (source) WHERE (status_classes & ${ANSWERED}) <> 0 GROUP BY url`,
  );
}

/** The sites of the workspace with their number of URLs, largest first. */
export async function listSites(workspace: Workspace, snapshot?: string): Promise<SiteSummary[]> {
  return workspace.read(async (connection) => {
    await findMembers(connection, snapshot);
    const rows = await connection.runAndReadAll(
      `SELECT site, count(*)::DOUBLE FROM members JOIN urls USING (id) JOIN hosts USING (host)
       GROUP BY site ORDER BY count(*) DESC, site`,
    );
    return rows.getRows().map(([site, urls]) => ({ site: String(site), urls: Number(urls) }));
  });
}

/** The names of all sites and hosts that have URLs in the lists of the workspace. */
export async function listNames(workspace: Workspace): Promise<Set<string>> {
  return workspace.read(async (connection) => {
    await findMembers(connection, undefined);
    const rows = await connection.runAndReadAll(
      "SELECT DISTINCT unnest([host, site]) FROM members JOIN urls USING (id) JOIN hosts USING (host)",
    );
    return new Set(rows.getRows().map(([name]) => String(name)));
  });
}

/** The hosts of all URLs of the workspace, without ports; none where there is no workspace yet. */
export async function listHosts(workspace: Workspace): Promise<string[]> {
  if (!workspace.exists) return [];
  return workspace.read(async (connection) => {
    const rows = await connection.runAndReadAll("SELECT host FROM hosts WHERE host <> '' ORDER BY host");
    return rows.getRows().map(([host]) => String(host));
  });
}

/** How many URLs the list of a site has; without a site, how many the workspace has, in any list or none. */
export async function countUrls(workspace: Workspace, choice?: SiteChoice, snapshot?: string): Promise<number> {
  return workspace.read(async (connection) => {
    if (choice !== undefined) await findList(connection, choice, snapshot);
    const table = choice === undefined ? "urls" : "list";
    const counted = await connection.runAndReadAll(`SELECT count(*)::DOUBLE FROM ${table}`);
    return Number(counted.getRows()[0]?.[0]);
  });
}

/** The URL list of one site, with sizes per series and with sketches, in columns. */
export async function readUrlList(
  workspace: Workspace,
  choice: SiteChoice,
  snapshot?: string,
  signal?: AbortSignal,
): Promise<UrlList> {
  return workspace.readUntil(signal, "nothing was changed", (connection) => readList(connection, choice, snapshot));
}

/** `readUrlList` for those who go on reading: leaves `chosen (source, series)` and `list (id, i)`, i being the row. */
export async function readList(
  connection: Connection,
  choice: SiteChoice,
  snapshot: string | undefined,
): Promise<UrlList> {
  const urls = await readMembers(connection, choice, snapshot);
  return { urls, ...(await readSizes(connection, urls)), ...(await readSketches(connection, urls)) };
}

/** The URLs of `readUrlList` alone. */
export async function readUrls(workspace: Workspace, choice: SiteChoice, snapshot?: string): Promise<StringColumn> {
  return workspace.read((connection) => readMembers(connection, choice, snapshot));
}

/** Leaves `chosen (source, series, series_no)` and `list (id, i)`, i being the row. */
export async function findList(
  connection: Connection,
  choice: SiteChoice,
  snapshot: string | undefined,
): Promise<void> {
  await findMembers(connection, snapshot);
  const { where, values } = condition(choice);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE list AS
     SELECT id, row_number() OVER (ORDER BY id) - 1 AS i FROM members JOIN urls USING (id) JOIN hosts USING (host) WHERE ${where}`,
    values,
  );
}

async function readMembers(
  connection: Connection,
  choice: SiteChoice,
  snapshot: string | undefined,
): Promise<StringColumn> {
  await findList(connection, choice, snapshot);
  return readStrings(connection, "SELECT url FROM list JOIN urls USING (id) ORDER BY i", []);
}

function condition(choice: SiteChoice): { where: string; values: string[] } {
  switch (choice.by) {
    case "all":
      return { where: "true", values: [] };
    case "domain":
      return { where: "hosts.site = $1 OR urls.host = $1", values: [choice.name] };
    case "host":
      return { where: "urls.host = lower($1)", values: [choice.name] };
    case "prefix":
      return { where: "starts_with(urls.url, $1)", values: [choice.name] };
  }
}

async function readSizes(connection: Connection, urls: StringColumn): Promise<{ sizes?: SizeRanges }> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE sizes AS
     SELECT i, series_no, min(min_bytes) AS least, max(max_bytes) AS most
     FROM sightings JOIN chosen USING (source) JOIN list ON list.id = sightings.url
     WHERE min_bytes IS NOT NULL GROUP BY i, series_no`,
  );
  const counted = await connection.runAndReadAll("SELECT count(*)::DOUBLE FROM sizes");
  const total = Number(counted.getRows()[0]?.[0]);
  if (total === 0) return {};
  const shared = <T>(make: (buffer: SharedArrayBuffer) => T, bytes: number) => make(new SharedArrayBuffer(bytes));
  const source = shared((buffer) => new Uint32Array(buffer), 4 * total);
  const minBytes = shared((buffer) => new Float64Array(buffer), 8 * total);
  const maxBytes = shared((buffer) => new Float64Array(buffer), 8 * total);
  const owner = new Uint32Array(total);
  let at = 0;
  await readChunks(
    connection,
    "SELECT i::UINTEGER, series_no::UINTEGER, least, most FROM sizes ORDER BY i, series_no",
    [],
    (chunk, count) => {
      copyNumbers(chunk, 0, count, owner, at);
      copyNumbers(chunk, 1, count, source, at);
      copyNumbers(chunk, 2, count, minBytes, at);
      copyNumbers(chunk, 3, count, maxBytes, at);
      at += count;
    },
  );
  return { sizes: { rows: rowsOf(owner, urls.count), source, minBytes, maxBytes } };
}

/** Every successful download with a sketch, oldest first; those of unknown time before them, the last added first. */
async function readSketches(connection: Connection, urls: StringColumn): Promise<{ sketches?: SketchColumn }> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE captures AS
     SELECT i, fetched, source, shingles_kind, shingles FROM pages SEMI JOIN chosen USING (source) JOIN list ON list.id = pages.url
     WHERE shingles_kind > 0 AND status BETWEEN 200 AND 299`,
  );
  const counted = await connection.runAndReadAll("SELECT count(*)::DOUBLE FROM captures");
  const total = Number(counted.getRows()[0]?.[0]);
  if (total === 0) return {};
  const owner = new Uint32Array(total);
  const timeMs = new Float64Array(new SharedArrayBuffer(8 * total));
  const kind = new Uint8Array(new SharedArrayBuffer(total));
  const values = new BigUint64Array(new SharedArrayBuffer(32 * total));
  let at = 0;
  await readChunks(
    connection,
    `SELECT i::UINTEGER, coalesce(epoch_ms(fetched)::DOUBLE, 'nan'), shingles_kind, shingles FROM captures
     ORDER BY i, fetched NULLS FIRST, source DESC`,
    [],
    (chunk, count) => {
      copyNumbers(chunk, 0, count, owner, at);
      copyNumbers(chunk, 1, count, timeMs, at);
      copyNumbers(chunk, 2, count, kind, at);
      chunk.getColumnValues(3).forEach((value, k) => {
        if (!(value instanceof DuckDBBlobValue)) throw new InvariantError("shingles are not a blob");
        values.set(new BigUint64Array(Uint8Array.from(value.bytes).buffer, 0, 4), 4 * (at + k));
      });
      at += count;
    },
  );
  return { sketches: { rows: rowsOf(owner, urls.count), timeMs, kind, values } };
}

/** Where the entries of each URL begin, given the URL of each entry in ascending order. */
function rowsOf(owner: Uint32Array, urls: number): Uint32Array {
  const rows = new Uint32Array(new SharedArrayBuffer(4 * (urls + 1)));
  for (const url of owner) rows[url + 1]!++;
  for (let i = 0; i < urls; i++) rows[i + 1]! += rows[i]!;
  return rows;
}
