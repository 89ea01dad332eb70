import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { dropCycles } from "#src/canon/cycles.js";
import { exportRules } from "#src/export/export-rules.js";
import { importRules } from "#src/export/import-rules.js";
import { expandPattern } from "#src/export/imports/expand-pattern.js";
import { refuseCharacters } from "#src/export/plan.js";
import { findTarget } from "#src/export/targets.js";
import type { Rule } from "#src/model.js";
import { parseUrl } from "#src/url/parse.js";
import { makeRule } from "../canon/make-rule.js";
import { hostileRuleLists, urlsAbout } from "../exports/hostile-rules.js";
import { randomUrls } from "../exports/random-urls.js";

const said = (text: string, file = "list") =>
  importRules(text, file).rules.map(({ kind, scope, ...rest }) => ({ kind, scope, ...rest }));
const removed = (text: string) =>
  importRules(text, "list").rules.map((rule) => ("name" in rule ? [rule.name, rule.scope] : rule.kind));
const reasons = (text: string) => importRules(text, "list").skipped.map(({ why }) => why);

describe("rules of others", () => {
  it("are candidates that say where they are from", () => {
    const [rule] = importRules("from,to\n/story?id=,/story_\n", "moved.csv").rules;
    expect(rule).toMatchObject({
      ...{ kind: "substring", from: "/story?id=", to: "/story_", start: false, end: false, scope: {} },
      ...{ status: "likely", decision: null, source: "imported", note: "from table in moved.csv" },
    });
    expect(rule!.id).toBe(makeRule({ from: "/story?id=", to: "/story_" }).id);
  });

  it("are read from duplicate-url-discarder's list", () => {
    const list = [
      {
        order: 0,
        processor: "queryRemoval",
        args: ["sid", "ref"],
        urlPattern: { include: ["shop.test", "a.test/item"] },
      },
      { order: 0, processor: "queryRemoval", args: ["utm_id"], urlPattern: { include: [""] } },
      { order: 0, processor: "queryRemoval", args: ["x"], urlPattern: { include: ["a.test"], exclude: ["a.test/b"] } },
      { order: 0, processor: "queryRemoval", args: ["x"], urlPattern: { include: ["a.test/*/dp"] } },
      { order: 0, processor: "queryRemovalExcept", args: [], urlPattern: { include: ["b.test"] } },
      { order: 0, processor: "normalizer", args: [], urlPattern: { include: [""] } },
    ];
    const text = JSON.stringify(list);
    expect(removed(text)).toEqual([
      ["sid", { host: "*.shop.test" }],
      ["ref", { host: "*.shop.test" }],
      ["sid", { host: "*.a.test", path: "/item" }],
      ["ref", { host: "*.a.test", path: "/item" }],
      ["utm_id", {}],
      "www",
      "trailingSlash",
    ]);
    expect(reasons(text)).toEqual([
      "it has exceptions",
      "its pattern has a wildcard or a query",
      "queryRemovalExcept is not a kind of rule here",
    ]);
  });

  it("are read from ClearURLs' providers, where a pattern is a list of names", () => {
    const text = JSON.stringify({
      providers: {
        shop: {
          urlPattern: "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?shop\\.(?:test|example)",
          rules: ["srs?", "p[fd]_id", "utm_[a-z]*"],
          rawRules: ["\\/ref=[^/?]*"],
          exceptions: ["^https?://shop.test/keep"],
        },
        all: { urlPattern: ".*", rules: ["fbclid"] },
        any: { urlPattern: "^https?:\\/\\/(?:[a-z0-9-]+\\.)*?amazon(?:\\.[a-z]{2,}){1,}", rules: ["qid"] },
      },
    });
    const names = ["srs", "sr", "pf_id", "pd_id"];
    expect(removed(text)).toEqual([
      ...names.flatMap((name) => [
        [name, { host: "*.shop.test" }],
        [name, { host: "*.shop.example" }],
      ]),
      ["fbclid", {}],
    ]);
    expect(importRules(text, "list").rules[0]!.note).toBe(
      "from ClearURLs in list; ClearURLs has exceptions to it (shop)",
    );
    expect(reasons(text)).toEqual([
      "a pattern on the whole URL is not a kind of rule here",
      "it matches too many names",
      "its URLs are not a host with a path",
    ]);
  });

  it("are read from filter lists", () => {
    const text = [
      "[Adblock Plus 2.0]",
      "! a comment with $removeparam=x",
      "||ads.test^$third-party",
      "$removeparam=utm_source",
      "*$removeparam=fbclid",
      "||shop.test^$removeparam=sid",
      "||shop.test/item$removeparam=/^(?:ref|src)=/",
      "$removeparam=gclid,domain=a.test|b.test",
      "@@||shop.test^$removeparam=sid",
      "||b.test^$removeparam",
      "||b.test^$removeparam=~id",
      "||b.test^$removeparam=/^utm_/",
      "/news/*$removeparam=x",
    ].join("\n");
    expect(removed(text)).toEqual([
      ["utm_source", {}],
      ["fbclid", {}],
      ["sid", { host: "*.shop.test" }],
      ["ref", { host: "*.shop.test", path: "/item" }],
      ["src", { host: "*.shop.test", path: "/item" }],
      ["gclid", { host: "*.a.test" }],
      ["gclid", { host: "*.b.test" }],
    ]);
    expect(reasons(text)).toHaveLength(5);
  });

  it("are read from regex-normalize.xml where they are literal", () => {
    const text = `<?xml version="1.0"?>
<regex-normalize>
  <!-- <regex><pattern>no</pattern><substitution>yes</substitution></regex> -->
  <regex><pattern>&amp;amp;</pattern><substitution>&amp;</substitution></regex>
  <regex><pattern>/(?:index|default)\\.html$</pattern><substitution>/</substitution></regex>
  <regex><pattern>(?i)(;?\\bsid=.*?)(\\?|&amp;|#|$)</pattern><substitution>$2</substitution></regex>
  <regex><pattern>&amp;{2,}</pattern><substitution>&amp;</substitution></regex>
</regex-normalize>`;
    expect(said(text)).toMatchObject([
      { from: "&amp;", to: "&", start: false, end: false },
      { from: "/index.html", to: "/", end: true },
      { from: "/default.html", to: "/", end: true },
    ]);
    expect(reasons(text)).toEqual(["its substitution refers to groups", "its pattern matches too many texts"]);
  });

  it("are read from tables: whole URLs mean themselves, all else a part", () => {
    const tabs = "http://a.test/old\thttp://a.test/new\n/x\t/y\n# a comment\n";
    expect(said(tabs)).toMatchObject([
      { from: "http://a.test/old", to: "http://a.test/new", start: true, end: true },
      { from: "/x", to: "/y", start: false, end: false },
    ]);
    expect(said('"/a,b","/c"\n')).toMatchObject([{ from: "/a,b", to: "/c" }]);
    // Replaced by nothing, with quotes and without.
    expect(said('"/a,b",\n/c,\n')).toMatchObject([
      { from: "/a,b", to: "" },
      { from: "/c", to: "" },
    ]);
    expect(reasons("a,b\nc\nd,d\ne,f\ng,h\n")).toEqual(["it has not two columns", "both columns are the same"]);
  });

  it("are refused with what was expected where the file is something else", () => {
    for (const text of ["", "one word", "a, b, c\nd, e, f\n", '{ "a": 1 }', "[1, 2]"]) {
      expect(() => importRules(text, "x.txt")).toThrow(/x\.txt.*not a list of rules that dustpan knows/s);
    }
    expect(() => importRules("{", "x.json")).toThrow("not JSON");
  });
});

describe("a hostile list", () => {
  const xml = (pattern: string) =>
    `<regex-normalize><regex><pattern>${pattern}</pattern><substitution>/b</substitution></regex></regex-normalize>`;

  it("has no definitions that are followed, and no text that is misread", () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]>${xml("/&b;")}`;
    for (const text of [bomb, xml("/&constructor;"), xml("/&#x110000;"), xml("/&#0;"), xml("/a&b")]) {
      expect([text, said(text), reasons(text).length]).toEqual([text, [], 1]);
    }
    expect(said(xml("<![CDATA[/a&b]]>"))).toMatchObject([{ from: "/a&b", to: "/b" }]);
  });

  it("has nothing that no URL has", () => {
    const control = '[{"processor":"queryRemoval","args":["a\\u0000"],"urlPattern":{"include":[""]}}]';
    expect([said(control), reasons(control)]).toEqual([[], ["it has a control character"]]);
    expect(said("/a\u001b[31m,/b\n/c,/d\n")).toMatchObject([{ from: "/c" }]);
  });

  it("is read or refused, whatever is missing in it", () => {
    for (const text of ['{"providers":null}', "[null]", '{"providers":7}'])
      expect(() => importRules(text, "list")).toThrow("not a list of rules that dustpan knows");
    const holes = '{"providers":{"a":null,"b":{"urlPattern":".*","rules":[1,null,"x"]}}}';
    expect(removed(holes)).toEqual([["x", {}]]);
    expect(removed('[{"processor":"queryRemoval","args":["a"],"urlPattern":null}]')).toEqual([]);
  });

  it("has no more groups in groups than anybody would write", () => {
    const deep = JSON.stringify({ providers: { a: { urlPattern: ".*", rules: ["(".repeat(20_000), "(((a|b)))"] } } });
    expect([removed(deep), reasons(deep)]).toEqual([
      [
        ["a", {}],
        ["b", {}],
      ],
      ["it matches too many names"],
    ]);
  });
});

describe("expandPattern", () => {
  it("lists all texts of a simple pattern", () => {
    expect(expandPattern("a(?:b|c)?[de]")).toEqual(["abd", "abe", "acd", "ace", "ad", "ae"]);
    expect(expandPattern("utm\\.x|y-z")).toEqual(["utm.x", "y-z"]);
    for (const many of ["a*", "a+", "a{2}", ".", "[^a]", "\\d", "(?=a)", "a)", "(a", "^a", "[a-z][a-z][a-z]"]) {
      expect([many, expandPattern(many)]).toEqual([many, undefined]);
    }
  });
});

describe("what is exported and imported again", () => {
  /** As a list that export writes and import reads: every text that means something somewhere, in every kind of rule. */
  const expectAlike = (before: readonly Rule[], text: string, urls: readonly string[]) => {
    const imported = importRules(text, "again");
    expect(imported.skipped).toEqual([]);
    const [once, twice] = [before, imported.rules].map((rules) => compile(rules, { use: asTheyAre }));
    for (const url of urls) expect([url, twice!(url)]).toEqual([url, once!(url)]);
  };
  const targets = ["duplicate-url-discarder", "clearurls", "adguard", "nutch"];

  it.each(targets)("canonizes alike: removed parameters by %s", (target) => {
    const name = fc.constantFrom("sid", "utm_source", "ref", "q[]", "a.b", "x-y", "SID", "amp;sid", "a|b", "(c)", "é");
    const scope = fc.record(
      {
        host: fc.constantFrom("shop.test", "*.shop.test", "forum.test", "*.forum.test"),
        path: fc.constantFrom("/docs", "/item/", "/a+b", "/x.y"),
      },
      { requiredKeys: [] },
    );
    const rule = fc
      .tuple(name, scope)
      .map(([own, where]) => makeRule({ kind: "parameter", name: own, action: "remove", scope: where }));
    const other = fc.constantFrom(makeRule({ kind: "case" }), makeRule({ from: "/a", to: "/b" }));
    const urls = [
      ...randomUrls(60, 5),
      "http://m.shop.test/item/?ref=1&q[]=2&a.b&x-y=3&SID&(c)=1",
      "http://forum.test:8/x.y?é=1",
    ];
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.oneof({ weight: 9, arbitrary: rule }, other), { selector: ({ id }) => id, maxLength: 8 }),
        (rules) => {
          const exported = exportRules(rules, findTarget(target));
          fc.pre(exported.rules.length > 0);
          expectAlike(exported.rules, exported.text, urls);
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each(targets)("canonizes alike: every kind of rule, of texts that mean something elsewhere, by %s", (target) => {
    let rules = 0;
    for (const [i, list] of hostileRuleLists(target === "nutch" ? 100 : 600, 47).entries()) {
      const exported = exportRules(list, findTarget(target));
      if (exported.rules.length === 0) continue;
      rules += exported.rules.length;
      expectAlike(exported.rules, exported.text, urlsAbout(exported.rules, 40, i));
    }
    expect(rules).toBeGreaterThan(20);
  });

  it("canonizes alike: substitutions and whole URLs in a table", () => {
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const whole = randomUrls(400, 6).filter((url) => url.length < 200 && parseUrl(url) !== undefined);
    let rows = 0;
    for (const [i, list] of hostileRuleLists(600, 48).entries()) {
      // Blanks around a cell are not part of it.
      const parts = list.flatMap((rule) =>
        rule.kind === "substring" && refuseCharacters(rule) === undefined && !/^ | $/m.test(`${rule.from}\n${rule.to}`)
          ? [{ from: rule.from, to: rule.to }]
          : [],
      );
      const pair = { from: whole[i % whole.length]!, to: whole[(7 * i + 1) % whole.length]!, start: true, end: true };
      const fit = [...parts, ...(pair.from === pair.to ? [] : [pair])].map((each) => ({ each, rule: makeRule(each) }));
      const kept = new Set(dropCycles(fit.map(({ rule }) => rule)).rules);
      const own = fit.filter(({ rule }) => kept.has(rule));
      if (own.length === 0) continue;
      rows += own.length;
      const text = own.map(({ each: { from, to } }) => `${quoted(from)},${quoted(to)}\n`).join("");
      const rules = own.map(({ rule }) => rule);
      expectAlike(rules, `from,to\n${text}`, [...urlsAbout(rules, 40, i), pair.from, `${pair.from}x`]);
    }
    expect(rows).toBeGreaterThan(300);
  });

  it("is refused where somebody changed Nutch's substitutions, or where it is a list of URLs", () => {
    const { text } = exportRules([makeRule({ from: "/a--b", to: "/b" })], findTarget("nutch"));
    expect(said(text)).toMatchObject([{ from: "/a--b", to: "/b" }]);
    expect(said(text.replaceAll("\n", "\r\n"))).toMatchObject([{ from: "/a--b", to: "/b" }]);
    const changed = [
      text.replace("a--b</pattern>", "a--c</pattern>").replace("/a--b", "/a--c"),
      text.replace(/^.*The same rules.*$/m, ""),
      text.replace('"rules":[', '"rules":[7,'),
      text.replace('"rules":[', '"rules":[{"kind":"case"},'),
      text.replace("</regex-normalize>", "<regex><pattern>x</pattern></regex></regex-normalize>"),
    ];
    for (const each of changed) {
      expect(each).not.toBe(text);
      expect(() => importRules(each, "regex-normalize.xml")).toThrow("was made by dustpan export");
    }
    const links =
      '# Made by "dustpan export --to canonical-links"\nhttp://a.test/?s=1\t<link rel="canonical" href="http://a.test/">\n';
    expect(() => importRules(links, "canonical-links.tsv")).toThrow("was made by dustpan export");
  });
});
