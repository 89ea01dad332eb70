/** A snapshot by its name. */

import { UserError } from "../errors.js";
import type { Connection } from "./workspace.js";

/** The id of the snapshot that a user named. */
export async function snapshotId(connection: Connection, name: string): Promise<number> {
  const found = await connection.runAndReadAll("SELECT id, name FROM snapshots ORDER BY id");
  const snapshots = found.getRows().map(([id, known]) => ({ id: Number(id), name: String(known) }));
  const chosen = snapshots.find((snapshot) => snapshot.name === name);
  if (chosen !== undefined) return chosen.id;
  const there = snapshots.map((snapshot) => snapshot.name).join(", ") || "none";
  throw new UserError(`no snapshot "${name}" in the workspace; it has ${there}`);
}
