/**
 * Long work that can be watched and ended, in one way: the caller has a JobContext; a computation is a generator that
 * pauses now and then, and `drive` runs it in turns, so that the event loop and Ctrl-C are heard.
 */
import { InterruptedError } from "./errors.js";
import type { JobContext, Progress } from "./model.js";

/** A long computation that pauses now and then, so that its driver can tell how far it is, or end it. */
export type InSteps<T> = Generator<Progress, T>;

/** How often a loop over clusters or lists pauses; a power of 2. */
export const PAUSE_EVERY = 4096;

/** All of it at once. */
export function toTheEnd<T>(steps: InSteps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** How long the event loop, and so Ctrl-C, waits for a computation at most, if it pauses often enough. */
const TURN_MS = 50;

/** Runs a computation in turns, telling how far it is, and stops it between two of them; then `remainder` is what is left. */
export async function drive<T>(steps: InSteps<T>, context: JobContext, remainder: string): Promise<T> {
  for (let turn = performance.now(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    context.onProgress(step.value);
    if (performance.now() - turn < TURN_MS) continue;
    await pause(context, remainder);
    turn = performance.now();
  }
}

/** Between two computations: now a Ctrl-C during the first is heard. */
export async function pause(context: { readonly signal?: AbortSignal | undefined }, remainder: string): Promise<void> {
  await breathe();
  stopIfAborted(context, remainder);
}

/** Lets the event loop have its turn. */
async function breathe(): Promise<void> {
  // Twice: what ran because a thread or a file answered goes on once before the event loop looks for signals again.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
}

/** For work that is not a generator: a turn for the event loop, where it has waited long enough. */
export class Turns {
  #since = performance.now();

  async take(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return;
    await breathe();
    this.#since = performance.now();
  }
}

/** The same items; where making them takes long, the event loop has its turn between them. */
export async function* inTurns<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  let turn = performance.now();
  for await (const item of items) {
    yield item;
    if (performance.now() - turn < TURN_MS) continue;
    await breathe();
    turn = performance.now();
  }
}

/** Throws where the work was cancelled. */
export function stopIfAborted({ signal }: { readonly signal?: AbortSignal | undefined }, remainder: string): void {
  if (signal?.aborted) throw new InterruptedError(remainder);
}
