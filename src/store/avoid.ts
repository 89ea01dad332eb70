import type { AvoidEntry } from "../url/avoid-list.js";
import type { Workspace } from "./workspace.js";

/** The avoid-list of each snapshot that has one, newest first. */
export async function readAvoidLists(workspace: Workspace): Promise<AvoidEntry[][]> {
  const rows = await workspace.read((connection) =>
    connection.runAndReadAll(
      `SELECT snapshot, kind, value, keep, pages, epoch_ms(look_again) FROM avoid
       ORDER BY snapshot DESC, cluster, replica, value`,
    ),
  );
  const lists = new Map<number, AvoidEntry[]>();
  for (const [snapshot, kind, value, keep, pages, lookAgainMs] of rows.getRows()) {
    const list = lists.get(Number(snapshot)) ?? [];
    lists.set(Number(snapshot), list);
    list.push({
      kind: kind as AvoidEntry["kind"],
      value: String(value),
      keep: String(keep),
      pages: Number(pages),
      lookAgainMs: Number(lookAgainMs),
    });
  }
  return [...lists.values()];
}
