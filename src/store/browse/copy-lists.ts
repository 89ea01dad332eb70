/** Clusters, mirrors and collections for people, a page at a time by key. */
import { UserError } from "../../errors.js";
import type { ClusterLevel } from "../../pages/cluster.js";
import { sizeClasses, sizeRange } from "../../pages/size-class.js";
import type { Connection, Workspace } from "../workspace.js";
import { cutPage, type Page, readKey, writeKey } from "./page.js";
import { type Columns, flag, listOf, number, orNull, type RowOf, selectionOf, selectRows, text } from "./rows.js";

export interface CopiesQuery {
  /** The last snapshot that has any where absent. */
  readonly snapshot?: string;
  readonly descending: boolean;
  readonly after?: string;
  readonly limit: number;
}

export interface ClusterQuery extends CopiesQuery {
  readonly level: ClusterLevel;
  /** Of sizeClasses. */
  readonly sizes?: string;
}

/** Clusters of two pages or more by size; their root stands for them. */
export async function listClusters(workspace: Workspace, query: ClusterQuery) {
  return withSnapshot(workspace, query, `clusters-${query.level}`, async (connection, snapshot) => {
    const list = `cluster_roots WHERE snapshot = ${snapshot} AND level = '${query.level}'`;
    const [least, most] = query.sizes === undefined ? [2, 0xffffffff] : classRange(query.sizes);
    const [range] = await selectRows(
      connection,
      { first: orNull(number("min(rank)")), last: orNull(number("max(rank)")) },
      `FROM ${list} AND size BETWEEN ${least} AND ${most}`,
    );
    // Ranks are without gaps: the next rows are the next ranks, and zone maps lead to them.
    let [first, last] = [range!.first ?? 1, range!.last ?? 0];
    const after = await rankAfter(connection, query, list);
    if (after !== undefined && query.descending) first = Math.max(first, after + 1);
    if (after !== undefined && !query.descending) last = Math.min(last, after - 1);
    if (query.descending) last = Math.min(last, first + query.limit);
    else first = Math.max(first, last - query.limit);
    const found = await selectRows(
      connection,
      { rank: number("rank"), root: number("root"), size: number("size") },
      `FROM ${list} AND rank BETWEEN ${first} AND ${last} ORDER BY cluster_roots.rank ${query.descending ? "ASC" : "DESC"}`,
    );
    const page = cutPage(found, query.limit, ({ rank, root }) => writeKey([rank, root]));
    const roots = page.rows.map(({ root }) => root);
    const urls = await urlsOf(connection, roots);
    const facts = await factsOf(connection, snapshot, roots);
    const describe = ({ root, size }: { readonly root: number; readonly size: number }) => ({
      ...{ root, size, url: urls.get(root)!, title: facts.get(root)?.title ?? null },
    });
    return { ...page, rows: page.rows.map(describe) };
  });
}

/** The rank that a key names. Where clusters have been made again since, the root says where its cluster is now. */
async function rankAfter(connection: Connection, query: CopiesQuery, list: string): Promise<number | undefined> {
  if (query.after === undefined) return undefined;
  const [rank, root] = readKey(query.after);
  const place = { rank: number("rank") };
  const [found] = await selectRows(
    connection,
    place,
    `FROM ${list} AND rank = ${rank} AND root = ${root} UNION ALL SELECT ${selectionOf(place)} FROM ${list} AND root = ${root} LIMIT 1`,
  );
  return found?.rank ?? rank;
}

/** How many clusters and pages are in each class of sizes. */
export async function countClusters(workspace: Workspace, query: Pick<ClusterQuery, "snapshot" | "level">) {
  const { rows } = await withSnapshot(workspace, query, `clusters-${query.level}`, async (connection, snapshot) => {
    const where = `snapshot = ${snapshot} AND level = '${query.level}'`;
    const sizes = await selectRows(
      connection,
      { size: number("size"), clusters: number("count(*)") },
      `FROM cluster_roots WHERE ${where} GROUP BY cluster_roots.size
       UNION ALL SELECT 1, count(*)::DOUBLE FROM clusters WHERE ${where} AND size = 1`,
    );
    const classes = sizeClasses.map((name) => {
      const [least, most] = classRange(name);
      const inClass = sizes.filter(({ size }) => size >= least && size <= most);
      return {
        sizes: name as string,
        clusters: inClass.reduce((total, { clusters }) => total + clusters, 0),
        pages: inClass.reduce((total, { size, clusters }) => total + size * clusters, 0),
      };
    });
    return { rows: classes.filter(({ pages }) => pages > 0) };
  });
  return [...rows];
}

/** The pages of a cluster. */
export async function listMembers(workspace: Workspace, root: number, query: Omit<ClusterQuery, "sizes">) {
  return withSnapshot(workspace, query, `clusters-${query.level}`, async (connection, snapshot) => {
    const page = await keyed(
      connection,
      { ...query, descending: false },
      {
        columns: { id: number("url"), size: number("size") },
        from: `clusters WHERE snapshot = ${snapshot} AND level = '${query.level}' AND root = ${root}`,
        sort: "url",
        tie: "url",
      },
    );
    const ids = page.rows.map(({ id }) => id);
    const urls = await urlsOf(connection, ids);
    const facts = await factsOf(connection, snapshot, ids);
    return {
      ...page,
      rows: page.rows.map(({ id, size }) => {
        const { title = null, words = null } = facts.get(id) ?? {};
        return { id, size, url: urls.get(id)!, title, words };
      }),
    };
  });
}

/** Title and length of the pages of a snapshot, by the numbers of their URLs. */
async function factsOf(connection: Connection, snapshot: number, ids: readonly number[]) {
  const found = await lookUp(
    connection,
    ids,
    { id: number("url"), title: orNull(text("title")), words: orNull(number("words")) },
    (id) => `FROM pages WHERE snapshot = ${snapshot} AND url = ${id}`,
  );
  return new Map(found.map((row) => [row.id, row]));
}

const mirrorSorts = { clusters: "clusters", size: "size", pages: "least(pages_a, pages_b)" } as const;
export type MirrorSort = keyof typeof mirrorSorts;

/** Pairs of hosts. */
export async function listMirrors(workspace: Workspace, query: CopiesQuery & { readonly sort: MirrorSort }) {
  return withSnapshot(workspace, query, "mirrors", (connection, snapshot) =>
    keyed(connection, query, {
      columns: {
        a: text("a"),
        b: text("b"),
        pagesA: number("pages_a"),
        pagesB: number("pages_b"),
        clusters: number("clusters"),
        size: number("size"),
        alias: orNull(text("alias")),
        isMirror: flag("is_mirror"),
        alike: number("alike"),
        lowerBound: number("lower_bound"),
      },
      from: `mirrors WHERE snapshot = ${snapshot}`,
      sort: mirrorSorts[query.sort],
      tie: "rowid",
    }),
  );
}

/** Parts of hosts that are copies, by pages. */
export async function listSubtrees(workspace: Workspace, query: CopiesQuery) {
  return withSnapshot(workspace, query, "mirrors", (connection, snapshot) =>
    keyed(connection, query, {
      columns: {
        a: text("a"),
        b: text("b"),
        pages: number("pages"),
        knownA: number("known_a"),
        knownB: number("known_b"),
      },
      from: `mirror_subtrees WHERE snapshot = ${snapshot}`,
      sort: "pages",
      tie: "rowid",
    }),
  );
}

export type CollectionSort = "cardinality" | "size";

export async function listCollections(workspace: Workspace, query: CopiesQuery & { readonly sort: CollectionSort }) {
  return withSnapshot(workspace, query, "collections", async (connection, snapshot) => {
    const page = await keyed(connection, query, {
      columns: {
        cluster: number("cluster"),
        name: text("name"),
        entry: number("entry"),
        cardinality: number("cardinality"),
        size: number("size"),
        isNoise: flag("is_noise"),
      },
      from: `collections WHERE snapshot = ${snapshot}`,
      // Noise comes last, whichever way the list is sorted.
      sort: `(${query.sort}::BIGINT ${query.descending ? "-" : "+"} if(is_noise, ${2 ** 40}, 0))`,
      tie: "cluster",
    });
    const urls = await urlsOf(
      connection,
      page.rows.map(({ entry }) => entry),
    );
    return { ...page, rows: page.rows.map((row) => ({ ...row, url: urls.get(row.entry)! })) };
  });
}

/** URLs of pages that one answer looks up: with many copies it has fewer positions. */
const LOOK_UPS = 100;

/** A cluster of collections: its replicas, and the pages of each position side by side. */
export async function listCollectionPages(workspace: Workspace, cluster: number, query: CopiesQuery) {
  return withSnapshot(workspace, query, "collections", async (connection, snapshot) => {
    const where = `snapshot = ${snapshot} AND cluster = ${cluster}`;
    const [collection] = await selectRows(
      connection,
      {
        name: text("name"),
        cardinality: number("cardinality"),
        size: number("size"),
        isNoise: flag("is_noise"),
        starts: number("starts"),
        disagreeingLinks: number("disagreeing_links"),
      },
      `FROM collections WHERE ${where}`,
    );
    if (collection === undefined) throw new UserError(`no collection ${cluster} in this snapshot`);
    const replicas = await selectRows(
      connection,
      {
        replica: number("replica"),
        id: number("u.id"),
        url: text("u.url"),
        isPrincipal: flag("is_principal"),
        realPages: number("real_pages"),
        virtualPages: number("virtual_pages"),
        unmatchedPages: number("unmatched_pages"),
      },
      `FROM (SELECT * FROM replicas WHERE ${where}) r JOIN urls u ON u.id = r.root ORDER BY is_principal DESC, replica LIMIT 100`,
    );
    const page = await keyed(
      connection,
      {
        ...query,
        descending: false,
        limit: Math.min(query.limit, Math.max(1, Math.floor(LOOK_UPS / collection.cardinality))),
      },
      {
        columns: {
          position: number("position"),
          pages: listOf({ replica: number("replica"), id: number("url"), virtual: flag("is_virtual") }, "replica"),
        },
        from: `collection_pages WHERE ${where}`,
        group: "position",
        sort: "position",
        tie: "position",
      },
    );
    const ids = page.rows.flatMap(({ pages }) => pages.map(({ id }) => id));
    const urls = await urlsOf(connection, ids);
    const facts = await factsOf(connection, snapshot, ids);
    // The kept copy first, as among the copies.
    const place = new Map(replicas.map(({ replica }, at) => [replica, at]));
    const placeOf = ({ replica }: { readonly replica: number }) => place.get(replica) ?? place.size;
    const rows = page.rows.map(({ position, pages }) => ({
      position,
      title: pages.map(({ id }) => facts.get(id)?.title).find((title) => title) ?? null,
      pages: pages
        .map((entry) => ({ ...entry, url: urls.get(entry.id)! }))
        .sort((a, b) => placeOf(a) - placeOf(b) || a.replica - b.replica),
    }));
    return { ...page, rows, collection, replicas };
  });
}

/** Where a page belongs among the collections, each snapshot. */
export async function placesOf(connection: Connection, url: number) {
  return selectRows(
    connection,
    {
      snapshot: text("n.name"),
      cluster: number("c.cluster"),
      name: text("c.name"),
      cardinality: number("c.cardinality"),
      replica: number("p.replica"),
    },
    `FROM (SELECT snapshot, page FROM trivial WHERE url = ${url}) t
       JOIN collection_pages p ON p.snapshot = t.snapshot AND p.url = t.page AND NOT p.is_virtual
       JOIN collections c ON c.snapshot = p.snapshot AND c.cluster = p.cluster JOIN snapshots n ON n.id = t.snapshot
     ORDER BY n.id`,
  );
}

/** What became of clusters from one snapshot to another, by their size before. */
export async function listEvolution(workspace: Workspace) {
  return workspace.read((connection) =>
    selectRows(
      connection,
      {
        before: text("b.name"),
        after: text("a.name"),
        sizes: text("sizes"),
        urls: number("urls"),
        clusters: number("clusters"),
        containment: number("containment"),
        similarity: number("similarity"),
        leftCluster: number("left_cluster"),
        failed: number("failed"),
        gone: number("gone"),
      },
      `FROM evolution e JOIN snapshots b ON b.id = before_snapshot JOIN snapshots a ON a.id = after_snapshot
       ORDER BY b.id, a.id, ${sizeClasses.reduce((sql, name, i) => `${sql} WHEN '${name}' THEN ${i}`, "CASE sizes")} ELSE 9 END`,
    ),
  );
}

interface Keyed<C extends Columns> {
  readonly columns: C;
  /** A table with its condition. */
  readonly from: string;
  readonly group?: string;
  /** What the list is sorted by, and what tells rows apart that are equal in it: both numbers. */
  readonly sort: string;
  readonly tie: string;
}

/** Rows after the key, which is the last row's (sort, tie). */
async function keyed<C extends Columns>(
  connection: Connection,
  query: CopiesQuery,
  list: Keyed<C>,
): Promise<Page<RowOf<C>>> {
  let behind = "";
  if (query.after !== undefined) {
    const [sort, tie] = readKey(query.after);
    behind = `AND (${list.sort} ${query.descending ? "<" : ">"} ${sort} OR (${list.sort} = ${sort} AND ${list.tie} > ${tie}))`;
  }
  const group = list.group === undefined ? "" : `GROUP BY ${list.group}`;
  const keys: Columns = { keySort: number(list.sort), keyTie: number(list.tie) };
  const found = (await selectRows(
    connection,
    { ...list.columns, ...keys },
    `FROM ${list.from} ${behind} ${group}
     ORDER BY "keySort" ${query.descending ? "DESC" : "ASC"}, "keyTie" LIMIT ${query.limit + 1}`,
  )) as (RowOf<C> & { readonly keySort: number; readonly keyTie: number })[];
  const page = cutPage(found, query.limit, ({ keySort, keyTie }) => writeKey([keySort, keyTie]));
  return { ...page, rows: page.rows.map(({ keySort: _, keyTie: __, ...row }) => row as unknown as RowOf<C>) };
}

/** URLs by id. */
export async function urlsOf(connection: Connection, ids: readonly number[]): Promise<Map<number, string>> {
  const columns = { id: number("id"), url: text("url") };
  const found = await lookUp(connection, ids, columns, (id) => `FROM urls WHERE id = ${id}`);
  return new Map(found.map(({ id, url }) => [id, url]));
}

/** One look-up each: zone maps lead to its block, where a list of ids would have all of them read. */
async function lookUp<C extends Columns>(
  connection: Connection,
  ids: readonly number[],
  columns: C,
  from: (id: number) => string,
): Promise<RowOf<C>[]> {
  if (ids.length === 0) return [];
  return selectRows(
    connection,
    columns,
    [...new Set(ids)].map(from).join(` UNION ALL SELECT ${selectionOf(columns)} `),
  );
}

/** `analysis`: under which name the command that finds these copies keeps what it found. */
async function withSnapshot<R, P extends Page<R>>(
  workspace: Workspace,
  query: { readonly snapshot?: string },
  analysis: string,
  work: (connection: Connection, snapshot: number) => Promise<P & Page<R>>,
): Promise<(P | { readonly rows: readonly []; readonly next?: never }) & { snapshot?: string; snapshots: string[] }> {
  return workspace.read(async (connection) => {
    const known = await selectRows(
      connection,
      { id: number("id"), name: text("name") },
      "FROM snapshots WHERE id IN (SELECT snapshot FROM analyses WHERE name = $1) ORDER BY id",
      [analysis],
    );
    const snapshots = known.map(({ name }) => name);
    const chosen = query.snapshot === undefined ? known.at(-1) : known.find(({ name }) => name === query.snapshot);
    if (chosen === undefined && query.snapshot !== undefined && snapshots.length > 0) {
      throw new UserError(`snapshot "${query.snapshot}" has none; it has ${snapshots.join(", ")}`);
    }
    // Nothing is found where nobody has looked yet.
    if (chosen === undefined) return { rows: [], snapshots };
    return { ...(await work(connection, chosen.id)), snapshots, snapshot: chosen.name };
  });
}

function classRange(name: string): readonly [number, number] {
  const number = (sizeClasses as readonly string[]).indexOf(name);
  if (number < 0) throw new UserError(`no size class "${name}"; they are ${sizeClasses.join("; ")}`);
  return sizeRange(number);
}
