/** Snapshots by name. */
import { UserError } from "../../errors.js";
import { quoted } from "../columns.js";
import { supershingleColumns } from "../schema.js";
import { snapshotId } from "../snapshot-id.js";
import type { Connection, Workspace } from "../workspace.js";

export interface SnapshotName {
  readonly id: number;
  readonly name: string;
}

/** Snapshots in their order: those of these names, or all that have pages with sketches. */
export async function listSketchedSnapshots(workspace: Workspace, names?: readonly string[]): Promise<SnapshotName[]> {
  return workspace.read(async (connection) => {
    const rows = await connection.runAndReadAll(
      `SELECT id, name, EXISTS (
         SELECT 1 FROM pages WHERE pages.snapshot = snapshots.id AND s0 IS NOT NULL AND ${isDownload("pages")}) AS sketched
       FROM snapshots ORDER BY id`,
    );
    const all = rows.getRows().map(([id, name, sketched]) => ({ id: Number(id), name: String(name), sketched }));
    for (const name of names ?? []) {
      const named = await snapshotId(connection, name);
      const isSketched = all.some(({ id, sketched }) => id === named && sketched);
      if (!isSketched) throw new UserError(`snapshot "${name}" has no pages with sketches; ${WHAT_TO_ADD}`);
    }
    const chosen = all.filter(({ name, sketched }) => (names === undefined ? sketched : names.includes(name)));
    if (chosen.length === 0) throw new UserError(`the workspace has no pages with sketches; ${WHAT_TO_ADD}`);
    return chosen.map(({ id, name }) => ({ id, name }));
  });
}

const WHAT_TO_ADD =
  'add page contents: WARC archives, JSON lines or Parquet with html or text, or files of "dustpan sketch"';

/** A row of `pages` with a page: one that was got, or not got again because nothing had changed. */
export const isDownload = (pages: string) =>
  `(${pages}.status BETWEEN 200 AND 299 OR (${pages}.status = 304 AND ${pages}.s0 IS NOT NULL))`;

/**
 * Leaves `downloads (snapshot, url, page)`: for each snapshot and URL the row of `pages` that counts: the latest
 * successful download with a sketch, else the latest successful one. Where an archive did not keep a page again, since
 * it had its bytes already, the page that it had stands for it.
 */
export async function findDownloads(connection: Connection, snapshots: readonly SnapshotName[]): Promise<void> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE downloads AS
     WITH kept AS (
       SELECT url, digest, max(rowid) AS page FROM pages
       WHERE s0 IS NOT NULL AND url IN (SELECT url FROM pages WHERE s0 IS NULL AND digest IS NOT NULL) AND digest IS NOT NULL
       GROUP BY url, digest)
     SELECT p.snapshot, p.url, coalesce(kept.page, p.rowid) AS page
     FROM pages p LEFT JOIN kept ON p.s0 IS NULL AND kept.url = p.url AND kept.digest = p.digest
     WHERE p.snapshot IN (${snapshots.map(({ id }) => id).join(", ")})
       AND (${isDownload("p")} OR (p.status = 304 AND kept.page IS NOT NULL))
     QUALIFY row_number() OVER (
       PARTITION BY p.snapshot, p.url
       ORDER BY p.s0 IS NULL AND kept.page IS NULL, p.fetched DESC NULLS LAST, p.source DESC, p.rowid DESC) = 1`,
  );
}

/** Whether any page of a snapshot has a sketch. */
export async function hasAnySketch(connection: Connection, snapshot: SnapshotName): Promise<boolean> {
  const found = await connection.runAndReadAll("SELECT 1 FROM pages WHERE snapshot = $1 AND s0 IS NOT NULL LIMIT 1", [
    snapshot.id,
  ]);
  return found.currentRowCount > 0;
}

/** What of a page's text can tell its kind. */
const TEXT_HEAD = 1000;

/** Writes the documents of a snapshot to a file as DocumentFiles reads it, in the order of their URLs. */
export async function exportDocuments(
  workspace: Workspace,
  snapshot: SnapshotName,
  file: string,
  withSketches: boolean,
): Promise<void> {
  await workspace.read(async (connection) => {
    await findDownloads(connection, [snapshot]);
    await connection.run(
      `COPY (
         SELECT u.id, u.url, p.status, p.fetched AS time, p.address, p.title, p.words, left(p.text, ${TEXT_HEAD}) AS text,
           ${withSketches ? "p.sketch, " : ""}${supershingleColumns.map((column) => `p.${column}`).join(", ")}
         FROM downloads d JOIN pages p ON p.rowid = d.page JOIN urls u ON u.id = d.url ORDER BY u.url)
       TO ${quoted(file)} (FORMAT parquet, COMPRESSION snappy)`,
    );
  });
}
