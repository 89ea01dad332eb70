/**
 * Template rules from equal contents: "/print.pl?sid=X" and "/X.shtml" show one page, for many X. URLs of one content class are
 * aligned two by two; what both have becomes captures, what is the same in all examples becomes text again, and types are as
 * narrow as the values allow.
 */
import { applyRule } from "../canon/apply.js";
import type { CaptureType } from "../canon/kinds/template-pattern.js";
import { actionProblem } from "../canon/kinds.js";
import type { RuleAction } from "../model.js";
import { stringAt } from "../string-column.js";
import { parseUrl } from "../url/parse.js";
import { compareCodePoints, tokenize } from "../url/tokenize.js";
import type { ContentClasses } from "./content-classes.js";
import type { MinedRule } from "./mined-rule.js";

/** Larger classes are looked at in part, and so are longer lists. */
const MOST_IN_CLASS = 8;
const MOST_URLS = 50_000;
/** In this many classes two URLs must be alike in the same way. */
const LEAST_CLASSES = 5;
const MOST_CAPTURES = 4;
/** Counter-examples that are allowed: the papers' epsilon. */
const TOLERANCE = 0.05;

type TemplateAction = Extract<RuleAction, { kind: "template" }>;

/** A pair of URLs with what they have in common taken out. */
interface Aligned {
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** What was taken out, in the order of `from`; `order` is where each stands in `to`. */
  readonly values: readonly string[];
  readonly order: readonly number[];
  readonly classNumber: number;
}

export function mineTemplates(classes: ContentClasses): MinedRule[] {
  const count = Math.min(MOST_URLS, classes.urls.count);
  const texts = Array.from({ length: count }, (_, i) => stringAt(classes.urls, i));
  const rowOf = new Map(texts.map((text, i) => [text, i]));
  const bySkeleton = new Map<string, Aligned[]>();
  for (const aligned of alignAll(texts, classes)) {
    const key = JSON.stringify([aligned.from, aligned.to, aligned.order]);
    const alike = bySkeleton.get(key);
    if (alike === undefined) bySkeleton.set(key, [aligned]);
    else alike.push(aligned);
  }
  const found = new Map<string, MinedRule>();
  for (const alike of bySkeleton.values()) {
    if (new Set(alike.map(({ classNumber }) => classNumber)).size < LEAST_CLASSES) continue;
    const action = generalise(alike);
    if (action === undefined || actionProblem(action) !== undefined) continue;
    const key = `${action.from}\0${action.to}`;
    if (found.has(key)) continue;
    const rule = countExamples(action, texts, rowOf, classes);
    if (rule !== undefined) found.set(key, rule);
  }
  const mined = [...found.values()];
  for (const action of withAnyTail(mined)) {
    const rule = actionProblem(action) === undefined ? countExamples(action, texts, rowOf, classes) : undefined;
    if (rule !== undefined) mined.push(rule);
  }
  return mined.sort((a, b) => b.support - a.support || compareCodePoints(a.example.from, b.example.from));
}

function* alignAll(texts: readonly string[], classes: ContentClasses): Generator<Aligned> {
  const members = new Map<string, string[]>();
  const numbers = new Map<string, number>();
  for (const [row, text] of texts.entries()) {
    const parts = parseUrl(text);
    if (parts === undefined) continue;
    // A template says nothing about hosts.
    const key = `${classes.classOf[row]} ${text.slice(0, parts.pathStart)}`;
    numbers.set(key, classes.classOf[row]!);
    const others = members.get(key);
    if (others === undefined) members.set(key, [text.slice(parts.pathStart, parts.queryEnd)]);
    else if (others.length < MOST_IN_CLASS) others.push(text.slice(parts.pathStart, parts.queryEnd));
  }
  for (const [key, some] of members) {
    // What has parameters, then what is longer, becomes the other.
    const ordered = some.sort(
      (a, b) => Number(b.includes("?")) - Number(a.includes("?")) || b.length - a.length || compareCodePoints(b, a),
    );
    for (const [i, from] of ordered.entries()) {
      for (const to of ordered.slice(i + 1)) {
        const aligned = align(from, to, numbers.get(key)!);
        if (aligned !== undefined) yield aligned;
      }
    }
  }
}

/** Takes out the longest runs of tokens that both have, longest first. */
function align(from: string, to: string, classNumber: number): Aligned | undefined {
  const [left, right] = [tokenize(from), tokenize(to)];
  const taken = { left: new Int8Array(left.length).fill(-1), right: new Int8Array(right.length).fill(-1) };
  const runs: string[] = [];
  while (runs.length < MOST_CAPTURES) {
    const run = longestCommon(left, right, taken.left, taken.right);
    if (run === undefined) break;
    taken.left.fill(runs.length, run.left, run.left + run.length);
    taken.right.fill(runs.length, run.right, run.right + run.length);
    runs.push(left.slice(run.left, run.left + run.length).join(""));
  }
  if (runs.length === 0) return undefined;
  const [fromPieces, fromRuns] = pieces(left, taken.left);
  const [toPieces, toRuns] = pieces(right, taken.right);
  return {
    from: fromPieces,
    to: toPieces,
    values: fromRuns.map((run) => runs[run]!),
    order: toRuns.map((run) => fromRuns.indexOf(run)),
    classNumber,
  };
}

/** The texts between the runs, one more than there are runs, and the runs in their order. */
function pieces(tokens: readonly string[], taken: Int8Array): [texts: string[], runs: number[]] {
  const texts = [""];
  const runs: number[] = [];
  for (const [i, token] of tokens.entries()) {
    if (taken[i]! < 0) texts[texts.length - 1] += token;
    else if (i === 0 || taken[i] !== taken[i - 1]) {
      runs.push(taken[i]!);
      texts.push("");
    }
  }
  return [texts, runs];
}

/** The longest run of tokens in both that begins and ends with letters or digits and is not taken. */
function longestCommon(left: readonly string[], right: readonly string[], takenLeft: Int8Array, takenRight: Int8Array) {
  let best: { left: number; right: number; length: number } | undefined;
  for (let i = 0; i < left.length; i++) {
    if (takenLeft[i]! >= 0 || !isWord(left[i]!)) continue;
    for (let k = 0; k < right.length; k++) {
      let [length, ends] = [0, 0];
      while (
        i + length < left.length &&
        left[i + length] === right[k + length] &&
        takenLeft[i + length]! < 0 &&
        takenRight[k + length]! < 0
      ) {
        length++;
        if (isWord(left[i + length - 1]!)) ends = length;
      }
      if (ends > (best?.length ?? 0)) best = { left: i, right: k, length: ends };
    }
  }
  return best;
}

const isWord = (token: string) => /^[A-Za-z0-9]/.test(token);

/** What is the same in all examples is text; the rest are captures, as narrow as their values are. */
function generalise(alike: readonly Aligned[]): TemplateAction | undefined {
  const { from, to, order } = alike[0]!;
  const sides: (string | { name: string; type: CaptureType })[] = alike[0]!.values.map((value, at) => {
    const values = new Set(alike.map(({ values: own }) => own[at]!));
    return values.size === 1 ? value : { name: "abcd"[at]!, type: typeOf(values) };
  });
  const braced = (text: string) => text.replace(/[{}]/g, "$&$&");
  const written = (part: (typeof sides)[number]) =>
    typeof part === "string" ? braced(part) : `{${part.name}:${part.type}}`;
  const weave = (texts: readonly string[], runs: readonly number[]) =>
    texts.map((text, i) => braced(text) + (i < runs.length ? written(sides[runs[i]!]!) : "")).join("");
  const captures = sides.filter((side) => typeof side !== "string");
  if (captures.length === 0) return undefined;
  const identity = alike[0]!.values.map((_, at) => at);
  const action: TemplateAction = { kind: "template", from: weave(from, identity), to: weave(to, order) };
  return isOnePlace(action.from, action.to) ? undefined : action;
}

/** Templates that end in other parameters and lead to the same, from which on it is most likely that none of them matters. */
const LEAST_TAILS = 3;

/** "/index.php?target={b:word}&days=7" and "...&limit=50" lead to the same: one rule then says that whatever follows the value does not matter. */
function withAnyTail(mined: readonly MinedRule[]): TemplateAction[] {
  const tails = new Map<string, { readonly action: TemplateAction; count: number }>();
  for (const rule of mined) {
    if (rule.kind !== "template") continue;
    const { from, to } = rule;
    const head = /^.*\{[A-Za-z]+:[a-z]+\}[&;](?=[^{}]+$)/s.exec(from)?.[0];
    if (head === undefined) continue;
    const key = `${head}\0${to}`;
    const known = tails.get(key) ?? { action: { kind: "template", from: `${head}{rest:rest}`, to }, count: 0 };
    tails.set(key, known);
    known.count++;
  }
  return [...tails.values()].filter(({ count }) => count >= LEAST_TAILS).map(({ action }) => action);
}

/** Texts that differ in one place, with the captures all on one side of it or around it, are what a substring rule says. */
function isOnePlace(from: string, to: string): boolean {
  let start = 0;
  while (start < from.length && from[start] === to[start]) start++;
  let [a, b] = [from.length, to.length];
  while (a > start && b > start && from[a - 1] === to[b - 1]) {
    a--;
    b--;
  }
  const differs = from.slice(start, a) + to.slice(start, b);
  return !differs.includes("{") && !differs.includes("}");
}

function typeOf(values: ReadonlySet<string>): CaptureType {
  const all = (pattern: RegExp) => [...values].every((value) => pattern.test(value));
  if (all(/^[0-9]+$/)) return "number";
  if (all(/^[0-9A-Fa-f]{7,}$/)) return "hex";
  if (all(/^[A-Za-z0-9_-]+$/)) return "word";
  return all(/^[^/?&;=]+$/) ? "segment" : "rest";
}

/** The rule with its support, unless URLs that it makes one showed different documents. */
function countExamples(
  action: TemplateAction,
  texts: readonly string[],
  rowOf: ReadonlyMap<string, number>,
  classes: ContentClasses,
): MinedRule | undefined {
  let [support, unlikely] = [0, 0];
  let example: MinedRule["example"] | undefined;
  const rule = { ...action, scope: {} };
  for (const [row, text] of texts.entries()) {
    const image = applyRule(rule, text);
    const target = image === undefined ? undefined : rowOf.get(image);
    if (target === undefined) continue;
    if (classes.classOf[target] === classes.classOf[row]) {
      support++;
      example ??= { from: text, to: image! };
    } else unlikely++;
  }
  if (example === undefined || support < LEAST_CLASSES || unlikely > TOLERANCE * (support + unlikely)) return undefined;
  return { ...action, scope: {}, support, confirmed: support, unlikely, merges: support, example };
}
