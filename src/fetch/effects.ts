/** What fetching needs from the world, as arguments, so that tests can bring their own clock and name service. */
import { lookup } from "node:dns/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { Lookup } from "./access.js";

export interface FetchEffects {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; returns early, without an exception, where the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls back once the time is up; what it returns cancels that. A limit, where `sleep` is politeness. */
  deadline(ms: number, onElapsed: () => void): () => void;
  readonly lookup: Lookup;
  /** Sends the requests in place of our own connections, which go to checked addresses only. */
  readonly dispatcher?: Dispatcher;
}

export const defaultEffects: FetchEffects = {
  now: Date.now,
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
  deadline: (ms, onElapsed) => {
    const timer = setTimeout(onElapsed, ms);
    return () => clearTimeout(timer);
  },
  lookup: (hostname) => lookup(hostname, { all: true }),
};
