import type { Rule } from "../model.js";
import { difference } from "../rules/difference.js";
import { count, paint, percent, printable, type Terminal } from "./terminal.js";

/** A rule in one line: what it turns into what, the differing part painted, and where. */
export function describeRule(terminal: Terminal, rule: Rule): string {
  const text = (value: string) => printable(value);
  const mark = (value: string) => paint(terminal, "bold", text(value));
  switch (rule.kind) {
    case "substring": {
      const { prefix, from, to, suffix } = difference(rule.from, rule.to);
      const start = rule.start ? paint(terminal, "dim", "^") : "";
      const end = rule.end ? paint(terminal, "dim", "$") : "";
      const side = (middle: string, style: "red" | "green") =>
        `${start}${text(prefix)}${paint(terminal, style, text(middle))}${text(suffix)}${end}`;
      const right = side(to, "green");
      return `${side(from, "red")} -> ${right === "" ? paint(terminal, "dim", "(nothing)") : right}${within(rule)}`;
    }
    case "parameter":
      return rule.action === "remove"
        ? `drop ${parameterKind(rule.place)} ${mark(rule.name)}${within(rule)}`
        : `set ${parameterKind(rule.place)} ${mark(rule.name)} to ${mark(rule.value === "" ? '""' : rule.value)}${within(rule)}`;
    case "parameterOrder":
      return `${mark("order of parameters")} does not matter${within(rule)}`;
    case "repeatedParameter":
      return `repeated parameter ${mark(rule.name ?? "(any)")}: keep the ${rule.keep}${within(rule)}`;
    case "emptyParameter":
      return `drop empty parameter ${mark(rule.name ?? "(any)")}${within(rule)}`;
    case "case":
      return `${mark("letter case of the path")} does not matter${within(rule)}`;
  }
}

/** A rule that is left out because it goes round in circles with others. */
export function describeDropped(terminal: Terminal, rule: Rule): string {
  return `not used, it would undo another rule: ${describeRule(terminal, rule)} (${rule.id}; decide with "dustpan rules")`;
}

function parameterKind(place: "query" | "path"): string {
  return place === "path" ? "path parameter" : "parameter";
}

/** Where a rule applies, but for the site that it is listed under. */
function within({ scope: { host, path, script, parameter }, site }: Rule): string {
  const own = host === site || host === `*.${site}`;
  const parts = [own ? undefined : host, path === undefined ? undefined : `${path}...`, script].filter(
    (part) => part !== undefined,
  );
  const where = parts.length === 0 ? "" : ` on ${printable(parts.join(" "))}`;
  return parameter === undefined ? where : `${where} with ?${printable(parameter)}`;
}

/** Two lines a rule: numbers and the rule, then a pair of URLs from the list. */
export function renderLikelyRules(terminal: Terminal, rules: readonly Rule[], urls: number): string {
  const widest = Math.max(7, ...rules.map(({ support }) => count(support).length));
  const numbers = String(rules.length).length;
  const head = `${"#".padStart(numbers)}  ${"support".padStart(widest)}  confirmed  of URLs  rule, and a pair from the input`;
  const lines = rules.flatMap((rule, i) => {
    const confirmed = rule.support === 0 ? "-" : percent(rule.confirmed / rule.support);
    const line = [
      String(i + 1).padStart(numbers),
      count(rule.support).padStart(widest),
      confirmed.padStart(9),
      percent(urls === 0 ? 0 : rule.support / urls).padStart(7),
      describeRule(terminal, rule),
    ].join("  ");
    const indent = " ".repeat(numbers + widest + 24);
    return rule.example === undefined
      ? [line]
      : [
          line,
          paint(terminal, "dim", `${indent}${shorten(terminal, rule.example.from, indent)}`),
          paint(terminal, "dim", `${indent}${shorten(terminal, rule.example.to, indent)}`),
        ];
  });
  return [paint(terminal, "bold", head), ...lines].join("\n");
}

/** Long URLs lose their middle on a terminal, never in a file or a pipe. */
function shorten(terminal: Terminal, url: string, indent: string): string {
  const shown = printable(url);
  const room = (terminal.width ?? Number.POSITIVE_INFINITY) - indent.length - 1;
  if (shown.length <= room || room < 20) return shown;
  const half = Math.floor((room - 3) / 2);
  return `${shown.slice(0, half)}...${shown.slice(shown.length - half)}`;
}
