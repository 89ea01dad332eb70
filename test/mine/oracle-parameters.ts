/**
 * Parameter rules written straight from choices.md and docs/algorithms/parameter-rules.md: strings, maps, and rules/apply
 * for what a rule does. Slow and obvious; the shipped miner must equal it, order and examples included.
 */

import { applyRule } from "#src/canon/apply.js";
import { inScope } from "#src/canon/scope.js";
import { likelySimilar, sizeGap } from "#src/mine/likely-similar.js";
import { CONFIRMED, UNLIKELY } from "#src/mine/likeness.js";
import type { MinedRule } from "#src/mine/mined-rule.js";
import type { ParameterMiningOptions } from "#src/mine/parameters/mining.js";
import type { ParameterPlace, RuleAction, Scope, UrlList } from "#src/model.js";
import { parameterName, parameterValue, pathParameters, queryParameters } from "#src/url/parameters.js";
import { hostOf, parseUrl, pathOf } from "#src/url/parse.js";
import { compareCodePoints } from "#src/url/tokenize.js";
import { urlAt } from "./parameters-lists.js";

interface Bucket {
  readonly changed: number[];
  readonly target: number | undefined;
  readonly reference: number;
  readonly support: number;
  readonly confirmed: number;
  readonly unlikely: number;
  readonly near: number;
}

interface Tally {
  readonly support: number;
  readonly confirmed: number;
  readonly unlikely: number;
}

export function oracle(list: UrlList, options: ParameterMiningOptions): MinedRule[] {
  const urls = Array.from({ length: list.urls.count }, (_, i) => urlAt(list, i));
  const all = urls.map((_, i) => i);
  const rowOf = new Map(urls.map((url, i) => [url, i]));
  const likeness = likelySimilar(list, options);
  const gap = sizeGap(list, options);
  const isKnown = (i: number) => likeness(i, i) === CONFIRMED;
  const { minSupport } = options;

  // ------------------------------------------------------------------------------------------------------- buckets

  /** What the actions, one after the other, make of a URL. */
  const imageOf = (i: number, actions: readonly RuleAction[]) =>
    actions.reduce((url, action) => applyRule({ ...action, scope: {} }, url) ?? url, urls[i]!);

  function bucketsOf(
    members: readonly number[],
    actions: readonly RuleAction[],
    frequency = (_: number) => 0,
    value = (_: number) => "",
  ): Bucket[] {
    const byImage = new Map<string, number[]>();
    for (const i of members) {
      const image = imageOf(i, actions);
      if (image !== urls[i]) byImage.set(image, [...(byImage.get(image) ?? []), i]);
    }
    const isBetter = (a: number, b: number) =>
      isKnown(a) !== isKnown(b)
        ? isKnown(a)
        : (frequency(b) - frequency(a) || compareCodePoints(value(a), value(b))) < 0;
    const buckets = [...byImage].map(([image, changed]) => {
      const target = rowOf.get(image);
      const best = changed.reduce((a, b) => (isBetter(b, a) ? b : a));
      const reference = target !== undefined && (isKnown(target) || !isKnown(best)) ? target : best;
      const others = changed.filter((i) => i !== reference);
      const unlikely = others.filter((i) => likeness(i, reference) === UNLIKELY);
      return {
        changed,
        target,
        reference,
        support: changed.length - (target === undefined ? 1 : 0),
        confirmed: others.filter((i) => likeness(i, reference) === CONFIRMED).length,
        unlikely: unlikely.length,
        near: unlikely.filter((i) => gap(i, reference) >= 0 && gap(i, reference) <= 0.05).length,
      };
    });
    return buckets.filter((bucket) => bucket.support > 0);
  }

  const sum = (buckets: readonly Bucket[], of: (bucket: Bucket) => number) =>
    buckets.reduce((total, b) => total + of(b), 0);

  /** May URLs that are near their reference in size be taken for similar? */
  function isNearnessTelling(buckets: readonly Bucket[]): boolean {
    const known = sum(buckets, (b) => b.confirmed + b.unlikely);
    const alike = sum(buckets, (b) => b.confirmed + b.near);
    const leads = buckets.map(({ changed, reference }, at) => {
      const stranger = buckets.at(at - Math.floor(buckets.length / 2))!.reference;
      if (buckets.length < 2) return 0;
      let lead = 0;
      for (const i of changed) {
        if (i === reference || gap(i, reference) < 0 || gap(i, stranger) < 0) continue;
        lead += Math.sign(gap(i, stranger) - gap(i, reference));
      }
      return lead;
    });
    const nearer = leads.filter((lead) => lead > 0).length;
    const farther = leads.filter((lead) => lead < 0).length;
    const isSpread = 5 * Math.max(0, ...buckets.map((b) => b.near)) <= sum(buckets, (b) => b.near);
    return 2 * alike > known && isSpread && nearer >= 5 * Math.max(1, farther);
  }

  function tally(some: readonly Bucket[], isTelling: boolean): Tally {
    return {
      support: sum(some, (b) => b.support),
      confirmed: sum(some, (b) => b.confirmed),
      unlikely: sum(some, (b) => b.unlikely - (isTelling ? b.near : 0)),
    };
  }

  const holds = (t: Tally) => 2 * t.unlikely < t.support && (t.unlikely < minSupport || t.confirmed > t.unlikely);
  const isClear = (t: Tally) => t.unlikely <= 0.05 * (t.confirmed + t.unlikely);

  // -------------------------------------------------------------------------------------------------------- scopes

  function scopesOf(buckets: readonly Bucket[]): Scope[] {
    const isTelling = isNearnessTelling(buckets);
    const total = tally(buckets, isTelling);
    if (total.support < minSupport) return [];
    if (holds(total) && isClear(total)) return [{}];
    const partitions = [hostsOf, prefixesOf, scriptsOf].map((placesOf) => {
      const places = new Map<string, Bucket[]>();
      for (const bucket of buckets) {
        for (const place of placesOf(urls[bucket.changed[0]!]!))
          places.set(place, [...(places.get(place) ?? []), bucket]);
      }
      const qualified = [...places].filter(([, inPlace]) => {
        const t = tally(inPlace, isTelling);
        return t.support >= Math.max(minSupport, 0.05 * total.support) && t.confirmed >= minSupport && isClear(t);
      });
      // A path is a text that begins with "/"; the others have nothing around them.
      const outermost = qualified.filter(
        ([text]) => !qualified.some(([around]) => around !== text && around.endsWith("/") && text.startsWith(around)),
      );
      return {
        scopes: outermost
          .map(([text]) => text)
          .sort((a, b) => (a < b ? -1 : 1))
          .map((text) => scopeOf(placesOf, text)),
        confirmed: outermost.reduce((confirmed, [, inPlace]) => confirmed + tally(inPlace, isTelling).confirmed, 0),
      };
    });
    const fields = (scopes: readonly Scope[]) => scopes.flatMap((scope) => Object.keys(scope)).length;
    partitions.sort(
      (a, b) => b.confirmed - a.confirmed || a.scopes.length - b.scopes.length || fields(a.scopes) - fields(b.scopes),
    );
    const best = partitions[0]!;
    return !holds(total) || best.confirmed > total.confirmed / 2 ? best.scopes : [{}];
  }

  // --------------------------------------------------------------------------------------------------------- rules

  function ruleOf(action: RuleAction, scope: Scope, buckets: readonly Bucket[]): MinedRule {
    let best = { score: -1, from: 0, to: 0 };
    for (const i of all) {
      const bucket = buckets.find(({ changed }) => changed.includes(i));
      if (bucket === undefined) continue;
      const { reference, target } = bucket;
      const pair =
        i !== reference
          ? { score: 2 * likeness(i, reference) + (target === reference ? 1 : 0), from: i, to: reference }
          : { score: target === undefined ? -1 : 1, from: i, to: target ?? i };
      if (pair.score > best.score) best = pair;
    }
    return {
      ...action,
      scope,
      support: sum(buckets, (b) => b.support),
      confirmed: sum(buckets, (b) => b.confirmed),
      unlikely: tally(buckets, isNearnessTelling(buckets)).unlikely,
      merges: sum(buckets, (b) => (b.target === undefined ? 0 : b.changed.length)),
      example: { from: urls[best.from]!, to: urls[best.to]! },
    };
  }

  type Propose = (members: readonly number[]) => { action: RuleAction; buckets: Bucket[] };

  function likelyRules(members: readonly number[], propose: Propose): MinedRule[] {
    const whole = propose(members);
    return scopesOf(whole.buckets).flatMap((scope) => {
      if (Object.keys(scope).length === 0) return [ruleOf(whole.action, scope, whole.buckets)];
      const { action, buckets } = propose(members.filter((i) => inScope(scope, urls[i]!, parseUrl(urls[i]!)!)));
      const t = tally(buckets, isNearnessTelling(buckets));
      return t.support >= minSupport && holds(t) ? [ruleOf(action, scope, buckets)] : [];
    });
  }

  const read = (url: string, place: ParameterPlace) => {
    const parts = parseUrl(url);
    if (parts === undefined) return [];
    return (place === "query" ? queryParameters(url, parts) : pathParameters(url, parts)).map((parameter) => ({
      name: parameterName(url, parameter),
      value: parameterValue(url, parameter),
    }));
  };
  const parameters = { query: urls.map((url) => read(url, "query")), path: urls.map((url) => read(url, "path")) };
  const parametersOf = (i: number, place: ParameterPlace) => parameters[place][i]!;
  const urlsWith = (name: string, place: ParameterPlace) =>
    all.filter((i) => parametersOf(i, place).some((p) => p.name === name));
  const namesOf = (place: ParameterPlace) =>
    [...new Set(all.flatMap((i) => parametersOf(i, place).map((p) => p.name)))].filter(
      (name) => name !== "" && urlsWith(name, place).length >= minSupport,
    );

  const rules: MinedRule[] = [];
  const weak: string[] = [];
  for (const place of ["query", "path"] as const) {
    for (const name of namesOf(place)) {
      const value = (i: number) => parametersOf(i, place).find((p) => p.name === name)!.value;
      const remove: RuleAction = { kind: "parameter", name, place, action: "remove" };
      const frequencyIn = (members: readonly number[]) => (i: number) =>
        members.filter((j) => value(j) === value(i)).length;
      const members = urlsWith(name, place);
      const removal: Propose = (some) => ({
        action: remove,
        buckets: bucketsOf(some, [remove], frequencyIn(some), value),
      });
      if (sum(removal(members).buckets, (b) => b.support) < minSupport) {
        if (place === "query") weak.push(name);
        continue;
      }
      const removals = likelyRules(members, removal);
      rules.push(...removals);
      const { buckets } = removal(members);
      const supports = buckets.map(({ support }) => support);
      const isSpread = buckets.length >= 5 && 5 * Math.max(...supports) <= sum(buckets, (b) => b.support);
      const isWhole = removals.some(({ scope }) => Object.keys(scope).length === 0);
      if (options.plan === "ours" && !isWhole && isSpread) rules.push(ruleOf(remove, {}, buckets));
      const setting: Propose = (some) => {
        const frequency = frequencyIn(some);
        const [first] = [...some].sort((a, b) => frequency(b) - frequency(a) || compareCodePoints(value(a), value(b)));
        const set: RuleAction = { kind: "parameter", name, place, action: "set", value: value(first!) };
        return { action: set, buckets: bucketsOf(some, [set], frequency, value) };
      };
      rules.push(...likelyRules(members, setting));
    }
  }

  for (const name of weak) {
    const members = urlsWith(name, "query");
    const group = weak.filter(
      (other) => 2 * members.filter((i) => urlsWith(other, "query").includes(i)).length > members.length,
    );
    if (group.length < 2) continue;
    const actions = group.map(
      (other): RuleAction => ({ kind: "parameter", name: other, place: "query", action: "remove" }),
    );
    const propose: Propose = (some) => ({
      action: { kind: "parameter", name, place: "query", action: "remove" },
      buckets: bucketsOf(some, actions),
    });
    const { buckets } = propose(members);
    if (buckets.length < minSupport && sum(buckets, (b) => b.confirmed) < minSupport) continue;
    rules.push(...likelyRules(members, propose));
  }

  const plain =
    (action: RuleAction): Propose =>
    (some) => ({ action, buckets: bucketsOf(some, [action]) });
  rules.push(...likelyRules(all, plain({ kind: "parameterOrder" })));
  rules.push(...likelyRules(all, plain({ kind: "case" })).filter((rule) => Object.keys(rule.scope).length === 0));

  /** One rule for all names, or those for single names. */
  function forNames(actionOf: (name?: string) => RuleAction): { general?: MinedRule; named: Map<string, MinedRule> } {
    const named = new Map<string, MinedRule>();
    const buckets = bucketsOf(all, [actionOf()]);
    const total = tally(buckets, isNearnessTelling(buckets));
    if (total.support < minSupport) return { named };
    const tallies: Tally[] = [];
    for (const name of namesOf("query")) {
      const ofName = bucketsOf(urlsWith(name, "query"), [actionOf(name)]);
      const t = tally(ofName, isNearnessTelling(ofName));
      if (t.support < minSupport) continue;
      tallies.push(t);
      if (holds(t)) named.set(name, ruleOf(actionOf(name), {}, ofName));
    }
    const isGeneral = holds(total) && isClear(total) && tallies.every((t) => holds(t) && t.support < total.support);
    return isGeneral ? { general: ruleOf(actionOf(), {}, buckets), named } : { named };
  }
  const nameField = (name?: string) => (name === undefined ? {} : { name });
  const empty = forNames((name) => ({ kind: "emptyParameter", ...nameField(name) }));
  rules.push(...(empty.general === undefined ? empty.named.values() : [empty.general]));
  const first = forNames((name) => ({ kind: "repeatedParameter", ...nameField(name), keep: "first" }));
  const last = forNames((name) => ({ kind: "repeatedParameter", ...nameField(name), keep: "last" }));
  const better = (a?: MinedRule, b?: MinedRule) => {
    if (a === undefined || b === undefined) return [a, b].filter((rule) => rule !== undefined);
    return [(b.confirmed - a.confirmed || b.merges - a.merges || b.support - a.support) > 0 ? b : a];
  };
  if (first.general !== undefined || last.general !== undefined) rules.push(...better(first.general, last.general));
  else
    for (const name of new Set([...first.named.keys(), ...last.named.keys()]))
      rules.push(...better(first.named.get(name), last.named.get(name)));

  const isImplied = (rule: MinedRule) =>
    (rule.kind === "emptyParameter" || rule.kind === "repeatedParameter") &&
    rules.some(
      (other) =>
        other.kind === "parameter" &&
        other.action === "remove" &&
        other.place === "query" &&
        other.name === rule.name &&
        Object.keys(other.scope).length === 0,
    );
  const key = (rule: MinedRule) =>
    [
      "name" in rule ? rule.name : "",
      rule.kind,
      rule.kind === "parameter" ? rule.action : "",
      rule.scope.host,
      rule.scope.path,
      rule.scope.script,
    ].join("\0");
  return rules
    .filter((rule) => !isImplied(rule))
    .sort((a, b) => b.support - a.support || compareCodePoints(key(a), key(b)));
}

// ---------------------------------------------------------------------------------------------------------- places

function hostsOf(url: string): string[] {
  const host = hostOf(url, parseUrl(url)!);
  return host === "" ? [] : [host];
}

function scriptsOf(url: string): string[] {
  const script = scriptOf(url);
  return script === "" ? [] : [script];
}

/** "/a/", "/a/b/", ... and the path with its script; nothing after a ";". */
function prefixesOf(url: string): string[] {
  const [path] = pathOf(url, parseUrl(url)!).split(";") as [string];
  const prefixes = [...path].flatMap((character, i) => (character === "/" && i > 0 ? [path.slice(0, i + 1)] : []));
  const script = scriptOf(url);
  return script !== "" && path.endsWith(script) ? [...prefixes, path] : prefixes;
}

function scopeOf(placesOf: (url: string) => string[], text: string): Scope {
  if (placesOf === hostsOf) return { host: text };
  if (placesOf === scriptsOf) return { script: text };
  const end = text.lastIndexOf("/") + 1;
  return end === text.length ? { path: text } : { path: text.slice(0, end), script: text.slice(end) };
}

/** The last segment of the path without its parameters: "viewtopic.php" of "/forum/viewtopic.php;v=1?t=2". */
function scriptOf(url: string): string {
  const last = pathOf(url, parseUrl(url)!).split("/").at(-1)!;
  return last.split(";")[0]!;
}
