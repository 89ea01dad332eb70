/** `dustpan cluster`: near-duplicate clusters of a workspace or of sketch files. */
import { UserError } from "../../errors.js";
import {
  addToClusters,
  type ClusterResult,
  clusterFiles,
  clusterSnapshots,
  type LargeCluster,
  type SnapshotClusters,
} from "../../jobs/cluster.js";
import { clusterLevels } from "../../pages/cluster.js";
import { parseGrouping } from "../../pages/grouped.js";
import { sizeClass, sizeClasses } from "../../pages/size-class.js";
import type { AddedDocuments } from "../../store/growing/cluster-state.js";
import { Workspace } from "../../store/workspace.js";
import { renderChanges } from "../cluster-changes.js";
import { documentPages, printDocument } from "../document.js";
import { engineChoice, memoryBytes } from "../engine/engine-flags.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";
import { cutUrl } from "../shown-url.js";
import { count, counted, paint, percent, printable, type Terminal, table } from "../terminal.js";

export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal, context } = session;
  const engine = engineChoice(args);
  if (engine !== undefined) {
    const { runTables } = await import("../engine/run-operator.js");
    const level = args.choice("level", ["similar", "identical"])!;
    const { clusterOperator } = await import("../../jobs/engine/table-operators.js");
    return runTables(args, session, engine, clusterOperator(level));
  }
  const verify = args.number("verify", 0, 1);
  const output = args.text("output");
  const changes = args.text("changes");
  const snapshot = args.text("snapshot");
  const options = {
    level: args.choice("level", clusterLevels)!,
    top: args.integer("top")!,
    memoryBytes: memoryBytes(args),
    announce: (text: string) => terminal.err(printable(text)),
    ...(verify !== undefined && { verify }),
    ...(output !== undefined && { output }),
  };
  const state = args.text("add");
  if (state !== undefined) {
    if (args.inputs.length === 0) throw new UserError("--add needs FILE: the new documents");
    const withChanges = { ...options, ...(changes !== undefined && { changes }) };
    const added = await addToClusters(state, args.inputs, withChanges, context);
    if (args.has("json")) printDocument(terminal, "dustpan-added-clusters", documentPages(terminal, added));
    else terminal.out(renderAdded(terminal, added));
    nameFiles(terminal, output, changes);
    return;
  }
  const since = args.text("since");
  if (changes !== undefined && since === undefined) {
    throw new UserError("--changes needs --add STATE or --since MAP: what to compare with");
  }
  if (since !== undefined && args.inputs.length === 0) throw new UserError("--since needs FILE: what to cluster");
  const grouped = args.text("supershingles");
  const shared = args.integer("shared", 1);
  if (grouped === undefined && shared !== undefined)
    throw new UserError("--shared needs --supershingles, such as 6x14");
  if (grouped !== undefined && (args.inputs.length === 0 || options.level !== "similar" || verify !== undefined)) {
    throw new UserError("--supershingles goes with FILE and the level similar, without --verify");
  }
  let results: (ClusterResult | SnapshotClusters)[];
  const withSince = {
    ...options,
    ...(since !== undefined && { since }),
    ...(changes !== undefined && { changes }),
    ...(grouped !== undefined && { grouping: parseGrouping(grouped, shared ?? 2) }),
  };
  if (args.inputs.length > 0) results = [await clusterFiles(args.inputs, withSince, context)];
  else {
    const workspace = Workspace.at(args.text("workspace")!);
    results = await clusterSnapshots(workspace, { ...options, ...(snapshot !== undefined && { snapshot }) }, context);
  }
  if (args.has("json")) printDocument(terminal, "dustpan-clusters", { results: documentPages(terminal, results) });
  else terminal.out(results.map((result) => render(terminal, result)).join("\n\n"));
  nameFiles(terminal, output, changes);
}

function nameFiles(terminal: Terminal, output: string | undefined, changes: string | undefined): void {
  if (output !== undefined) terminal.err(`\nthe cluster map is in ${output}`);
  if (changes !== undefined) terminal.err(`\nall clusters that changed are in ${changes}`);
}

function render(terminal: Terminal, result: ClusterResult | SnapshotClusters): string {
  const { powerLaw, chaining } = result;
  const name = "snapshot" in result ? `${printable(result.snapshot)}: ` : "";
  const joined = { similar: "very similar", identical: "virtually identical", related: "related" }[result.level];
  const apart = [
    ...(result.unsketched > 0 ? [`${count(result.unsketched)} without text`] : []),
    ...(result.leftOut > 0 ? [`${count(result.leftOut)} failed or older downloads`] : []),
  ];
  return [
    paint(
      terminal,
      "bold",
      `${name}${percent(result.share)} of ${counted(result.documents, "document")} are near-duplicates`,
    ),
    (result.clusters === 0
      ? `no two are ${joined}`
      : `${counted(result.clustered, "document")} in ${counted(result.clusters, "cluster")} of ${joined} ones, of which one of each is kept`) +
      (result.grouping === undefined
        ? ""
        : `, which share ${result.grouping.shared} of ${result.grouping.count} supershingles of ${counted(result.grouping.features, "feature")}`) +
      (result.verify === undefined ? "" : `, joined where they share ${percent(result.verify)} of their features`) +
      (apart.length === 0 ? "" : `; apart from them ${apart.join(", ")}`),
    ...result.lost.map(({ file, rows, reason }) => {
      const where = rows === undefined ? "" : ` rows ${count(rows.first)} to ${count(rows.last)}`;
      return `${paint(terminal, "yellow", "damaged")}: ${printable(file)}${where}: ${printable(reason)}`;
    }),
    ...(result.clusters === 0 ? [] : ["", renderSizes(result)]),
    ...(powerLaw === undefined
      ? []
      : [
          `from size ${count(powerLaw.smallest)} on, sizes fall with the power ${powerLaw.exponent.toFixed(2)} (+-${powerLaw.error.toFixed(2)})`,
        ]),
    ...(chaining === undefined
      ? []
      : [
          "",
          `chaining: of ${counted(chaining.clusters, "plain cluster")} ${count(chaining.split)} fell apart; ${counted(chaining.freed, "document")} left alone; ` +
            `unlike their root: ${count(chaining.unlikeRoot)} of ${counted(chaining.members, "member")}`,
        ]),
    ...(result.largest.length === 0 ? [] : ["", renderLargest(terminal, result)]),
    ...(result.changes === undefined ? [] : ["", renderChanges(terminal, result.changes)]),
  ].join("\n");
}

function renderAdded(terminal: Terminal, added: AddedDocuments): string {
  const { known, changed, gone } = added;
  return [
    paint(
      terminal,
      "bold",
      `${counted(added.added, "document")} added to ${count(added.before)}: ${count(added.clustered)} are in ${counted(added.clusters, "cluster")}`,
    ),
    ...(known > 0 ? [`${counted(known, "document")} were there already, and have not changed`] : []),
    ...(changed > 0 ? [`${counted(changed, "page")} changed since: all documents were clustered again`] : []),
    ...(gone > 0
      ? [
          `${counted(gone, "page")} no longer there (404, 410) still counted: a new file without them has clusters without them`,
        ]
      : []),
    renderChanges(terminal, added.changes),
  ].join("\n");
}

function renderSizes({ distribution }: ClusterResult): string {
  const rows = sizeClasses.map((sizes, number) => {
    const members = distribution.filter(({ size }) => sizeClass(size) === number);
    return {
      sizes,
      clusters: members.reduce((sum, entry) => sum + entry.count, 0),
      documents: members.reduce((sum, entry) => sum + entry.count * entry.size, 0),
    };
  });
  return table(
    [{ title: "cluster size" }, { title: "clusters", right: true }, { title: "documents", right: true }],
    rows
      .filter(({ clusters }) => clusters > 0)
      .map(({ sizes, clusters, documents }) => [sizes, count(clusters), count(documents)]),
  );
}

/**
 * "m (+ n)", as in the paper's tables; at most this many where not all addresses are known. Not called machines: of a CDN many have one
 * address.
 */
function addressesOf({ hosts, machines, unresolvable, unknown }: LargeCluster): string {
  if (unknown === hosts) return "?";
  return `${unknown > 0 ? "<= " : ""}${count(machines)}${unresolvable > 0 ? ` (+${unresolvable})` : ""}`;
}

function renderLargest(terminal: Terminal, { largest }: ClusterResult): string {
  const right = (title: string) => ({ title, right: true });
  const left = (title: string) => ({ title });
  return table(
    [right("size"), right("identical"), right("hosts"), right("addresses"), left("kind"), left("representative")],
    largest.map((cluster) => [
      count(cluster.size),
      percent(cluster.identical / cluster.size),
      count(cluster.hosts),
      addressesOf(cluster),
      cluster.kind,
      cutUrl(terminal, cluster.representative, 60),
    ]),
  );
}
