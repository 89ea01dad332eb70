import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { rulesInUse } from "#src/canon/cycles.js";
import type { Rule } from "#src/model.js";
import { toTheEnd } from "#src/progress.js";
import { inBestOrder, withoutHindering } from "#src/validate/order-rules.js";
import { makeRule } from "../canon/make-rule.js";

const ordered = (rules: readonly Rule[], urls: readonly string[]) => toTheEnd(inBestOrder(rules, urls));
const formsOf = (rules: readonly Rule[], urls: readonly string[]) =>
  new Set(urls.map(compile(rulesInUse(rules).rules, { use: asTheyAre }))).size;

describe("the order among rules", () => {
  const colon = makeRule({ from: ":", to: "/", scope: { path: "/wiki/" } });
  const talk = makeRule({ from: "/wiki/Talk:", to: "/talk/" });
  const urls = Array.from({ length: 30 }, (_, i) => [
    `http://w.test/wiki/Talk:P${i}`,
    `http://w.test/talk/P${i}`,
  ]).flat();

  it("lets a longer rule come before a shorter one that would take its text away", () => {
    expect(formsOf([colon, talk], urls)).toBe(60);
    const found = ordered([colon, talk], urls);
    expect(found.map(({ id }) => id)).toEqual([talk.id, colon.id]);
    expect(formsOf(found, urls)).toBe(30);
  });

  it("stays where another merges no more, and where a rule needs those before it", () => {
    const plain = [makeRule({ kind: "parameter", name: "sid", action: "remove" }), talk];
    expect(ordered(plain, urls)).toBe(plain);
    const behind = [colon, { ...talk, after: [colon.id] }];
    expect(ordered(behind, urls)).toBe(behind);
    const both = [...urls, ...urls.map((url) => url.replace("Talk:", "Talk/"))];
    const either = [colon, talk];
    expect(formsOf(ordered(either, both), both)).toBe(60);
  });

  it("loses no rule and never merges less than the order it was given", () => {
    const part = fc.constantFrom("a", "b", "/", ":", "a/b", "/a", "b:", "a:b");
    let gained = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(part, part), { minLength: 2, maxLength: 5 }),
        fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { minLength: 5, maxLength: 40 }),
        (pairs, paths) => {
          const rules = pairs.filter(([from, to]) => from !== to).map(([from, to]) => makeRule({ from, to }));
          const distinct = [...new Map(rules.map((rule) => [rule.id, rule])).values()];
          const list = [...new Set(paths.map((path) => `http://x.test/${path.join("/")}`))];
          const found = ordered(distinct, list);
          expect(found.map(({ id }) => id).sort()).toEqual(distinct.map(({ id }) => id).sort());
          const [before, after] = [formsOf(distinct, list), formsOf(found, list)];
          expect(after).toBeLessThanOrEqual(before);
          if (after < before) gained++;
        },
      ),
      { numRuns: 500 },
    );
    expect(gained).toBeGreaterThan(3);
  });
});

describe("rules that keep others from what they do", () => {
  const www = makeRule({ kind: "www", action: "drop" });
  // What it adds is never taken away, and "www." always is.
  const growing = makeRule({ from: "http://x.test/", to: "http://www.x.test/de/", start: true });
  const session = makeRule({ kind: "parameter", name: "sid", action: "remove" });
  const urls = Array.from({ length: 40 }, (_, i) => [
    `http://www.x.test/p${i}?sid=1`,
    `http://www.x.test/p${i}`,
    `http://x.test/p${i}?sid=2`,
  ]).flat();
  const chosen = (rules: readonly Rule[]) => toTheEnd(withoutHindering(rules, urls));

  it("go: without them more URLs become one", () => {
    expect(formsOf([www, growing, session], urls)).toBe(120);
    expect(chosen([www, growing, session])).toEqual([www, session]);
    expect(formsOf([www, session], urls)).toBe(40);
  });

  it("stay where somebody has decided so, or where another rule needs them", () => {
    const accepted: Rule = { ...growing, decision: "accepted" };
    expect(chosen([www, accepted, session])).toContain(accepted);
    const behind: Rule = { ...session, after: [growing.id] };
    expect(chosen([www, growing, behind])).toContain(growing);
    expect(chosen([www, session])).toEqual([www, session]);
  });
});
