import type { RuleAction } from "../../model.js";
import type { MinedRule } from "../mined-rule.js";
import type { Rewrite } from "./buckets.js";
import { isUnscoped, type Mining } from "./mining.js";
import { dropEmpty, type IsNamed, keepOne, lowerPath, named, sortParameters } from "./rewrite.js";
import { holds, isClear, tallyAll } from "./scopes.js";

/**
 * Miners of the rules about parameters and paths that are not a substitution of one parameter: the order of parameters, a
 * repeated one, an empty one, the letter case of the path.
 */
export function kindMiners(mining: Mining): (() => MinedRule[])[] {
  return [mineOrder, mineRepeated, mineEmpty, mineCase].map((mine) => () => mine(mining));
}

function mineOrder(mining: Mining): MinedRule[] {
  const rewrite = sortParameters(mining.scanner);
  return mining.likelyRules(mining.urlsWithSeveral(), (members) => ({
    action: { kind: "parameterOrder" },
    candidate: { members, rewrite },
  }));
}

/** It has no scope: a prefix is compared as it is written, so one that holds before the rule need not hold after it. */
function mineCase(mining: Mining): MinedRule[] {
  const rewrite = lowerPath(mining.scanner);
  const rules = mining.likelyRules(mining.allUrls(), (members) => ({
    action: { kind: "case" },
    candidate: { members, rewrite },
  }));
  return rules.filter((rule) => isUnscoped(rule.scope));
}

/** Which one stays is what the list says: the variant of which more is confirmed, then with more merges, then the first. */
function mineRepeated(mining: Mining): MinedRule[] {
  const { scanner } = mining;
  const kinds = (["first", "last"] as const).map((keep) => ({
    action: (name?: string): RuleAction => ({
      kind: "repeatedParameter",
      ...(name === undefined ? {} : { name }),
      keep,
    }),
    rewrite: (isNamed?: IsNamed) => keepOne(scanner, keep, isNamed),
  }));
  const repeated = mining.urlsWithRepeated();
  const [first, last] = kinds.map((kind) => mineForNames(mining, repeated, kind));
  if (first!.general !== undefined || last!.general !== undefined) return betterOf(first!.general, last!.general);
  const names = new Set([...first!.named.keys(), ...last!.named.keys()]);
  return [...names].flatMap((name) => betterOf(first!.named.get(name), last!.named.get(name)));
}

function betterOf(a: MinedRule | undefined, b: MinedRule | undefined): MinedRule[] {
  if (a === undefined || b === undefined) return [a ?? b].filter((rule) => rule !== undefined);
  return [(b.confirmed - a.confirmed || b.merges - a.merges || b.support - a.support) > 0 ? b : a];
}

function mineEmpty(mining: Mining): MinedRule[] {
  const { general, named } = mineForNames(mining, mining.urlsWithEmpty(), {
    action: (name) => ({ kind: "emptyParameter", ...(name === undefined ? {} : { name }) }),
    rewrite: (isNamed) => dropEmpty(mining.scanner, isNamed),
  });
  return general === undefined ? [...named.values()] : [general];
}

/** A kind of rule that can be about one name or about all. */
interface NamedKind {
  readonly action: (name?: string) => RuleAction;
  readonly rewrite: (isNamed?: IsNamed) => Rewrite;
}

interface RulesForNames {
  /** The rule for all names. */
  readonly general?: MinedRule;
  readonly named: ReadonlyMap<string, MinedRule>;
}

/**
 * The rules for the names that are likely by themselves; and one for all names, where several have a part in it and
 * hardly anything that is known speaks against it, be it for all or for one of them. From one name alone nothing follows
 * for others: that "?a=" is "?" says little about "?edit".
 */
function mineForNames(mining: Mining, urls: Uint32Array, kind: NamedKind): RulesForNames {
  const { scanner, query, minSupport } = mining;
  const everyName = kind.rewrite();
  const buckets = mining.bucketsOf({ members: urls, rewrite: everyName });
  const total = tallyAll(buckets);
  const rules = new Map<string, MinedRule>();
  if (total.support < minSupport) return { named: rules };

  let isRefused = !holds(total, minSupport) || !isClear(total);
  let largestSupport = 0;
  for (const { id, urls: members } of query.popularNames(minSupport, buckets.merged)) {
    const bytes = query.nameBytes(id);
    const ofName = mining.bucketsOf({ members, rewrite: kind.rewrite(named(scanner.bytes, [bytes])) });
    const tally = tallyAll(ofName);
    if (tally.support < minSupport) continue;
    largestSupport = Math.max(largestSupport, tally.support);
    if (!holds(tally, minSupport)) {
      isRefused = true;
      continue;
    }
    const name = new TextDecoder().decode(bytes);
    rules.set(name, mining.ruleOf(kind.action(name), {}, ofName));
  }
  if (isRefused || total.support === largestSupport) return { named: rules };
  return { general: mining.ruleOf(kind.action(), {}, buckets), named: rules };
}
