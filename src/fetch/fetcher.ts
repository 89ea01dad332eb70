/**
 * Polite, bounded fetching. A URL passes, in this order and again after each redirect: is it a place we go to
 * (access.ts), does it look like an action (skip-reason.ts), has its host a permitted address, does robots.txt allow it
 * (site-robots.ts), is it the host's turn (host-clock.ts), is there a request left. Then one GET is sent (exchange.ts).
 */

import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { canonicalOf } from "../http/link-header.js";
import { resolveUrl } from "../http/values.js";
import { readRefresh } from "../sketch/html.js";
import { printableUrl, requestUrl } from "../url/request-url.js";
import { untilAborted } from "./abort.js";
import { type AccessOptions, createAccess, type Lookup } from "./access.js";
import { openConnections } from "./connections.js";
import { defaultEffects, type FetchEffects } from "./effects.js";
import { type Exchange, get, joinHeader, redirectTarget } from "./exchange.js";
import { backoffMs, HostClock, parseRetryAfter } from "./host-clock.js";
import type { FetchKind, FetchOutcome, FetchResult, Redirect } from "./outcome.js";
import { type FetchPlan, planFetches } from "./plan.js";
import { PRODUCT_TOKEN } from "./robots.js";
import type { SendOptions, Sent } from "./send.js";
import { RobotsOfSites } from "./site-robots.js";
import { skipReason } from "./skip-reason.js";

export interface FetcherOptions extends AccessOptions {
  /** Put into the user agent, so that the site's owner can reach the person who runs this: an address or a URL. */
  readonly contact?: string;
  /** Between the end of one answer of a host and the next request to it. Default 1000. */
  readonly delayMs?: number;
  /** Requests to one host at a time. Default 1. */
  readonly concurrencyPerHost?: number;
  /** Everything counts: pages, redirects, retries, robots.txt. Default 10,000. */
  readonly maxRequests?: number;
  /** Of a body, before and after decoding. Default 8 MiB. */
  readonly maxBytes?: number;
  /** For one request, from connecting to the last byte. Default 30,000. */
  readonly timeoutMs?: number;
  /** Default 10. */
  readonly maxRedirects?: number;
  /** How often one URL is asked for in all, where the server says 429 or 5xx or breaks the connection. Default 3. */
  readonly maxTries?: number;
  /** The longest pause that a server may ask for before its URLs are given up as throttled. Default 120,000. */
  readonly maxWaitMs?: number;
  /** A longer Crawl-delay is taken for this. Default 60,000. */
  readonly maxCrawlDelayMs?: number;
  /** Why a URL is better not asked for; by default what looks like an action or a one-time token. */
  readonly skip?: (url: URL) => string | undefined;
  /** Ends everything; fetches under way come back as "interrupted". */
  readonly signal?: AbortSignal;
}

export interface FetchStats {
  /** All requests sent, the number that `maxRequests` limits. */
  requests: number;
  robotsRequests: number;
  retries: number;
  redirects: number;
  /** Of bodies, as they came over the wire. */
  wireBytes: number;
  /** Of bodies, after decoding. */
  bodyBytes: number;
  /** Fetches by what came of them. */
  readonly outcomes: Partial<Record<FetchKind, number>>;
}

export interface Fetcher {
  /** Never rejects. */
  fetch(url: string): Promise<FetchOutcome>;
  /** The sitemaps that the robots.txt of the URL's origin names, none if it may not be asked; undefined: interrupted. */
  sitemaps(url: string): Promise<readonly string[] | undefined>;
  /** What `fetch` would do with these URLs, as far as that is known without a request. */
  plan(urls: Iterable<string>): FetchPlan;
  /** Sleeps until that time, or until everything ends. */
  waitUntil(timeMs: number): Promise<void>;
  /** Interrupts what is under way and ends all connections. */
  close(): Promise<void>;
  /** Live. */
  readonly stats: Readonly<FetchStats>;
  readonly maxRequests: number;
  readonly userAgent: string;
}

/** What is known of a fetch so far. */
interface Trail {
  readonly redirects: Redirect[];
  requests: number;
  durationMs: number;
}

export function createFetcher(options: FetcherOptions, givenEffects: Partial<FetchEffects> = {}): Fetcher {
  const {
    delayMs = 1000,
    concurrencyPerHost = 1,
    maxRequests = 10_000,
    maxBytes = 8 * 1024 * 1024,
    timeoutMs = 30_000,
    maxRedirects = 10,
    maxTries = 3,
    maxWaitMs = 120_000,
    maxCrawlDelayMs = 60_000,
    skip = skipReason,
  } = options;
  const effects: FetchEffects = { ...defaultEffects, ...givenEffects };
  const userAgent = userAgentOf(options.contact);
  const stats: FetchStats = {
    requests: 0,
    robotsRequests: 0,
    retries: 0,
    redirects: 0,
    wireBytes: 0,
    bodyBytes: 0,
    outcomes: {},
  };

  // One signal of our own for everything: closing must not abort the caller's.
  const ending = new AbortController();
  const end = () => ending.abort();
  const { signal } = ending;
  setMaxListeners(0, signal);
  if (options.signal?.aborted) end();
  options.signal?.addEventListener("abort", end);
  const underWay = new Set<Promise<unknown>>();

  const access = createAccess(options, lookupWithin(timeoutMs, effects));
  const connections = openConnections(access, { connectionsPerOrigin: concurrencyPerHost, timeoutMs }, effects);
  const dispatcher = effects.dispatcher ?? connections.dispatcher;
  const hosts = new HostClock({ delayMs, concurrency: concurrencyPerHost, maxWaitMs }, effects, signal);
  const robots = new RobotsOfSites(
    {
      limits: { timeoutMs },
      send: (url, limits) => {
        const trail = newTrail();
        return send(url, limits, trail).finally(() => {
          stats.robotsRequests += trail.requests;
        });
      },
      onCrawlDelay: (host, crawlDelayMs) => hosts.slowDown(host, Math.min(crawlDelayMs, maxCrawlDelayMs)),
    },
    effects,
  );

  /** Asks for one URL, again where that may help, but not for where a redirect leads. */
  async function send(url: URL, limits: SendOptions, trail: Trail): Promise<Sent> {
    const reason = access.refusal(url);
    if (reason !== undefined) return { kind: "refused", reason };
    for (let attempt = 1; ; attempt++) {
      const resolution = await untilAborted(access.resolve(url), signal);
      if (resolution === undefined) return { kind: "interrupted" };
      if (resolution.kind === "refused") return resolution;
      if (resolution.kind === "failed") return { ...resolution, again: false };

      const turn = await hosts.turn(url.hostname);
      if (turn.kind !== "turn") return turn;
      if (stats.requests >= maxRequests) {
        turn.release();
        return { kind: "budgetExhausted", maxRequests };
      }
      stats.requests++;
      trail.requests++;
      if (attempt > 1) stats.retries++;
      const startMs = effects.now();
      const exchange = await get(dispatcher, url, { ...limits, userAgent }, effects, signal);
      trail.durationMs += effects.now() - startMs;
      const pauseMs = pauseAfter(url, exchange, attempt);
      turn.release();
      if (exchange.kind === "failed" || exchange.kind === "timedOut") access.forget(url);
      if (exchange.kind === "answer") {
        stats.wireBytes += exchange.wireBytes;
        stats.bodyBytes += exchange.body.length;
      }
      if (pauseMs === undefined) return exchange;
      if (attempt < maxTries) continue;
      if (exchange.kind === "answer" && isThrottling(exchange.status)) {
        return { kind: "throttled", status: exchange.status, retryAfterMs: pauseMs };
      }
      return exchange;
    }
  }

  /** Makes the host wait where its answer asks for that, and says for how long; undefined where the answer is final. */
  function pauseAfter(url: URL, exchange: Exchange, attempt: number): number | undefined {
    const host = url.hostname;
    if (exchange.kind === "answer") {
      const retryAfter = parseRetryAfter(joinHeader(exchange.headers["retry-after"]), effects.now());
      if (isThrottling(exchange.status)) return hosts.throttle(host, retryAfter);
      hosts.recover(host);
      if (exchange.status < 500) return undefined;
      const pauseMs = Math.max(retryAfter ?? 0, backoffMs(attempt));
      hosts.pause(host, pauseMs);
      return pauseMs;
    }
    if (exchange.kind !== "failed" || !exchange.again) return undefined;
    hosts.pause(host, backoffMs(attempt));
    return backoffMs(attempt);
  }

  /** The URL and what it redirects to, each checked again. */
  async function follow(start: URL, trail: Trail): Promise<{ result: FetchResult; finalUrl: string }> {
    const seen = new Set<string>();
    let url = start;
    for (;;) {
      const done = (result: FetchResult) => ({ result, finalUrl: url.href });
      const refusal = access.refusal(url);
      if (refusal !== undefined) return done({ kind: "refused", reason: refusal });
      const skipped = skip(url);
      if (skipped !== undefined) return done({ kind: "skipped", reason: skipped });
      if (seen.has(url.href)) return done({ kind: "failed", reason: "redirects in a circle" });
      if (seen.size > maxRedirects) return done({ kind: "failed", reason: `more than ${maxRedirects} redirects` });
      seen.add(url.href);

      // Before robots.txt, so that a host inside is "refused", not "closed".
      const resolution = await untilAborted(access.resolve(url), signal);
      if (resolution === undefined) return done({ kind: "interrupted" });
      if (resolution.kind !== "resolved") return done(resolution);
      const permission = await robots.check(url);
      if (permission.kind !== "allowed") return done(permission);

      const sent = await send(url, { maxBytes, timeoutMs }, trail);
      if (sent.kind === "failed") return done({ kind: "failed", reason: sent.reason });
      if (sent.kind !== "answer") return done(sent);
      const location = redirectTarget(sent.status, sent.headers);
      if (location === undefined) return done(answerOf(url, sent));
      const target = requestUrl(location, url);
      if (target === undefined) return done({ kind: "failed", reason: "redirects to what is not a URL" });
      stats.redirects++;
      trail.redirects.push({ from: url.href, status: sent.status, to: target.href });
      url = target;
    }
  }

  function answerOf(
    url: URL,
    { status, headers, body, wireBytes }: Extract<Exchange, { kind: "answer" }>,
  ): FetchResult {
    const contentType = headers["content-type"];
    const mediaType = contentType?.split(";")[0]?.trim().toLowerCase();
    const canonical = canonicalOf(joinHeader(headers.link), url.href);
    const refresh = readRefresh(joinHeader(headers.refresh));
    const refreshTo = refresh === undefined ? undefined : resolveUrl(refresh.url, url.href);
    const vary = joinHeader(headers.vary);
    const address = connections.addressOf(url.origin);
    return {
      kind: status >= 200 && status < 300 ? "ok" : "httpError",
      status,
      ...(address === undefined ? {} : { address }),
      ...(contentType === undefined ? {} : { contentType }),
      ...(mediaType ? { mediaType } : {}),
      ...(canonical === undefined ? {} : { canonical }),
      // A page that reloads itself sends nobody on.
      ...(refreshTo === undefined || refreshTo === url.href ? {} : { refreshTo }),
      ...(vary === "" ? {} : { vary }),
      body,
      wireBytes,
    };
  }

  async function fetchOne(text: string): Promise<FetchOutcome> {
    const startedAtMs = effects.now();
    const trail = newTrail();
    const url = requestUrl(text);
    const { result, finalUrl } =
      url === undefined
        ? { result: { kind: "refused", reason: "not an absolute URL" } as const, finalUrl: printableUrl(text) }
        : signal.aborted
          ? { result: { kind: "interrupted" } as const, finalUrl: url.href }
          : await follow(url, trail);
    stats.outcomes[result.kind] = (stats.outcomes[result.kind] ?? 0) + 1;
    return { ...result, ...trail, url: url?.href ?? finalUrl, finalUrl, startedAtMs };
  }

  return {
    stats,
    userAgent,
    fetch: (url) => {
      const fetching = fetchOne(url);
      underWay.add(fetching);
      return fetching.finally(() => underWay.delete(fetching));
    },
    sitemaps: async (text) => {
      const url = requestUrl(text);
      if (url === undefined || access.refusal(url) !== undefined) return [];
      const resolution = await untilAborted(access.resolve(url), signal);
      if (resolution === undefined) return undefined;
      return resolution.kind === "resolved" ? robots.sitemaps(url.origin) : [];
    },
    maxRequests,
    plan: (urls) =>
      planFetches(urls, {
        refusal: access.refusal,
        skip,
        delayMs,
        maxRequests,
      }),
    waitUntil: async (timeMs) => {
      const waitMs = timeMs - effects.now();
      if (waitMs > 0) await effects.sleep(waitMs, signal);
    },
    close: async () => {
      end();
      options.signal?.removeEventListener("abort", end);
      await Promise.allSettled(underWay);
      await connections.close();
    },
  };
}

/** "dustpan/0.1.0 (+mailto:me@forum.test)": our name in robots.txt, our version, and whom to ask. */
export function userAgentOf(contact?: string): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  // A header value is one line of printable ASCII, and parentheses would end the comment.
  const printable = contact?.replace(/[^\x20-\x7e]|[()\\]/g, "").trim();
  return `${PRODUCT_TOKEN}/${version}${printable ? ` (+${printable})` : ""}`;
}

function newTrail(): Trail {
  return { redirects: [], requests: 0, durationMs: 0 };
}

/** The server says that we ask too much, and not that the page is broken. */
function isThrottling(status: number): boolean {
  return status === 429 || status === 503;
}

/** A name service that does not answer must not hold us up longer than a server that does not. */
function lookupWithin(timeoutMs: number, { lookup, deadline }: FetchEffects): Lookup {
  return (hostname) =>
    new Promise((resolve, reject) => {
      const cancel = deadline(timeoutMs, () => reject(Object.assign(new Error("too late"), { code: "ETIMEOUT" })));
      lookup(hostname).then(resolve, reject).finally(cancel);
    });
}
