import { expect, test } from "vitest";
import { HOSTILE, makeHostile } from "../../bench/accuracy/random/hostile.mjs";
import { type Measured, runOnSite } from "../../bench/accuracy/random/run.mjs";
import { randomSite } from "../../bench/accuracy/random/site.mjs";

/** Small ones; `node bench/accuracy/random.mjs` measures many, in their full size. */
const seeds = [201, 202, 203, 204, 205, 206, 207, 208];

test("on random sites with known truth hardly a merge is wrong, and most of what can be merged is", async () => {
  const results: Measured[] = [];
  for (const seed of seeds) results.push(await runOnSite(randomSite(seed, { lines: 1200 })));
  const sum = (of: (result: Measured) => number) => results.reduce((total, result) => total + of(result), 0);
  const changed = sum((result) => result.changed);
  expect(changed).toBeGreaterThan(1000);
  expect(sum(({ wrong }) => wrong.length)).toBeLessThanOrEqual(0.001 * changed);
  expect(sum(({ merged, reach }) => Math.min(merged, reach))).toBeGreaterThanOrEqual(0.95 * sum(({ reach }) => reach));
});

test.each(HOSTILE)("a server that misleads (%s) makes no merge wrong", async (name) => {
  const { wrong, changed } = await runOnSite(makeHostile(randomSite(209, { lines: 800 }), 209, name));
  expect(wrong.length).toBeLessThanOrEqual(0.01 * changed);
});
