import { describe, expect, test } from "vitest";
import { DISGUISES } from "../../bench/accuracy/random/disguises.mjs";
import { runOnSite } from "../../bench/accuracy/random/run.mjs";

/** Where what is true can be seen to be true; elsewhere it may stay undecided. */
const merged = new Set([
  ...["figuresBesideCounters", "oneTextForAllTowns", "longPages", "boards", "canonicalThatLies", "overlappingLists"],
  ...["ledByScript", "framedParts", "tablesOfNumbers", "oneSentence"],
]);

describe("pages that are told apart by what is easily passed over", () => {
  test.each(Object.entries(DISGUISES))("%s: nothing is merged that is not one page", async (name, { site, rules }) => {
    const result = await runOnSite(site(1), rules === undefined ? {} : { rules });
    expect(result.wrong).toEqual([]);
    if (merged.has(name)) expect(result.merged).toBeGreaterThanOrEqual(result.reach);
  });
});
