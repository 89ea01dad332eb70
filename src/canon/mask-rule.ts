/** Rules without visitors' secrets: their examples are URLs that somebody asked for. */
import type { Rule, UrlPair } from "../model.js";
import { maskSecrets } from "../url/mask.js";
import { maskAction } from "./kinds.js";

/** The rule with its examples masked. What it does stays as it is. */
export function maskExamples(rule: Rule): Rule {
  const { example, evidence } = rule;
  return {
    ...rule,
    ...(example !== undefined && { example: maskPair(example) }),
    ...(evidence !== undefined && {
      evidence: {
        ...evidence,
        examples: evidence.examples.map(maskPair),
        counterExamples: evidence.counterExamples.map(maskPair),
      },
    }),
  };
}

export function maskPair<P extends UrlPair>(pair: P): P {
  return { ...pair, from: maskSecrets(pair.from), to: maskSecrets(pair.to) };
}

/** Does the rule itself hold somebody's secret, such as one session's id for another's? Nobody would write such a rule. */
export function holdsSecret(rule: Rule): boolean {
  let isFound = false;
  maskAction(rule, (text) => {
    const masked = maskSecrets(text);
    if (masked !== text) isFound = true;
    return masked;
  });
  return isFound;
}
