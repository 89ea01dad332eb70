import { beforeAll, describe, expect, test } from "vitest";
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
  // The aim is 95%; of logs as short as these less is found. This only notices where it becomes worse.
  expect(sum(({ merged, reach }) => Math.min(merged, reach))).toBeGreaterThanOrEqual(0.78 * sum(({ reach }) => reach));
});

describe("a server that misleads while it is looked at", () => {
  const site = () => randomSite(209, { lines: 800 });
  let wrongAnyway: ReadonlySet<string>;
  beforeAll(async () => {
    wrongAnyway = new Set((await runOnSite(site())).wrong.map(({ url, to }) => `${url} ${to}`));
  });

  async function misledBy(name: (typeof HOSTILE)[number]): Promise<number> {
    const { wrong, changed } = await runOnSite(makeHostile(site(), 209, name));
    return wrong.filter(({ url, to }) => !wrongAnyway.has(`${url} ${to}`)).length / Math.max(1, changed);
  }

  test.each(HOSTILE)("%s makes no merge wrong that was right", async (name) => {
    expect(await misledBy(name)).toBeLessThanOrEqual(0.01);
  });
});
