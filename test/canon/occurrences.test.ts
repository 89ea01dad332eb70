import fc from "fast-check";
import { expect, it } from "vitest";
import { applyRule } from "#src/canon/apply.js";
import { compile } from "#src/canon/compile.js";
import { bordersOf, nextPlace, SHORT_LITERAL } from "#src/canon/occurrences.js";
import { applyReference, canonizeReference } from "./canon-reference.js";
import { makeRule } from "./make-rule.js";

/** Strings that repeat themselves, with and without something in between, shorter and longer than is called long. */
const unit = fc.constantFrom("/a", "a", "/a/b", "aab", "/aé");
const selfSimilar = (most: number) =>
  fc
    .array(fc.tuple(unit, fc.nat(most), fc.constantFrom("", "", "/", "b", "/b")), { minLength: 1, maxLength: 3 })
    .map((runs) => runs.map(([text, count, then]) => text.repeat(count) + then).join(""));
const literal = fc.oneof(selfSimilar(4), selfSimilar(200));
/** A text that has the literal in it, perhaps overlapping itself. */
const textWith = (sought: string) =>
  fc
    .array(fc.oneof(fc.constant(sought), fc.constantFrom("/", "a"), unit), { maxLength: 4 })
    .chain((pieces) => selfSimilar(200).map((more) => more + pieces.join("") + more));

it("finds every place, overlapping ones too", () => {
  let several = 0;
  fc.assert(
    fc.property(
      literal.filter((text) => text !== "").chain((sought) => fc.tuple(fc.constant(sought), textWith(sought))),
      ([sought, text]) => {
        const expected = [...text].flatMap((_, at) => (text.startsWith(sought, at) ? [at] : []));
        const borders = bordersOf(sought);
        const found: number[] = [];
        for (let at = nextPlace(text, sought, borders, -1); at >= 0; at = nextPlace(text, sought, borders, at)) {
          found.push(at);
        }
        expect(found).toEqual(expected);
        if (sought.length > SHORT_LITERAL && expected.length > 1) several++;
      },
    ),
    { numRuns: 1000 },
  );
  expect(several).toBeGreaterThan(20);
});

it("applies rules with long literals as the reference does", () => {
  const seen = { changed: 0, replaced: 0 };
  fc.assert(
    fc.property(
      fc
        .tuple(literal, literal, fc.constantFrom("", "", "start", "end"), fc.boolean())
        .map(([from, other, anchor, grows]) => [from, grows ? `/b${from}/${other}` : other, anchor] as const)
        .filter(([from, to]) => from !== to && from !== "")
        .chain(([from, to, anchor]) => fc.tuple(fc.constant({ from, to, anchor }), textWith(`/${to}/${from}`))),
      ([{ from, to, anchor }, rest]) => {
        const rule = makeRule({ from, to, start: anchor === "start", end: anchor === "end" });
        const url = anchor === "start" ? `${from}${rest}` : `/${rest}`;
        const expected = applyReference(rule, url);
        expect(applyRule(rule, url) ?? url).toBe(expected);
        if (expected !== url) seen.changed++;
        if (expected !== applyReference(rule, url, "paper")) seen.replaced++;
        const canon = compile([rule], { maxRounds: 2 });
        expect(canon(url)).toBe(canonizeReference([rule], url, "ours", 2) ?? url);
      },
    ),
    { numRuns: 300 },
  );
  expect(seen.changed).toBeGreaterThan(20);
  expect(seen.replaced).toBeGreaterThan(2);
});

it("reads a parameter's long name as any other", () => {
  const name = `${"a".repeat(SHORT_LITERAL)}b`;
  const rule = makeRule({ kind: "parameter", name, action: "remove" });
  const url = `/?${name}=1&amp&${name};x=${name}&${name}b=2&${name}`;
  expect(applyRule(rule, url)).toBe(`/?amp&x=${name}&${name}b=2`);
  expect(applyRule(rule, url)).toBe(applyReference(rule, url));
  expect(compile([rule])(url)).toBe(applyReference(rule, url));
});

it("takes no product of the lengths of a literal and a URL that repeat themselves", () => {
  const half = "/a".repeat(20_000);
  const url = `http://h${half}${half}`;
  for (const [from, to, expected] of [
    [`${half}/b`, "/x", url],
    [half, "/x", `http://h/x/x`],
    ["/c", `${half}/b`, url],
    // Grows forever, and is left as it was.
    ["/a", `${half}/b`, url],
    ["/a", `/b${half}`, url],
  ] as const) {
    expect(compile([makeRule({ from, to })])(url), `${from.length} -> ${to.length}`).toBe(expected);
  }
  const name = "a".repeat(40_000);
  const query = `http://h/?${name}${name}=1&x=${name}${name}`;
  const remove = makeRule({ kind: "parameter", name, action: "remove" });
  expect(compile([remove])(`${query}&${name}`)).toBe(query);
});
