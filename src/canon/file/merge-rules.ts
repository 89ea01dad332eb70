import type { Rule } from "../../model.js";

/**
 * The rules of a file after mining or validating again. Rules are the same where their ids are.
 *
 * What people did stays: their own and imported rules come first, in their order, and decisions and notes are kept.
 * Verdicts and evidence stay until there are newer ones. Then come the new rules by their rank, and last what the file
 * knows and the new list does not: such a rule goes only if it is a mere guess (mined, likely, undecided upon) about a
 * site that has been mined again.
 */
export function mergeRules(
  existing: readonly Rule[],
  found: readonly Rule[],
  /** The sites that `found` is about, as rules name them; a rule without a site counts as "". */
  minedSites: ReadonlySet<string>,
): Rule[] {
  const known = new Map(existing.map((rule) => [rule.id, rule]));
  const news = new Map<string, Rule>();
  // Two sites may have the same rule; the higher rank stands for both.
  for (const rule of found) if (!news.has(rule.id)) news.set(rule.id, rule);
  const update = (rule: Rule) => {
    const old = known.get(rule.id);
    const newer = news.get(rule.id);
    return old === undefined || newer === undefined ? rule : combine(old, newer);
  };
  const isOwn = (rule: Rule | undefined) => rule !== undefined && rule.source !== "mined";
  const own = existing.filter(isOwn).map(update);
  const ranked = [...news.values()].filter((rule) => !isOwn(known.get(rule.id))).map(update);
  const rest = existing.filter((rule) => {
    if (isOwn(rule) || news.has(rule.id)) return false;
    const isGuess = !isVerdict(rule) && rule.decision === null && rule.evidence === undefined && !rule.note;
    return !isGuess || !minedSites.has(rule.site ?? "");
  });
  return [...own, ...ranked, ...rest];
}

function combine(old: Rule, newer: Rule): Rule {
  const hasVerdict = isVerdict(newer) || newer.evidence !== undefined || !isVerdict(old);
  const verdict = hasVerdict ? newer : old;
  const { evidence = old.evidence, after = old.after, opposite = old.opposite } = verdict;
  const decision = newer.decision ?? old.decision;
  const note = newer.note ?? old.note;
  return {
    ...newer,
    source: old.source,
    status: verdict.status,
    decision,
    ...(evidence === undefined ? {} : { evidence }),
    ...(after === undefined ? {} : { after }),
    ...(opposite === undefined ? {} : { opposite }),
    ...(note === undefined ? {} : { note }),
  };
}

/** Were pages compared? */
const isVerdict = ({ status }: Rule) => status !== "likely" && status !== "declared";
