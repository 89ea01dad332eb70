import { describe, expect, test } from "vitest";
import { BEYOND_TEXT } from "../../bench/accuracy/random/beyond-text.mjs";
import { runOnSite } from "../../bench/accuracy/random/run.mjs";

describe("pages that say the same and show something else", () => {
  test.each(Object.entries(BEYOND_TEXT))(
    "%s: nothing is merged that is not one page",
    async (name, { site, rules }) => {
      const result = await runOnSite(site(1), rules === undefined ? {} : { rules });
      expect(result.wrong).toEqual([]);
      // Nothing can be said of reports that are only promised.
      if (name !== "reportsInTheMaking") expect(result.merged).toBeGreaterThanOrEqual(result.reach);
    },
  );
});
