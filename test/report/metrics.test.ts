import { describe, expect, it } from "vitest";
import {
  countCauses,
  measureCoverage,
  measureReduction,
  precisionAtK,
  precisionByValidations,
  type TestUrl,
} from "#src/report/metrics.js";
import type { Draw } from "#src/validate/try-rule.js";
import { makeRule } from "../canon/make-rule.js";

const rule = (from: string, words: object = {}) => makeRule({ from, to: "x", status: "likely", ...words });

describe("precision@k", () => {
  it("counts rules that are valid in either direction, and those dropped because a valid one covers them", () => {
    const likely = ["a", "b", "c", "d"].map((from) => rule(from));
    const validated = [
      { ...likely[0]!, status: "refuted" as const },
      { ...likely[1]!, status: "refuted" as const, opposite: { status: "valid" as const, positive: 9, negative: 0 } },
      { ...likely[2]!, status: "valid" as const },
    ];
    expect(precisionAtK(likely, validated)).toEqual([
      { x: 1, y: 0 },
      { x: 2, y: 1 / 2 },
      { x: 3, y: 2 / 3 },
      { x: 4, y: 3 / 4 },
    ]);
    expect(precisionAtK([], [])).toEqual([]);
    // Nothing was seen: that is not a precision of 0%.
    expect(precisionAtK(likely, likely)).toEqual([]);
  });
});

describe("precision by validations", () => {
  const draws = (id: string, outcomes: string, direction: Draw["direction"] = "forward"): Draw[] =>
    [...outcomes].map((outcome) => ({
      rule: id,
      direction,
      from: "",
      to: "",
      why: "",
      outcome: outcome === "+" ? "positive" : outcome === "-" ? "negative" : "skipped",
    }));

  it("says nothing where no page was compared", () => {
    const unseen = rule("unseen");
    expect(precisionByValidations([unseen], draws(unseen.id, "??"), 0.05)).toEqual([]);
  });

  it("does not call a rule valid that one true counter-example refuted, after however many that were alike", () => {
    const refuted = rule("a", { status: "refuted", opposite: { status: "refuted", positive: 0, negative: 1 } });
    const all = [...draws(refuted.id, `${"+".repeat(28)}-`), ...draws(refuted.id, "-", "opposite")];
    expect(new Set(precisionByValidations([refuted], all, 0.05).map(({ y }) => y))).toEqual(new Set([0]));
    // Nothing is precise where no rule is accepted.
    expect(precisionByValidations([refuted], draws(refuted.id, "-----"), 0.05)).toEqual([{ x: 0, y: 0 }]);
  });

  it("replays figure 3 with every N on what was drawn", () => {
    const good = rule("good");
    const late = rule("late");
    const other = rule("other");
    const session = makeRule({ kind: "parameter", name: "sid", action: "remove" });
    const all = [
      ...draws(good.id, "+?".repeat(95)),
      // Valid up to N = 10, refuted from N = 11 on: epsilon N = 1 negative is enough then too.
      ...draws(late.id, `${"+".repeat(10)}${"-".repeat(5)}`),
      ...draws(other.id, "-----"),
      ...draws(other.id, "+".repeat(95), "opposite"),
      ...draws(session.id, "-----"),
    ];
    const curve = precisionByValidations([good, late, other, rule("never drawn"), session], all, 0.05);
    expect(curve.length).toBe(101);
    expect(curve[0]).toEqual({ x: 0, y: 2 / 3 });
    expect(curve[10]).toEqual({ x: 10, y: 2 / 3 });
    expect(curve[11]).toEqual({ x: 11, y: 1 });
    expect(curve[100]).toEqual({ x: 100, y: 1 });
  });
});

describe("what canonization does to a list", () => {
  const test = (url: string, document?: string, bytes = 10): TestUrl => ({
    url,
    hits: 1,
    bytes,
    ...(document !== undefined && { document }),
  });
  const canon = (url: string) => url.replace(/\?.*/, "");

  it("saves URLs and bytes", () => {
    const urls = [test("a?1"), test("a?2", undefined, 30), test("a", undefined, Number.NaN), test("b", undefined, 5)];
    expect(measureReduction(urls, canon)).toEqual({ before: 4, after: 2, redundancy: 0.5, bytes: 45, bytesSaved: 30 });
    expect(measureReduction([], canon).redundancy).toBe(0);
  });

  it("covers duplicates, and tells what it merged wrongly", () => {
    const urls = [
      test("a?1", "A"),
      test("a?2", "A"),
      test("a?3", "other"),
      test("b", "A"),
      test("c?1", "C"),
      test("c", "c"),
      test("d?1", "D"),
      test("unknown?1"),
      test("unknown?2"),
    ];
    const found = measureCoverage(urls, canon);
    // A, other, C, c, D among 7 known URLs: 2 duplicates, of which "b" is left.
    expect(found).toMatchObject({ urls: 7, documents: 5, before: 2, after: 1, coverage: 0.5 });
    expect(found.unequal).toEqual([
      { from: "a?3", to: "a?1" },
      { from: "c?1", to: "c" },
    ]);
    expect(found.representatives.map(({ url }) => url)).toEqual(["a?1", "b", "c", "d?1"]);
    expect(countCauses(found, (group) => (group.some(({ url }) => url === "b") ? "copy" : "similar"))).toEqual({
      covered: 1,
      image: 0,
      softError: 0,
      copy: 1,
      similar: 0,
    });
  });
});
