import { readFileSync } from "node:fs";
import * as library from "dustpan";
import * as canon from "dustpan/canon";
import * as sketch from "dustpan/sketch";
import { expect, it } from "vitest";

const root = new URL("../", import.meta.url);
const text = (name: string) => readFileSync(new URL(name, root), "utf8");
const about = JSON.parse(text("package.json"));

it("the version has its heading in the changelog", () => {
  expect(text("CHANGELOG.md")).toMatch(new RegExp(`^## ${about.version.replaceAll(".", "\\.")}\\b`, "m"));
});

it("every file that is to be packed is there", () => {
  for (const name of about.files as string[]) {
    if (name.endsWith(".md")) expect(text(name).length).toBeGreaterThan(100);
  }
});

it("the manual page is there, in a list: npm installs none that is named by itself", () => {
  expect(about.man).toEqual(["./docs/dustpan.1"]);
  expect(text("docs/dustpan.1")).toContain(".SH NAME");
});

it("the documents that README names are there", () => {
  const links = [...text("README.md").matchAll(/\]\(((?:docs\/|[A-Z])[\w/.-]*\.md)\)/g)].map((match) => match[1]!);
  expect(links.length).toBeGreaterThan(8);
  for (const link of links) expect(text(link).length).toBeGreaterThan(100);
});

it("the library has what canonization has", () => {
  expect(library.compile).toBe(canon.compile);
});

it("the library has every function that docs/library.md lists", () => {
  const rows = [...text("docs/library.md").matchAll(/^\| (`.*?) *\|/gm)];
  const names = rows.flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)].map((match) => match[1]!));
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => ![library, canon, sketch].some((module) => name in module))).toEqual([]);
});

it("the library exports and imports rules as the commands do", () => {
  const { rules } = library.importRules("||shop.test^$removeparam=sid\n", "list.txt");
  const proven = rules.map((rule) => ({ ...rule, status: "valid" as const }));
  const { text: exported, leftOut } = library.exportRules(proven, library.findTarget("adguard"));
  expect([leftOut, exported]).toEqual([[], expect.stringContaining("removeparam=sid")]);
});
