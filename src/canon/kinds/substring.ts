/** Replace one text by another at token boundaries (Bar-Yossef, Keidar, Schonfeld 2007): DustBuster's own rules. */
import { difference } from "../../url/difference.js";
import { compareByTokens } from "../../url/tokenize.js";
import { refines, type SubstringPair } from "../refine-pairs.js";
import { applySubstring, type SubstringAction } from "../replace-substring.js";
import type { Segment, Shorten } from "../words.js";
import type { RuleKind } from "./kind.js";

export const substring: RuleKind<SubstringAction> = {
  title: "replace a text",
  precedence: 10,
  read: (fields) => ({
    kind: "substring",
    from: fields.text("from"),
    to: fields.text("to"),
    start: fields.flag("start", false),
    end: fields.flag("end", false),
  }),
  plain: ({ kind, from, to, start, end }) => ({ kind, from, to, start, end }),
  content: ({ kind, from, to, start, end }) => [kind, from, to, start, end],
  problem({ from, to, start, end }) {
    if (from === to) return { field: "to", problem: `is the same as "from"` };
    if (from !== "" || start !== end) return undefined;
    return { field: "from", problem: `is empty: expected a string, or exactly one of "start" and "end"` };
  },
  apply: (action, url, _, plan) => applySubstring(action, url, plan),
  reverse: (action) => ({ ...action, from: action.to, to: action.from }),
  shrinks: ({ from, to }) => compareByTokens(from, to) > 0,
  trigger: ({ from, to, start, end }) =>
    from === ""
      ? { shape: 0 }
      : {
          literal: from,
          root: start ? "start" : "anywhere",
          check: end ? "atEnd" : "atBoundary",
          // The slashes of "http://" are replaced by others only, and a host has none.
          isAfterHost: from.startsWith("//") && !to.startsWith("//"),
        },
  edit: ({ from, to, start, end }) => ({ operation: "replace", first: from, second: to, start, end }),
  requiredText: ({ from }) => from,
  isInstance: (action, broader) => refines(asPair(action), asPair(broader)),
  words: describe,
  cause(action) {
    const { from, to } = difference(action.from, action.to);
    if (to === "") return `drop ${from}`;
    return from === "" ? `add ${to}` : `${from} \u2192 ${to}`;
  },
  mask: (action, mask) => ({ ...action, from: mask(action.from), to: mask(action.to) }),
  form: [
    { type: "text", name: "from", label: "Replace" },
    { type: "text", name: "to", label: "by", hint: "nothing" },
    { type: "check", name: "start", label: "only at the start of the URL" },
    { type: "check", name: "end", label: "only at its end" },
  ],
};

/** A pair stands for both its rules; the larger string is alpha. */
function asPair({ from, to, start, end }: SubstringAction): SubstringPair {
  return compareByTokens(from, to) > 0 ? { alpha: from, beta: to, start, end } : { alpha: to, beta: from, start, end };
}

function describe(action: SubstringAction, shorten: Shorten): Segment[] {
  const { prefix, from, to, suffix } = shorten(difference(action.from, action.to));
  const side = (middle: string, as: "removed" | "added"): Segment[] => {
    const texts = [
      { text: action.start ? "^" : "", as: "quiet" as const },
      { text: prefix },
      { text: middle, as },
      { text: suffix },
      { text: action.end ? "$" : "", as: "quiet" as const },
    ].filter(({ text }) => text !== "");
    return texts.length === 0 ? [{ text: "(nothing)", as: "quiet" }] : texts;
  };
  return [...side(from, "removed"), { text: " -> ", as: "quiet" }, ...side(to, "added")];
}
