/** What mining gives for one site, wherever it ran, and how what it finds becomes rules. */
import { holdsSecret } from "../../canon/mask-rule.js";
import { ruleId } from "../../canon/rule-id.js";
import type { StepReport } from "../../engine/engine.js";
import type { DetectOptions } from "../../mine/detect.js";
import type { EliminateOptions } from "../../mine/eliminate.js";
import type { MinedRule } from "../../mine/mined-rule.js";
import { worthOf } from "../../mine/worth.js";
import type { Rule, Scope } from "../../model.js";
import { siteOfHost } from "../../store/urls/site-of-host.js";
import type { SiteChoice } from "../../store/urls/url-lists.js";
import { hostOf, parseUrl, pathOf } from "../../url/parse.js";
import type { EngineChoice } from "../engine/open-engine.js";

export type MineOptions = Omit<DetectOptions, "threads"> &
  EliminateOptions & {
    /** The sites to mine; every registrable domain of the workspace where absent. */
    readonly sites?: readonly SiteChoice[];
    readonly snapshot?: string;
    /** Mine on disk with DuckDB, whatever the size. */
    readonly onDisk?: EngineChoice;
    /** What mining in memory may take; a list that needs more is mined on disk, and that is announced. */
    readonly memoryBytes?: number;
    readonly announce?: (text: string) => void;
    /** What the steps on disk took. */
    readonly onReport?: (report: StepReport) => void;
  };

export interface MinedSite {
  /** Registrable domain, host or prefix; "*" for all URLs as one site, "" where the log names no host. */
  readonly site: string;
  readonly urls: number;
  readonly withSizes: number;
  readonly withSketches: number;
  /** Pairs before and after redundancy elimination (the paper's table 2). */
  readonly detected: number;
  readonly remaining: number;
  /** By likely similar support. */
  readonly rules: readonly Rule[];
}

/** A rule whose own text is a visitor's secret is never written, so nobody can try it either. */
export function withoutSecrets(site: MinedSite): MinedSite {
  return { ...site, rules: site.rules.filter((rule) => !holdsSecret(rule)) };
}

/**
 * The scope of all that a choice covers; a registrable domain with its hosts, an address or a bare name alone. Rules keep
 * to the site that they were mined from: several share one file, and none may rewrite another's URLs.
 */
export function siteScope(choice: SiteChoice): Scope {
  switch (choice.by) {
    case "all":
      return {};
    case "host":
      return { host: choice.name.toLowerCase() };
    case "domain":
      if (choice.name === "") return {};
      return { host: siteOfHost(`www.${choice.name}`) === choice.name ? `*.${choice.name}` : choice.name };
    case "prefix": {
      const parts = parseUrl(choice.name);
      if (parts === undefined) return {};
      const path = pathOf(choice.name, parts);
      return { host: hostOf(choice.name, parts).toLowerCase(), ...(path !== "" && path !== "/" && { path }) };
    }
  }
}

/** How a rule names its site; `siteChoice` reads it back. */
export function siteName(choice: SiteChoice): string {
  return choice.by === "all" ? ALL_SITES : choice.name;
}

export function siteChoice(name: string): SiteChoice {
  if (name === ALL_SITES) return { by: "all" };
  return name.includes("/") ? { by: "prefix", name } : { by: "domain", name };
}

/** The site of rules that were not mined and name none: they may be about any URL. */
export const ALL_SITES = "*";

/** How rules name their site, and where they apply. */
export interface Site {
  readonly name: string;
  readonly scope: Scope;
}

/** A likely rule, and how much of its support known sizes or sketches speak against. */
export interface LikelyRule {
  readonly rule: Rule;
  readonly unlikely: number;
}

const unproven = { status: "likely", decision: null, source: "mined" } as const;

export function ruleOf(site: Site, mined: MinedRule): LikelyRule {
  const { example, scope: narrower, support, confirmed, unlikely, merges, ...action } = mined;
  const scope = { ...site.scope, ...narrower };
  const rule: Rule = {
    id: ruleId(action, scope),
    ...action,
    scope,
    ...unproven,
    site: site.name,
    support,
    confirmed,
    merges,
    example,
  };
  return { rule, unlikely };
}

export const tallyOf = ({ rule: { support, confirmed }, unlikely }: LikelyRule) => ({ support, confirmed, unlikely });

export function inOrderOfWorth(rules: readonly LikelyRule[]): LikelyRule[] {
  // A stable sort: at equal worth, what was found first stays first.
  return [...rules].sort((a, b) => worthOf(tallyOf(b)) - worthOf(tallyOf(a)));
}

/** The papers' order is that of support. */
export function rankByWorth(rules: readonly LikelyRule[], plan: MineOptions["plan"]): Rule[] {
  const ranked = plan === "paper" ? [...rules].sort((a, b) => b.rule.support - a.rule.support) : inOrderOfWorth(rules);
  return ranked.map(({ rule }) => rule);
}
