import type { ParameterPlace, Progress } from "../model.js";
import type { InSteps } from "../progress.js";
import { compareCodePoints } from "../url/tokenize.js";
import type { MinedRule } from "./mined-rule.js";
import { isUnscoped, type Mining, type Proposal } from "./parameters/mining.js";
import { kindMiners } from "./parameters/other-kinds.js";
import { named, removeParameter, setParameter } from "./parameters/rewrite.js";
import { isSpread, tallyAll } from "./parameters/scopes.js";
import { Values } from "./parameters/values.js";

/**
 * Likely rules about parameters (thesis 5.3), from the list alone: for every popular parameter the rule that removes it
 * and the rule that sets it to one value, and the kinds of kinds.ts. By support, then by name; `remove` before `set`.
 *
 * A `set` rule is there for the case that `remove` fails: it need not be tried where a valid rule removes the same
 * parameter in a scope that contains its own.
 *
 * Pauses with how far it is before each parameter and kind, so that its driver can end it.
 */
export function* mineParameterRules(mining: Mining): InSteps<MinedRule[]> {
  const steps = kindMiners(mining);
  const weak: Parameter[] = [];
  for (const place of ["query", "path"] as const) {
    for (const { id, urls } of mining[place].popularNames(mining.minSupport)) {
      const parameter = { id, nameBytes: mining[place].nameBytes(id), place, members: urls };
      steps.push(() => {
        const rules = mineParameter(mining, parameter);
        if (rules === undefined && place === "query") weak.push(parameter);
        return rules ?? [];
      });
    }
  }
  steps.push(() => mineTogether(mining, weak));
  const rules: MinedRule[] = [];
  const progress = (done: number): Progress => ({
    step: "parameter rules",
    done,
    total: steps.length,
    unit: "parameters",
  });
  for (const [done, step] of steps.entries()) {
    yield progress(done);
    for (const rule of step()) rules.push(rule);
  }
  yield progress(steps.length);
  return withoutImplied(rules).sort(compareRules);
}

interface Parameter {
  /** Number of the name in its table. */
  readonly id: number;
  readonly nameBytes: Uint8Array;
  readonly place: ParameterPlace;
  readonly members: Uint32Array;
}

/** The rules that remove or set one parameter, where they are likely; undefined where removing it merges too little to tell. */
function mineParameter(mining: Mining, { id, nameBytes, place, members }: Parameter): MinedRule[] | undefined {
  const { scanner } = mining;
  const name = new TextDecoder().decode(nameBytes);
  const isNamed = named(scanner.bytes, [nameBytes]);
  const valuesIn = (some: Uint32Array) => Values.of(scanner, some, place, isNamed);
  const removal = (some: Uint32Array, values: Values): Proposal => ({
    action: { kind: "parameter", name, place, action: "remove" },
    candidate: {
      members: some,
      rewrite: removeParameter(scanner, place, isNamed),
      ...(place === "query" ? { hashOf: mining.query.hashWithout([id]) } : {}),
      isBetter: values.isBefore,
    },
  });
  const setting = (some: Uint32Array, values: Values): Proposal => {
    const value = values.mostFrequent();
    return {
      action: { kind: "parameter", name, place, action: "set", value: new TextDecoder().decode(value) },
      candidate: { members: some, rewrite: setParameter(scanner, place, isNamed, value), isBetter: values.isBefore },
    };
  };

  const values = valuesIn(members);
  const remove = removal(members, values);
  const removed = mining.bucketsOf(remove.candidate);
  if (tallyAll(removed).support < mining.minSupport) return undefined;
  // URLs that differ in the value alone are one URL without it: what setting merges is among what removing merges.
  const set = setting(removed.merged, values.among(removed.merged));
  const removals = mining.likelyRulesOf(remove.action, removed, members, (some) => removal(some, valuesIn(some)));
  // Sizes are evidence, not a veto: pages echo their URLs, or change by themselves. To refute it costs two fetches.
  const isWhole = removals.some(({ scope }) => isUnscoped(scope));
  if (mining.plan === "ours" && !isWhole && isSpread(removed)) removals.push(mining.ruleOf(remove.action, {}, removed));
  return [
    ...removals,
    ...mining.likelyRulesOf(set.action, mining.bucketsOf(set.candidate), members, (some) =>
      setting(some, valuesIn(some)),
    ),
  ];
}

/**
 * Parameters that come together (utm_source, utm_medium and utm_campaign of one link): none of them merges URLs when it
 * is removed alone. So each is removed with those others that are in most of its URLs and merge nothing alone either. On
 * one page alone they may be what it is asked for (a longitude and a latitude), so that either several pages have to be
 * there with and without them, or the documents have to be known.
 */
function mineTogether(mining: Mining, weak: readonly Parameter[]): MinedRule[] {
  const { scanner, query, minSupport } = mining;
  const isWeak = new Set(weak.map(({ id }) => id));
  return weak.flatMap(({ nameBytes, members }) => {
    const together = query.popularNames(Math.floor(members.length / 2) + 1, members).map(({ id }) => id);
    const ids = together.filter((id) => isWeak.has(id));
    if (ids.length < 2) return [];
    const names = named(
      scanner.bytes,
      ids.map((id) => query.nameBytes(id)),
    );
    const propose = (some: Uint32Array): Proposal => ({
      action: { kind: "parameter", name: new TextDecoder().decode(nameBytes), place: "query", action: "remove" },
      candidate: { members: some, rewrite: removeParameter(scanner, "query", names), hashOf: query.hashWithout(ids) },
    });
    const { action, candidate } = propose(members);
    const buckets = mining.bucketsOf(candidate);
    if (buckets.count < minSupport && tallyAll(buckets).confirmed < minSupport) return [];
    return mining.likelyRulesOf(action, buckets, members, propose);
  });
}

/** A parameter that is removed everywhere needs no rule for the URLs where it is empty or repeated. */
function withoutImplied(rules: readonly MinedRule[]): MinedRule[] {
  const removed = new Set<string>();
  for (const rule of rules) {
    const isRemoval = rule.kind === "parameter" && rule.action === "remove" && rule.place === "query";
    if (isRemoval && isUnscoped(rule.scope)) removed.add(rule.name);
  }
  return rules.filter(
    (rule) =>
      (rule.kind !== "emptyParameter" && rule.kind !== "repeatedParameter") ||
      rule.name === undefined ||
      !removed.has(rule.name),
  );
}

/** By support; then by kind and name, `remove` before `set`, then by scope: an order that does not depend on the list's. */
function compareRules(a: MinedRule, b: MinedRule): number {
  return b.support - a.support || compareCodePoints(sortKey(a), sortKey(b));
}

function sortKey(rule: MinedRule): string {
  const { host = "", path = "", script = "" } = rule.scope;
  const name = "name" in rule ? rule.name : "";
  const action = rule.kind === "parameter" ? rule.action : "";
  return [name, rule.kind, action, host, path, script].join("\0");
}
