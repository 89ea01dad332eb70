import { describe, expect, test } from "vitest";
import { CASES } from "../../bench/accuracy/random/cases.mjs";
import { type Measured, runOnSite } from "../../bench/accuracy/random/run.mjs";

/** Several sites of a case, each with draws of its own; `node bench/accuracy/fooled.mjs` makes 60 of each. */
async function run(name: keyof typeof CASES, runs: number): Promise<Measured[]> {
  const { site, rules } = CASES[name];
  const results: Measured[] = [];
  for (let seed = 1; seed <= runs; seed++) {
    results.push(await runOnSite(site(seed), { seed, ...(rules !== undefined && { rules }) }));
  }
  return results;
}

const isWrong = ({ wrong, changed }: Measured) => wrong.length > 0.01 * changed;
const wrongIn = (results: readonly Measured[]) => results.filter(isWrong).length;
const mergedOfReach = (results: readonly Measured[]) => {
  const sum = (of: (result: Measured) => number) => results.reduce((total, result) => total + of(result), 0);
  return sum(({ merged, reach }) => Math.min(merged, reach)) / sum(({ reach }) => reach);
};

describe("validation does not fool itself", () => {
  test("a rule that is true in thirty small folders and false for half of a large one", async () => {
    expect(wrongIn(await run("thirtySmallFolders", 8))).toBe(0);
  });

  test("a rule that is false for one URL in ten, without any pattern", async () => {
    // A scope in which it fails nowhere may be found by chance; a claim may be wrong once in twenty.
    expect(wrongIn(await run("failuresWithoutStructure", 8))).toBeLessThanOrEqual(1);
  });

  test("a rule that is false for a fifth of forty URLs of which most cannot be looked at", async () => {
    expect(wrongIn(await run("mostlyUnavailable", 12))).toBe(0);
  });

  test("a true rule on pages of which most are gone", async () => {
    const results = await run("sortedAndGone", 3);
    expect(wrongIn(results)).toBe(0);
    expect(mergedOfReach(results)).toBeGreaterThanOrEqual(0.95);
    for (const { rules } of results) expect(rules).toHaveLength(1);
  });

  test("two identifiers of which either may go, but not both", async () => {
    const results = await run("twoIdentifiers", 2);
    expect(wrongIn(results)).toBe(0);
  });

  test("a rule that is false only of what another rule leaves", async () => {
    const results = await run("languageBesideQuery", 2);
    expect(wrongIn(results)).toBe(0);
    expect(mergedOfReach(results)).toBeGreaterThanOrEqual(0.6);
  });

  test("lists that differ in numbers alone, next to a number that changes at every look", async () => {
    const results = await run("rotatingItem", 4);
    expect(wrongIn(results)).toBe(0);
    expect(mergedOfReach(results)).toBeGreaterThanOrEqual(0.95);
  });

  test("sizes that change at every look", async () => {
    const results = await run("varyingSizes", 2);
    expect(wrongIn(results)).toBe(0);
    expect(mergedOfReach(results)).toBeGreaterThanOrEqual(0.95);
  });

  test("goods whose pages differ in two numbers of seventy words", async () => {
    const results = await run("twoNumbers", 2);
    expect(wrongIn(results)).toBe(0);
    expect(mergedOfReach(results)).toBeGreaterThanOrEqual(0.95);
  });

  test("soft 404s that echo the URL and suggest other pages at each look", async () => {
    const results = await run("suggestions", 2);
    expect(wrongIn(results)).toBe(0);
    expect(mergedOfReach(results)).toBeGreaterThanOrEqual(0.95);
  });

  test("pages of which nothing stays but the menu", async () => {
    expect(wrongIn(await run("liveLists", 2))).toBe(0);
  });
});
