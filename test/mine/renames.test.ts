import { expect, it } from "vitest";
import { renamingRules } from "#src/mine/renames.js";
import { columnOf } from "#src/string-column.js";
import { makeRule } from "../canon/make-rule.js";

const numbered = (count: number, url: (i: number) => string) => Array.from({ length: count }, (_, i) => url(i));
const pages = numbered(900, (i) => `http://a.test/p${i}.html`);
const bare = (count: number) => pages.slice(0, count).map((url) => url.replace(".html", ""));
const dropHtml = (support: number) => makeRule({ from: ".html", to: "", end: true, support, status: "likely" });

const renames = (rule: ReturnType<typeof makeRule>, urls: readonly string[]) =>
  renamingRules([rule], columnOf(urls)).has(rule);

it("are those that change a hundred URLs for each that they save", () => {
  expect(renames(dropHtml(4), [...pages, ...bare(4)])).toBe(true);
  expect(renames(dropHtml(9), [...pages, ...bare(9)])).toBe(false);
});

it("are none that could go the other way, or that stand behind others", () => {
  const host = makeRule({ from: "http://a.test/", to: "http://b.test/", start: true, support: 4, status: "likely" });
  const urls = [...pages, ...pages.slice(0, 4).map((url) => url.replace("a.test", "b.test"))];
  expect(renames(host, urls)).toBe(false);
  expect(renames({ ...dropHtml(4), after: ["r-1"] }, [...pages, ...bare(4)])).toBe(false);
});

it("are told from a sample of a long list", () => {
  const many = numbered(50_000, (i) => `http://a.test/p${i}.html`);
  expect(renames(dropHtml(400), many)).toBe(true);
  expect(renames(dropHtml(600), many)).toBe(false);
});
