import { expect, it } from "vitest";
import { isInstanceOf, isNamed } from "#src/mine/plainer.js";
import { makeRule } from "../canon/make-rule.js";

const slash = makeRule({ kind: "trailingSlash", action: "drop" });
const https = makeRule({ kind: "scheme", scheme: "https" });
const pair = (from: string, to: string, example: { from: string; to: string }) => makeRule({ from, to, example });

it("knows a named rule in other words, in either direction", () => {
  const [bare, folder] = ["http://a.test/x", "http://a.test/x/"];
  expect(isInstanceOf(pair("x/", "x", { from: folder, to: bare }), [https, slash])).toBe(true);
  expect(isInstanceOf(pair("x", "x/", { from: bare, to: folder }), [slash])).toBe(true);
  expect(isInstanceOf(pair("https", "http", { from: "https://a.test/", to: "http://a.test/" }), [https])).toBe(true);
});

it("leaves alone what no named rule does", () => {
  const moved = pair("/old/", "/new/", { from: "http://a.test/old/", to: "http://a.test/new/" });
  expect(isInstanceOf(moved, [slash, https])).toBe(false);
  expect(isInstanceOf(slash, [slash])).toBe(false);
});

it("has named kinds, and neither parameters nor pairs of texts", () => {
  expect([slash, https].map(isNamed)).toEqual([true, true]);
  expect(
    [makeRule({ kind: "parameter", name: "a", action: "remove" }), makeRule({ from: "a", to: "b" })].map(isNamed),
  ).toEqual([false, false]);
});
