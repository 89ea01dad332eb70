import fc from "fast-check";
import { expect, it } from "vitest";
import { problemOf } from "#src/canon/check-rule.js";
import { inScope } from "#src/canon/scope.js";
import { parseUrl } from "#src/url/parse.js";
import { Places } from "#src/validate/narrow.js";

const piece = fc.constantFrom(
  "a",
  "b.php",
  "/",
  "?",
  "&",
  "=",
  ";",
  "amp;",
  "&amp;",
  "*",
  " ",
  "%",
  "é",
  "#",
  "@",
  ":",
);
const url = fc
  .tuple(
    fc.constantFrom("http://a.test/", "http://*.a.test/", "http://[::1]/a/b;c/", "http://a", "/", "/b.php?a=1&"),
    fc.array(piece, { maxLength: 12 }),
  )
  .map(([start, pieces]) => start + pieces.join(""));

it("proposes scopes that the URL is in and that a rules file may hold", () => {
  let proposed = 0;
  fc.assert(
    fc.property(url, (text) => {
      const parts = parseUrl(text);
      for (const scope of new Places({}, [{ url: text, positive: true }], [text]).promising([text], 1)) {
        proposed++;
        expect(problemOf({ kind: "case" }, scope)).toBeUndefined();
        expect(scope.host ?? "").not.toContain("*");
        expect(parts !== undefined && inScope(scope, text, parts)).toBe(true);
      }
    }),
    { numRuns: 3000 },
  );
  expect(proposed).toBeGreaterThan(5000);
});

it("offers URLs of the largest places that no trial has touched, three of each at most", () => {
  const inFolder = (folder: string, count: number) =>
    Array.from({ length: count }, (_, i) => `http://a.test/${folder}/${folder}-${i}`);
  const urls = [...inFolder("few", 2), ...inFolder("some", 4), ...inFolder("known", 9), ...inFolder("most", 8)];
  const places = new Places({ host: "a.test" }, [{ url: "http://a.test/known/known-0", positive: false }], urls);
  expect([...places.untried(urls, 3)]).toEqual([...inFolder("most", 3), ...inFolder("some", 3)]);
  const offered = [];
  for (const url of places.untried(urls, 3)) {
    offered.push(url);
    if (url.endsWith("-1")) places.add({ url, positive: true });
  }
  expect(offered).toEqual([...inFolder("most", 2), ...inFolder("some", 2)]);
});
