// Does the time for an input grow with its length, and no faster? Measured as a ratio, in processor time.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Four times as much takes four times as long; with a square it would be sixteen. */
const MAX_RATIO = 8;
/** Shorter times say nothing. */
const ENOUGH_MS = 25;
const FIRST_BYTES = 1 << 12;
const MAX_BYTES = 1 << 20;
const ROUNDS = 3;
const TRIES = 3;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/** What others left behind is collected before, not while the clock runs. */
async function processorMs(run) {
  collectGarbage();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The best of several: whatever else the machine does only makes it longer. */
async function bestMs(run) {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) best = Math.min(best, await processorMs(run));
  return best;
}

/** The ratio of the times for 4n and n, n as large as it takes to be measured; undefined where even the largest takes no time. */
export async function growthRatio(run, pattern, tell = () => {}) {
  let bytes = FIRST_BYTES;
  while (bytes < MAX_BYTES && (await processorMs(() => run([pattern(bytes)]))) < ENOUGH_MS) {
    bytes *= 2;
    tell();
  }
  let ratio = Number.POSITIVE_INFINITY;
  // With twice as much each time: chance makes a long time longer by less, a square stays one.
  for (let tried = 0; tried < TRIES && ratio > MAX_RATIO; tried++, bytes *= 2) {
    const [small, large] = [pattern(bytes), pattern(4 * bytes)];
    const smallMs = await bestMs(() => run([small]));
    tell();
    const largeMs = await bestMs(() => run([large]));
    tell();
    if (largeMs < ENOUGH_MS) return { bytes, isLinear: true };
    ratio = Math.min(ratio, largeMs / smallMs);
  }
  return { bytes, ratio, isLinear: ratio <= MAX_RATIO };
}
