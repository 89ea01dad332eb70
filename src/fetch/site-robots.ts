/**
 * The robots.txt of each origin, fetched once a day at most (RFC 9309, 2.3 and 2.4): 4xx opens the site, and so do more
 * redirects than five; 5xx, time-outs, broken connections and throttling close it.
 */

import { requestUrl } from "../url/request-url.js";
import { requestTarget } from "./access.js";
import type { FetchEffects } from "./effects.js";
import { redirectTarget } from "./exchange.js";
import { isAllowed, parseRobots, ROBOTS_MAX_BYTES, type RobotsRules } from "./robots.js";
import type { Send, SendOptions } from "./send.js";

const MAX_REDIRECTS = 5;
const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** A closed site is asked again sooner: servers that are down come back. */
const CLOSED_LIFETIME_MS = 10 * 60 * 1000;

export type RobotsAnswer =
  | { readonly kind: "allowed" }
  | { readonly kind: "disallowed"; readonly reason: string }
  /** No answer about the site: we were stopped, not refused by robots.txt. */
  | { readonly kind: "budgetExhausted"; readonly maxRequests: number }
  | { readonly kind: "interrupted" };

type SiteRobots =
  | { readonly kind: "open"; readonly rules: RobotsRules; readonly untilMs: number }
  | { readonly kind: "closed"; readonly reason: string; readonly untilMs: number }
  | Exclude<RobotsAnswer, { kind: "allowed" | "disallowed" }>;

export interface RobotsOptions {
  readonly send: Send;
  readonly limits: Pick<SendOptions, "timeoutMs">;
  /** The host asks for a delay between requests. */
  readonly onCrawlDelay: (host: string, delayMs: number) => void;
}

export class RobotsOfSites {
  readonly #sites = new Map<string, Promise<SiteRobots>>();

  constructor(
    readonly options: RobotsOptions,
    readonly effects: Pick<FetchEffects, "now">,
  ) {}

  async check(url: URL): Promise<RobotsAnswer> {
    const target = requestTarget(url);
    if (target === "/robots.txt") return { kind: "allowed" };
    const site = await this.#site(url.origin);
    switch (site.kind) {
      case "open":
        return isAllowed(site.rules, target)
          ? { kind: "allowed" }
          : { kind: "disallowed", reason: "robots.txt disallows it" };
      case "closed":
        return { kind: "disallowed", reason: site.reason };
      default:
        return site;
    }
  }

  /** The sitemaps that robots.txt names; undefined where it was interrupted. */
  async sitemaps(origin: string): Promise<readonly string[] | undefined> {
    const site = await this.#site(origin);
    if (site.kind === "interrupted") return undefined;
    return site.kind === "open" ? (site.rules.sitemaps ?? []) : [];
  }

  /** Those who ask at the same time share one request. */
  async #site(origin: string): Promise<SiteRobots> {
    const known = this.#sites.get(origin);
    const site = await known;
    if (site !== undefined && "untilMs" in site && this.effects.now() < site.untilMs) return site;
    const current = this.#sites.get(origin);
    // Someone else may have renewed it while we waited.
    if (current !== undefined && current !== known) return current;
    const renewed = this.#fetch(origin);
    this.#sites.set(origin, renewed);
    return renewed;
  }

  async #fetch(origin: string): Promise<SiteRobots> {
    let url = new URL("/robots.txt", origin);
    for (let redirects = 0; ; redirects++) {
      const sent = await this.options.send(url, {
        ...this.options.limits,
        maxBytes: ROBOTS_MAX_BYTES + 1,
        truncate: true,
      });
      switch (sent.kind) {
        case "budgetExhausted":
        case "interrupted":
          return sent;
        case "timedOut":
          return this.#closed("robots.txt timed out");
        case "throttled":
          return this.#closed("robots.txt was throttled");
        case "failed":
        case "refused":
          return this.#closed(`robots.txt could not be had: ${sent.reason}`);
        case "tooLarge":
          // Not with `truncate`.
          return this.#closed("robots.txt is too large");
      }
      const { status, headers, body } = sent;
      const location = redirectTarget(status, headers);
      const target = location === undefined ? undefined : requestUrl(location, url);
      if (target !== undefined) {
        if (redirects === MAX_REDIRECTS) return this.#open({ rules: [] });
        url = target;
        continue;
      }
      if (status >= 500) return this.#closed(`robots.txt answered ${status}`);
      if (status < 200 || status >= 300) return this.#open({ rules: [] });
      const rules = parseRobots(body);
      if (rules.crawlDelayMs !== undefined) this.options.onCrawlDelay(new URL(origin).hostname, rules.crawlDelayMs);
      return this.#open(rules);
    }
  }

  #open(rules: RobotsRules): SiteRobots {
    return { kind: "open", rules, untilMs: this.effects.now() + LIFETIME_MS };
  }

  #closed(reason: string): SiteRobots {
    return {
      kind: "closed",
      reason: `${reason}, so the site is closed`,
      untilMs: this.effects.now() + CLOSED_LIFETIME_MS,
    };
  }
}
