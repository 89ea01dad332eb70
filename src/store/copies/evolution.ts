/** Snapshots side by side, and what became of their clusters, in the workspace. */
import { InvariantError } from "../../errors.js";
import type { StringColumn } from "../../model.js";
import { type Advice, revisitAfterDays } from "../../pages/advice.js";
import { NOBODY } from "../../pages/buckets.js";
import { changeBuckets } from "../../pages/change.js";
import type { ClusterLevel } from "../../pages/cluster.js";
import { DOWNLOADED, type Evolution, FAILED, type SnapshotPages } from "../../pages/evolve.js";
import { FEATURES } from "../../sketch/constants.js";
import { decodeSketch } from "../../sketch/sketch.js";
import { storeAnalysis } from "../analyses.js";
import { copyNumbers, copyTo, quoted, readChunks, readStrings, stageTable } from "../columns.js";
import { DuckDBBlobValue } from "../duckdb.js";
import type { TableFormat } from "../output-format.js";
import { findDownloads, type SnapshotName } from "../pages/snapshots.js";
import type { Connection, Workspace } from "../workspace.js";
import { rankHosts } from "./host-rank.js";

/** Several snapshots as columns over one numbering of URLs, in the order of the URLs. */
export interface SnapshotTable {
  readonly urls: StringColumn;
  /** Number of each URL in the workspace. */
  readonly ids: Uint32Array;
  /** Per URL its host, numbered by `hosts`. */
  readonly host: Uint32Array;
  readonly hosts: readonly string[];
  /** In the order of the snapshots. */
  readonly pages: readonly SnapshotPages[];
  /** Per URL: bytes and words of its last download, 0 where unknown. */
  readonly bytes: Float64Array;
  readonly words: Uint32Array;
}

/** URLs with a download, successful or not, in one of the snapshots; they must have been clustered. */
export async function readSnapshots(
  workspace: Workspace,
  snapshots: readonly SnapshotName[],
  level: ClusterLevel,
): Promise<SnapshotTable> {
  return workspace.read(async (connection) => {
    await numberUrls(connection, snapshots);
    const urls = await readStrings(connection, "SELECT url FROM numbered ORDER BY i", []);
    const names = await connection.runAndReadAll("SELECT host FROM numbered_hosts ORDER BY h");
    const column = async (sql: string, into: Uint32Array | Float64Array) => {
      let at = 0;
      await readChunks(connection, sql, [], (chunk, rows) => {
        copyNumbers(chunk, 0, rows, into, at);
        at += rows;
      });
      return into;
    };
    const host = new Uint32Array(urls.count);
    const ids = new Uint32Array(urls.count);
    const bytes = new Float64Array(urls.count);
    await column("SELECT h FROM numbered JOIN numbered_hosts USING (host) ORDER BY i", host);
    await column("SELECT id FROM numbered ORDER BY i", ids);
    const words = new Uint32Array(urls.count);
    const last = (value: string) =>
      `SELECT coalesce(arg_max(p.${value}, d.snapshot), 0) FROM numbered n LEFT JOIN downloads d ON d.url = n.id
       LEFT JOIN pages p ON p.rowid = d.page GROUP BY i ORDER BY i`;
    await column(last("body_bytes::DOUBLE"), bytes);
    await column(last("words::UINTEGER"), words);
    const pages: SnapshotPages[] = [];
    for (const snapshot of snapshots) pages.push(await readSnapshot(connection, snapshot, level, urls.count));
    return { urls, ids, host, hosts: names.getRows().map((row) => String(row[0])), pages, bytes, words };
  });
}

/** Leaves `downloads`, `numbered (i, id, url, host)` and `numbered_hosts (h, host)`. */
async function numberUrls(connection: Connection, snapshots: readonly SnapshotName[]): Promise<void> {
  await findDownloads(connection, snapshots);
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE numbered AS
     SELECT (row_number() OVER (ORDER BY url) - 1)::UINTEGER AS i, id, url, host FROM urls
     WHERE id IN (SELECT url FROM pages WHERE snapshot IN (${snapshots.map(({ id }) => id).join(", ")}))`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE numbered_hosts AS
     SELECT (row_number() OVER (ORDER BY host) - 1)::UINTEGER AS h, host FROM (SELECT DISTINCT host FROM numbered)`,
  );
}

async function readSnapshot(
  connection: Connection,
  { id }: SnapshotName,
  level: ClusterLevel,
  urls: number,
): Promise<SnapshotPages> {
  const outcome = new Uint8Array(urls);
  const cluster = new Uint32Array(urls).fill(NOBODY);
  const each = async (sql: string, take: (left: number, right: number) => void) => {
    await readChunks(connection, sql, [], (chunk, rows) => {
      const left = new Uint32Array(rows);
      const right = new Uint32Array(rows);
      copyNumbers(chunk, 0, rows, left, 0);
      copyNumbers(chunk, 1, rows, right, 0);
      for (let row = 0; row < rows; row++) take(left[row]!, right[row]!);
    });
  };
  await each(
    `SELECT i, CASE WHEN d.url IS NULL THEN ${FAILED} ELSE ${DOWNLOADED} END::UINTEGER
     FROM (SELECT DISTINCT url FROM pages WHERE snapshot = ${id}) p JOIN numbered ON numbered.id = p.url
     LEFT JOIN downloads d ON d.snapshot = ${id} AND d.url = p.url`,
    (url, value) => {
      outcome[url] = value;
    },
  );
  await each(
    `SELECT u.i, r.i FROM clusters c JOIN numbered u ON u.id = c.url JOIN numbered r ON r.id = c.root
     WHERE c.snapshot = ${id} AND c.level = ${quoted(level)}`,
    (url, root) => {
      cluster[url] = root;
    },
  );
  return { outcome, cluster };
}

/** Where the size is that a change is counted under: of the cluster, or of the largest mirror of a page. */
export type SizeTable = "clusters" | "mirror_pages";

/**
 * Every two successive successful downloads of a URL, both with a sketch: how much they have in common, and the size at
 * the earlier one (0 where it has none).
 */
export async function readChanges(
  workspace: Workspace,
  snapshots: readonly SnapshotName[],
  sizes: SizeTable,
  take: (buckets: Uint8Array, sizes: Uint32Array) => void,
): Promise<void> {
  await workspace.read(async (connection) => {
    await findDownloads(connection, snapshots);
    const level = sizes === "clusters" ? "AND s.level = 'similar'" : "";
    await readChunks(
      connection,
      `SELECT before.sketch, after.sketch, coalesce(s.size, 0)::UINTEGER
       FROM (
         SELECT url, page, lag(page) OVER successive AS before_page, lag(snapshot) OVER successive AS before_snapshot
         FROM downloads WINDOW successive AS (PARTITION BY url ORDER BY snapshot)) d
       JOIN pages before ON before.rowid = before_page JOIN pages after ON after.rowid = d.page
       LEFT JOIN ${sizes} s ON s.url = d.url AND s.snapshot = before_snapshot ${level}
       WHERE before.sketch IS NOT NULL AND after.sketch IS NOT NULL`,
      [],
      (chunk, rows) => {
        const earlier = new BigUint64Array(FEATURES * rows);
        const later = new BigUint64Array(FEATURES * rows);
        const sameBytes = new Uint8Array(rows);
        const size = new Uint32Array(rows);
        copyNumbers(chunk, 2, rows, size, 0);
        const left = chunk.getColumnValues(0);
        const right = chunk.getColumnValues(1);
        for (let row = 0; row < rows; row++) {
          const a = sketchOf(left[row]);
          const b = sketchOf(right[row]);
          // Features of other functions agree nowhere: a change of recipe would look like a change of the page.
          if (a.recipe !== b.recipe) size[row] = 0;
          earlier.set(a.features, FEATURES * row);
          later.set(b.features, FEATURES * row);
          sameBytes[row] = Number(a.checksum === b.checksum && a.lengthBytes === b.lengthBytes);
        }
        take(changeBuckets(earlier, later, sameBytes), size);
      },
    );
  });
}

function sketchOf(value: unknown) {
  if (!(value instanceof DuckDBBlobValue)) throw new InvariantError("a sketch is not a blob");
  return decodeSketch(value.bytes);
}

export interface StoredComparison {
  readonly before: SnapshotName;
  readonly after: SnapshotName;
  readonly classes: Evolution["classes"];
}

/** How the clusters of the last snapshot have changed, by the numbers of URLs that `ids` gives. */
export interface StoredChange extends Pick<Advice, "measured"> {
  readonly days: number;
  readonly maxRisk: number;
  readonly ids: Uint32Array;
}

/** Days from one of these snapshots to the next, on average, by the times of their downloads; at least one. */
export async function daysBetween(workspace: Workspace, snapshots: readonly SnapshotName[]): Promise<number> {
  const found = await workspace.read((connection) =>
    connection.runAndReadAll(
      `SELECT (epoch_ms(max(t)) - epoch_ms(min(t))) / 86400000 FROM (
         SELECT coalesce(median(fetched), any_value(created)) AS t FROM snapshots s LEFT JOIN pages p ON p.snapshot = s.id
         WHERE s.id IN (${snapshots.map(({ id }) => id).join(", ")}) GROUP BY s.id)`,
    ),
  );
  return Math.max(1, Number(found.getRows()[0]?.[0] ?? 0) / Math.max(1, snapshots.length - 1));
}

/** Replaces what is known about evolution. */
export async function storeEvolution(
  workspace: Workspace,
  comparisons: readonly StoredComparison[],
  last: SnapshotName,
  { measured: clusters, days, maxRisk, ids }: StoredChange,
  settings: object,
  result: object,
  nowMs: number,
): Promise<void> {
  const rows = comparisons.flatMap(({ before, after, classes }) =>
    classes.filter(({ urls, failed, gone }) => urls + failed + gone > 0).map((entry) => ({ before, after, ...entry })),
  );
  const counts = <T>(of: readonly T[], pick: (row: T) => number) => Uint32Array.from(of, pick);
  const shares = <T>(of: readonly T[], pick: (row: T) => number) => Float64Array.from(of, pick);
  await workspace.write(async (connection) => {
    await connection.run("DELETE FROM evolution");
    await connection.run("DELETE FROM recrawl_advice");
    await stageTable(connection, "compared", {
      before_snapshot: counts(rows, (row) => row.before.id),
      after_snapshot: counts(rows, (row) => row.after.id),
      sizes: rows.map((row) => row.sizes),
      urls: counts(rows, (row) => row.urls),
      clusters: counts(rows, (row) => row.clusters),
      containment: shares(rows, (row) => row.containment),
      similarity: shares(rows, (row) => row.similarity),
      reverse: shares(rows, (row) => row.reverse),
      reverse_with_arrivals: shares(rows, (row) => row.reverseWithArrivals),
      left_cluster: counts(rows, (row) => row.left),
      failed: counts(rows, (row) => row.failed),
      gone: counts(rows, (row) => row.gone),
    });
    await connection.run("INSERT INTO evolution FROM compared");
    await stageTable(connection, "advised", {
      is_advised: Uint8Array.from(clusters, (row) => Number(row.isAdvised)),
      revisit: shares(clusters, (row) => revisitAfterDays(row.risk, days, maxRisk)),
      root: counts(clusters, (row) => ids[row.root]!),
      members: counts(clusters, (row) => row.members),
      trials: counts(clusters, (row) => row.trials),
      left_cluster: counts(clusters, (row) => row.left),
      gone: counts(clusters, (row) => row.gone),
      risk: shares(clusters, (row) => row.risk),
      saved_fetches: counts(clusters, (row) => row.savedFetches),
      saved_bytes: shares(clusters, (row) => row.savedBytes),
      expected_missed: shares(clusters, (row) => row.expectedMissed),
    });
    await connection.run(
      `INSERT INTO recrawl_advice SELECT ${last.id}, is_advised::BOOLEAN, ${days}, * EXCLUDE (is_advised, revisit) FROM advised`,
    );
    await storeUnchanged(connection, last, nowMs);
    await storeAnalysis(connection, "evolution", null, settings, result);
  });
}

/** Every member of the clusters that are advised, but the one on the principal host, need not be fetched. */
async function storeUnchanged(connection: Connection, last: SnapshotName, nowMs: number): Promise<void> {
  await rankHosts(connection, last);
  await connection.run("DELETE FROM avoid WHERE why = 'unchanged'");
  await connection.run(
    `INSERT INTO avoid
     WITH members AS (
       SELECT u.url, a.revisit, first_value(u.url) OVER (PARTITION BY a.root ORDER BY h.rank, length(u.url), u.url) AS keep
       FROM advised a JOIN clusters c ON c.root = a.root AND c.snapshot = ${last.id} AND c.level = 'similar'
         JOIN urls u ON u.id = c.url JOIN host_rank h ON h.host = u.host
       WHERE a.is_advised = 1)
     SELECT ${last.id}, 'unchanged', 'page', substr(url, instr(url, '://') + 3), keep, 1, made,
       make_timestamp_ms((epoch_ms(made) + revisit * 86400000)::BIGINT)
     FROM members, (SELECT make_timestamp_ms(${Math.round(nowMs)}::BIGINT) AS made) WHERE url <> keep ORDER BY keep, url`,
  );
}

/** The advice as a file: the member to fetch, the member to leave out, and what is known of their cluster. */
export async function writeAdvice(
  workspace: Workspace,
  last: SnapshotName,
  level: ClusterLevel,
  file: string,
  format: TableFormat,
): Promise<void> {
  await workspace.read((connection) =>
    connection.run(
      copyTo(
        `SELECT v.keep AS fetch, u.url AS skip, a.members, a.trials, a.left_cluster, a.gone, a.risk, v.look_again
         FROM recrawl_advice a JOIN clusters c ON c.root = a.root AND c.snapshot = ${last.id} AND c.level = ${quoted(level)}
         JOIN urls u ON u.id = c.url
         JOIN avoid v ON v.why = 'unchanged' AND v.value = substr(u.url, instr(u.url, '://') + 3)
         WHERE a.is_advised ORDER BY a.saved_fetches DESC, v.keep, u.url`,
        file,
        format,
      ),
    ),
  );
}
