import { verdictOf } from "../canon/legend.js";
import type { Rule, UrlPair } from "../model.js";
import type { Draw } from "../validate/try-rule.js";
import { type Counts, paperVerdict } from "../validate/verdict.js";

/** The papers' measures (2007, section 3 "Metrics", and section 6; thesis 6), as functions of what other steps found. */

/** A point of a curve: the share `y` at `x`. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const isValid = (rule: Rule) => verdictOf(rule) === "valid";

/**
 * Precision@k (figure 5): of the first k likely rules, the share that validation found valid in at least one direction.
 * A rule that validation dropped refines a valid rule, or does only what valid rules do: it counts as valid too.
 * No curve where nothing was decided: without any page seen, the precision is unknown, not 0%.
 */
export function precisionAtK(likely: readonly Pick<Rule, "id">[], validated: readonly Rule[]): Point[] {
  if (!validated.some((rule) => ["valid", "refuted"].includes(verdictOf(rule)))) return [];
  const verdicts = new Map(validated.map((rule) => [rule.id, rule]));
  let valid = 0;
  return likely.map((rule, i) => {
    const verdict = verdicts.get(rule.id);
    if (verdict === undefined || isValid(verdict)) valid++;
    return { x: i + 1, y: valid / (i + 1) };
  });
}

/**
 * Figure 6: of the substring rules that N = x validations find valid, the share that `maxCount` validations find valid.
 * Only rules for which pages were compared count; no curve without one. `draws` are in their order; those of a rule's
 * second try, after other rules, continue its opposite or forward direction.
 */
export function precisionByValidations(
  rules: readonly Rule[],
  draws: readonly Pick<Draw, "rule" | "direction" | "outcome">[],
  epsilon: number,
  maxCount = 100,
): Point[] {
  const substrings = new Map(rules.flatMap((rule) => (rule.kind === "substring" ? [[rule.id, rule]] : [])));
  const attempts = new Map<string, Record<Draw["direction"], Draw["outcome"][]>>();
  for (const { rule, direction, outcome } of draws) {
    if (!substrings.has(rule) || outcome === "skipped") continue;
    const attempt = attempts.get(rule) ?? { forward: [], opposite: [] };
    attempts.set(rule, attempt);
    attempt[direction].push(outcome);
  }
  if (attempts.size === 0) return [];
  const validAt = (count: number) => {
    const valid = new Set<string>();
    for (const [rule, { forward, opposite }] of attempts) {
      if (verdictAfter(forward, count, epsilon) || verdictAfter(opposite, count, epsilon)) valid.add(rule);
    }
    return valid;
  };
  // A counter-example that was looked at twice refutes at once, whatever share of the draws it is.
  const isRefuted = ({ status, opposite }: Rule) => status === "refuted" && opposite?.status !== "valid";
  const final = new Set([...validAt(maxCount)].filter((rule) => !isRefuted(substrings.get(rule)!)));
  return Array.from({ length: maxCount + 1 }, (_, count) => {
    const valid = count === 0 ? new Set(attempts.keys()) : validAt(count);
    const right = [...valid].filter((rule) => final.has(rule)).length;
    return { x: count, y: right / valid.size };
    // Where none is accepted nothing is precise.
  }).filter(({ y }) => !Number.isNaN(y));
}

/** Figure 3 with N = count on the outcomes as they came; where they end before a verdict, the share decides. */
function verdictAfter(outcomes: readonly Draw["outcome"][], count: number, epsilon: number): boolean {
  const counts = { positive: 0, negative: 0 };
  for (const outcome of outcomes) {
    if (outcome === "skipped") continue;
    counts[outcome]++;
    const verdict = paperVerdict(counts, count, epsilon);
    if (verdict !== undefined) return verdict === "valid";
  }
  return holdsSoFar(counts, epsilon);
}

function holdsSoFar({ positive, negative }: Counts, epsilon: number): boolean {
  return positive > 0 && negative <= epsilon * (positive + negative);
}

/** One URL of the list that is canonized. */
export interface TestUrl {
  readonly url: string;
  /** Names its document (its sketch, say): equal names, equal documents. Absent where it is not known. */
  readonly document?: string;
  readonly hits: number;
  /** Of one download; NaN where unknown. */
  readonly bytes: number;
}

export interface Reduction {
  /** Unique URLs before and after canonization, and (before - after) / before (table 4). */
  readonly before: number;
  readonly after: number;
  readonly redundancy: number;
  /** Bytes of one download of every URL whose size is known, and of those that need not be downloaded. */
  readonly bytes: number;
  readonly bytesSaved: number;
}

/** Discovered redundancy (table 4): what a crawl saves that fetches each canonical URL once. */
export function measureReduction(urls: readonly TestUrl[], canon: (url: string) => string): Reduction {
  const canonical = new Set<string>();
  let bytes = 0;
  let bytesSaved = 0;
  for (const test of urls) {
    const target = canon(test.url);
    const size = Number.isNaN(test.bytes) ? 0 : test.bytes;
    bytes += size;
    if (canonical.has(target)) bytesSaved += size;
    canonical.add(target);
  }
  const before = urls.length;
  const after = canonical.size;
  return { before, after, redundancy: before === 0 ? 0 : (before - after) / before, bytes, bytesSaved };
}

export interface Coverage {
  /** URLs whose document is known; the rest says nothing here. */
  readonly urls: number;
  readonly documents: number;
  /** Unique URLs minus unique documents, before and after canonization, and (before - after) / before. */
  readonly before: number;
  readonly after: number;
  readonly coverage: number;
  /** URLs whose canonical URL stands for another document, each with the URL that represents them. */
  readonly unequal: readonly UrlPair[];
  /** The URLs that stand for what is left, one for each canonical URL. */
  readonly representatives: readonly TestUrl[];
}

/**
 * Coverage (section 3, figure 8): of the duplicates, the share that canonization takes away. One URL represents all with
 * its canonical URL: that very URL if it is in the list, else the first with the document that most of them have.
 */
export function measureCoverage(urls: readonly TestUrl[], canon: (url: string) => string): Coverage {
  const known = urls.filter(({ document }) => document !== undefined);
  const classes = new Map<string, TestUrl[]>();
  for (const test of known) {
    const target = canon(test.url);
    const members = classes.get(target);
    if (members === undefined) classes.set(target, [test]);
    else members.push(test);
  }
  const representatives: TestUrl[] = [];
  const unequal: UrlPair[] = [];
  for (const [target, members] of classes) {
    const representative = members.find(({ url }) => url === target) ?? commonest(members);
    representatives.push(representative);
    for (const { url, document } of members) {
      if (document !== representative.document) unequal.push({ from: url, to: representative.url });
    }
  }
  const documents = countDocuments(known);
  const before = known.length - documents;
  const after = representatives.length - countDocuments(representatives);
  const coverage = before === 0 ? 0 : (before - after) / before;
  return { urls: known.length, documents, before, after, coverage, unequal, representatives };
}

function commonest(members: readonly TestUrl[]): TestUrl {
  const counts = new Map<string | undefined, number>();
  for (const { document } of members) counts.set(document, (counts.get(document) ?? 0) + 1);
  return members.reduce((best, other) => (counts.get(other.document)! > counts.get(best.document)! ? other : best));
}

function countDocuments(urls: readonly TestUrl[]): number {
  return new Set(urls.map(({ document }) => document)).size;
}

/** Why two URLs that no rule connects have the same document (figure 8). */
export type Cause = "image" | "softError" | "copy" | "similar";

/** Duplicates by cause: how many of them rules cover, and what the others are. */
export type Causes = { readonly covered: number } & Readonly<Record<Cause, number>>;

export const causeNames: readonly (readonly [keyof Causes, string])[] = [
  ["covered", "covered by rules"],
  ["image", "images and icons"],
  ["copy", "exact copies"],
  ["softError", "soft errors"],
  ["similar", "similar otherwise"],
];

/** Of each group of one document all but one are duplicates; `causeOf` says what a document's group is. */
export function countCauses(
  { before, after, representatives }: Coverage,
  causeOf: (group: readonly TestUrl[]) => Cause,
): Causes {
  const groups = new Map<string, TestUrl[]>();
  for (const test of representatives) {
    const members = groups.get(test.document!);
    if (members === undefined) groups.set(test.document!, [test]);
    else members.push(test);
  }
  const counts = { covered: before - after, image: 0, softError: 0, copy: 0, similar: 0 };
  for (const group of groups.values()) if (group.length > 1) counts[causeOf(group)] += group.length - 1;
  return counts;
}
