import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyRule } from "#src/canon/apply.js";
import type { Rule } from "#src/model.js";
import { toTheEnd } from "#src/progress.js";
import { triageRules } from "#src/validate/triage.js";
import { makeRule } from "../canon/make-rule.js";

const options = { epsilon: 0.05, similarity: "shingles-4/4", now: () => new Date(0) };
const drop = (name: string, more = {}): Rule =>
  makeRule({ kind: "parameter", name, action: "remove", status: "likely", ...more });
const swap = (from: string, to: string): Rule =>
  makeRule({ kind: "substring", from, to, start: false, end: false, status: "likely" });
const run = (
  rules: readonly Rule[],
  pages: ReadonlyMap<string, string>,
  leads: readonly (readonly [string, string])[] = [],
) =>
  toTheEnd(
    triageRules(
      rules,
      [...pages.keys()],
      {
        alike: (a, b) => (pages.has(a) && pages.has(b) ? pages.get(a) === pages.get(b) : undefined),
        leads: (from, to) => leads.some(([a, b]) => a === from && b === to),
      },
      options,
    ),
  );

describe("triage of rules against known pages", () => {
  const pages = new Map<string, string>();
  for (let i = 0; i < 30; i++) {
    pages.set(`http://a.test/p?id=${i}`, `page ${i}`);
    pages.set(`http://a.test/p?id=${i}&s=${i}`, `page ${i}`);
    pages.set(`http://a.test/p?id=${i}&s=${i + 1}`, `page ${i}`);
  }
  pages.set("http://a.test/q?lang=de", "q");

  it("leaves what may hold, refutes what does not, and keeps quiet about what it cannot know", () => {
    const { open, decided } = run([drop("s"), drop("id"), drop("lang")], pages);
    expect(open.map((rule) => "name" in rule && rule.name)).toEqual(["s"]);
    expect(decided.map((rule) => [("name" in rule && rule.name) as string, rule.status])).toEqual([
      ["id", "refuted"],
      ["lang", "undecided"],
    ]);
    expect(decided[0]!.evidence).toMatchObject({ positive: 0 });
    expect(decided[0]!.evidence!.counterExamples).toHaveLength(3);
  });

  it("drops what another rule merges as well, unless a person decided about it", () => {
    const implied = swap("&s=1", "&s=2");
    expect(run([drop("s"), implied], pages).open).toHaveLength(1);
    const kept = drop("s", { scope: { path: "/p" }, decision: "accepted" });
    expect(run([drop("s"), kept], pages).open).toHaveLength(2);
  });

  it("has what an open rule covers ready for when that rule does not hold", () => {
    const implied = drop("s", { scope: { path: "/p" } });
    const { open, uncovered } = run([drop("s"), implied], pages);
    expect(open).toHaveLength(1);
    expect(uncovered(() => true)).toEqual([]);
    expect(uncovered((rule) => rule !== open[0]).map(({ id }) => id)).toEqual([implied.id]);
  });

  it("leaves a rule that fails in one place and saves much elsewhere", () => {
    const mixed = new Map(pages);
    for (let i = 0; i < 20; i++) mixed.set(`http://a.test/list?s=${i}`, `list ${i}`);
    expect(run([drop("s")], mixed).open).toHaveLength(1);
  });

  it("goes the way that the site redirects", () => {
    const slashed = new Map<string, string>();
    const leads: [string, string][] = [];
    for (let i = 0; i < 9; i++) {
      slashed.set(`http://a.test/p${i}`, `page ${i}`).set(`http://a.test/p${i}/`, `page ${i}`);
      leads.push([`http://a.test/p${i}`, `http://a.test/p${i}/`]);
    }
    const slash = makeRule({ kind: "trailingSlash", action: "drop", status: "likely" });
    expect(run([slash], slashed).open).toMatchObject([{ action: "drop", id: slash.id }]);
    const { open } = run([slash], slashed, leads);
    expect(open).toMatchObject([{ kind: "trailingSlash", action: "add", status: "likely" }]);
    expect(open[0]!.id).not.toBe(slash.id);
    // Not against a person's word.
    expect(run([{ ...slash, decision: "accepted" }], slashed, leads).open).toMatchObject([{ action: "drop" }]);
  });

  it("says why by one rule where no page is known at all", () => {
    const unknown = toTheEnd(
      triageRules(
        [drop("s"), drop("id")],
        ["http://a.test/?s=1", "http://a.test/"],
        { alike: () => undefined, leads: () => false },
        options,
      ),
    );
    expect(unknown.open).toHaveLength(1);
    expect(unknown.decided.map(({ status }) => status)).toEqual(["likely"]);
  });

  it("counts as looking at every URL by itself does", () => {
    const url = fc
      .tuple(fc.constantFrom("a", "b"), fc.constantFrom("", "?s=1", "?s=2", "?t=1", "?t=1&s=1", "?t=2&s=3"))
      .map((parts) => `http://x.test/${parts.join("")}`);
    const known = fc.uniqueArray(fc.tuple(url, fc.nat(2)), { selector: ([text]) => text, minLength: 4 });
    let refuted = 0;
    fc.assert(
      fc.property(known, (given) => {
        const contents = new Map(given.map(([text, page]) => [text, String(page)]));
        const rules = [drop("s"), drop("t"), swap("a", "b")];
        const { open, decided } = run(rules, contents);
        for (const rule of rules) {
          let [positive, negative] = [0, 0];
          const mates = new Map<string, string>();
          for (const from of contents.keys()) {
            const to = applyRule(rule, from);
            if (to === undefined) continue;
            const partner = contents.has(to) ? to : mates.get(to);
            if (partner === undefined) mates.set(to, from);
            else if (contents.get(partner) === contents.get(from)) positive++;
            else negative++;
          }
          const found = decided.find(({ id }) => id === rule.id);
          if (found?.evidence !== undefined) {
            expect([found.evidence.positive, found.evidence.negative]).toEqual([positive, negative]);
            const isTold = positive + negative >= 5;
            expect(found.status).toBe(isTold ? "refuted" : "undecided");
            if (isTold) refuted++;
          } else if (found === undefined && !open.includes(rule)) {
            // Implied by another.
            expect(negative).toBeLessThanOrEqual(1);
          }
        }
      }),
      { numRuns: 300 },
    );
    expect(refuted).toBeGreaterThan(10);
  });
});
