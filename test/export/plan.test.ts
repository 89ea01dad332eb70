import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { ruleKinds } from "#src/canon/kinds.js";
import { type ExportOptions, exportRules } from "#src/export/export-rules.js";
import type { Target } from "#src/export/target.js";
import { exportTargets, findTarget } from "#src/export/targets.js";
import type { Certificate, Rule } from "#src/model.js";
import { rulesName } from "#src/validate/certificate-state.js";
import { makeRule } from "../canon/make-rule.js";
import { randomRuleLists } from "../exports/random-rules.js";

/** Writes the ids, and refuses what the test says. */
function target(refuse: Target["refuse"], uses: Target["uses"] = ["key", "redirect"]): Target {
  return {
    ...{ name: "test", title: "a test", expresses: "what it is told", file: "ids", uses, refuse },
    write: (rules, notes) => [...notes, ...rules.map(({ id }) => id)].join("\n"),
  };
}

const sid = makeRule({ kind: "parameter", name: "sid", action: "remove" });
const ref = makeRule({ kind: "parameter", name: "ref", action: "remove" });
const behind: Rule = { ...makeRule({ kind: "parameter", name: "behind", action: "remove" }), after: [sid.id] };
const farBehind: Rule = { ...makeRule({ kind: "parameter", name: "far", action: "remove" }), after: [behind.id] };

describe("what a target gets", () => {
  it("is every rule in use that it can say, and the file says that all are there", () => {
    const likely = makeRule({ kind: "case", status: "likely" });
    const { rules, leftOut, text } = exportRules(
      [sid, likely, { ...ref, decision: "rejected" }],
      target(() => undefined),
    );
    expect(rules).toEqual([sid]);
    expect(leftOut).toEqual([]);
    expect(text).toContain("The only rule is here.");
  });

  it("is without what it refuses and without what depends on that, wherever it stands in the list", () => {
    const refuse = (rule: Rule) => (rule.id === sid.id ? "it says so" : undefined);
    for (const list of [
      [sid, behind, farBehind, ref],
      [farBehind, behind, ref, sid],
    ]) {
      const { rules, leftOut, text } = exportRules(list, target(refuse));
      expect(rules).toEqual([ref]);
      expect(new Map(leftOut.map(({ rule, reason }) => [rule.id, reason]))).toEqual(
        new Map([
          [sid.id, "it says so"],
          [behind.id, `it was proven only after ${sid.id}, which is left out`],
          [farBehind.id, `it was proven only after ${behind.id}, which is left out`],
        ]),
      );
      expect(text).toContain("1 of 4 rules are here.");
      expect(text).toContain("Not certified: what was shown of all rules together is not shown of a part of them.");
      for (const rule of [sid, behind, farBehind]) expect(text).toContain(`${rule.id} (drop ?`);
    }
  });

  it("says where no certificate speaks for it, and nothing where one does", () => {
    const ofForum = { ...sid, site: "forum.test" };
    const certificate: Certificate = {
      ...{ site: "forum.test", certified: true, changed: 9, tried: 9, gone: 0, notComparable: 0, wrong: 0, atMost: 0 },
      ...{ assurance: 0.01, attempt: 1, rules: rulesName([ofForum]), list: "known", at: "2026-01-01T00:00:00.000Z" },
    };
    const doubts = (rules: readonly Rule[], options: ExportOptions = {}) => {
      const exported = exportRules(
        rules,
        target(() => undefined),
        options,
      );
      for (const doubt of exported.doubts) expect(exported.text).toContain(doubt);
      return exported.doubts;
    };
    const certificates = [certificate];
    expect(doubts([ofForum], { certificates })).toEqual([]);
    expect(doubts([ofForum])).toEqual(["forum.test: not certified: the rules in use were never tried together."]);
    expect(doubts([sid])).toEqual(["Not certified: the rules in use were never tried together."]);
    expect(doubts([ofForum, { ...ref, site: "forum.test" }], { certificates })).toEqual([
      "forum.test: not certified: the rules in use are others than those that were tried together.",
    ]);
    expect(doubts([ofForum, { ...ref, site: "shop.test" }], { certificates })).toEqual([
      "shop.test: not certified: the rules in use were never tried together.",
    ]);
    expect(doubts([ofForum], { certificates, status: "valid" })).toHaveLength(1);
    expect(doubts([])).toEqual([]);
  });

  it("knows which rules were taken before", () => {
    const seen: number[] = [];
    const refuse: Target["refuse"] = (_, taken) => {
      seen.push(taken.length);
      return taken.length === 1 ? "one is enough" : undefined;
    };
    expect(exportRules([sid, ref], target(refuse)).rules).toEqual([sid]);
    expect(seen.slice(0, 2)).toEqual([0, 1]);
  });

  it("has no circle that a rule left out kept shut", () => {
    // "a" becomes "b", then "c", which ends; without the middle rule the others swap forever.
    const there = makeRule({ from: "-x-", to: "-y-" });
    const away = makeRule({ from: "-y-", to: "-" });
    const back = makeRule({ from: "-y-", to: "-x-" });
    const refuse = (rule: Rule) => (rule.id === away.id ? "no" : undefined);
    const { rules, leftOut } = exportRules([there, away, back], target(refuse));
    expect(rules).toEqual([there]);
    expect(leftOut.map(({ rule }) => rule.id).sort()).toEqual([away.id, back.id].sort());
  });

  it("redirects by proven rules only, in the proven direction, and not where the site redirects itself", () => {
    const evidence = { positive: 9, negative: 0, similarity: "digest", checkedAt: "2026-01-01" };
    const rest = { canonicalised: 0, canonicalConflicts: 0, examples: [], counterExamples: [] };
    const redirected = { ...ref, evidence: { ...evidence, ...rest, redirected: 3 } } as Rule;
    const accepted = makeRule({ kind: "case", status: "likely", decision: "accepted" });
    const turned: Rule = {
      ...makeRule({ from: "/story_", to: "/story?id=", status: "refuted" }),
      opposite: { status: "valid", positive: 9, negative: 0 },
    };
    const rules = [sid, redirected, accepted, turned];
    expect(
      exportRules(
        rules,
        target(() => undefined),
        { use: "redirect" },
      ).rules,
    ).toMatchObject([{ id: sid.id }, { id: turned.id, from: "/story?id=", to: "/story_" }]);
    expect(
      exportRules(
        rules,
        target(() => undefined),
      ).rules,
    ).toHaveLength(4);
    expect(() =>
      exportRules(
        rules,
        target(() => undefined, ["key"]),
        { use: "redirect" },
      ),
    ).toThrow("--as redirect: test has no place for that");
  });

  it("is chosen by verdict where asked, but never a rejected rule", () => {
    const likely = makeRule({ kind: "case", status: "likely" });
    const rejected = makeRule({ kind: "parameterOrder", status: "likely", decision: "rejected" });
    const { rules } = exportRules(
      [sid, likely, rejected],
      target(() => undefined),
      { status: "likely" },
    );
    expect(rules).toEqual([likely]);
  });
});

describe("all targets", () => {
  it("refuse a kind of rule that they do not know, unless they carry canonization itself", () => {
    const carriers = ["javascript", "crawlee", "worker"];
    const unknown = { ...sid, kind: "fromTheFuture" } as unknown as Rule;
    for (const each of exportTargets.filter(({ name }) => !carriers.includes(name))) {
      expect([each.name, typeof each.refuse(unknown, [], each.uses[0]!)]).toEqual([each.name, "string"]);
    }
  });

  const lists = randomRuleLists(300, 11);

  it("are tried with every kind of rule in the real programs and at random", () => {
    const { rules } = parseRulesFile(readFileSync(new URL("../exports/rules.json", import.meta.url), "utf8"));
    for (const list of [rules, lists.flat()]) {
      expect([...new Set(list.map(({ kind }) => kind))].sort()).toEqual([...ruleKinds].sort());
    }
  });

  it("write each rule or name it with a reason, whatever its kind and scope", () => {
    for (const each of exportTargets) {
      for (const use of each.uses) {
        let written = 0;
        for (const list of lists.slice(0, 30)) {
          const { rules, leftOut, text } = exportRules(list, each, { use });
          expect(rules.length + leftOut.length).toBe(list.length);
          const named = leftOut.filter(({ rule, reason }) => text.includes(rule.id) && reason !== "");
          expect([each.name, named]).toEqual([each.name, leftOut]);
          written += rules.length;
        }
        expect([each.name, written > 0]).toEqual([each.name, true]);
      }
    }
  });

  it("keep a rule's text inside their comments and literals", () => {
    // What would end a comment, a string or a line in one language or another.
    const nasty = "x\n*/ ' \" ` \\ #{2} \x24{1} %3 $4 \u2028 --> ]]> EOF";
    const hostile = makeRule({ from: nasty, to: "", scope: { path: `/${nasty}` } });
    for (const each of exportTargets) {
      const { text } = exportRules([hostile, sid], each);
      expect([each.name, text.includes(nasty)]).toEqual([each.name, false]);
    }
  });

  it("leave out a rule with half of a character, which no URL has and compilers refuse", () => {
    const half = makeRule({ kind: "parameter", name: "\ud83d", action: "remove" });
    const halfAsked = makeRule({
      kind: "parameter",
      name: "a",
      action: "remove",
      scope: { parameters: { "\ude00": true } },
    });
    const whole = makeRule({ kind: "substring", from: "/😀", to: "/smile" });
    for (const each of exportTargets) {
      const { rules, leftOut } = exportRules([half, halfAsked, sid, whole], each);
      expect([each.name, rules.includes(half), rules.includes(halfAsked)]).toEqual([each.name, false, false]);
      const reasons = leftOut.filter(({ rule }) => rule === half || rule === halfAsked).map(({ reason }) => reason);
      expect(reasons).toEqual(["it has half of a character", "it has half of a character"]);
    }
    expect(exportRules([whole], findTarget("go")).rules).toEqual([whole]);
  });

  it("leave out a rule that no URL is in the scope of, which whole URLs would be compared with", () => {
    const nowhere = [{ path: "/index?a=" }, { path: "/a#b" }, { script: "a?b" }].map((scope) =>
      makeRule({ kind: "parameter", name: "sid", action: "remove", scope }),
    );
    for (const each of exportTargets) {
      const reasons = exportRules(nowhere, each).leftOut.map(({ reason }) => reason);
      const reason = 'its scope is a path with "?" or "#" in it, and no URL has one';
      expect([each.name, reasons]).toEqual([each.name, nowhere.map(() => reason)]);
    }
  });

  it("leave out characters that XML has no place for, where they are XML", () => {
    const odd = [makeRule({ from: "/a\uffff/", to: "/b/" }), makeRule({ from: "-a/", to: "-b\ufffe/" })];
    for (const name of ["nutch", "heritrix"]) {
      const { rules, leftOut } = exportRules(odd, findTarget(name));
      expect([name, rules, leftOut.map(({ reason }) => reason)]).toEqual([
        name,
        [],
        odd.map(() => "it has a character that XML has no place for"),
      ]);
    }
  });

  it("leave out a rule with a control character, which programs encode or end a line at", () => {
    const nul = makeRule({ kind: "parameter", name: "a", action: "set", value: "\u0000" });
    const line = makeRule({ from: "/a", to: "/b\n" });
    for (const each of exportTargets) {
      const reasons = exportRules([nul, line, sid], each).leftOut.flatMap(({ rule, reason }) =>
        rule === sid ? [] : [reason],
      );
      expect([each.name, reasons]).toEqual([each.name, ["it has a control character", "it has a control character"]]);
    }
  });

  it("write no comment that nginx cannot read or in which Java reads a line's end", () => {
    const long = makeRule({ from: `/\\u000a${"é".repeat(5000)}`, to: "/l" });
    const { text, leftOut } = exportRules([long, sid], findTarget("nginx"));
    expect(leftOut.map(({ rule }) => rule)).toEqual([long]);
    const comments = text.split("\n").filter((line) => line.startsWith("#"));
    expect(comments.join("\n")).toContain(long.id);
    expect(comments.filter((line) => Buffer.byteLength(line) > 4000 || line.includes("\\u"))).toEqual([]);
  });

  it("have names of their own, and a wrong one is answered with all of them", () => {
    expect(new Set(exportTargets.map(({ name }) => name)).size).toBe(exportTargets.length);
    expect(() => findTarget("nginks")).toThrow(/--to nginks: .*javascript/);
  });
});

it("a value that is too long to look for all others is left out of expressions, and does not make them grow", () => {
  const long = makeRule({ kind: "parameter", name: "view", action: "set", value: "a-".repeat(1500) });
  for (const name of ["nginx", "apache", "caddy", "varnish", "nutch", "heritrix"]) {
    const { leftOut, text } = exportRules([long], findTarget(name));
    expect([name, leftOut.map(({ reason }) => reason)]).toEqual([name, ["a value is too long to look for all others"]]);
    expect(text.length).toBeLessThan(20_000);
  }
});
