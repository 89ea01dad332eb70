import { expect, test } from "vitest";
import { type Measured, runOnSite } from "../../bench/accuracy/random/run.mjs";
import { randomSite } from "../../bench/accuracy/random/site.mjs";

test("on small random sites with known truth no merge is wrong, and most of what can be merged is", async () => {
  // `node scripts/truth-tests.mjs` has more and larger ones, `node bench/accuracy/random.mjs` measures many.
  const results: Measured[] = [];
  for (const seed of [211, 212]) results.push(await runOnSite(randomSite(seed, { lines: 400 })));
  const sum = (of: (result: Measured) => number) => results.reduce((total, result) => total + of(result), 0);
  expect(sum(({ changed }) => changed)).toBeGreaterThan(100);
  expect(sum(({ wrong }) => wrong.length)).toBe(0);
  expect(sum(({ merged, reach }) => Math.min(merged, reach))).toBeGreaterThanOrEqual(0.6 * sum(({ reach }) => reach));
}, 240_000);
