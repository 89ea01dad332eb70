import { describe, expect, test } from "vitest";
import { runOnSite } from "../../bench/accuracy/random/run.mjs";
import { TRICKS } from "../../bench/accuracy/random/tricks.mjs";

/** What must be merged all the same, of what exact rules reach; a site that stops to answer may end with nothing. */
const leastMerged: Readonly<Record<string, number>> = {
  partInsteadOfAdvertisement: 1,
  gallery: 1,
  rareValue: 1,
  membersOnly: 1,
  calendar: 0.9,
  everySecondRequest: 1,
  plainText: 1,
};

describe("a site that hides a difference, or shows for a while that there is none", () => {
  test.each(Object.entries(TRICKS))("%s: nothing is merged that is not one page", async (name, { site, rules }) => {
    const { wrong, merged, reach } = await runOnSite(site(1), rules === undefined ? {} : { rules });
    expect(wrong).toEqual([]);
    expect(merged).toBeGreaterThanOrEqual((leastMerged[name] ?? 0) * reach);
  });
});
