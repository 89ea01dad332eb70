/** `dustpan mirrors`: hosts and parts of hosts that are copies. */
import { type MirrorsResult, mirrors, resolveByDns, type SnapshotMirrors } from "../../jobs/mirrors.js";
import { Workspace } from "../../store/workspace.js";
import { documentPages, printDocument } from "../document.js";
import { engineChoice } from "../engine/engine-flags.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";
import { count, counted, paint, percent, printable, type Terminal, table } from "../terminal.js";

export async function run(args: Arguments, session: Session): Promise<undefined> {
  const { terminal, context } = session;
  const engine = engineChoice(args);
  if (engine !== undefined) {
    const { runTables } = await import("../engine/run-operator.js");
    const minPages = args.integer("min-pages", 1)!;
    const { mirrorsOperator } = await import("../../jobs/engine/table-operators.js");
    return runTables(args, session, engine, mirrorsOperator(minPages));
  }
  const [snapshot, hostsFile] = [args.text("snapshot"), args.text("hosts-file")];
  const [output, avoidFile] = [args.text("output"), args.text("avoid")];
  const result = await mirrors(
    Workspace.at(args.text("workspace")!),
    {
      minPages: args.integer("min-pages", 1)!,
      ...(snapshot !== undefined && { snapshot }),
      ...(hostsFile !== undefined && { hostsFile }),
      ...(args.has("dns") && { resolve: resolveByDns }),
      ...(output !== undefined && { output }),
      ...(avoidFile !== undefined && { avoidFile }),
    },
    context,
  );
  if (args.has("json")) printDocument(terminal, "dustpan-mirrors", documentPages(terminal, result));
  else terminal.out(render(terminal, result, args.integer("top")!));
  if (output !== undefined) terminal.err(`\nthe table of mirrors is in ${output}`);
  if (avoidFile !== undefined) terminal.err(`\nthe avoid-list is in ${avoidFile}`);
}

const right = (title: string) => ({ title, right: true });
const left = (title: string) => ({ title });

/** The last snapshot in full, the others by how they differ. */
function render(terminal: Terminal, result: MirrorsResult, top: number): string {
  const last = result.snapshots.at(-1)!;
  const change = result.overTime.map((entry) => [
    printable(entry.from),
    printable(entry.to),
    ...[entry.same, entry.grown, entry.shrunk, entry.begun.length, entry.ended.length].map(count),
  ]);
  return [
    renderSnapshot(terminal, last, top),
    ...(change.length === 0
      ? []
      : [
          "",
          paint(terminal, "bold", "Mirrors over time, in pairs of hosts"),
          table(
            [
              left("from"),
              left("to"),
              right("as large"),
              right("grown"),
              right("shrunk"),
              right("new"),
              right("ended"),
            ],
            change,
          ),
        ]),
  ].join("\n");
}

function renderSnapshot(terminal: Terminal, found: SnapshotMirrors, top: number): string {
  const heading = (text: string) => paint(terminal, "bold", text);
  const { funnel, pairs, groups, avoid } = found;
  const confirmed = pairs.filter(({ confirmation }) => confirmation.isMirror);
  const subtrees = pairs.flatMap((pair) => pair.subtrees).sort((x, y) => y.pages - x.pages);
  const more = (all: number) => (all > top ? [`... and ${count(all - top)} more (--json has all)`] : []);
  const avoided = avoid.reduce((sum, entry) => sum + entry.pages, 0);
  // Rows of zeros add nothing.
  if (funnel.raw === 0 && found.aliases.length === 0) {
    return heading(`${printable(found.snapshot)}: no mirrors: no two hosts have the same pages`);
  }
  const machines = found.machines === undefined ? "" : ` and ${counted(found.machines, "machine")}`;
  const mirrored =
    found.mirroredPages === 0
      ? "no page is mirrored"
      : `${percent(found.share)} of the pages are mirrored (${count(found.mirroredPages)}), on ${counted(found.hosts, "host")}${machines}`;
  return [
    heading(`${printable(found.snapshot)}: ${mirrored}`),
    `host pairs: ${count(funnel.raw)} raw, ${count(funnel.autoMirrors)} of a host with itself, ${counted(funnel.aliases, "alias", "aliases")}, ` +
      `${count(funnel.unresolvable)} unresolvable, ${count(funnel.remaining)} remaining (${count(funnel.wwwPairs)} www), ` +
      `with a page that ends alike in 1 to 4 arcs ${funnel.confirmed.map(count).join(", ")}; mirrors: ${count(funnel.mirrors)}`,
    ...(found.knownAddresses === 0
      ? ["no address of a host is known: aliases cannot be told from mirrors (see --hosts-file, --dns)"]
      : []),
    ...(found.sharedAddresses.length === 0
      ? []
      : [
          `${counted(found.sharedAddresses.length, "address", "addresses")} of unrelated hosts (a CDN, shared hosting) told no aliases, such as ${found.sharedAddresses[0]}`,
        ]),
    ...found.aliases
      .slice(0, top)
      .map(
        ({ a, b, addresses, pagesA, pagesB }) =>
          `one address, ${addresses[0]}: ${printable(a)} and ${printable(b)}, with ${count(pagesA)} and ${count(pagesB)} pages in common clusters`,
      ),
    ...more(found.aliases.length),
    ...(found.aliases.length === 0
      ? []
      : [
          "hosts of one address are taken for one machine, and not for mirrors; whether the address is a CDN's cannot be told from these pages: if so, give each host one of its own in a --hosts-file",
        ]),
    ...groups.map((group) => `mirrors of each other: ${group.map(printable).join(", ")}`),
    ...(pairs.length === 0
      ? []
      : [
          "",
          table(
            [
              left("host"),
              left("host"),
              right("pages"),
              right("pages"),
              right("same ending, 1 to 4 arcs"),
              right("clusters"),
              right("alike"),
              right("at least"),
              left(""),
            ],
            pairs
              .slice(0, top)
              .map((pair) => [
                printable(pair.a),
                printable(pair.b),
                count(pair.pagesA),
                count(pair.pagesB),
                pair.evidence.matchedA.map(count).join(" "),
                count(pair.confirmation.clusters),
                count(pair.confirmation.alike),
                percent(pair.confirmation.lowerBound),
                (pair.confirmation.isMirror ? "mirror" : "not confirmed") + (pair.alias === null ? "" : ", www"),
              ]),
          ),
          ...more(pairs.length),
        ]),
    ...(subtrees.length === 0
      ? []
      : [
          "",
          heading(`Mirrored subtrees of ${counted(confirmed.length, "pair")}`),
          table(
            [right("pages"), left("subtree (pages known)"), left("its copy (pages known)")],
            subtrees
              .slice(0, top)
              .map((entry) => [
                count(entry.pages),
                `${printable(entry.a)} (${count(entry.knownA)})`,
                `${printable(entry.b)} (${count(entry.knownB)})`,
              ]),
          ),
          ...more(subtrees.length),
        ]),
    ...(avoid.length === 0
      ? []
      : [
          "",
          heading(`${counted(avoided, "page")} that a crawler can leave out`),
          table(
            [right("pages"), left("avoid"), left("keep, for example")],
            avoid
              .slice(0, top)
              .map(({ kind, value, pages, keep }) =>
                kind === "except"
                  ? ["", `except ${printable(value)}`, ""]
                  : [count(pages), printable(value), printable(keep)],
              ),
          ),
          ...more(avoid.length),
        ]),
  ].join("\n");
}
