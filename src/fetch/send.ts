/** One request, its retries included, redirects not followed: what fetching pages and fetching robots.txt share. */
import type { Exchange } from "./exchange.js";
import type { FetchResult } from "./outcome.js";

export interface SendOptions {
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly truncate?: boolean;
}

/** What came of one URL, without following redirects, after retries. */
export type Sent = Exchange | Extract<FetchResult, { kind: "throttled" | "budgetExhausted" | "refused" }>;
export type Send = (url: URL, options: SendOptions) => Promise<Sent>;
