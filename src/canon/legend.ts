/** The words for the numbers of rules, one definition each: terminal, report and app explain them alike. */
import type { Rule, RuleStatus } from "../model.js";

export const legend = {
  pairs: "pairs of URLs in the input that the rule makes one",
  agree: "how many of these pairs have sizes or texts that agree, where known",
  ofUrls: "these pairs as a share of the URLs",
  merges:
    "URLs that this rule alone turns into another URL of the input; very large groups count on the rule's own page only",
  alike: "pairs of pages that were compared and show the same",
} as const;

/** The verdict on a rule in either direction: one that holds only the other way round is proven, and used that way. */
export function verdictOf({ status, opposite }: Pick<Rule, "status" | "opposite">): RuleStatus {
  return opposite?.status === "valid" ? "valid" : status;
}

/** How pages were compared, in words: the name of a similarity test says little. */
export function similarityWords(test: string): string {
  const equal = /^shingles-(\d)\/4$/.exec(test)?.[1];
  if (equal !== undefined) return `${equal} of 4 fingerprints of the text equal (${test})`;
  const share = /^resemblance-(.+)$/.exec(test)?.[1];
  if (share !== undefined) return `texts with at least ${share} of their phrases in common (${test})`;
  if (test === "digest") return "the same bytes (digest)";
  return test === "text" ? "the text of their own (text)" : test;
}

/** Proven rules first, then what is open, those that sizes or texts confirm before others; refuted ones last. */
export function byStanding(rules: readonly Rule[]): Rule[] {
  const standing = (rule: Rule) => {
    const verdict = verdictOf(rule);
    if (rule.decision === "rejected") return 5;
    if (verdict === "valid" || rule.decision === "accepted") return 0;
    if (verdict === "refuted") return 4;
    return (verdict === "undecided" ? 1 : 2) + (rule.confirmed > 0 ? 0 : 1);
  };
  return rules.toSorted((a, b) => standing(a) - standing(b));
}
