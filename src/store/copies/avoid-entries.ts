import { type AvoidEntry, LOOK_AGAIN_DAYS } from "../../url/avoid-list.js";
import type { Workspace } from "../workspace.js";

/** The avoid-lists of `collections` and of `mirrors` for each snapshot that has them, newest first. */
export async function readAvoidLists(workspace: Workspace): Promise<AvoidEntry[][]> {
  const rows = await workspace.read((connection) =>
    connection.runAndReadAll(
      `SELECT list, kind, value, keep, pages, epoch_ms(look_again) FROM (
         SELECT snapshot, snapshot || ' collections' AS list, kind, value, keep, pages, look_again, cluster, replica FROM avoid
         UNION ALL
         SELECT m.snapshot, m.snapshot || ' mirrors', kind, avoid, keep, m.pages, made + INTERVAL ${LOOK_AGAIN_DAYS} DAY, 0, 0
         FROM mirror_avoid m JOIN analyses a ON a.name = 'mirrors' AND a.snapshot = m.snapshot)
       ORDER BY snapshot DESC, list, cluster, replica, value`,
    ),
  );
  const lists = new Map<string, AvoidEntry[]>();
  for (const [name, kind, value, keep, pages, lookAgainMs] of rows.getRows()) {
    const list = lists.get(String(name)) ?? [];
    lists.set(String(name), list);
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
