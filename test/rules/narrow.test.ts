import fc from "fast-check";
import { expect, it } from "vitest";
import { problemOf } from "#src/rules/check-rule.js";
import { Places } from "#src/rules/narrow.js";
import { inScope } from "#src/rules/scope.js";
import { parseUrl } from "#src/url/parse.js";

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
      for (const scope of new Places({}, [{ url: text, positive: true }]).promising([text], 1)) {
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
