import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { problemOf } from "#src/canon/check-rule.js";
import { inScope } from "#src/canon/scope.js";
import { parseUrl } from "#src/url/parse.js";
import { Places } from "#src/validate/narrow.js";
import { Validation } from "#src/validate/search-rules.js";
import { RuleTest } from "#src/validate/try-rule.js";
import { makeRule } from "../canon/make-rule.js";
import { FakePages } from "./fake-pages.js";

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
      const places = new Places({}, [text], 1);
      places.add({ url: text, positive: true });
      for (const scope of places.promising([text], 1)) {
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
  const places = new Places({ host: "a.test" }, urls, urls.length);
  places.add({ url: "http://a.test/known/known-0", positive: false });
  expect([...places.untried(urls, 3)]).toEqual([...inFolder("most", 3), ...inFolder("some", 3)]);
  const offered = [];
  for (const url of places.untried(urls, 3)) {
    offered.push(url);
    if (url.endsWith("-1")) places.add({ url, positive: true });
  }
  expect(offered).toEqual([...inFolder("most", 2), ...inFolder("some", 2)]);
});

it("can be given up while it learns from many trials of URLs with many parameters", async () => {
  const names = "abcdefghijkl".split("");
  const query = (i: number) => names.map((name, at) => `${name}=${(i >> at) & 1}`).join("&");
  const urls = Array.from({ length: 2000 }, (_, i) => `http://a.test/story?${query(i)}&sid=${i}`);
  const options = { plan: "sequential", count: 100, epsilon: 0.05, seed: 1, similarity: "text" } as const;
  const interrupt = new AbortController();
  const events = { onDraw: () => {}, onVerdict: () => {} };
  const pages = new FakePages(() => "a page");
  const test = new RuleTest(pages, { ...options, now: () => new Date(0) }, events, interrupt.signal, urls);
  vi.spyOn(test, "trialsOf").mockReturnValue(urls.map((url) => ({ url, positive: false })));
  const add = vi.spyOn(Places.prototype, "add");
  setImmediate(() => interrupt.abort());
  const rule = makeRule({ kind: "parameter", name: "sid", action: "remove" });
  expect(await new Validation(urls, test, "sequential").narrow(rule, [])).toBeUndefined();
  // Heard in the middle, not after the last of them.
  expect(add.mock.calls.length).toBeLessThan(urls.length);
  add.mockRestore();
});
