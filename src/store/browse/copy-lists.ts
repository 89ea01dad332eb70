import { UserError } from "../../errors.js";
import type { ClusterLevel } from "../../pages/cluster.js";
import { SIZE_CLASSES, sizeRange } from "../../pages/size-class.js";
import type { Connection, Workspace } from "../workspace.js";
import type { Page } from "./browse.js";
import { objects } from "./objects.js";

/** Clusters, mirrors and collections for people, a page at a time by key. */

export type Row = Readonly<Record<string, unknown>>;

export interface CopiesQuery {
  /** The last snapshot that has any where absent. */
  readonly snapshot?: string;
  readonly descending: boolean;
  readonly after?: string;
  readonly limit: number;
}

export interface ClusterQuery extends CopiesQuery {
  readonly level: ClusterLevel;
  /** Of SIZE_CLASSES. */
  readonly sizes?: string;
}

export interface CopiesPage extends Page<Row> {
  /** Absent where no snapshot has any. */
  readonly snapshot?: string;
  readonly snapshots: readonly string[];
}

/** Clusters of two pages or more by size; their root stands for them. */
export async function listClusters(workspace: Workspace, query: ClusterQuery): Promise<CopiesPage> {
  return withSnapshot(workspace, query, `clusters-${query.level}`, async (connection, snapshot) => {
    const list = `cluster_roots WHERE snapshot = ${snapshot} AND level = '${query.level}'`;
    const [least, most] = query.sizes === undefined ? [2, 0xffffffff] : classRange(query.sizes);
    const [range] = await objects(
      connection,
      `SELECT min(rank)::DOUBLE AS first, max(rank)::DOUBLE AS last FROM ${list} AND size BETWEEN ${least} AND ${most}`,
    );
    // Ranks are without gaps: the next rows are the next ranks, and zone maps lead to them.
    let [first, last] = [Number(range?.first ?? 1), Number(range?.last ?? 0)];
    const after = await rankAfter(connection, query, list);
    if (after !== undefined && query.descending) first = Math.max(first, after + 1);
    if (after !== undefined && !query.descending) last = Math.min(last, after - 1);
    if (query.descending) last = Math.min(last, first + query.limit);
    else first = Math.max(first, last - query.limit);
    const found = await objects(
      connection,
      `SELECT rank::DOUBLE AS rank, root::DOUBLE AS root, size::DOUBLE AS size FROM ${list} AND rank BETWEEN ${first} AND ${last}
       ORDER BY rank ${query.descending ? "ASC" : "DESC"}`,
    );
    const shown = found.slice(0, query.limit);
    const end = shown.at(-1);
    const urls = await urlsOf(
      connection,
      shown.map(({ root }) => Number(root)),
    );
    return {
      rows: shown.map(({ rank: _, ...row }) => ({ ...row, url: urls.get(Number(row.root)) })),
      ...(found.length > query.limit && { next: `${end!.rank}.${end!.root}` }),
    };
  });
}

/** The rank that a key names. Where clusters have been made anew since, the root says where its cluster is now. */
async function rankAfter(connection: Connection, query: CopiesQuery, list: string): Promise<number | undefined> {
  if (query.after === undefined) return undefined;
  const [rank, root] = keyOf(query.after);
  const [found] = await objects(
    connection,
    `SELECT rank::DOUBLE AS rank FROM ${list} AND rank = ${rank} AND root = ${root}
     UNION ALL SELECT rank::DOUBLE FROM ${list} AND root = ${root} LIMIT 1`,
  );
  return Number(found?.rank ?? rank);
}

/** How many clusters and pages are in each class of sizes. */
export async function countClusters(
  workspace: Workspace,
  query: Pick<ClusterQuery, "snapshot" | "level">,
): Promise<Row[]> {
  const { rows } = await withSnapshot(workspace, query, `clusters-${query.level}`, async (connection, snapshot) => {
    const where = `snapshot = ${snapshot} AND level = '${query.level}'`;
    const sizes = await objects(
      connection,
      `SELECT size::DOUBLE AS size, count(*)::DOUBLE AS clusters FROM cluster_roots WHERE ${where} GROUP BY size
       UNION ALL SELECT 1, count(*)::DOUBLE FROM clusters WHERE ${where} AND size = 1`,
    );
    const classes = SIZE_CLASSES.map((name) => {
      const [least, most] = classRange(name);
      const inClass = sizes.filter(({ size }) => Number(size) >= least && Number(size) <= most);
      const sum = (pick: (row: Row) => number) => inClass.reduce((total, row) => total + pick(row), 0);
      return {
        sizes: name,
        clusters: sum(({ clusters }) => Number(clusters)),
        pages: sum(({ size, clusters }) => Number(size) * Number(clusters)),
      };
    });
    return { rows: classes.filter(({ pages }) => pages > 0) };
  });
  return [...rows];
}

/** The pages of a cluster. */
export async function listMembers(
  workspace: Workspace,
  root: number,
  query: Omit<ClusterQuery, "sizes">,
): Promise<CopiesPage> {
  return withSnapshot(workspace, query, `clusters-${query.level}`, async (connection, snapshot) => {
    const page = await keyed(
      connection,
      { ...query, descending: false },
      {
        columns: "url::DOUBLE AS id, size::DOUBLE AS size",
        from: `clusters WHERE snapshot = ${snapshot} AND level = '${query.level}' AND root = ${root}`,
        sort: "url",
        tie: "url",
      },
    );
    const ids = page.rows.map(({ id }) => Number(id));
    const urls = await urlsOf(connection, ids);
    const titles = await each(
      connection,
      ids,
      (id) => `SELECT url::DOUBLE AS id, title, words FROM pages WHERE snapshot = ${snapshot} AND url = ${id}`,
    );
    const facts = new Map(titles.map(({ id, title, words }) => [Number(id), { title, words }]));
    return {
      ...page,
      rows: page.rows.map((row) => ({ ...row, url: urls.get(Number(row.id)), ...facts.get(Number(row.id)) })),
    };
  });
}

const mirrorSorts = { clusters: "clusters", size: "size", pages: "least(pages_a, pages_b)" } as const;
export type MirrorSort = keyof typeof mirrorSorts;

/** Pairs of hosts. */
export async function listMirrors(
  workspace: Workspace,
  query: CopiesQuery & { readonly sort: MirrorSort },
): Promise<CopiesPage> {
  return withSnapshot(workspace, query, "mirrors", (connection, snapshot) =>
    keyed(connection, query, {
      columns: `a, b, pages_a::DOUBLE AS "pagesA", pages_b::DOUBLE AS "pagesB", clusters::DOUBLE AS clusters,
        size::DOUBLE AS size, alias, is_mirror AS "isMirror", alike::DOUBLE AS alike,
        lower_bound AS "lowerBound"`,
      from: `mirrors WHERE snapshot = ${snapshot}`,
      sort: mirrorSorts[query.sort],
      tie: "rowid",
    }),
  );
}

/** Parts of hosts that are copies, by pages. */
export async function listSubtrees(workspace: Workspace, query: CopiesQuery): Promise<CopiesPage> {
  return withSnapshot(workspace, query, "mirrors", (connection, snapshot) =>
    keyed(connection, query, {
      columns: `a, b, pages::DOUBLE AS pages, known_a::DOUBLE AS "knownA", known_b::DOUBLE AS "knownB"`,
      from: `mirror_subtrees WHERE snapshot = ${snapshot}`,
      sort: "pages",
      tie: "rowid",
    }),
  );
}

export type CollectionSort = "cardinality" | "size";

export async function listCollections(
  workspace: Workspace,
  query: CopiesQuery & { readonly sort: CollectionSort },
): Promise<CopiesPage> {
  return withSnapshot(workspace, query, "collections", async (connection, snapshot) => {
    const page = await keyed(connection, query, {
      columns: `cluster::DOUBLE AS cluster, name, entry::DOUBLE AS entry, cardinality::DOUBLE AS cardinality,
        size::DOUBLE AS size, is_noise AS "isNoise"`,
      from: `collections WHERE snapshot = ${snapshot}`,
      // Noise comes last, whichever way the list is sorted.
      sort: `(${query.sort}::BIGINT ${query.descending ? "-" : "+"} if(is_noise, ${2 ** 40}, 0))`,
      tie: "cluster",
    });
    const urls = await urlsOf(
      connection,
      page.rows.map(({ entry }) => Number(entry)),
    );
    return { ...page, rows: page.rows.map((row) => ({ ...row, url: urls.get(Number(row.entry)) })) };
  });
}

/** URLs of pages that one answer looks up: with many copies it has fewer positions. */
const lookUps = 100;

/** A cluster of collections: its replicas, and the pages of each position side by side. */
export async function listCollectionPages(
  workspace: Workspace,
  cluster: number,
  query: CopiesQuery,
): Promise<CopiesPage & { readonly collection?: Row; readonly replicas?: readonly Row[] }> {
  return withSnapshot(workspace, query, "collections", async (connection, snapshot) => {
    const where = `snapshot = ${snapshot} AND cluster = ${cluster}`;
    const [collection] = await objects(
      connection,
      `SELECT name, cardinality::DOUBLE AS cardinality, size::DOUBLE AS size, is_noise AS "isNoise", starts::DOUBLE AS starts,
         disagreeing_links::DOUBLE AS "disagreeingLinks" FROM collections WHERE ${where}`,
    );
    if (collection === undefined) throw new UserError(`no collection ${cluster} in this snapshot`);
    const replicas = await objects(
      connection,
      `SELECT replica::DOUBLE AS replica, u.id, u.url, is_principal AS "isPrincipal", real_pages::DOUBLE AS "realPages",
         virtual_pages::DOUBLE AS "virtualPages", unmatched_pages::DOUBLE AS "unmatchedPages"
       FROM (SELECT * FROM replicas WHERE ${where}) r JOIN urls u ON u.id = r.root ORDER BY is_principal DESC, replica LIMIT 100`,
    );
    const page = await keyed(
      connection,
      {
        ...query,
        descending: false,
        limit: Math.min(query.limit, Math.max(1, Math.floor(lookUps / Number(collection.cardinality)))),
      },
      {
        columns: `position::DOUBLE AS position, list({replica: replica, id: url, "virtual": is_virtual} ORDER BY replica) AS pages`,
        from: `collection_pages WHERE ${where}`,
        group: "position",
        sort: "position",
        tie: "position",
      },
    );
    const ids = page.rows.flatMap(({ pages }) => (pages as { id: number }[]).map(({ id }) => id));
    const urls = await urlsOf(connection, ids);
    const rows = page.rows.map((row) => ({
      ...row,
      pages: (row.pages as { id: number }[]).map((entry) => ({ ...entry, url: urls.get(entry.id) })),
    }));
    return { ...page, rows, collection, replicas };
  });
}

/** Where a page belongs among the collections, each snapshot. */
export async function placesOf(connection: Connection, url: number): Promise<Row[]> {
  return objects(
    connection,
    `SELECT n.name AS snapshot, c.cluster::DOUBLE AS cluster, c.name, c.cardinality::DOUBLE AS cardinality, p.replica::DOUBLE AS replica
     FROM (SELECT snapshot, page FROM trivial WHERE url = ${url}) t
       JOIN collection_pages p ON p.snapshot = t.snapshot AND p.url = t.page AND NOT p.is_virtual
       JOIN collections c ON c.snapshot = p.snapshot AND c.cluster = p.cluster JOIN snapshots n ON n.id = t.snapshot
     ORDER BY n.id`,
  );
}

/** What became of clusters from one snapshot to another, by their size before. */
export async function listEvolution(workspace: Workspace): Promise<Row[]> {
  return workspace.read((connection) =>
    objects(
      connection,
      `SELECT b.name AS before, a.name AS after, sizes, urls::DOUBLE AS urls, clusters::DOUBLE AS clusters, containment,
         similarity, left_cluster::DOUBLE AS "leftCluster", failed::DOUBLE AS failed, gone::DOUBLE AS gone
       FROM evolution e JOIN snapshots b ON b.id = before_snapshot JOIN snapshots a ON a.id = after_snapshot
       ORDER BY b.id, a.id, ${SIZE_CLASSES.reduce((sql, name, i) => `${sql} WHEN '${name}' THEN ${i}`, "CASE sizes")} ELSE 9 END`,
    ),
  );
}

interface Keyed {
  readonly columns: string;
  /** A table with its condition. */
  readonly from: string;
  readonly group?: string;
  /** What the list is sorted by, and what tells rows apart that are equal in it: both numbers. */
  readonly sort: string;
  readonly tie: string;
}

/** Rows behind the key, which is the last row's (sort, tie). */
async function keyed(connection: Connection, query: CopiesQuery, list: Keyed): Promise<Page<Row>> {
  let behind = "";
  if (query.after !== undefined) {
    const [sort, tie] = keyOf(query.after);
    behind = `AND (${list.sort} ${query.descending ? "<" : ">"} ${sort} OR (${list.sort} = ${sort} AND ${list.tie} > ${tie}))`;
  }
  const group = list.group === undefined ? "" : `GROUP BY ${list.group}`;
  const found = await objects(
    connection,
    `SELECT ${list.columns}, ${list.sort}::DOUBLE AS key_sort, ${list.tie}::DOUBLE AS key_tie FROM ${list.from} ${behind} ${group}
     ORDER BY ${list.sort} ${query.descending ? "DESC" : "ASC"}, ${list.tie} LIMIT ${query.limit + 1}`,
  );
  const shown = found.slice(0, query.limit);
  const last = shown.at(-1);
  return {
    rows: shown.map(({ key_sort: _, key_tie: __, ...row }) => row),
    ...(found.length > query.limit && last !== undefined && { next: `${last.key_sort}.${last.key_tie}` }),
  };
}

function keyOf(after: string): readonly [number, number] {
  const [sort, tie] = after.split(".").map(Number);
  if (!Number.isSafeInteger(sort) || !Number.isSafeInteger(tie)) throw new UserError(`no key "${after}"`);
  return [sort!, tie!];
}

/** URLs by id. */
export async function urlsOf(connection: Connection, ids: readonly number[]): Promise<Map<number, string>> {
  const found = await each(connection, ids, (id) => `SELECT id, url FROM urls WHERE id = ${id}`);
  return new Map(found.map(({ id, url }) => [Number(id), String(url)]));
}

/** One look-up each: zone maps lead to its block, where a list of ids would have all of them read. */
async function each(connection: Connection, ids: readonly number[], select: (id: number) => string): Promise<Row[]> {
  return ids.length === 0 ? [] : objects(connection, [...new Set(ids)].map(select).join(" UNION ALL "));
}

/** `analysis`: under which name the command that finds these copies keeps what it found. */
async function withSnapshot<P extends Page<Row>>(
  workspace: Workspace,
  query: { readonly snapshot?: string },
  analysis: string,
  work: (connection: Connection, snapshot: number) => Promise<P>,
): Promise<P & Pick<CopiesPage, "snapshot" | "snapshots">> {
  return workspace.read(async (connection) => {
    const known = await objects(
      connection,
      "SELECT id, name FROM snapshots WHERE id IN (SELECT snapshot FROM analyses WHERE name = $1) ORDER BY id",
      [analysis],
    );
    const snapshots = known.map(({ name }) => String(name));
    const chosen = query.snapshot === undefined ? known.at(-1) : known.find(({ name }) => name === query.snapshot);
    if (chosen === undefined && query.snapshot !== undefined && snapshots.length > 0) {
      throw new UserError(`snapshot "${query.snapshot}" has none; there is ${snapshots.join(", ")}`);
    }
    // Nothing is found where nobody has looked yet.
    const page =
      chosen === undefined ? ({ rows: [] as readonly Row[] } as P) : await work(connection, Number(chosen.id));
    return { ...page, snapshots, ...(chosen !== undefined && { snapshot: String(chosen.name) }) };
  });
}

function classRange(name: string): readonly [number, number] {
  const number = (SIZE_CLASSES as readonly string[]).indexOf(name);
  if (number < 0) throw new UserError(`no size class "${name}"; there is ${SIZE_CLASSES.join("; ")}`);
  return sizeRange(number);
}
