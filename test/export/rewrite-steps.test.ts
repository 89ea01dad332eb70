import fc from "fast-check";
import { expect, it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { findCycles } from "#src/canon/cycles.js";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { exportRules } from "#src/export/export-rules.js";
import { beginWith, nextSteps, placeAfter, placeUpTo, type Step, unsettledStep } from "#src/export/rewrite-steps.js";
import { rewritesOf } from "#src/export/rewrites/rules.js";
import { findTarget } from "#src/export/targets.js";
import type { Rule } from "#src/model.js";
import { normalize } from "#src/url/normalize.js";
import { isUrl } from "../exports/agreement.js";
import { hostileRuleLists, urlsAbout } from "../exports/hostile-rules.js";

function rulesFrom(actions: readonly object[]): readonly Rule[] {
  const rules = actions.map((action) => ({ ...action, status: "valid" }));
  return parseRulesFile(JSON.stringify({ format: "dustpan-rules", version: 2, rules }), "test").rules;
}

type Substitute = (text: string) => string | undefined;

function substitution({ pattern, replacement }: Step): Substitute {
  const expression = new RegExp(pattern);
  return (text) => {
    const match = expression.exec(text);
    return match?.length === undefined
      ? undefined
      : replacement.map((piece) => (typeof piece === "number" ? match[piece] : piece)).join("");
  };
}

/** What a program without loops does, with as many steps as it takes. */
function canonizerInSteps(rules: readonly Rule[]): (url: string) => string {
  const steps = nextSteps(rules.map(rewritesOf).filter((rewrites) => typeof rewrites !== "string")).map(substitution);
  const finish = substitution(unsettledStep);
  return (url) => {
    let text = beginWith(url);
    for (let count = 0; count < 2000 && text.includes(" "); count++) {
      let next: string | undefined;
      for (const step of steps) {
        next = step(text);
        if (next !== undefined) break;
      }
      if (next === undefined) break;
      text = next;
    }
    return finish(text) ?? text;
  };
}

const name = fc.constantFrom("a", "b", "sid", "amp;a", "a.b");
const value = fc.constantFrom("", "1", "ab", "x.y", "a=b");
const host = fc.constantFrom(
  "a.test",
  "www.a.test",
  "b.test",
  "a",
  "story.test",
  "www.www.b.test",
  "www.b",
  "10.0.0.1",
);
const text = fc
  .array(fc.constantFrom("/", "a", "b", ".", "-", "?", "&", "=", ";", "story", "1", "www.", "amp", "http", ":", "_"), {
    maxLength: 4,
  })
  .map((parts) => parts.join(""));
const scope = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.record(
    {
      host: fc.constantFrom("a.test", "*.a.test"),
      path: fc.constantFrom("/", "/a", "/a/"),
      script: fc.constantFrom("a", "a.b", "", "a/"),
      parameters: fc.dictionary(name, fc.constantFrom(true, false, "1", ""), { maxKeys: 2 }),
    },
    { requiredKeys: [] },
  ),
);
const action = fc.oneof(
  fc.record({
    kind: fc.constant("substring"),
    from: text,
    to: text,
    start: fc.constantFrom(false, false, true),
    end: fc.constantFrom(false, false, true),
  }),
  fc.record({ kind: fc.constant("parameter"), name, action: fc.constant("remove"), place: fc.constantFrom("query") }),
  fc.record({
    kind: fc.constant("parameter"),
    name,
    action: fc.constant("set"),
    value: fc.constantFrom("1", "ab", ""),
  }),
  fc.record({
    kind: fc.constant("parameter"),
    name: fc.constantFrom("a", "sid"),
    action: fc.constant("remove"),
    place: fc.constant("path"),
  }),
  fc.record({ kind: fc.constant("repeatedParameter"), name, keep: fc.constantFrom("first", "last") }),
  fc.record({ kind: fc.constant("emptyParameter"), name }),
  fc.record({ kind: fc.constant("emptyParameter") }),
  fc.record({ kind: fc.constantFrom("trailingSlash", "www"), action: fc.constantFrom("drop", "add") }),
  fc.record({ kind: fc.constant("indexPage"), name: fc.constantFrom("a", "story", "a.b") }),
  fc.record({
    kind: fc.constant("extension"),
    extension: fc.constantFrom(".b", ".a"),
    action: fc.constantFrom("drop", "add"),
  }),
  fc.record({ kind: fc.constantFrom("percentEncoding", "repeatedSlash") }),
  fc.record({ kind: fc.constant("scheme"), scheme: fc.constantFrom("http", "https") }),
  fc
    .constantFrom(
      ["/story{id:rest}", "/a{id:rest}"],
      ["/{a:segment}/{b:segment}", "/b{a:segment}"],
      ["/{a:segment}-{b:word}", "/{b:word}/{a:segment}"],
      ["/{a:word}?{n:word}={v:segment}", "/{v:segment}_{n:word}"],
    )
    .map(([from, to]) => ({ kind: "template", from, to })),
);
const parameter = fc
  .tuple(fc.oneof(name, fc.constantFrom("", "amp", "ab", "A")), fc.option(value))
  .map(([own, given]) => (given === null ? own : `${own}=${given}`));
const query = fc
  .array(fc.tuple(fc.constantFrom("&", "&", ";"), parameter), { maxLength: 6 })
  .map((all) => all.map(([separator, each], i) => (i === 0 ? `?${each}` : separator + each)).join(""));
const path = fc
  .array(
    fc.constantFrom("/", "/a", "/b", "/story", "-", "_1", ".b", ";sid=1", ";a=2", "a", "/story?a=", "//", "%28", "%2F"),
    {
      maxLength: 6,
    },
  )
  .map((parts) => `/${parts.join("")}`);
const url = fc
  .tuple(fc.constantFrom("http", "https"), host, fc.constantFrom("", ":81"), path, query)
  .map(([scheme, ...parts]) => normalize(`${scheme}://${parts.join("")}`).url);

it("leaves out templates that expressions would divide in many ways", () => {
  const template = (from: string, to: string) => rewritesOf(rulesFrom([{ kind: "template", from, to }])[0]!);
  expect(template("/{a:segment}-{b:segment}/{c:rest}", "/{c:rest}")).toBeTypeOf("object");
  expect(template("/{a:segment}-{b:segment}-{c:segment}", "/{c:segment}")).toMatch(/divided in many ways/);
});

it("steps of substitutions end in the canonical URL, whatever the rules that have them", () => {
  let exported = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(action, scope), { minLength: 1, maxLength: 3 }),
      fc.array(url, { minLength: 8, maxLength: 8 }),
      (drawn, urls) => {
        let rules: readonly Rule[];
        try {
          rules = rulesFrom(drawn.map(([own, where]) => ({ ...own, scope: where })));
        } catch {
          return;
        }
        const said = rules.filter((rule) => typeof rewritesOf(rule) !== "string");
        if (said.length === 0 || findCycles(said).length > 0) return;
        exported++;
        const canon = compile(said, { use: asTheyAre });
        const inSteps = canonizerInSteps(said);
        for (const each of urls) expect(inSteps(each), each).toBe(canon(each));
      },
    ),
    { numRuns: Number(process.env.DUSTPAN_RUNS ?? 300) },
  );
  expect(exported).toBeGreaterThan(50);
});

it("brackets in a rule are written so that Java reads them too, where a class in a class is one more class", () => {
  const rules = rulesFrom([
    { kind: "parameter", name: "a", action: "set", value: "[N]", scope: { path: "/[x]" } },
    { kind: "parameter", name: "b", action: "remove", scope: { path: "/[x]", script: "[y" } },
  ]);
  const patterns = [
    ...nextSteps(rules.map(rewritesOf).filter((rewrites) => typeof rewrites !== "string")).map(
      ({ pattern }) => pattern,
    ),
    // In a string of Spark every backslash is two.
    exportRules(rules, findTarget("spark")).text.replaceAll("\\\\", "\\"),
  ];
  const withoutEscapes = patterns.map((pattern) => pattern.replaceAll(/\\./g, ""));
  expect(withoutEscapes.filter((pattern) => /\[[^\]]*\[/.test(pattern))).toEqual([]);
  expect(patterns.join(" ")).toContain("\\[y");
});

it("tells how many rules are done by a pattern that takes that number and all below it, and no other", () => {
  for (const most of [0, 1, 9, 10, 19, 99, 100, 101, 230, 999, 1000, 1099]) {
    const pattern = new RegExp(`^${placeUpTo(most)}!$`);
    const taken = Array.from({ length: 1200 }, (_, done) => done).filter((done) =>
      pattern.test(`${placeAfter(done)}!`),
    );
    expect(taken, String(most)).toEqual(Array.from({ length: most + 1 }, (_, done) => done));
  }
});

it("a rule among thousands takes little more room than one among few", () => {
  const length = (count: number) => {
    const actions = Array.from({ length: count }, (_, i) => ({ kind: "substring", from: `/a${i}/`, to: `/b${i}/` }));
    const rewrites = rulesFrom(actions).map(rewritesOf);
    return JSON.stringify(nextSteps(rewrites.filter((each) => typeof each !== "string"))).length;
  };
  expect(length(400) / length(100)).toBeLessThan(5);
  expect(placeUpTo(99_999).length).toBeLessThan(200);
});

it("steps of many rules end in the canonical URL, too", () => {
  const rules = rulesFrom(
    Array.from({ length: 130 }, (_, i) => ({
      kind: "substring",
      from: `/a${i}/`,
      to: `/a${i + 1}/`,
      start: false,
      end: false,
    })),
  );
  const inSteps = canonizerInSteps(rules);
  const canon = compile(rules, { use: asTheyAre });
  for (const each of ["http://a.test/a0/x", "http://a.test/a99/a7/", "http://a.test/a129/a0/a128/"]) {
    expect(inSteps(each)).toBe(canon(each));
    expect(inSteps(each)).not.toBe(each);
  }
});

it.each(["nginx", "apache", "caddy", "varnish", "fastly", "nutch", "heritrix"])(
  "the file for %s grows with the number of rules, not with its square",
  (name) => {
    const sizeOf = (count: number) =>
      exportRules(
        rulesFrom(Array.from({ length: count }, (_, i) => ({ kind: "parameter", name: `p${i}x`, action: "remove" }))),
        findTarget(name),
      ).text.length;
    expect(sizeOf(640) / sizeOf(160)).toBeLessThan(4.6);
  },
);

it("does what canonization does: rules of texts that mean something elsewhere, in chains, on hosts that are none", () => {
  let changed = 0;
  for (const [i, list] of hostileRuleLists(300, 49).entries()) {
    const { rules } = exportRules(list, findTarget("nutch"));
    const [steps, canon] = [canonizerInSteps(rules), compile(rules, { use: asTheyAre })];
    // A space divides the steps' text: programs are not asked for such URLs.
    for (const url of urlsAbout(list, 40, i).filter((each) => isUrl(each) && !each.includes(" "))) {
      expect([url, steps(url)]).toEqual([url, canon(url)]);
      if (canon(url) !== url) changed++;
    }
  }
  expect(changed).toBeGreaterThan(1000);
});
