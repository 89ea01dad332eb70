/** Random rules and URLs. */
import fc from "fast-check";
import { problemOf } from "#src/canon/check-rule.js";
import { reverse } from "#src/canon/kinds.js";
import type { Rule, Scope } from "#src/model.js";
import { makeRule, type RuleWords } from "./make-rule.js";

// Few different pieces, so that rules meet URLs and each other; some of them hostile.
const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("a", "b", "/", ".", "-", "?", "&", "=") },
  { weight: 2, arbitrary: fc.constantFrom("A", "a1", ";", "&amp;", "$", "amp", "?b&a=1", ";a=1", "//", "@", ":") },
  fc.constantFrom(
    "é",
    "🔥",
    "\ud83d",
    "\udd25",
    "\ufffd",
    "\uffff",
    "%",
    "%2f",
    "%28",
    "%C3%A9",
    "%zz",
    "#",
    " ",
    "\n",
    "\\",
  ),
);
const text = (maxLength: number) => fc.array(piece, { maxLength }).map((pieces) => pieces.join(""));
const names = ["a", "b", "a1", "amp", "a.b", "é", "\ud800", "\uffff", "a?", "amp;a", "amp;amp"] as const;
const name = fc.oneof({ weight: 3, arbitrary: fc.constantFrom("a", "b") }, fc.constantFrom(...names));
const scope: fc.Arbitrary<Scope> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.constantFrom<Scope[]>(
    { host: "a.test" },
    { host: "*.a.test" },
    { host: "b.a.test" },
    { path: "/a" },
    { path: "/" },
    { script: "a" },
    { script: "" },
    { script: "a/" },
    { parameters: { a: true } },
    { host: "a.test", path: "/a", script: "B", parameters: { "amp;a": true } },
    { parameters: { "amp;a": true } },
    { parameters: { a: false } },
    { parameters: { b: false, a: true } },
    { parameters: { a: "" } },
    { parameters: { a: "b=1" } },
    { parameters: { a: "a", b: "a" } },
    { host: "*.test", path: "/b" },
  ),
);
const keep = fc.constantFrom("first", "last");
const place = fc.constantFrom("query", "path");
const value = fc.constantFrom("", "a", "b=1", "amp", "%", "é");
const capture = fc.tuple(fc.constantFrom("x", "y"), fc.constantFrom("number", "hex", "word", "segment", "rest"));
const part = fc.oneof(
  fc.constantFrom("/", "/a", "a", ".b", "?", "?a=", "&b=", "1"),
  capture.map(([own, type]) => `{${own}:${type}}`),
);
const side = fc.array(part, { minLength: 1, maxLength: 4 }).map((pieces) => `/${pieces.join("")}`);
const templates = fc.constantFrom(
  { from: "/{x:segment}", to: "/q.1?x={x:segment}" },
  { from: "/{x:segment}?{y:rest}", to: "/q.1/{x:segment}?{y:rest}" },
  { from: "/{x:rest}?{y:word}={z:segment}", to: "/{x:rest}/{y:word}/{z:segment}" },
  { from: "/{x:word}/{y:rest}", to: "/{y:rest}.{x:word}" },
  { from: "/a{x:rest}", to: "/q.1{x:rest}" },
);
const words: fc.Arbitrary<RuleWords> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ from: text(3), to: text(3), start: fc.boolean(), end: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ from: text(3), to: text(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("parameter"), name, place, action: fc.constant("remove") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("parameter"), name, place, action: fc.constant("set"), value }),
  },
  fc.record({ kind: fc.constantFrom("parameterOrder", "case", "percentEncoding", "repeatedSlash") }),
  fc.record({ kind: fc.constant("repeatedParameter"), keep }),
  fc.record({ kind: fc.constant("repeatedParameter"), keep, name }),
  fc.record({ kind: fc.constant("emptyParameter") }),
  fc.record({ kind: fc.constant("emptyParameter"), name }),
  fc.record({ kind: fc.constantFrom("trailingSlash", "www"), action: fc.constantFrom("drop", "add") }),
  fc.record({ kind: fc.constant("indexPage"), name: fc.constantFrom("a", "b", "a.b") }),
  fc.record({
    kind: fc.constant("extension"),
    extension: fc.constantFrom(".a", ".b"),
    action: fc.constantFrom("drop", "add"),
  }),
  fc.record({ kind: fc.constant("scheme"), scheme: fc.constantFrom("http", "https") }),
  fc.record({ kind: fc.constant("template"), from: side, to: side }),
  { weight: 3, arbitrary: templates.map((sides) => ({ kind: "template", ...sides })) },
);
export const rule = fc.tuple(words, scope).map(([own, where]) => makeRule({ ...own, scope: where }));
export const isSound = (r: Rule) => problemOf(r, r.scope) === undefined;
/** What the file says of a rule: proven, proven the other way round, and after others of the list. */
export const rules = fc
  .tuple(
    fc.uniqueArray(rule.filter(isSound), { selector: ({ id }) => id, minLength: 2, maxLength: 8, size: "max" }),
    fc.array(fc.constantFrom("", "", "", "reversed", "after"), { minLength: 8, maxLength: 8 }),
  )
  .map(([list, notes]) =>
    list.map((r, i): Rule => {
      const opposite = { status: "valid", positive: 9, negative: 0 } as const;
      if (notes[i] === "reversed") {
        const turned = reverse(r);
        if (turned !== undefined && isSound(turned)) return { ...turned, status: "refuted", opposite };
      }
      return notes[i] === "after" ? { ...r, after: [list[(i + 1) % list.length]!.id] } : r;
    }),
  );
const parameter = fc
  .tuple(name, fc.constantFrom("", "=", "=1", "=a", "=b", "=%", "==", "=é"))
  .map(([own, given]) => own + given);
const query = fc.array(fc.tuple(fc.constantFrom("&", "&", ";", "&amp;", "&&"), fc.oneof(parameter, fc.constant(""))), {
  maxLength: 6,
});
const origin = fc.constantFrom(
  "http://a.test",
  "http://b.a.test",
  "https://A.test:81",
  "http://a",
  "http://u:p@a.test",
  "http://é.test",
  "",
);
export const url = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("http://a.test/", "http://b.a.test/a", "http://a/", "https://A.test:81/b/", "/", ""),
      text(10),
    )
    .map(([start, rest]) => start + rest),
  fc
    .tuple(
      origin,
      fc.constantFrom(
        "",
        "/",
        "/a",
        "/a/B",
        "/b/a;a=1;b=2/a",
        "/a;a=1/b;a=2;b=",
        "/a;a1=1;b",
        "//a",
        "/a/-b",
        "/%C3%a9/A",
        "/a@b",
        "/a//b///%2Da%3a",
      ),
      query,
      fc.constantFrom("", "", "#a", "#?a=1"),
    )
    .map(
      ([start, path, pieces, fragment]) =>
        `${start}${path}${pieces.map(([separator, own], i) => (i === 0 ? "?" : separator) + own).join("")}${fragment}`,
    ),
);
