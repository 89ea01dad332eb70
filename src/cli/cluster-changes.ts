/** What became of clusters, as `cluster` and `evolve` print it. */
import type { ChangedCluster, ClusterChanges } from "../store/copies/cluster-changes.js";
import { cutUrl } from "./shown-url.js";
import { count, type Terminal, table } from "./terminal.js";

export function renderChanges(terminal: Terminal, { counts, largest }: ClusterChanges): string {
  const words = Object.entries(counts).map(([fate, clusters]) => `${count(clusters)} ${fate}`);
  return [
    `clusters: ${words.join(", ")}`,
    ...(largest.length === 0 ? [] : [renderChangedClusters(terminal, largest)]),
  ].join("\n");
}

export function renderChangedClusters(terminal: Terminal, changed: readonly ChangedCluster[]): string {
  return table(
    [{ title: "" }, { title: "before", right: true }, { title: "after", right: true }, { title: "cluster" }],
    changed.map(({ fate, before, after, root }) => [fate, count(before), count(after), cutUrl(terminal, root, 60)]),
  );
}
