/**
 * Canonization by substitutions on one text, for programs without loops and variables: the text carries where
 * canonization stands, and each step does the next thing. Repeating steps on the URL's text ends in its canonical URL.
 *
 *     CURRENT BEFORE-THIS-ROUND AS-ASKED-FOR .15!!
 *
 * After the "." how many rules are done in this round, and one "!" for each round. When it is settled, the canonical
 * URL stands alone. A URL that the rules do not settle in ten rounds, or that needs more steps than the program has, is
 * its own canonical URL, as it is in canonization.
 */
import { type Piece, type RuleRewrites, wholePattern } from "./rewrites/rewrite.js";
import type { SingleAlias } from "./target.js";

/** Why a pair of single URLs cannot follow the steps. */
export function refuseSpaces({ from, to }: SingleAlias): string | undefined {
  return /\s/.test(from + to) ? "it has white space" : undefined;
}

/** The text that matches becomes the replacement; the pattern takes all of it. */
export interface Step {
  readonly pattern: string;
  readonly replacement: readonly Piece[];
}

/** As many as canonization tries. */
export const ROUNDS = 10;

/** After the URL as asked for: how canonization begins. */
export const beginWith = (url: string) => `${url} ${url} ${url} !`;

/**
 * This many rules are done in this round; empty for none. The "." keeps its digits apart from the number of a group
 * before it.
 */
export const placeAfter = (done: number): string => (done === 0 ? "" : `.${done}`);

/** Any place in a round. */
export const ANY_PLACE = "[.0-9]*";

/**
 * This many rules are done in this round, or fewer: digit by digit, so that the texts stay short with thousands of
 * rules.
 */
export function placeUpTo(done: number): string {
  if (done === 0) return "";
  const digits = String(done);
  const ways = [digits];
  for (let at = digits.length - 1; at >= 0; at--) {
    const [least, most] = [at === 0 ? 1 : 0, Number(digits[at]) - 1];
    if (most < least) continue;
    ways.push(`${digits.slice(0, at)}[${least}-${most}]${"[0-9]".repeat(digits.length - at - 1)}`);
  }
  for (let length = digits.length - 1; length > 0; length--) ways.push("[0-9]".repeat(length));
  return `(?:[.](?:${ways.join("|")}))?`;
}

/** The alternatives of one step: the first that matches is done. If none does, the text stays. */
export function nextSteps(rules: readonly RuleRewrites[]): Step[] {
  return [...rules.flatMap(rewriteSteps), ...roundSteps()];
}

/** Those of one rule, which as many others come before. */
export function rewriteSteps({ rewrites, isOnce }: RuleRewrites, number: number): Step[] {
  const behind = placeAfter(isOnce ? number + 1 : number);
  return rewrites.map((rewrite) => ({
    pattern: `${wholePattern(rewrite, "(?= )")}( [^ ]* [^ ]* )${placeUpTo(number)}(!+)$`,
    replacement: [...rewrite.replacement, rewrite.groups + 1, behind, rewrite.groups + 2],
  }));
}

const settlingStep: Step = { pattern: `^([^ ]*) \\1 [^ ]* ${ANY_PLACE}!+$`, replacement: [1] };

function roundSteps(): Step[] {
  return [
    settlingStep,
    { pattern: `^([^ ]*) [^ ]*( [^ ]* )${ANY_PLACE}(!{1,${ROUNDS - 1}})$`, replacement: [1, " ", 1, 2, 3, "!"] },
  ];
}

/** Matches when no step is left to do. Tried first, it spares the others. */
export const settledStep: Step = { pattern: "^([^ ]*)$", replacement: [1] };

/** What the steps left unsettled: the URL as it was asked for. */
export const unsettledStep: Step = { pattern: `^[^ ]* [^ ]* ([^ ]*) ${ANY_PLACE}!+$`, replacement: [1] };

/** Not ".": in Java it is no line separator, and characters beyond ASCII may be one. */
const waking: Step = { pattern: "^[*]([\\s\\S]*)$", replacement: [">", 1] };

/**
 * The same for programs that do every substitution of a list in turn: each time through the alternatives is one step.
 * The text begins with ">" where a step may be done, with "*" where one has been done this time, and with the URL
 * itself in the end, so that most substitutions fail at the first character. A URL longer than `length` is left alone.
 */
export function stepsInTurn(rules: readonly RuleRewrites[], length: number): SequenceParts {
  const waiting = (step: Step): Step => ({
    pattern: step.pattern.replace("^", "^>"),
    replacement: step === settlingStep ? step.replacement : ["*", ...step.replacement],
  });
  return {
    begin: { pattern: `^([^ >*][^ ]{0,${length - 1}})$`, replacement: [">", 1, " ", 1, " ", 1, " !"] },
    step: [...nextSteps(rules).map(waiting), waking],
    end: { pattern: unsettledStep.pattern.replace("^", "^>"), replacement: unsettledStep.replacement },
  };
}

/** The first once, then one step as often as one likes, then the last. */
export interface SequenceParts {
  readonly begin: Step;
  readonly step: readonly Step[];
  readonly end: Step;
}
