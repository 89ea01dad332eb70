/** The papers' measures, as tables for people. */
import type { EvaluatedSite } from "../jobs/eval.js";
import type { Point } from "../report/metrics.js";
import { causeNames } from "../report/metrics.js";
import { shownUrl } from "./shown-url.js";
import { bytes, count, paint, percent, printable, type Terminal, table } from "./terminal.js";

const WRONG_SHOWN = 5;

/** The papers' tables and figures for one site, as a person reads them. */
function madeBy(by: string): string {
  return by === "same" ? "one list" : by === "snapshot" ? "two lists that were given" : `divided by ${by}`;
}

export function renderMeasures(terminal: Terminal, site: EvaluatedSite): string {
  const { lists, reduction, coverage, causes } = site;
  const heading = (text: string) => paint(terminal, "bold", text);
  const left = site.detected === 0 ? "" : ` (${percent(site.remaining / site.detected)})`;
  const [first, second] = site.precisionByValidations.filter(({ y }) => y === 1);
  const steady = site.precisionByValidations.findLast(({ y }) => y < 1);
  const rows: [string, string][] = [
    [
      "lists",
      `${count(lists.detect)} URLs to detect, ${count(lists.validate)} to validate, ${count(lists.canonize)} to canonize (${madeBy(lists.by)})`,
    ],
    ["pairs (table 2)", `${count(site.detected)} detected, ${count(site.remaining)} left by elimination${left}`],
    [
      "rules (table 3)",
      `${count(site.likely)} likely, ${count(site.valid)} valid; ${count(site.refuted)} refuted, ${count(site.undecided)} undecided; ${count(site.draws)} draws`,
    ],
    ["precision@k (figure 5)", curve(site.precisionAtK, [1, 5, 10, 20, 50, 100, 200, 500, 1000, 2000])],
    [
      "precision at N (figure 6)",
      `${curve(site.precisionByValidations, [0, 10, 20, 40, 60, 80, 100], "no substring rule was tried")}${first === undefined && second === undefined ? "" : `; 100% from N = ${steady === undefined ? 0 : steady.x + 1} on`}`,
    ],
    [
      "redundancy (table 4)",
      `${percent(reduction.redundancy)}: ${count(reduction.before)} URLs become ${count(reduction.after)}${reduction.bytes === 0 ? "" : `; ${bytes(reduction.bytesSaved)} of ${bytes(reduction.bytes)} saved`}`,
    ],
    [
      "coverage",
      coverage.urls === 0
        ? "no page of the list is known"
        : `${percent(coverage.coverage)} of ${count(coverage.before)} duplicates among ${count(coverage.urls)} URLs with a known page`,
    ],
    [
      "wrong merges",
      `${count(site.wrongMerges.length)}${site.unclearMerges === 0 ? "" : `, and ${count(site.unclearMerges)} unclear: slightly different, seen at different times, or walls`}`,
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
  for (const { from, to } of site.wrongMerges.slice(0, WRONG_SHOWN))
    lines.push(`    ${shownUrl(terminal, from)}\n    ${shownUrl(terminal, to)}`);
  const share = (n: number) => [count(n), coverage.before === 0 ? "-" : percent(n / coverage.before)];
  const byCause = table(
    [{ title: "  duplicates by cause (figure 8)" }, { title: "URLs", right: true }, { title: "share", right: true }],
    [...causeNames.map(([cause, name]) => [`  ${name}`, ...share(causes[cause])] as const)],
  );
  const name = site.site === "" || site.site === "*" ? "all URLs" : printable(site.site);
  return [heading(name), ...lines, ...(coverage.before === 0 ? [] : ["", byCause])].join("\n");
}

/** The curve at a few places, and at its end. */
function curve(points: readonly Point[], at: readonly number[], none = "no page was compared"): string {
  const last = points.at(-1);
  if (last === undefined) return none;
  const shown = points.filter(({ x }) => x === last.x || (at.includes(x) && x < last.x));
  return shown.map(({ x, y }) => `${percent(y)} at ${count(x)}`).join(", ");
}
