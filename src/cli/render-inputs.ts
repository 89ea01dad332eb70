/** Inputs that were read, as lines for people. */
import { type Damage, placeOf } from "../input/damage.js";
import type { AddedInput } from "../jobs/add.js";
import { count, counted, duration, paint, printable, type Terminal } from "./terminal.js";

const outcomes = {
  added: "added",
  continued: "continued where it stopped",
  replaced: "read again, replacing what was there",
};

/** One input in a line, what was wrong with it in the lines below. */
export function describeAdded(terminal: Terminal, added: AddedInput): string {
  const name = paint(terminal, "bold", printable(added.name));
  if (added.records === 0 && added.damage.length === 0 && added.outcome === "added") return `${name}: nothing in it`;
  if (added.outcome === "known") return `${name}: already in the workspace, nothing new`;
  const where = added.continues === undefined ? "" : ` (as ${printable(added.continues)})`;
  const what = `${outcomes[added.outcome]}${where}`;
  const format = added.compression === "none" ? added.format : `${added.format}, ${added.compression}`;
  const numbers = [
    added.lines > 0 ? counted(added.lines, "line") : counted(added.records, "record"),
    `${counted(added.urls, "URL")}, ${count(added.newUrls)} of them new`,
    ...(added.pages > 0 ? [counted(added.pages, "page") + bodiesElsewhere(added)] : []),
    ...Object.entries(added.skipped).map(([reason, n]) => `${count(n)} left out: ${reason}`),
  ];
  return [
    `${name}: ${what} (${format}), ${numbers.join("; ")}; ${duration(added.seconds)}`,
    ...added.damage.flatMap((damage) => describeDamage(terminal, damage)),
  ].join("\n");
}

/** A deduplicated archive without the earlier ones, or an index: pages that are not in it have no text and no links. */
function bodiesElsewhere({ pages, withoutBody }: AddedInput): string {
  if (withoutBody === 0) return "";
  return ` (${withoutBody === pages ? "all" : count(withoutBody)} known by the digest alone: no input has brought the body yet)`;
}

export function describeDamage(terminal: Terminal, { reason, count: damaged, samples }: Damage): string[] {
  return [
    `  ${paint(terminal, "yellow", `${count(damaged)} damaged`)}: ${reason}`,
    ...samples.map(({ file, position, text }) =>
      paint(terminal, "dim", `    ${printable(placeOf(file, position))}${text === "" ? "" : `: ${printable(text)}`}`),
    ),
  ];
}
