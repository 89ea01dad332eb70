/** Replicated collections in the workspace. */
import type { BreakPoint } from "../../collections/break-points.js";
import type { ClusterRecord, Correspondence, ReplicaRecord } from "../../collections/describe.js";
import type { Replicas } from "../../collections/replicas.js";
import type { Place } from "../../collections/rollup.js";
import type { SimilarClusters } from "../../collections/similar-clusters.js";
import type { TrivialClusters } from "../../collections/trivial.js";
import { NONE } from "../../collections/web-graph.js";
import type { AvoidEntry } from "../../url/avoid-list.js";
import { hasAnalysis, storeAnalysis } from "../analyses.js";
import { type ColumnData, copyTo, stageTable } from "../columns.js";
import type { TableFormat } from "../output-format.js";
import type { SnapshotName } from "../pages/snapshots.js";
import type { Connection, Workspace } from "../workspace.js";
import { storeAvoidEntries } from "./avoid-entries.js";
import type { SnapshotWeb } from "./web-graph.js";

/** Everything about the collections of a snapshot that the workspace keeps. */
export interface StoredCollections {
  readonly source: SnapshotWeb;
  readonly trivial: TrivialClusters;
  /** The numbering of corresponding pages: the trivial clusters without surplus copies. */
  readonly positions: TrivialClusters;
  readonly clusters: SimilarClusters;
  readonly replicas: Replicas;
  readonly records: readonly ClusterRecord[];
  /** For clusters with virtual pages: which page corresponds to which. */
  readonly correspondences: ReadonlyMap<number, readonly Correspondence[]>;
  /** For each page 1 where its whole text says, too, that it is a copy. */
  readonly confirmed: Uint8Array;
  readonly breakPoints: readonly BreakPoint[];
  readonly avoid: readonly Required<AvoidEntry>[];
}

const ANALYSIS = "collections";

/** Replaces the collections of a snapshot. `result` is what the command's --json document has. */
export async function storeCollections(
  workspace: Workspace,
  snapshot: SnapshotName,
  settings: { readonly similarity: string; readonly chunking: string },
  found: StoredCollections,
  result: object,
  nowMs: number,
): Promise<void> {
  await workspace.write(async (connection) => {
    const replace = async (table: string, columns: Readonly<Record<string, ColumnData>>, select: string) => {
      await stageTable(connection, `new_${table}`, columns);
      await connection.run(`DELETE FROM ${table} WHERE snapshot = ${snapshot.id}`);
      await connection.run(`INSERT INTO ${table} SELECT ${snapshot.id}, ${select} FROM new_${table}`);
    };
    await replace("trivial", trivialColumns(found), "url, page, root, size");
    await replace(
      "collections",
      collectionColumns(found),
      "cluster, name, entry, cardinality, size, is_noise::BOOLEAN, starts, disagreeing_links",
    );
    await replace(
      "replicas",
      replicaColumns(found),
      "cluster, replica, root, is_principal::BOOLEAN, real_pages, virtual_pages, unmatched_pages",
    );
    await replace(
      "collection_pages",
      pageColumns(found),
      "cluster, replica, position, url, is_virtual::BOOLEAN, is_confirmed::BOOLEAN",
    );
    await replace(
      "break_points",
      breakPointColumns(found),
      `from_cluster, to_cluster, from_replica, to_replica, step, CASE WHEN url <> ${NONE} THEN url END`,
    );
    await storeAvoidEntries(connection, snapshot, "collection", found.avoid, nowMs);
    await storeAnalysis(connection, ANALYSIS, snapshot.id, settings, result);
    // Figure 11 compares tests of similarity: what each of them found stays until it is used again.
    const test = settings.similarity === "chunks" ? settings.chunking : settings.similarity;
    await storeAnalysis(connection, `${ANALYSIS}-${test}`, snapshot.id, settings, result);
  });
}

const numbers = <T>(rows: readonly T[], value: (row: T) => number) => Uint32Array.from(rows, value);
const flags = <T>(rows: readonly T[], value: (row: T) => boolean) => Uint8Array.from(rows, (row) => Number(value(row)));

function trivialColumns({ source: { id, pageOf }, trivial }: StoredCollections): Record<string, ColumnData> {
  const url = Uint32Array.from(pageOf.keys()).filter((name) => pageOf[name] !== NONE);
  const clusterOf = (name: number) => trivial.of[pageOf[name]!]!;
  return {
    url,
    page: url.map((name) => id[pageOf[name]!]!),
    root: url.map((name) => id[trivial.pages[trivial.offsets[clusterOf(name)]!]!]!),
    size: url.map((name) => trivial.offsets[clusterOf(name) + 1]! - trivial.offsets[clusterOf(name)]!),
  };
}

function collectionColumns({ source, replicas, records }: StoredCollections): Record<string, ColumnData> {
  return {
    cluster: numbers(records, ({ cluster }) => cluster),
    name: records.map(({ name }) => name),
    entry: numbers(records, ({ cluster }) => source.id[replicas.root[replicas.principal[cluster]!]!]!),
    cardinality: numbers(records, ({ cardinality }) => cardinality),
    size: numbers(records, ({ size }) => size),
    is_noise: flags(records, ({ isNoise }) => isNoise),
    starts: numbers(records, ({ starts }) => starts),
    disagreeing_links: numbers(records, ({ disagreeingLinks }) => disagreeingLinks),
  };
}

function replicaColumns({ source, replicas, records }: StoredCollections): Record<string, ColumnData> {
  const rows = records.flatMap((record) => record.replicas.map((row) => ({ cluster: record.cluster, ...row })));
  return {
    cluster: numbers(rows, ({ cluster }) => cluster),
    replica: numbers(rows, ({ replica }) => replica),
    root: numbers(rows, ({ replica }) => source.id[replicas.root[replica]!]!),
    is_principal: flags(rows, ({ isPrincipal }) => isPrincipal),
    real_pages: numbers(rows, ({ real }) => real),
    virtual_pages: numbers(rows, ({ virtual }) => virtual),
    unmatched_pages: numbers(rows, ({ unmatched }) => unmatched),
  };
}

function pageColumns({
  source,
  positions,
  clusters,
  correspondences,
  confirmed,
}: StoredCollections): Record<string, ColumnData> {
  const { replicaOf, clusterOfReplica, firstReplica } = clusters;
  const real = Array.from(replicaOf.keys()).filter((page) => replicaOf[page] !== NONE);
  const virtual = [...correspondences].flatMap(([cluster, rows]) =>
    rows.flatMap(({ position, pages, isVirtual }) =>
      Array.from(pages.keys())
        .filter((at) => isVirtual[at])
        .map((at) => ({ cluster, replica: firstReplica[cluster]! + at, position, page: pages[at]! })),
    ),
  );
  const both = (ofReal: (page: number) => number, ofVirtual: (row: (typeof virtual)[number]) => number) =>
    Uint32Array.from([...real.map(ofReal), ...virtual.map(ofVirtual)]);
  return {
    cluster: both(
      (page) => clusterOfReplica[replicaOf[page]!]!,
      ({ cluster }) => cluster,
    ),
    replica: both(
      (page) => replicaOf[page]!,
      ({ replica }) => replica,
    ),
    position: both(
      (page) => positions.of[page]!,
      ({ position }) => position,
    ),
    url: both(
      (page) => source.id[page]!,
      ({ page }) => source.id[page]!,
    ),
    is_virtual: new Uint8Array(real.length + virtual.length).fill(1, real.length),
    is_confirmed: both(
      (page) => confirmed[page]!,
      () => 0,
    ),
  };
}

function breakPointColumns({ source, breakPoints }: StoredCollections): Record<string, ColumnData> {
  const rows = breakPoints.flatMap(({ from, to, sources, pages, replicas }) =>
    pages.flatMap((way, at) =>
      (way.length === 0 ? [NONE] : way.map((page) => source.id[page]!)).map((url, step) => ({
        ...{ from, to, url, step },
        fromReplica: sources[at]!,
        toReplica: replicas[at]!,
      })),
    ),
  );
  return {
    from_cluster: numbers(rows, ({ from }) => from),
    to_cluster: numbers(rows, ({ to }) => to),
    from_replica: numbers(rows, ({ fromReplica }) => fromReplica),
    to_replica: numbers(rows, ({ toReplica }) => toReplica),
    step: numbers(rows, ({ step }) => step),
    url: numbers(rows, ({ url }) => url),
  };
}

/** Whether the collections of a snapshot are known, however they were found, and no page has come or gone since. */
export async function hasCollections(connection: Connection, snapshot: SnapshotName): Promise<boolean> {
  return hasAnalysis(connection, ANALYSIS, snapshot.id);
}

/** The latest titles of these URLs, by their number. */
export async function readTitles(connection: Connection, ids: Uint32Array): Promise<Map<number, string>> {
  await stageTable(connection, "titled", { id: ids });
  const rows = await connection.runAndReadAll(
    `SELECT url, arg_max(title, coalesce(fetched, TIMESTAMP '1970-01-01')) FROM pages
     WHERE url IN (SELECT id FROM titled) AND title <> '' GROUP BY url`,
  );
  return new Map(rows.getRows().map(([url, title]) => [Number(url), String(title)]));
}

/** Where these URLs belong; of each the first spelling that is known counts. */
export async function readPlaces(
  connection: Connection,
  snapshot: SnapshotName,
  urls: readonly (readonly string[])[],
): Promise<(Place | undefined)[]> {
  const rows = urls.flatMap((spellings, row) => spellings.map((url, spelling) => ({ row, spelling, url })));
  await stageTable(connection, "asked", {
    row: numbers(rows, ({ row }) => row),
    spelling: numbers(rows, ({ spelling }) => spelling),
    url: rows.map(({ url }) => url),
  });
  const found = await connection.runAndReadAll(
    `SELECT a.row, c.cluster, c.replica
     FROM asked a JOIN urls u ON u.url = a.url
       JOIN trivial t ON t.snapshot = $1 AND t.url = u.id
       JOIN collection_pages c ON c.snapshot = $1 AND c.url = t.page AND c.is_confirmed
     QUALIFY row_number() OVER (PARTITION BY a.row ORDER BY a.spelling) = 1`,
    [snapshot.id],
  );
  const places: (Place | undefined)[] = new Array(urls.length).fill(undefined);
  for (const [row, cluster, replica] of found.getRows()) {
    places[Number(row)] = { cluster: Number(cluster), replica: Number(replica) };
  }
  return places;
}

/** Name, size and replicas of these clusters, the principal copy first: those of which a copy is confirmed. */
export async function readClusterRecords(
  connection: Connection,
  snapshot: SnapshotName,
  clusters: readonly number[],
): Promise<Map<number, Pick<ClusterRecord, "name" | "size" | "replicas">>> {
  if (clusters.length === 0) return new Map();
  const rows = await connection.runAndReadAll(
    `SELECT c.cluster, c.name, c.size, r.replica, u.url, r.is_principal, r.real_pages, r.virtual_pages, r.unmatched_pages
     FROM collections c JOIN replicas r ON r.snapshot = c.snapshot AND r.cluster = c.cluster JOIN urls u ON u.id = r.root
     WHERE c.snapshot = $1 AND c.cluster IN (${clusters.join(", ")})
       AND r.replica IN (SELECT replica FROM collection_pages WHERE snapshot = $1 AND is_confirmed)
     ORDER BY c.cluster, r.is_principal DESC, r.replica`,
    [snapshot.id],
  );
  const records = new Map<number, { name: string; size: number; replicas: ReplicaRecord[] }>();
  for (const [cluster, name, size, replica, root, isPrincipal, real, virtual, unmatched] of rows.getRows()) {
    let record = records.get(Number(cluster));
    if (record === undefined) {
      record = { name: String(name), size: Number(size), replicas: [] };
      records.set(Number(cluster), record);
    }
    record.replicas.push({
      replica: Number(replica),
      root: String(root),
      isPrincipal: isPrincipal === true,
      real: Number(real),
      virtual: Number(virtual),
      unmatched: Number(unmatched),
      mapped: Number(real) / (Number(size) + Number(unmatched)),
    });
  }
  return records;
}

/** Writes the pages of all collections: those of one collection and position correspond, one for each copy that has it. */
export async function writeCollectionPages(
  connection: Connection,
  snapshot: SnapshotName,
  file: string,
  format: TableFormat,
): Promise<void> {
  await connection.run(
    copyTo(
      `SELECT c.cluster AS collection, k.name, k.is_noise, root.url AS copy, r.is_principal, c.position, page.url, c.is_virtual, c.is_confirmed
       FROM collection_pages c JOIN replicas r USING (snapshot, cluster, replica) JOIN collections k USING (snapshot, cluster)
         JOIN urls root ON root.id = r.root JOIN urls page ON page.id = c.url
       WHERE c.snapshot = ${snapshot.id}
       ORDER BY k.is_noise, c.cluster, c.position, r.is_principal DESC, c.replica`,
      file,
      format,
    ),
  );
}
