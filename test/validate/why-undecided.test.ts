import { expect, it } from "vitest";
import type { Evidence } from "#src/model.js";
import { whyUndecided } from "#src/validate/why-undecided.js";
import { makeRule } from "../canon/make-rule.js";

const evidence = (counts: Partial<Evidence>): Evidence => ({
  ...{ positive: 0, negative: 0, lowerBound: 0, similarity: "text", checkedAt: "2026-01-01T00:00:00Z" },
  ...{ redirected: 0, canonicalised: 0, canonicalConflicts: 0, examples: [], counterExamples: [] },
  ...counts,
});
const undecided = { from: "a/", to: "b/", status: "undecided" } as const;

it.each<[string, Parameters<typeof makeRule>[0], RegExp, RegExp]>([
  [
    "was skipped",
    { evidence: evidence({ skipped: [{ why: "host x.test is not among the sites", count: 3 }] }) },
    /3 pairs could not be compared/,
    /add --site x\.test/,
  ],
  [
    "was skipped for its www",
    { evidence: evidence({ skipped: [{ why: "host www.x.test is not among the sites", count: 3 }] }) },
    /host www\.x\.test is not/,
    /add --site x\.test$/,
  ],
  [
    "was skipped for a host that a visitor made up",
    { evidence: evidence({ skipped: [{ why: "host x;reboot;.test is not among the sites", count: 3 }] }) },
    /3 pairs/,
    /add --site 'x;reboot;\.test'$/,
  ],
  [
    "was skipped since the server is away",
    { evidence: evidence({ skipped: [{ why: "robots.txt could not be had: connection refused", count: 1 }] }) },
    /one pair could not be compared/,
    /check that the site can be reached/,
  ],
  [
    "has too few pages",
    { evidence: evidence({ positive: 2 }) },
    /2 of 2 alike, too few: it takes at least 5/,
    /decide/,
  ],
  ["was not compared", { evidence: evidence({}) }, /no pair of its URLs was compared/, /add a crawl/],
  // Who named the site already must not be told to.
  [
    "has no URL left",
    { evidence: evidence({}), after: ["r-1"] },
    /the rules before it leave it no URL/,
    /nothing to do while they are in use/,
  ],
])("a rule that %s says why and what to do", (_, fields, why, next) => {
  const reason = whyUndecided(makeRule({ ...undecided, ...fields }));
  expect(reason?.why).toMatch(why);
  expect(reason?.next).toMatch(next);
});

it("a rule that is decided has no such reason", () => {
  expect(whyUndecided(makeRule({ from: "a/", to: "b/", status: "valid" }))).toBeUndefined();
  expect(whyUndecided(makeRule({ ...undecided, decision: "accepted" }))).toBeUndefined();
});
