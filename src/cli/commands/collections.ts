/** `dustpan collections`: replicated collections, and which of their pages need not be fetched. */
import type { AvoidanceReplay } from "../../collections/avoid.js";
import type { ClusterRecord } from "../../collections/describe.js";
import { type BreakPointSide, type CollectionsResult, findReplicatedCollections } from "../../jobs/collections.js";
import { Workspace } from "../../store/workspace.js";
import { documentPages, printDocument } from "../document.js";
import { engineChoice } from "../engine/engine-flags.js";
import type { Arguments } from "../parse.js";
import { rulesOf } from "../rules-flag.js";
import type { Session } from "../session.js";
import { cutUrl, shownUrl } from "../shown-url.js";
import { bytes, count, counted, paint, percent, printable, type Terminal, table } from "../terminal.js";

export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal, context } = session;
  const engine = engineChoice(args);
  if (engine !== undefined) {
    const { runTables } = await import("../engine/run-operator.js");
    const threshold = args.integer("threshold") ?? 25;
    const { collectionsOperator } = await import("../../jobs/engine/table-operators.js");
    return runTables(args, session, engine, collectionsOperator(threshold));
  }
  const workspace = Workspace.at(args.text("workspace")!);
  const snapshot = args.text("snapshot");
  const threshold = args.integer("threshold");
  const [avoidFile, phantomFile, output] = [args.text("avoid"), args.text("phantom-links"), args.text("output")];
  const result = await findReplicatedCollections(
    workspace,
    {
      similarity: args.choice("similarity", ["chunks", "clusters"])!,
      chunking: args.choice("chunking", ["two-lines", "four-lines", "sentences", "document"])!,
      extended: args.has("extended"),
      joinThrough: args.integer("join")!,
      singleSite: args.has("single-site"),
      minSize: args.integer("min-size", 1)!,
      surplus: !args.has("no-surplus"),
      overlap: args.number("overlap", 0, 1)!,
      simulate: args.has("simulate"),
      rules: rulesOf(args, workspace),
      ...(snapshot !== undefined && { snapshot }),
      ...(threshold !== undefined && { threshold }),
      ...(avoidFile !== undefined && { avoidFile }),
      ...(phantomFile !== undefined && { phantomFile }),
      ...(output !== undefined && { output }),
    },
    context,
  );
  if (args.has("json")) printDocument(terminal, "dustpan-collections", documentPages(terminal, result));
  else terminal.out(render(terminal, result, args.integer("top")! || Number.POSITIVE_INFINITY));
  if (avoidFile !== undefined) terminal.err(`\nthe avoid-list is in ${avoidFile}`);
  if (phantomFile !== undefined) terminal.err(`\nthe phantom links are in ${phantomFile}`);
}

const JOINS_SHOWN = 5;

function render(terminal: Terminal, result: CollectionsResult, top: number): string {
  const { pages, clusters, noise, merged, dropped, chunks } = result;
  const apart = [
    ...(merged > 0 ? [`${counted(merged, "download")} merged by rules`] : []),
    ...(chunks !== undefined && chunks.withoutText > 0 ? [`${count(chunks.withoutText)} without text`] : []),
    ...(dropped.dangling > 0 ? [`${counted(dropped.dangling, "link")} to pages that are not there`] : []),
  ];
  const shown = clusters.slice(0, top);
  // Rows of zeros add nothing.
  if (result.similarPages === 0) {
    const none = `${printable(result.snapshot)}: no replicated collections: none of ${counted(pages, "page")} has a similar one`;
    return paint(terminal, "bold", none) + (apart.length === 0 ? "" : `\napart from them ${apart.join(", ")}`);
  }
  return [
    paint(
      terminal,
      "bold",
      `${printable(result.snapshot)}: ${counted(clusters.length, "cluster")} of replicated collections, ${percent(result.replicatedPages / pages)} of ${counted(pages, "page")}`,
    ),
    `${percent(result.similarPages / pages)} of the pages have a similar one; ${counted(result.sites, "site")}, ${counted(result.links, "link")}` +
      (apart.length === 0 ? "" : `; apart from them ${apart.join(", ")}`),
    "",
    renderReplication(result),
    ...renderCost(result),
    ...renderCommon(terminal, result),
    ...(shown.length === 0 ? [] : ["", renderClusters(terminal, shown)]),
    ...(shown.length < clusters.length ? [`... and ${count(clusters.length - shown.length)} more (--top 0)`] : []),
    ...(noise.clusters === 0
      ? []
      : [
          `noise: ${counted(noise.clusters, "cluster")} of fewer than ${result.settings.minSize} pages, with ${counted(noise.pages, "page")}`,
        ]),
    "",
    renderBreakPoints(terminal, result),
    renderAvoid(result),
    ...(result.simulation === undefined ? [] : ["", renderReplay(result.simulation)]),
    ...(result.phantom === undefined ? [] : ["", renderPhantom(result.phantom)]),
  ].join("\n");
}

/** Figure 11. */
function renderReplication({ replication, pages }: CollectionsResult): string {
  return table(
    [{ title: "similar pages" }, { title: "pages", right: true }, { title: "share", right: true }],
    replication
      .filter((row) => row.pages > 0)
      .map(({ from, to, pages: some }) => [
        from === to ? String(from) : to === null ? `${count(from)} or more` : `${count(from)}-${count(to)}`,
        count(some),
        percent(some / pages),
      ]),
  );
}

/** Table 1. */
function renderCost({ chunks }: CollectionsResult): string[] {
  if (chunks?.cost === undefined) return [];
  const { fingerprints, bytes: room, cutMs, similarMs } = chunks.cost;
  return [
    `${counted(fingerprints, "fingerprint")} (${bytes(room)}) in ${seconds(cutMs)}, similar pages in ${seconds(similarMs)}`,
  ];
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** Fewer texts with a chunk in common are not worth mentioning. */
const COMMON_SHARE = 0.1;

/** Very common chunks, and what to do if they make dissimilar pages look similar. */
function renderCommon(terminal: Terminal, { pages, chunks, clusters, replication }: CollectionsResult): string[] {
  const [most] = chunks?.common ?? [];
  if (most === undefined || most.texts < COMMON_SHARE * pages) return [];
  const crowded = replication.at(-1)!.pages;
  return [
    `the most common chunk is in ${counted(most.texts, "text")}, such as ${shownUrl(terminal, most.page)}`,
    ...(clusters.length === 0 && crowded > pages / 2
      ? [
          `what makes ${count(crowded)} pages similar may be a template: --similarity clusters compares all of their text, a higher --threshold asks for more in common`,
        ]
      : []),
  ];
}

/** Table 2, with the replicas below each cluster. */
function renderClusters(terminal: Terminal, clusters: readonly ClusterRecord[]): string {
  const right = (title: string) => ({ title, right: true });
  const rows = clusters.flatMap(({ cluster, cardinality, size, name, replicas }) => [
    [`#${cluster}`, count(cardinality), count(size), "", paint(terminal, "bold", cutUrl(terminal, name, 40))],
    ...replicas.map(({ root, isPrincipal, virtual, unmatched, mapped }) => [
      "",
      "",
      "",
      percent(mapped),
      `${isPrincipal ? "*" : " "} ${cutUrl(terminal, root, 40)}${notes(virtual, unmatched)}`,
    ]),
  ]);
  return table(
    [
      right("cluster"),
      right("copies"),
      right("pages"),
      right("mapped"),
      { title: "name; roots, * the principal copy" },
    ],
    rows,
  );
}

function notes(lacking: number, unmatched: number): string {
  const parts = [
    ...(lacking > 0 ? [`lacks ${count(lacking)}`] : []),
    ...(unmatched > 0 ? [`${count(unmatched)} unmatched`] : []),
  ];
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function renderBreakPoints(
  terminal: Terminal,
  { breakPoints: { splits, named }, clusters, settings }: CollectionsResult,
): string {
  if (splits === 0) return "no break points";
  const joined = settings.joinThrough > 0;
  const way = (pages: readonly string[]) =>
    pages.length === 0 ? "(directly)" : pages.map((url) => shownUrl(terminal, url)).join(" > ");
  const side = ({ cluster, size, entryPage }: BreakPointSide) =>
    clusters.some((listed) => listed.cluster === cluster)
      ? `#${cluster}`
      : `#${cluster} (noise, ${counted(size, "page")}, ${shownUrl(terminal, entryPage)})`;
  return [
    `break points: ${counted(splits, "split")}${joined ? " joined" : ""}; in collections that are not noise ${counted(named.length, "place")}` +
      (joined || named.length === 0 ? "" : "; --join 1 looks past them"),
    ...named
      .slice(0, JOINS_SHOWN)
      .map(
        ({ from, to, pages }) =>
          `  ${from.cluster === to.cluster ? `within ${side(from)}` : `${side(from)} from ${side(to)}`}: ${pages.map(way).join(" | ")}`,
      ),
    ...(named.length > JOINS_SHOWN ? [`  ... and ${count(named.length - JOINS_SHOWN)} more (--json)`] : []),
  ].join("\n");
}

function renderAvoid({ avoid }: CollectionsResult): string {
  if (avoid.pages === 0) return "nothing to avoid";
  return `to avoid: ${counted(avoid.hosts, "host")}, ${counted(avoid.prefixes, "prefix", "prefixes")}, ${counted(avoid.singlePages, "single page")}${avoid.exceptions === 0 ? "" : `, ${counted(avoid.exceptions, "exception")}`}: ${counted(avoid.pages, "page")} that the principal copies have`;
}

/** If the copies were fetched, this tells how good they are. */
function renderPhantom({ links, seen }: NonNullable<CollectionsResult["phantom"]>): string {
  if (links === 0) return "no copy that is left out has links";
  return `the copies that are left out have ${counted(links, "link")} by what the kept ones link to (phantom links); ${percent(seen / links)} of them were seen there`;
}

function renderReplay(replay: AvoidanceReplay): string {
  return [
    `with the avoid-list, similar pages fall from ${percent(replay.shareBefore)} to ${percent(replay.shareAfter)}`,
    `${counted(replay.fetchesSaved, "fetch", "fetches")} of ${count(replay.pages)} and ${bytes(replay.bytesSaved)} saved, ${counted(replay.lost, "page")} lost`,
  ].join("\n");
}
