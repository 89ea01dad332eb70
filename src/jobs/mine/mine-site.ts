/** Mining of one site, as it runs in a thread of its own where the list is long, and at the caller's where it is not. */
import { asTheyAre, compile } from "../../canon/compile.js";
import { ruleId } from "../../canon/rule-id.js";
import { mineByName } from "../../mine/by-name.js";
import { type ContentClasses, contentClasses } from "../../mine/content-classes.js";
import { withoutCovered } from "../../mine/cover.js";
import { type DetectOptions, detectDefaults, detectLikelyPairs, type LikelyPair } from "../../mine/detect.js";
import { type EliminateOptions, eliminateRedundancies } from "../../mine/eliminate.js";
import { NamedThings } from "../../mine/named-things.js";
import { Mining } from "../../mine/parameters/mining.js";
import { mineParameterRules } from "../../mine/parameters.js";
import { isInstanceOf, isNamed } from "../../mine/plainer.js";
import { reduceList } from "../../mine/reduce-list.js";
import { renamingRules } from "../../mine/renames.js";
import { swapsData } from "../../mine/swaps-data.js";
import { mineTemplates } from "../../mine/templates.js";
import { likelihoodOf } from "../../mine/worth.js";
import type { JobContext, StringColumn, UrlList } from "../../model.js";
import { drive, pause } from "../../progress.js";
import type { SiteChoice } from "../../store/urls/url-lists.js";
import { stringAt } from "../../string-column.js";
import {
  inOrderOfWorth,
  type LikelyRule,
  type MinedSite,
  ruleOf,
  type Site,
  siteName,
  siteScope,
  tallyOf,
} from "./mined-site.js";

export type MineSiteOptions = Omit<DetectOptions, "threads" | "worksHere"> & EliminateOptions;

/** What an interrupted run leaves. */
export const REMAINDER = "no rule was written";

const { threads } = detectDefaults;
/** A list long enough for threads is mined in one that ends when it is told to. */
const team = { threads, worksHere: true };

/** DustBuster's first three phases, and what goes beyond them. */
export async function mineSiteHere(
  choice: SiteChoice,
  list: UrlList,
  options: MineSiteOptions,
  context: JobContext,
): Promise<MinedSite> {
  const detected = await detectLikelyPairs(list, { ...options, ...team }, context);
  const pairs = eliminateRedundancies(detected, options);
  await pause(context, REMAINDER);
  const mining = new Mining(list, options);
  await pause(context, REMAINDER);
  const parameters = await drive(mineParameterRules(mining), context, REMAINDER);
  const site: Site = { name: siteName(choice), scope: siteScope(choice) };
  const inRank = [
    ...parameters.map((mined) => ruleOf(site, mined)),
    ...pairs.map((pair) => fromPair(site, list.urls, pair)),
  ];
  const candidates =
    options.plan === "paper"
      ? inRank.sort((a, b) => b.rule.support - a.rule.support)
      : await mineBeyond(site, list, mining, inRank, options, context);
  const { sizes, sketches } = list;
  return {
    site: site.name,
    urls: list.urls.count,
    withSizes: sizes === undefined ? 0 : countWhere(list.urls.count, (i) => sizes.rows[i + 1]! > sizes.rows[i]!),
    withSketches:
      sketches === undefined ? 0 : countWhere(list.urls.count, (i) => sketches.rows[i + 1]! > sketches.rows[i]!),
    detected: detected.count,
    remaining: pairs.length,
    rules: candidates.map(({ rule }) => rule),
  };
}

function fromPair(site: Site, urls: StringColumn, pair: LikelyPair): LikelyRule {
  const { alpha: from, beta: to, start, end, supportLow, supportHigh, confirmed } = pair;
  const [first, second] = pair.example;
  const example = { from: stringAt(urls, first), to: stringAt(urls, second) };
  // Instances that speak against a pair are not part of its support (figure 1).
  const counts = { support: supportLow, confirmed, unlikely: 0, merges: supportHigh };
  return ruleOf(site, { kind: "substring", from, to, start, end, scope: {}, ...counts, example });
}

/**
 * What is likely beyond the papers' phases: rules known by name, pairs that only equal contents show, and what other likely
 * rules hide. All in the order of what a proof would save per fetch.
 */
async function mineBeyond(
  site: Site,
  list: UrlList,
  mining: Mining,
  inRank: readonly LikelyRule[],
  options: MineSiteOptions,
  context: JobContext,
): Promise<LikelyRule[]> {
  const found = new Map<string, LikelyRule>();
  const things = new NamedThings(list.urls);
  const add = (more: readonly LikelyRule[]) => {
    for (const likely of more.map((each) => sayingLess(each, things))) {
      if (swapsData(likely.rule) || things.areSwapped(likely.rule) || things.areCut(likely.rule)) continue;
      const known = found.get(likely.rule.id);
      if (known === undefined || known.rule.support < likely.rule.support) found.set(likely.rule.id, likely);
    }
  };
  add(inRank);
  await pause(context, REMAINDER);
  add(mineByName(mining).map((mined) => ruleOf(site, mined)));
  await pause(context, REMAINDER);
  const classes = contentClasses(list, options.likely);
  const direct = new Set(found.keys());
  if (classes !== undefined) {
    add(await mineWithinClasses(site, classes, options, context));
    await pause(context, REMAINDER);
    add(mineTemplates(classes).map((mined) => ruleOf(site, mined)));
  }
  const behind = await mineBehind(site, list, [...found.values()], options, context);
  // Its support is of another list: it says nothing about what was seen in the open.
  add(behind.filter(({ rule }) => !found.has(rule.id)));
  const rules = [...found.values()].map(({ rule }) => rule);
  const named = rules.filter(isNamed);
  const renaming = renamingRules(rules, list.urls);
  const isOwners = ({ rule }: LikelyRule) => !renaming.has(rule) && !isInstanceOf(rule, named);
  const ranked = inOrderOfWorth([...found.values()].filter(isOwners));
  if (classes === undefined) return ranked;
  await pause(context, REMAINDER);
  const candidates = ranked.map((likely) => ({
    ...likely,
    isOptional: !direct.has(likely.rule.id) && likely.rule.after === undefined,
    isCovering: likelihoodOf(tallyOf(likely)) > COVERING_LIKELIHOOD,
  }));
  return withoutCovered(candidates, classes, options.minSupport);
}

/** "?q=" is not a page of its own: that says nothing of "?q=word", which a rule that drops "q" would make one with it. */
function sayingLess(likely: LikelyRule, things: NamedThings): LikelyRule {
  const { rule, unlikely } = likely;
  if (rule.kind !== "parameter" || rule.action !== "remove" || rule.place !== "query") return likely;
  if (!things.isAlwaysEmpty(rule.name)) return likely;
  const { place: _, action: __, ...rest } = rule;
  const action = { kind: "emptyParameter", name: rule.name } as const;
  return { rule: { ...rest, ...action, id: ruleId(action, rule.scope) }, unlikely };
}

/** What a rule this likely merges is taken for merged. */
const COVERING_LIKELIHOOD = 0.8;

/** Buckets divided by content first: a default view or an index page is in buckets that T_low leaves out. */
async function mineWithinClasses(
  site: Site,
  { urls, classOf }: ContentClasses,
  options: MineSiteOptions,
  context: JobContext,
): Promise<LikelyRule[]> {
  await pause(context, REMAINDER);
  // One URL of a class supports no pair.
  const within = { ...options, ...team, minSupport: Math.max(2, options.minSupport) };
  const detected = await detectLikelyPairs({ urls }, within, context, undefined, classOf);
  return eliminateRedundancies(detected, options).map((pair) => fromPair(site, urls, pair));
}

/** Parameters whose values hide this share of the list are taken away for a second look. */
const HIDING_SHARE = 0.02;
/** The second look makes a string of every URL; a list this long has support enough without it. */
const LONGEST_SECOND_LOOK = 2_000_000;

/**
 * A session id in most URLs hides what else is dust: hardly two URLs differ only in "www." then. So where known sizes or
 * sketches confirm that a parameter does not matter, pairs are detected once more on the list without it. What is found
 * only there names the rules that it stands after.
 */
export async function mineBehind(
  site: Site,
  list: UrlList,
  direct: readonly LikelyRule[],
  options: MineSiteOptions,
  context: JobContext,
): Promise<LikelyRule[]> {
  const hiding = direct
    .map(({ rule }) => rule)
    .filter(
      (rule) =>
        rule.kind === "parameter" &&
        rule.action === "remove" &&
        rule.confirmed >= rule.support / 2 &&
        rule.support >= HIDING_SHARE * list.urls.count,
    );
  if (hiding.length === 0 || list.urls.count > LONGEST_SECOND_LOOK) return [];
  const reduced = reduceList(list, compile(hiding, { use: asTheyAre }));
  await pause(context, REMAINDER);
  const detected = await detectLikelyPairs(reduced, { ...options, ...team }, context);
  const after = hiding.map(({ id }) => id);
  return eliminateRedundancies(detected, options).map((pair) => {
    const { rule, unlikely } = fromPair(site, reduced.urls, pair);
    return { rule: { ...rule, after }, unlikely };
  });
}

function countWhere(count: number, holds: (i: number) => boolean): number {
  let total = 0;
  for (let i = 0; i < count; i++) if (holds(i)) total++;
  return total;
}
