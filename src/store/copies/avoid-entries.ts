/** The table of what a crawler need not fetch: `collections`, `mirrors` and `evolve` write it, `crawl` reads it. */
import { revisitAfterDays } from "../../pages/advice.js";
import {
  type AvoidEntry,
  type AvoidReason,
  avoidReasons,
  compileAvoidList,
  lookAgainAfter,
} from "../../url/avoid-list.js";
import { stageTable } from "../columns.js";
import type { SnapshotName } from "../pages/snapshots.js";
import type { Connection, Workspace } from "../workspace.js";

/** Replaces what one command says about a snapshot. */
export async function storeAvoidEntries(
  connection: Connection,
  snapshot: SnapshotName,
  why: AvoidReason,
  entries: readonly Required<AvoidEntry>[],
  nowMs: number,
): Promise<void> {
  await stageTable(connection, "avoided", {
    kind: entries.map(({ kind }) => kind),
    value: entries.map(({ value }) => value),
    keep: entries.map(({ keep }) => keep),
    pages: Uint32Array.from(entries, ({ pages }) => pages),
    look_again: Float64Array.from(entries, ({ lookAgainMs }) => lookAgainMs),
  });
  await connection.run("DELETE FROM avoid WHERE snapshot = $1 AND why = $2", [snapshot.id, why]);
  await connection.run(
    `INSERT INTO avoid SELECT $1, $2, kind, value, keep, pages, make_timestamp_ms($3::BIGINT), make_timestamp_ms(look_again::BIGINT)
     FROM avoided`,
    [snapshot.id, why, Math.round(nowMs)],
  );
}

/** What one command says need not be fetched of a snapshot. */
export async function readAvoided(
  workspace: Workspace,
  snapshot: string,
  why: AvoidReason,
): Promise<Pick<Required<AvoidEntry>, "kind" | "value" | "keep" | "pages">[]> {
  return workspace.read(async (connection) => {
    const rows = await connection.runAndReadAll(
      `SELECT kind, value, keep, pages FROM avoid
       WHERE snapshot = (SELECT id FROM snapshots WHERE name = $1) AND why = $2 ORDER BY rowid`,
      [snapshot, why],
    );
    return rows.getRows().map(([kind, value, keep, pages]) => ({
      ...{ kind: kind as AvoidEntry["kind"], value: String(value), keep: String(keep), pages: Number(pages) },
    }));
  });
}

/** The lists that each command made of each snapshot, newest first. */
export async function readAvoidLists(workspace: Workspace): Promise<AvoidEntry[][]> {
  return workspace.read(async (connection) => {
    const order = avoidReasons.map((why, at) => `WHEN '${why}' THEN ${at}`).join(" ");
    const rows = await connection.runAndReadAll(
      `SELECT snapshot, why, kind, value, keep, pages, epoch_ms(made), epoch_ms(look_again) FROM avoid
       ORDER BY snapshot DESC, CASE why ${order} END, rowid`,
    );
    const lists = new Map<string, (AvoidEntry & { readonly madeMs: number })[]>();
    for (const [snapshot, why, kind, value, keep, pages, madeMs, lookAgainMs] of rows.getRows()) {
      const name = `${snapshot} ${why}`;
      const list = lists.get(name) ?? [];
      lists.set(name, list);
      list.push({
        kind: kind as AvoidEntry["kind"],
        value: String(value),
        keep: String(keep),
        pages: Number(pages),
        why: why as AvoidReason,
        madeMs: Number(madeMs),
        lookAgainMs: Number(lookAgainMs),
      });
    }
    const all = [...lists.values()];
    // What has not changed was told with its time already.
    const untimed = all.flat().filter(({ why }) => why !== "unchanged");
    const measured = await readMeasuredChange(connection, untimed);
    return all.map((list) =>
      list.map(({ madeMs, ...entry }) => {
        const days = entry.why === "unchanged" ? undefined : measured.get(entry.value);
        return days === undefined ? entry : { ...entry, lookAgainMs: lookAgainAfter(madeMs, days) };
      }),
    );
  });
}

/**
 * After how many days to look again at what entries name, where `evolve` has measured how their clusters change: on
 * average over the pages of each.
 */
async function readMeasuredChange(
  connection: Connection,
  entries: readonly AvoidEntry[],
): Promise<Map<string, number>> {
  const found = await connection.runAndReadAll(
    `SELECT u.url, a.risk, a.days FROM recrawl_advice a
     JOIN clusters c ON c.root = a.root AND c.snapshot = a.snapshot AND c.level = 'similar' JOIN urls u ON u.id = c.url`,
  );
  const avoids = compileAvoidList(entries);
  const changes = new Map<string, { pages: number; risk: number; days: number }>();
  for (const [url, risk, days] of found.getRows()) {
    const value = avoids(String(url))?.value;
    if (value === undefined) continue;
    const sum = changes.get(value) ?? { pages: 0, risk: 0, days: Number(days) };
    changes.set(value, sum);
    sum.pages++;
    sum.risk += Number(risk);
  }
  return new Map([...changes].map(([value, { pages, risk, days }]) => [value, revisitAfterDays(risk / pages, days)]));
}
