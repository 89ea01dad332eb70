/** What a rule would merge among the workspace's URLs, batch by batch. */
import { stageTable } from "../columns.js";
import type { Connection, Workspace } from "../workspace.js";

/** What becomes of the workspace's URLs under a change, a batch at a time. */
export interface Merge {
  readonly id: number;
  readonly from: string;
  readonly to: string;
  /** Absent where the target has never been seen. */
  readonly toId?: number;
  /** An earlier URL of the batch becomes the same. */
  readonly shared: boolean;
  /** What the last validation said of the pair, else what the known sketches of both say. */
  readonly sketches: "alike" | "different" | "unknown";
}

export interface MergeBatch {
  readonly merges: readonly Merge[];
  /** Ids that the batch has gone through, and how many there are. */
  readonly examined: number;
  readonly total: number;
  /** Goes on after this id; absent at the end. */
  readonly next?: number;
}

export interface MergeQuery {
  readonly change: (url: string) => string | undefined;
  /** A text that every changed URL contains: those without it are not read from the database. */
  readonly contains: string;
  readonly host?: string;
  readonly after: number;
  /** URLs with that text that one batch may take. */
  readonly limit: number;
}

export async function findMerges(workspace: Workspace, query: MergeQuery): Promise<MergeBatch> {
  return workspace.read(async (connection) => {
    const total = Number(
      (await connection.runAndReadAll("SELECT coalesce(max(id) + 1, 0)::DOUBLE FROM urls")).getRows()[0]?.[0],
    );
    const found = await connection.runAndReadAll(
      `SELECT id, url FROM urls WHERE id > ${query.after} AND contains(url, $1)
       ${query.host === undefined ? "" : "AND (host = $2 OR ends_with(host, '.' || $2))"} LIMIT ${query.limit}`,
      query.host === undefined ? [query.contains] : [query.contains, query.host],
    );
    const rows = found.getRows();
    const changed = rows.flatMap(([id, url]) => {
      const to = query.change(String(url));
      return to === undefined ? [] : [{ id: Number(id), from: String(url), to }];
    });
    const merges = await compare(connection, changed);
    // Rows come in the order of ids: what the limit cut off is after the last one.
    const last = rows.length < query.limit ? undefined : Number(rows.at(-1)![0]);
    return { merges, examined: (last ?? total - 1) + 1, total, ...(last !== undefined && { next: last }) };
  });
}

async function compare(
  connection: Connection,
  changed: readonly { readonly id: number; readonly from: string; readonly to: string }[],
): Promise<Merge[]> {
  if (changed.length === 0) return [];
  await stageTable(connection, "changed", {
    id: Uint32Array.from(changed, ({ id }) => id),
    source: changed.map(({ from }) => from),
    target: changed.map(({ to }) => to),
  });
  await connection.run(
    "CREATE OR REPLACE TEMP TABLE involved AS SELECT source AS url FROM changed UNION SELECT target FROM changed",
  );
  // Of several looks at a page the latest counts, whether an archive or a validation saw it. A page that was unlike
  // itself within one validation (an advertisement, a counter) says nothing about others.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE known AS
     SELECT url, arg_max(shingles, fetched) AS shingles FROM (
       SELECT f.url, any_value(f.shingles) AS shingles, max(f.fetched) AS fetched
       FROM fetches f SEMI JOIN involved USING (url) WHERE f.shingles IS NOT NULL
       GROUP BY f.run, f.url HAVING count(DISTINCT f.shingles) = 1
       UNION ALL
       SELECT i.url, p.shingles, coalesce(p.fetched, TIMESTAMP '1970-01-01')
       FROM involved i JOIN urls u USING (url) JOIN pages p ON p.url = u.id
       WHERE p.shingles_kind = 1 AND p.status BETWEEN 200 AND 299)
     GROUP BY url`,
  );
  // What a validation said of a pair it said with both pages before it, and knowing which of their lines change.
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE judged AS
     SELECT source_url AS source, target_url AS target, arg_max(outcome, run) = 'positive' AS same
     FROM draws SEMI JOIN changed ON source = source_url AND target = target_url
     WHERE outcome IN ('positive', 'negative') GROUP BY ALL`,
  );
  const rows = await connection.runAndReadAll(
    `SELECT c.id, c.source, c.target, u.id, row_number() OVER (PARTITION BY c.target ORDER BY c.id) > 1,
       coalesce(j.same, a.shingles = b.shingles)
     FROM changed c LEFT JOIN urls u ON u.url = c.target LEFT JOIN known a ON a.url = c.source LEFT JOIN known b ON b.url = c.target
       LEFT JOIN judged j ON j.source = c.source AND j.target = c.target
     ORDER BY c.id`,
  );
  return rows.getRows().map(([id, from, to, toId, shared, same]) => ({
    id: Number(id),
    from: String(from),
    to: String(to),
    ...(toId != null && { toId: Number(toId) }),
    shared: shared === true,
    sketches: same == null ? ("unknown" as const) : same === true ? ("alike" as const) : ("different" as const),
  }));
}
