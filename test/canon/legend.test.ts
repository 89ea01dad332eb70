import { expect, test } from "vitest";
import { byStanding, similarityWords, verdictOf } from "#src/canon/legend.js";
import type { Rule } from "#src/model.js";

const rule = (id: string, more: Partial<Rule>): Rule => ({
  ...{
    kind: "parameter",
    name: id,
    place: "query",
    action: "remove",
    id,
    scope: {},
    status: "likely",
    decision: null,
    source: "mined",
  },
  ...{ support: 1, confirmed: 0, merges: 0 },
  ...(more as object),
});

test("a rule that holds only the other way round is proven, and what nobody confirmed does not come first", () => {
  const reversed = rule("reversed", { status: "refuted", opposite: { status: "valid", positive: 9, negative: 0 } });
  const rules = [
    rule("refuted", { status: "refuted", confirmed: 9 }),
    rule("unconfirmed", { support: 1000 }),
    rule("confirmed", { support: 3, confirmed: 3 }),
    rule("undecided", { status: "undecided", confirmed: 1 }),
    reversed,
    rule("accepted", { decision: "accepted" }),
    rule("rejected", { status: "valid", decision: "rejected" }),
  ];
  expect(verdictOf(reversed)).toBe("valid");
  expect(byStanding(rules).map(({ id }) => id)).toEqual([
    "reversed",
    "accepted",
    "undecided",
    "confirmed",
    "unconfirmed",
    "refuted",
    "rejected",
  ]);
});

test("names of similarity tests are put into words", () => {
  expect(similarityWords("shingles-4/4")).toBe("4 of 4 fingerprints of the text equal (shingles-4/4)");
  expect(similarityWords("text")).toBe("the text of their own (text)");
});
