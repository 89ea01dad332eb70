/** Long computations that pause, so that they can be watched and ended. */
import type { Progress } from "../model.js";

/** A long computation that pauses now and then, so that whoever drives it can tell how far it is, or end it. */
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
