/** Why a rule is neither proven nor refuted, and what its owner can do about it. */
import type { Rule, Skipped } from "../model.js";
import { count, counted } from "../numbers.js";
import { shellWord } from "../url/shell-word.js";
import { LEAST_USABLE } from "./verdict.js";

export interface Undecided {
  readonly why: string;
  readonly next: string;
  /** Where this alone kept every pair from being compared: other rules may have the same. */
  readonly cause?: string;
}

/** Undefined where the rule is decided, or was never tried. */
export function whyUndecided(
  rule: Pick<Rule, "id" | "status" | "decision" | "opposite" | "evidence" | "after">,
): Undecided | undefined {
  const { status, opposite, evidence } = rule;
  if (status !== "undecided" || opposite?.status === "valid" || rule.decision !== null) return undefined;
  const positive = evidence?.positive ?? 0;
  const compared = positive + (evidence?.negative ?? 0);
  const [reason] = evidence?.skipped ?? [];
  const sofar = compared === 0 ? "" : `${count(positive)} of ${count(compared)} alike, `;
  if (reason !== undefined) {
    const many = reason.count === 1 ? "one pair" : counted(reason.count, "pair");
    return {
      why: `${sofar}${many} could not be compared: ${reason.why}`,
      next: nextStep(reason.why, rule.id),
      ...(compared === 0 && { cause: reason.why }),
    };
  }
  if (compared === 0 && rule.after !== undefined) {
    return {
      why: "the rules before it leave it no URL to change",
      next: "nothing to do while they are in use",
    };
  }
  if (compared === 0) {
    return {
      why: "no pair of its URLs was compared",
      next: "add a crawl with both pages, or name the site with --site",
    };
  }
  const why =
    compared < LEAST_USABLE
      ? `${sofar}too few: it takes at least ${LEAST_USABLE}`
      : `${sofar}not enough to prove it or to refute it`;
  return { why, next: `add a longer log or a crawl, or decide: ${decide(rule.id)}` };
}

/** By how the reason begins or what it contains; the first that fits counts. */
const steps: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [
    /^not an absolute URL/,
    () => "these URLs have no host: add the input again with --base ORIGIN, such as https://example.com",
  ],
  // A bare host means what is below it as well.
  [/^host (?:www\.)?(\S+) is not among the sites/, ([, host]) => `add --site ${shellWord(host!)}`],
  [/^port (\d+) of (\S+) is not among the sites/, ([, port, host]) => `add --site ${shellWord(`${host}:${port}`)}`],
  [
    /^host (\S+) has no address/,
    ([, host]) => `check the name and the network, or give its address: --resolve ${shellWord(`${host}:ADDRESS`)}`,
  ],
  [/is a private name|^address|has address/, () => "if that network is yours, add --allow-private"],
  [/requests are used/, () => "the same command with a larger --budget goes on"],
  [/^robots\.txt could not be had/, () => "check that the site can be reached, then try again"],
  [/robots\.txt/, () => "if the site is yours, allow dustpan in its robots.txt"],
  [/looks like|carries|token|action/, () => "if the site is yours, add --allow with a part of these URLs"],
  [/^(?:not|its text is not) in the workspace/, () => "add a crawl with both pages, or fetch them with --site"],
  [/^seen at different times/, () => "add a crawl that saw both pages in one go, or fetch them with --site"],
  [/^(?:throttled|no complete answer|5\d\d$|answers come and go)/, () => "try again when the site is less busy"],
  [/^(?:4\d\d$|soft 404)/, () => "these pages are gone: add a newer log"],
];

/** What can be done about pairs that could not be compared for this reason, by one rule or by all of them. */
export function nextStep(reason: string, id = "ID"): string {
  for (const [pattern, step] of steps) {
    const found = pattern.exec(reason);
    if (found !== null) return step(found);
  }
  return `look at it and decide: ${decide(id)}`;
}

function decide(id: string): string {
  return `"dustpan rules show ${id}", then accept or reject`;
}

/** The reasons why pairs of a rule could not be compared, the most frequent first. */
export function skippedReasons(reasons: Iterable<string>): Skipped[] {
  const counts = new Map<string, number>();
  for (const why of reasons) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts]
    .map(([why, n]) => ({ why, count: n }))
    .sort((a, b) => b.count - a.count)
    .slice(0, REASONS_KEPT);
}

const REASONS_KEPT = 3;
