import fc from "fast-check";
import { expect, test } from "vitest";
import { applyRule } from "#src/canon/apply.js";
import { describeRule } from "#src/canon/describe.js";
import { mineByName } from "#src/mine/by-name.js";
import { Mining } from "#src/mine/parameters/mining.js";
import { listOf } from "./parameters-lists.js";

const options = { minSupport: 3, likely: "auto", sketchMatches: 4, plan: "ours" } as const;
const mine = (urls: readonly string[]) => mineByName(new Mining(listOf(urls.map((url) => ({ url }))), options));
const short = (rule: ReturnType<typeof mine>[number]) => `${describeRule(rule)} ${rule.support}`;

test("what is known by name is a candidate wherever it merges two URLs", () => {
  const found = mine([
    ...["http://a.test/", "http://a.test/index.html", "https://a.test/", "http://www.a.test/"],
    ...["http://a.test/docs", "http://a.test/docs/", "http://a.test/x?utm_source=n", "http://a.test/x"],
    ...["http://a.test/y;jsessionid=1", "http://a.test/y", "http://a.test/z?fbclid=1", "http://a.test/reindex.html"],
    ...["http://a.test//x", "http://a.test/x?u=//", "http://a.test/%28v)", "http://a.test/(v)", "http://a.test/%26"],
  ]);
  expect(found.map(short).sort()).toEqual([
    "drop / at the end of the path 1",
    "drop ;jsessionid 1",
    "drop ?utm_source 1",
    "drop index.html at the end of the path 1",
    "drop www. before the host 1",
    "http -> https 1",
    "make one slash of several in the path 1",
    "write marks such as %28 as they are 1",
  ]);
});

test("does to URLs what applying the rule does", () => {
  const url = fc
    .tuple(
      fc.constantFrom("http://a.test", "https://a.test", "http://www.a.test", "https://www.a.test", "http://www.", ""),
      fc.constantFrom("", "", "", ":80", ":8080"),
      fc.constantFrom("", "/", "/b", "/b/", "//", "/b//"),
      fc.constantFrom("", "", "index.html", "/index.html", "index", "/", "%28", "("),
      fc.constantFrom("", "", "?x=1", "?x=/", "#/"),
    )
    .map((parts) => parts.join(""));
  const urls = fc.uniqueArray(url, { minLength: 10, maxLength: 40 });
  let found = 0;
  fc.assert(
    fc.property(urls, (texts) => {
      for (const rule of mine(texts)) {
        const images = texts.map((url) => applyRule(rule, url));
        const merged = new Set(images.filter((image) => image !== undefined));
        const listed = new Set(texts);
        const changed = images.filter((image) => image !== undefined).length;
        const together = [...merged].filter(
          (image) => listed.has(image) || images.filter((other) => other === image).length > 1,
        );
        const size = (image: string) => images.filter((other) => other === image).length - (listed.has(image) ? 0 : 1);
        expect(rule.support, JSON.stringify([rule, texts])).toBe(together.reduce((sum, image) => sum + size(image), 0));
        expect(changed).toBeGreaterThan(0);
        found++;
      }
    }),
    { numRuns: 400 },
  );
  expect(found).toBeGreaterThan(50);
});
