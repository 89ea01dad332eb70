/** What came of a fetch. Every outcome is a value: a crawl of other people's servers meets all of them every day. */

export interface Redirect {
  /** The URL that answered with a redirect. */
  readonly from: string;
  readonly status: number;
  /** Where it points, absolute, without credentials and fragment. */
  readonly to: string;
}

interface Attempt {
  /** The URL as asked for, without credentials and fragment; the caller's text where it is not a URL. */
  readonly url: string;
  /** The URL that this outcome is about: the last one reached after redirects. */
  readonly finalUrl: string;
  readonly redirects: readonly Redirect[];
  /** Requests sent for it, retries included; those for robots.txt are not. */
  readonly requests: number;
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  /** From the first byte sent to the last one read, over all requests, waiting between them not included. */
  readonly durationMs: number;
}

interface Answer {
  readonly status: number;
  /** Address of the server that answered. */
  readonly address?: string;
  /** The header as it came. */
  readonly contentType?: string;
  /** Its media type without parameters, lower case. */
  readonly mediaType?: string;
  /** Absolute target of a Link header with rel=canonical. */
  readonly canonical?: string;
  /** Where a Refresh header sends the reader, absolute. */
  readonly refreshTo?: string;
  /** The header as it came: on what of the request the answer depends. */
  readonly vary?: string;
  /** After content decoding; never more than the limit. */
  readonly body: Uint8Array;
  /** Bytes of the body before decoding. */
  readonly wireBytes: number;
}

export type FetchResult =
  /** A 2xx answer. */
  | ({ readonly kind: "ok" } & Answer)
  /** Any other final answer: 4xx, 5xx after all tries, 3xx without a target. */
  | ({ readonly kind: "httpError" } & Answer)
  /** robots.txt says no, or could not be had, which says no too. */
  | { readonly kind: "disallowed"; readonly reason: string }
  /** The host asked for patience (429, 503, Retry-After) beyond what we have. */
  | { readonly kind: "throttled"; readonly status?: number; readonly retryAfterMs: number }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "timedOut"; readonly limitMs: number }
  /** The body, or what it unpacks to, is larger than the limit. */
  | { readonly kind: "tooLarge"; readonly status: number; readonly limitBytes: number }
  /** Its scheme, host, port or address is not permitted. */
  | { readonly kind: "refused"; readonly reason: string }
  /** It looks like an action or carries a one-time token. */
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "budgetExhausted"; readonly maxRequests: number }
  | { readonly kind: "interrupted" };

export type FetchOutcome = FetchResult & Attempt;
export type FetchKind = FetchOutcome["kind"];
export type AnsweredOutcome = Extract<FetchOutcome, { kind: "ok" | "httpError" }>;

/** Did a server answer this? */
export function isAnswered(outcome: FetchOutcome): outcome is AnsweredOutcome {
  return outcome.kind === "ok" || outcome.kind === "httpError";
}

/** In a few words, for lists and messages. */
export function describeOutcome(outcome: FetchOutcome): string {
  switch (outcome.kind) {
    case "ok":
    case "httpError":
      return String(outcome.status);
    case "disallowed":
    case "failed":
    case "refused":
    case "skipped":
      return outcome.reason;
    case "throttled":
      return `throttled${outcome.status === undefined ? "" : ` (${outcome.status})`}, ask again in ${Math.ceil(outcome.retryAfterMs / 1000)} s`;
    case "timedOut":
      return `no complete answer within ${outcome.limitMs / 1000} s`;
    case "tooLarge":
      return `larger than ${outcome.limitBytes} bytes`;
    case "budgetExhausted":
      return `all ${outcome.maxRequests} requests are used`;
    case "interrupted":
      return "interrupted";
  }
}
