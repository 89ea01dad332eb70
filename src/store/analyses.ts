/** Results of analyses in the workspace: a name, a snapshot or none, the settings, and how many pages there were. */
import type { Connection } from "./workspace.js";

/** Replaces what is known under a name; `snapshot` is null for what all snapshots together say. */
export async function storeAnalysis(
  connection: Connection,
  name: string,
  snapshot: number | null,
  settings: object,
  result: object,
): Promise<void> {
  await connection.run("DELETE FROM analyses WHERE name = $1 AND snapshot IS NOT DISTINCT FROM $2", [name, snapshot]);
  await connection.run(
    `INSERT INTO analyses SELECT $1, $2, $3, count(*), now(), $4 FROM pages WHERE $2 IS NULL OR pages.snapshot = $2`,
    [name, snapshot, JSON.stringify(settings), JSON.stringify(result)],
  );
}

/** Whether something is known about a snapshot under a name, with whatever settings, and as many pages are there as then. */
export async function hasAnalysis(connection: Connection, name: string, snapshot: number): Promise<boolean> {
  const found = await connection.runAndReadAll(
    `SELECT 1 FROM analyses
     WHERE name = $1 AND snapshot = $2 AND pages = (SELECT count(*) FROM pages WHERE pages.snapshot = $2)`,
    [name, snapshot],
  );
  return found.currentRowCount > 0;
}
