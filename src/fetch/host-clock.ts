/**
 * When a host may be asked next. Requests to a host pass one gate in the order in which they came; the gate opens when
 * fewer than `concurrency` are under way, `delayMs` have passed since the host last began or ended an answer, and no
 * pause that the host asked for is running.
 */
import type { FetchEffects } from "./effects.js";

/** The first pause after 429, 503 and the like; each further one in a row doubles it. */
const BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 60_000;

export interface HostClockOptions {
  readonly delayMs: number;
  readonly concurrency: number;
  /** A host that asks for a longer pause is not waited for. */
  readonly maxWaitMs: number;
}

export type Turn =
  | { readonly kind: "turn"; readonly release: () => void }
  | { readonly kind: "throttled"; readonly retryAfterMs: number }
  | { readonly kind: "interrupted" };

interface HostState {
  /** Settles when the one before has passed the gate. */
  gate: Promise<void>;
  inFlight: number;
  /** Wakes the one at the gate when a place is free. */
  onFree: () => void;
  delayMs: number;
  nextStartMs: number;
  pausedUntilMs: number;
  /** 429 and 503 in a row, over all URLs of the host. */
  throttledInARow: number;
}

export class HostClock {
  readonly #hosts = new Map<string, HostState>();

  constructor(
    readonly options: HostClockOptions,
    readonly effects: Pick<FetchEffects, "now" | "sleep">,
    readonly signal: AbortSignal,
  ) {}

  /** Waits for this host's turn. `release` must be called when the answer has been read. */
  async turn(host: string): Promise<Turn> {
    const state = this.#state(host);
    const before = state.gate;
    let pass = () => {};
    state.gate = new Promise((resolve) => {
      pass = resolve;
    });
    await before;
    try {
      while (state.inFlight >= this.options.concurrency) {
        await new Promise<void>((resolve) => {
          state.onFree = resolve;
        });
      }
      for (;;) {
        if (this.signal.aborted) return { kind: "interrupted" };
        const now = this.effects.now();
        if (state.pausedUntilMs - now > this.options.maxWaitMs) {
          return { kind: "throttled", retryAfterMs: state.pausedUntilMs - now };
        }
        const waitMs = Math.max(state.nextStartMs, state.pausedUntilMs) - now;
        if (waitMs <= 0) break;
        await this.effects.sleep(waitMs, this.signal);
      }
      state.inFlight++;
      state.nextStartMs = this.effects.now() + state.delayMs;
      return { kind: "turn", release: () => this.#release(state) };
    } finally {
      pass();
    }
  }

  /** The host asks for at least this delay (Crawl-delay); it never becomes shorter. */
  slowDown(host: string, delayMs: number): void {
    const state = this.#state(host);
    if (delayMs <= state.delayMs) return;
    state.nextStartMs += delayMs - state.delayMs;
    state.delayMs = delayMs;
  }

  /** The host is overloaded: wait as long as it says, and longer each time it says so again. Returns the pause. */
  throttle(host: string, retryAfterMs = 0): number {
    const state = this.#state(host);
    state.throttledInARow++;
    const pauseMs = Math.max(retryAfterMs, backoffMs(state.throttledInARow));
    this.pause(host, pauseMs);
    return pauseMs;
  }

  pause(host: string, pauseMs: number): void {
    const state = this.#state(host);
    state.pausedUntilMs = Math.max(state.pausedUntilMs, this.effects.now() + pauseMs);
  }

  /** The host answered as usual. */
  recover(host: string): void {
    this.#state(host).throttledInARow = 0;
  }

  #release(state: HostState): void {
    state.inFlight--;
    state.nextStartMs = this.effects.now() + state.delayMs;
    state.onFree();
  }

  #state(host: string): HostState {
    let state = this.#hosts.get(host);
    if (state === undefined) {
      state = {
        gate: Promise.resolve(),
        inFlight: 0,
        onFree: () => {},
        delayMs: this.options.delayMs,
        nextStartMs: 0,
        pausedUntilMs: 0,
        throttledInARow: 0,
      };
      this.#hosts.set(host, state);
    }
    return state;
  }
}

/** The n-th pause in a row, n from 1. */
export function backoffMs(n: number): number {
  return Math.min(BACKOFF_MS * 2 ** (n - 1), MAX_BACKOFF_MS);
}

/** Retry-After in its two forms (RFC 9110, 10.2.3), as a duration from `nowMs`; undefined where it is neither. */
export function parseRetryAfter(header: string, nowMs: number): number | undefined {
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // An HTTP date begins with the name of a day; Date.parse takes much else.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
