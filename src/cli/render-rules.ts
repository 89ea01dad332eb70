/** Rules, as lines for people, and as `--json` prints them. */
import { actionWords } from "../canon/kinds.js";
import { legend } from "../canon/legend.js";
import { maskExamples, maskPair } from "../canon/mask-rule.js";
import { scopeWords, textOf } from "../canon/words.js";
import type { Rule } from "../model.js";
import { difference } from "../url/difference.js";
import { count, paint, percent, printable, type Terminal } from "./terminal.js";

/** A rule in one line of about `room` columns: what becomes what, with the difference painted, and where. */
export function describeRule(terminal: Terminal, rule: Rule, room = Number.POSITIVE_INFINITY): string {
  const where = scopeWords(rule.scope, rule.site);
  // Two sides, the arrow between them, and the anchors.
  const side = Math.floor((room - textOf(where).length - 8) / 2);
  return [...actionWords(rule, (whole) => cut(whole, side)), ...where]
    .map(({ text, as }) => (as === undefined ? printable(text) : paint(terminal, styles[as], printable(text))))
    .join("");
}

const styles = { removed: "red", added: "green", name: "bold", quiet: "dim" } as const;

/** A circle may have thousands of rules, and there may be thousands of circles: only this many are named. */
const NAMED_CIRCLES = 10;
const NAMED_RULES = 3;

/** Rules that are left out because each goes round in circles with others; `undone` finds these. */
export function droppedLines(
  terminal: Terminal,
  dropped: readonly Rule[],
  undone: (rule: Rule) => readonly Rule[] = () => [],
): string[] {
  const lines = dropped.slice(0, NAMED_CIRCLES).map((rule) => {
    const others = undone(rule);
    const named = others.slice(0, NAMED_RULES).map((other) => `${describeRule(terminal, other)} (${other.id})`);
    if (others.length > NAMED_RULES) named.push(`${count(others.length - NAMED_RULES)} more`);
    return `not used, it would undo ${named.join(" and ") || "another rule"}: ${describeRule(terminal, rule)} (${rule.id}; decide with "dustpan rules")`;
  });
  const rest = dropped.length - lines.length;
  return rest === 0 ? lines : [...lines, `${count(rest)} more are not used: each would undo another rule`];
}

/** On a narrower terminal a rule gets a line of its own, after its numbers. */
const NARROW_COLUMNS = 80;

/** What the numbers of `renderLikelyRules` mean. */
export function likelyLegend(terminal: Terminal): string {
  const { pairs, agree, ofUrls } = legend;
  return paint(terminal, "dim", `pairs: ${pairs}; agree: ${agree}; of URLs: ${ofUrls}`);
}

/**
 * Numbers and the rule, then a pair of URLs from the list; on a terminal, no wider than it is. `isKnown`: are sizes or
 * texts of these URLs known, so that pairs could agree?
 */
export function renderLikelyRules(terminal: Terminal, rules: readonly Rule[], urls: number, isKnown = true): string {
  const columns = terminal.width ?? Number.POSITIVE_INFINITY;
  const isNarrow = columns < NARROW_COLUMNS;
  const widest = Math.max(5, ...rules.map(({ support }) => count(support).length));
  const numbers = String(rules.length).length;
  const indent = " ".repeat(isNarrow ? 4 : numbers + widest + 20);
  const room = columns - indent.length - 1;
  const head = `${"#".padStart(numbers)}  ${"pairs".padStart(widest)}  agree  of URLs`;
  const lines = rules.flatMap((rule, i) => {
    const agree = isKnown && rule.support > 0 ? percent(rule.confirmed / rule.support) : "-";
    const figures = [
      String(i + 1).padStart(numbers),
      count(rule.support).padStart(widest),
      agree.padStart(5),
      percent(urls === 0 ? 0 : rule.support / urls).padStart(7),
    ].join("  ");
    const described = describeRule(terminal, rule, room);
    const example = rule.example === undefined || terminal.unmask ? rule.example : maskPair(rule.example);
    const pair = example === undefined ? undefined : cut(difference(example.from, example.to), room);
    const url = (middle: string) => `${indent}${printable(`${pair!.prefix}${middle}${pair!.suffix}`)}`;
    return [
      ...(isNarrow ? [figures, `${indent}${described}`] : [`${figures}  ${described}`]),
      ...(pair === undefined ? [] : [pair.from, pair.to].map((middle) => paint(terminal, "dim", url(middle)))),
    ];
  });
  return [paint(terminal, "bold", isNarrow ? head : `${head}  rule, and a pair from the input`), ...lines].join("\n");
}

type Difference = ReturnType<typeof difference>;

/**
 * Two texts, cut to at most `room` characters each: what they have in common is cut, from the outside in, before what
 * differs. There is room for everything in a file or a pipe.
 */
export function cut({ prefix, from, to, suffix }: Difference, room: number): Difference {
  const middle = Math.max(from.length, to.length);
  if (prefix.length + middle + suffix.length <= room) return { prefix, from, to, suffix };
  // One character for each mark that something was cut.
  const rest = Math.max(0, room - middle - 2);
  const before = Math.min(prefix.length, Math.max(Math.ceil(rest / 2), rest - suffix.length));
  const after = Math.min(suffix.length, rest - before);
  const longest = Math.max(1, room - 2);
  const end = (text: string) => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`);
  return {
    prefix: before === prefix.length ? prefix : `…${prefix.slice(prefix.length - before)}`,
    from: end(from),
    to: end(to),
    suffix: after === suffix.length ? suffix : `${suffix.slice(0, after)}…`,
  };
}

/** Rules as `--json` prints them: their examples are masked, as in text, unless --unmask is given. */
export function documentRules(terminal: Terminal, rules: readonly Rule[]): readonly Rule[] {
  return terminal.unmask ? rules : rules.map(maskExamples);
}
