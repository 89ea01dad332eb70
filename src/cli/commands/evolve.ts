/** `dustpan evolve`: how clusters change between snapshots. */
import {
  type ChangeFigures,
  type EvolveResult,
  evolve,
  type SnapshotComparison,
  type SnapshotStep,
} from "../../jobs/evolve.js";
import { expectedPages } from "../../numbers.js";
import type { ClusterFate } from "../../store/copies/cluster-changes.js";
import { Workspace } from "../../store/workspace.js";
import { renderChangedClusters } from "../cluster-changes.js";
import { documentPages, printDocument } from "../document.js";
import { engineChoice } from "../engine/engine-flags.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";
import { shownUrl } from "../shown-url.js";
import { bytes, count, counted, paint, percent, printable, type Terminal, table } from "../terminal.js";

export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal, context } = session;
  const engine = engineChoice(args);
  if (engine !== undefined) {
    const { runTables } = await import("../engine/run-operator.js");
    const { evolveOperator } = await import("../../jobs/engine/table-operators.js");
    return runTables(args, session, engine, evolveOperator);
  }
  const [from, to, output] = [args.text("from"), args.text("to"), args.text("output")];
  const [avoidFile, changesFile] = [args.text("avoid"), args.text("changes")];
  const result = await evolve(
    Workspace.at(args.text("workspace")!),
    {
      plan: args.choice("plan", ["ours", "paper"])!,
      maxRisk: args.number("max-risk", 0, 1)!,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      ...(output !== undefined && { output }),
      ...(avoidFile !== undefined && { avoidFile }),
      ...(changesFile !== undefined && { changesFile }),
    },
    context,
  );
  if (args.has("json")) printDocument(terminal, "dustpan-evolution", documentPages(terminal, result));
  else terminal.out(render(terminal, result, args.integer("top")!));
  if (output !== undefined) terminal.err(`\nwhat to fetch and what to skip is in ${output}`);
  if (avoidFile !== undefined) terminal.err(`\nthe avoid-list is in ${avoidFile}`);
  if (changesFile !== undefined) terminal.err(`\nall clusters that changed are in ${changesFile}`);
}

const right = (title: string) => ({ title, right: true });
const left = (title: string) => ({ title });

function render(terminal: Terminal, result: EvolveResult, top: number): string {
  const heading = (text: string) => paint(terminal, "bold", text);
  const first = printable(result.snapshots[0]!);
  const last = result.sinceFirst.at(-1)!;
  return [
    heading(`Clusters of ${first} in each later snapshot, by their size in ${first}`),
    renderClasses(result.sinceFirst),
    "",
    heading("From each snapshot to the next"),
    renderSteps(result.steps),
    "",
    heading("What became of clusters from each snapshot to the next"),
    renderFates(terminal, result.steps),
    "",
    heading(`Hosts by change in number of clusters, ${first} to ${printable(last.to)}`),
    renderHosts(last),
    "",
    heading("Page change between successive downloads, by cluster size"),
    renderChange(result.change),
    "",
    heading("Clusters of which one member is enough"),
    renderAdvice(terminal, result, top),
  ].join("\n");
}

function renderClasses(comparisons: readonly SnapshotComparison[]): string {
  return table(
    [
      left("to"),
      left("size"),
      right("URLs"),
      right("clusters"),
      right("containment"),
      right("similarity"),
      right("reverse"),
      right("left"),
      right("failed"),
      right("gone"),
    ],
    comparisons.flatMap(({ to, classes }) =>
      classes.map((entry) => [
        printable(to),
        entry.sizes,
        count(entry.urls),
        count(entry.clusters),
        entry.containment.toFixed(3),
        entry.similarity.toFixed(3),
        entry.reverse.toFixed(3),
        count(entry.left),
        count(entry.failed),
        count(entry.gone),
      ]),
    ),
  );
}

function renderSteps(steps: readonly SnapshotComparison[]): string {
  const sum = (step: SnapshotComparison, of: "urls" | "left" | "failed" | "gone") =>
    step.classes.reduce((total, entry) => total + entry[of], 0);
  return table(
    [
      left("from"),
      left("to"),
      right("compared"),
      right("left their cluster"),
      right("failed"),
      right("gone"),
      right("arrived"),
      right("like a known page"),
      right("hosts unchanged"),
    ],
    steps.map((step) => [
      printable(step.from),
      printable(step.to),
      count(sum(step, "urls")),
      count(sum(step, "left")),
      count(sum(step, "failed")),
      count(sum(step, "gone")),
      count(step.arrivals.urls),
      count(step.arrivals.joined),
      percent(step.hosts.unchanged),
    ]),
  );
}

/** With two snapshots, also the largest clusters that changed. */
function renderFates(terminal: Terminal, steps: readonly SnapshotStep[]): string {
  const fates = Object.keys(steps[0]!.changes.counts) as ClusterFate[];
  const counts = table(
    [left("from"), left("to"), ...fates.map(right)],
    steps.map(({ from, to, changes }) => [
      ...[printable(from), printable(to), ...fates.map((fate) => count(changes.counts[fate]))],
    ]),
  );
  const largest = steps.length === 1 ? steps[0]!.changes.largest : [];
  return largest.length === 0 ? counts : `${counts}\n\n${renderChangedClusters(terminal, largest)}`;
}

function renderHosts({ hosts }: SnapshotComparison): string {
  const head = `${percent(hosts.unchanged)} of ${counted(hosts.hosts, "host")} ${hosts.hosts === 1 ? "is" : "are"} in as many clusters as before`;
  if (hosts.most.length === 0) return head;
  const rows = hosts.most.map((entry) => [printable(entry.host), count(entry.before), count(entry.after)]);
  return `${head}\n${table([left("host"), right("clusters before"), right("after")], rows)}`;
}

function renderChange({ byChange, changeClasses, sizeClasses, counts }: ChangeFigures): string {
  const downloads = sizeClasses.map((_, size) => counts.reduce((sum, row) => sum + row[size]!, 0));
  return table(
    [left("size"), right("pages"), ...changeClasses.map(right)],
    sizeClasses
      .map((sizes, size) => [sizes, count(downloads[size]!), ...byChange[size]!.map(percent)])
      .filter((_, size) => downloads[size]! > 0),
  );
}

function renderAdvice(terminal: Terminal, { advice }: EvolveResult, top: number): string {
  const { clusters, refused } = advice;
  if (clusters.length === 0) return `none; too risky, or too young to tell: ${counted(refused, "cluster")}`;
  const shown = clusters.slice(0, top);
  return [
    `one member of ${counted(clusters.length, "cluster")} saves ${counted(advice.savedFetches, "fetch", "fetches")} and ${bytes(advice.savedBytes)} per crawl; ` +
      `${expectedPages(advice.expectedMissed)} may change unnoticed; too risky, or too young to tell: ${counted(refused, "cluster")}`,
    table(
      [right("saved"), right("members"), right("trials"), right("left"), right("gone"), right("risk"), left("fetch")],
      shown.map((entry) => [
        count(entry.savedFetches),
        count(entry.members),
        count(entry.trials),
        count(entry.left),
        count(entry.gone),
        percent(entry.risk),
        shownUrl(terminal, entry.root),
      ]),
    ),
    ...(clusters.length > shown.length
      ? [`... and ${count(clusters.length - shown.length)} more (--output has all)`]
      : []),
  ].join("\n");
}
