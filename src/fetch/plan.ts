/** What fetching a list of URLs would mean, before the first request: for --dry-run. */
import { printableUrl, requestUrl } from "../url/request-url.js";

export interface FetchPlan {
  readonly hosts: readonly HostPlan[];
  /** Requests if nothing is redirected or retried: URLs and one robots.txt for each origin. */
  readonly requests: number;
  /** The budget, the only number that redirects, retries, probes and second looks cannot exceed. */
  readonly maxRequests: number;
  /** Delays alone, without the time that answers take; hosts are asked at the same time. */
  readonly leastMs: number;
  readonly skipped: readonly Omission[];
  readonly refused: readonly Omission[];
}

export interface HostPlan {
  readonly host: string;
  readonly urls: number;
  readonly leastMs: number;
}

export interface Omission {
  readonly url: string;
  readonly reason: string;
}

export interface PlanOptions {
  readonly refusal: (url: URL) => string | undefined;
  readonly skip: (url: URL) => string | undefined;
  readonly delayMs: number;
  readonly maxRequests: number;
}

/** Equal URLs count once. */
export function planFetches(urls: Iterable<string>, options: PlanOptions): FetchPlan {
  const skipped: Omission[] = [];
  const refused: Omission[] = [];
  const origins = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const text of new Set(urls)) {
    const url = requestUrl(text);
    const refusal = url === undefined ? "not an absolute URL" : options.refusal(url);
    if (url === undefined || refusal !== undefined) {
      refused.push({ url: url?.href ?? printableUrl(text), reason: refusal! });
      continue;
    }
    const skip = options.skip(url);
    if (skip !== undefined) {
      skipped.push({ url: url.href, reason: skip });
      continue;
    }
    const ofHost = origins.get(url.hostname) ?? new Set();
    origins.set(url.hostname, ofHost.add(url.origin));
    counts.set(url.hostname, (counts.get(url.hostname) ?? 0) + 1);
  }
  let requests = 0;
  const hosts = [...counts].map(([host, count]) => {
    const all = count + origins.get(host)!.size;
    requests += all;
    return { host, urls: count, leastMs: (all - 1) * options.delayMs };
  });
  return {
    hosts: hosts.sort((a, b) => b.urls - a.urls),
    requests,
    maxRequests: options.maxRequests,
    leastMs: Math.max(0, ...hosts.map((host) => host.leastMs)),
    skipped,
    refused,
  };
}
