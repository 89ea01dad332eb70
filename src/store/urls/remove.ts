/** Removes what was read: single inputs, or a whole snapshot. URLs stay in the dictionary. */
import { snapshotId } from "../snapshot-id.js";
import type { Connection, Workspace } from "../workspace.js";

const analysed = [
  ...["analyses", "clusters", "cluster_roots", "mirrors", "mirror_subtrees", "mirror_pages"],
  ...[
    "trivial",
    "collections",
    "replicas",
    "collection_pages",
    "break_points",
    "avoid",
    "postings",
    "search_terms",
    "search_pages",
  ],
];

/** Forgets a snapshot and all that was read for it, in one transaction. */
export async function removeSnapshot(workspace: Workspace, name: string): Promise<void> {
  await workspace.write(async (connection) => {
    const found = await snapshotId(connection, name);
    const sources = await connection.runAndReadAll(`SELECT id FROM sources WHERE snapshot = ${found}`);
    await removeSources(connection, found, sources.getRows().flat().map(Number));
    await connection.run(`DELETE FROM snapshots WHERE id = ${found}`);
  });
}

/** Forgets inputs of a snapshot, and what was concluded from it. */
export async function removeSources(
  connection: Connection,
  snapshot: number,
  sources: readonly number[],
): Promise<void> {
  const list = sources.length === 0 ? "NULL" : sources.join(", ");
  // A link belongs to its page, which another input of the snapshot may have too.
  await connection.run(
    `DELETE FROM links WHERE snapshot = ${snapshot}
       AND source_url NOT IN (SELECT url FROM pages WHERE snapshot = ${snapshot} AND source NOT IN (${list}))`,
  );
  for (const table of ["sightings", "crawler_hits", "spellings", "redirects", "pages"]) {
    await connection.run(`DELETE FROM ${table} WHERE source IN (${list})`);
  }
  await connection.run(`DELETE FROM sources WHERE id IN (${list})`);
  for (const table of analysed) await connection.run(`DELETE FROM ${table} WHERE snapshot = ${snapshot}`);
  await connection.run(`DELETE FROM evolution WHERE before_snapshot = ${snapshot} OR after_snapshot = ${snapshot}`);
  // What was concluded from all snapshots no longer holds.
  await connection.run("DELETE FROM analyses WHERE snapshot IS NULL");
  await connection.run("DELETE FROM recrawl_advice");
}
