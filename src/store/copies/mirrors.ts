/** Mirrored hosts in the workspace. */
import type { Mirrors } from "../../mirrors/find.js";
import { storeAnalysis } from "../analyses.js";
import { copyTo, stageTable } from "../columns.js";
import type { TableFormat } from "../output-format.js";
import type { SnapshotName } from "../pages/snapshots.js";
import type { Workspace } from "../workspace.js";
import { storeAvoidEntries } from "./avoid-entries.js";

/** Addresses that answered for each host in a snapshot, as far as the archives say. */
export async function readAddresses(workspace: Workspace, snapshot: SnapshotName): Promise<Map<string, string[]>> {
  return workspace.read(async (connection) => {
    const found = await connection.runAndReadAll(
      `SELECT DISTINCT host, address FROM pages p JOIN urls u ON u.id = p.url
       WHERE p.snapshot = $1 AND address IS NOT NULL ORDER BY ALL`,
      [snapshot.id],
    );
    const addresses = new Map<string, string[]>();
    for (const [host, address] of found.getRows()) {
      const known = addresses.get(String(host));
      if (known === undefined) addresses.set(String(host), [String(address)]);
      else known.push(String(address));
    }
    return addresses;
  });
}

/** Replaces what is known about the mirrors of a snapshot. `ids` are the URLs' numbers by document. */
export async function storeMirrors(
  workspace: Workspace,
  snapshot: SnapshotName,
  found: Mirrors,
  ids: Uint32Array,
  settings: object,
  result: object,
  nowMs: number,
): Promise<void> {
  const { pairs, avoid, mirrorSize } = found;
  const subtrees = pairs.flatMap((pair) => pair.subtrees);
  const mirrored = [...mirrorSize.keys()].filter((document) => mirrorSize[document]! > 0);
  const counts = <T>(rows: readonly T[], pick: (row: T) => number) => Uint32Array.from(rows, pick);
  const texts = <T>(rows: readonly T[], pick: (row: T) => string | null) => rows.map(pick);
  await workspace.write(async (connection) => {
    const replace = async (table: string, columns: string) => {
      await connection.run(`DELETE FROM ${table} WHERE snapshot = ${snapshot.id}`);
      await connection.run(`INSERT INTO ${table} SELECT ${snapshot.id}, ${columns} FROM found`);
    };
    await stageTable(connection, "found", {
      a: texts(pairs, (pair) => pair.a),
      b: texts(pairs, (pair) => pair.b),
      pages_a: counts(pairs, (pair) => pair.pagesA),
      pages_b: counts(pairs, (pair) => pair.pagesB),
      clusters: counts(pairs, (pair) => pair.clusters),
      size: counts(pairs, (pair) => pair.size),
      alias: texts(pairs, (pair) => pair.alias),
      confirmed_arcs: Uint8Array.from(pairs, (pair) => pair.confirmedArcs),
      is_mirror: Uint8Array.from(pairs, (pair) => Number(pair.confirmation.isMirror)),
      alike: counts(pairs, (pair) => pair.confirmation.alike),
      lower_bound: Float64Array.from(pairs, (pair) => pair.confirmation.lowerBound),
      matched_a: texts(pairs, (pair) => JSON.stringify(pair.evidence.matchedA)),
      matched_b: texts(pairs, (pair) => JSON.stringify(pair.evidence.matchedB)),
    });
    await replace(
      "mirrors",
      "a, b, pages_a, pages_b, clusters, size, alias, is_mirror::BOOLEAN, alike, lower_bound, confirmed_arcs, matched_a::UINTEGER[], matched_b::UINTEGER[]",
    );
    await stageTable(connection, "found", {
      a: texts(subtrees, (subtree) => subtree.a),
      b: texts(subtrees, (subtree) => subtree.b),
      pages: counts(subtrees, (subtree) => subtree.pages),
      known_a: counts(subtrees, (subtree) => subtree.knownA),
      known_b: counts(subtrees, (subtree) => subtree.knownB),
    });
    await replace("mirror_subtrees", "*");
    await stageTable(connection, "found", {
      url: counts(mirrored, (document) => ids[document]!),
      size: counts(mirrored, (document) => mirrorSize[document]!),
    });
    await replace("mirror_pages", "*");
    await storeAvoidEntries(connection, snapshot, "mirror", avoid, nowMs);
    await storeAnalysis(connection, "mirrors", snapshot.id, settings, result);
  });
}

/** The pairs of mirrored hosts of some snapshots as a file, with the evidence for each. */
export async function writeMirrors(
  workspace: Workspace,
  snapshots: readonly SnapshotName[],
  file: string,
  format: TableFormat,
): Promise<void> {
  await workspace.read((connection) =>
    connection.run(
      copyTo(
        `SELECT n.name AS snapshot, m.* EXCLUDE (snapshot),
           (SELECT list({ a: t.a, b: t.b, pages: t.pages } ORDER BY t.pages DESC, t.a, t.b) FROM mirror_subtrees t
            WHERE t.snapshot = m.snapshot AND t.a[:length(m.a) + 1] = m.a || '/' AND t.b[:length(m.b) + 1] = m.b || '/') AS subtrees
         FROM mirrors m JOIN snapshots n ON n.id = m.snapshot
         WHERE m.snapshot IN (${snapshots.map(({ id }) => id).join(", ")})
         ORDER BY n.id, m.size DESC, m.a, m.b`,
        file,
        format,
      ),
    ),
  );
}
