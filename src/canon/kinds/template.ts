/** Several places at once: "/print.pl?sid={id:segment}" is "/{id:segment}.shtml". */

import type { ActionOf, Problem, RuleKind } from "./kind.js";
import {
  capturesOf,
  exampleOf,
  longestAnchor,
  matchTemplate,
  parseTemplate,
  type TemplatePart,
} from "./template-pattern.js";

type TemplateAction = ActionOf<"template">;

/** Rules that people can read; and other languages number their groups up to nine. */
const MOST_CAPTURES = 4;

interface Compiled {
  readonly from: readonly TemplatePart[];
  readonly to: readonly TemplatePart[];
}

/** Parsed once: a rule is applied to many URLs. */
const compiled = new WeakMap<TemplateAction, Compiled>();

export const template: RuleKind<TemplateAction> = {
  title: "replace a pattern of the path and the query",
  precedence: 11,
  read: (fields) => ({ kind: "template", from: fields.text("from"), to: fields.text("to") }),
  plain: ({ kind, from, to }) => ({ kind, from, to }),
  content: ({ kind, from, to }) => [kind, from, to],
  problem: problemOf,
  apply(action, url, { pathStart, queryEnd }) {
    const image = applyTemplate(compiledOf(action), url.slice(pathStart, queryEnd));
    return image === undefined ? undefined : url.slice(0, pathStart) + image + url.slice(queryEnd);
  },
  reverse(action) {
    const { from, to } = compiledOf(action);
    const isLossless = capturesOf(from).length === capturesOf(to).length;
    return isLossless ? { ...action, from: action.to, to: action.from } : undefined;
  },
  trigger(action) {
    const literal = longestAnchor(compiledOf(action).from);
    return literal === "" ? { shape: 0 } : { literal, root: "anywhere", check: "atBoundary" };
  },
  edit: ({ from, to }) => ({ operation: "template", first: from, second: to }),
  requiredText: (action) => longestAnchor(compiledOf(action).from),
  isInstance: (action, broader) => named(action.from, action.to) === named(broader.from, broader.to),
  contradicts: (a, b) => named(a.from, a.to) === named(b.to, b.from),
  words: ({ from, to }) => [
    { text: from, as: "removed" },
    { text: " -> ", as: "quiet" },
    { text: to, as: "added" },
  ],
  cause: ({ from, to }) => `${from} \u2192 ${to}`,
  mask: (action, mask) => ({ ...action, from: mask(action.from), to: mask(action.to) }),
  form: [
    { type: "text", name: "from", label: "Where path and query are", hint: "/print.pl?sid={id:segment}" },
    { type: "text", name: "to", label: "make them", hint: "/{id:segment}.shtml" },
  ],
};

function compiledOf(action: TemplateAction): Compiled {
  const known = compiled.get(action);
  if (known !== undefined) return known;
  const [from, to] = [parseTemplate(action.from), parseTemplate(action.to)];
  // What is not a template matches nothing; `problem` says why.
  const isSound = typeof from !== "string" && typeof to !== "string";
  const made = isSound ? { from, to } : { from: [], to: [] };
  compiled.set(action, made);
  return made;
}

function applyTemplate({ from, to }: Compiled, text: string): string | undefined {
  const found = matchTemplate(from, text);
  if (found === undefined) return undefined;
  const places = from.map((part) => typeof part !== "string" && part.name);
  const image = to.map((part) => (typeof part === "string" ? part : found[places.indexOf(part.name)])).join("");
  return image === text ? undefined : image;
}

/** Both texts with their captures named by their order in the first: two spellings of one rule are equal. */
function named(from: string, to: string): string {
  const names = new Map<string, string>();
  const rename = (text: string) =>
    text.replace(/\{\{|\{([A-Za-z][A-Za-z0-9]*):/g, (whole, name?: string) => {
      if (name === undefined) return whole;
      if (!names.has(name)) names.set(name, `c${names.size}`);
      return `{${names.get(name)}:`;
    });
  return `${rename(from)}\0${rename(to)}`;
}

function problemOf(action: TemplateAction): Problem | undefined {
  const sides = { from: parseTemplate(action.from), to: parseTemplate(action.to) };
  for (const field of ["from", "to"] as const) {
    const parts = sides[field];
    const problem = typeof parts === "string" ? parts : shapeProblem(parts);
    if (problem !== undefined) return { field, problem };
  }
  const [from, to] = [sides.from, sides.to] as [readonly TemplatePart[], readonly TemplatePart[]];
  const known = new Map(capturesOf(from).map(({ name, type }) => [name, type]));
  const stranger = capturesOf(to).find(({ name, type }) => known.get(name) !== type);
  if (stranger !== undefined) {
    return { field: "to", problem: `has {${stranger.name}:${stranger.type}}, which is not in "from"` };
  }
  if (named(action.from, "") === named(action.to, "")) return { field: "to", problem: `is the same as "from"` };
  if (matchTemplate(from, exampleOf(to)) !== undefined)
    return { field: "to", problem: `is matched by "from" again and again` };
  return undefined;
}

function shapeProblem(parts: readonly TemplatePart[]): string | undefined {
  const [first] = parts;
  if (typeof first !== "string" || !first.startsWith("/")) return 'does not begin with "/"';
  const captures = capturesOf(parts);
  if (captures.length > MOST_CAPTURES) return `has ${captures.length} captures: expected at most ${MOST_CAPTURES}`;
  if (new Set(captures.map(({ name }) => name)).size < captures.length) return "has two captures of one name";
  if (captures.filter(({ type }) => type === "rest").length > 1) return 'has two captures of type "rest"';
  const isAdjacent = parts.some((part, i) => typeof part !== "string" && typeof parts[i + 1] === "object");
  if (isAdjacent) return "has two captures without a text between them";
  return parts.some((part) => typeof part === "string" && part.includes("#"))
    ? 'has "#": a fragment is not part of what is asked for'
    : undefined;
}
