import { UserError } from "../../errors.js";
import { type Damage, placeOf } from "../../input/damage.js";
import { type AddedInput, add } from "../../jobs/add.js";
import { Workspace } from "../../store/workspace.js";
import { printDocument } from "../document.js";
import { readOptions } from "../inputs.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";
import { count, counted, duration, paint, printable, type Terminal } from "../terminal.js";

export async function run(args: Arguments, { terminal, signal }: Session): Promise<undefined> {
  if (args.inputs.length === 0) {
    throw new UserError('add needs an input: a log, a crawl, or "-" for standard input; see "dustpan add --help"');
  }
  const workspace = Workspace.at(args.text("workspace")!);
  const options = { ...readOptions(args), snapshot: args.text("snapshot")!, text: !args.has("no-text") };
  const json = args.has("json");
  const inputs = await add(
    workspace,
    args.inputs,
    options,
    (added) => {
      if (!json) terminal.out(describeAdded(terminal, added));
    },
    { onProgress: terminal.progress, signal },
  );
  if (json) printDocument(terminal, "dustpan-add", { workspace: workspace.file, inputs });
}

/** One input in a line, what was wrong with it in the lines below. */
export function describeAdded(terminal: Terminal, added: AddedInput): string {
  const name = paint(terminal, "bold", printable(added.name));
  if (added.outcome === "known") return `${name}: already in the workspace, nothing new`;
  const where = added.continues === undefined ? "" : ` (as ${printable(added.continues)})`;
  const what = added.outcome === "continued" ? `continued where it stopped${where}` : "added";
  const format = added.compression === "none" ? added.format : `${added.format}, ${added.compression}`;
  const numbers = [
    added.lines > 0 ? counted(added.lines, "line") : counted(added.records, "record"),
    `${counted(added.urls, "URL")}, ${count(added.newUrls)} of them new`,
    ...(added.pages > 0 ? [counted(added.pages, "page")] : []),
    ...Object.entries(added.skipped).map(([reason, n]) => `${count(n)} without a URL: ${reason}`),
  ];
  return [
    `${name}: ${what} (${format}), ${numbers.join("; ")}; ${duration(added.seconds)}`,
    ...added.damage.flatMap((damage) => describeDamage(terminal, damage)),
  ].join("\n");
}

export function describeDamage(terminal: Terminal, { reason, count: damaged, samples }: Damage): string[] {
  return [
    `  ${paint(terminal, "yellow", `${count(damaged)} damaged`)}: ${reason}`,
    ...samples.map((sample) =>
      paint(terminal, "dim", `    ${printable(placeOf(sample.file, sample.position))}: ${printable(sample.text)}`),
    ),
  ];
}
