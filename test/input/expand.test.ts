import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { expandInputs } from "#src/input/expand.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(path.join(folder, "old/deep"), { recursive: true });
for (const name of [
  "access.log",
  "access.log.1",
  "access.log.10.gz",
  "access.log.9.gz",
  "error.log",
  ".hidden.log",
  "[x].log",
  "old/access.log",
  "old/deep/access.log",
]) {
  writeFileSync(path.join(folder, name), "");
}
const expand = (...patterns: string[]) =>
  expandInputs(patterns.map((pattern) => (pattern === "-" ? pattern : path.join(folder, pattern)))).map((file) =>
    path.relative(folder, file),
  );

it.each([
  ["access.log*", ["access.log", "access.log.1", "access.log.9.gz", "access.log.10.gz"]],
  ["access.log.?", ["access.log.1"]],
  ["[ae]*.log", ["access.log", "error.log"]],
  ["[!a]*.log", ["[x].log", "error.log"]],
  ["{error,access}.log", ["access.log", "error.log"]],
  ["*/access.log", ["old/access.log"]],
  ["**/access.log", ["access.log", "old/access.log", "old/deep/access.log"]],
  ["[x].log", ["[x].log"]],
])("%s", (pattern, files) => {
  expect(expand(pattern)).toEqual(files);
});

it("keeps the arguments' order, and each file once", () => {
  expect(expand("error.log", "*.log", "access.log")).toEqual(["error.log", "[x].log", "access.log"]);
  expect(expandInputs(["-", "no-such-file"])).toEqual(["-", "no-such-file"]);
});

it("says which pattern matches nothing", () => {
  expect(() => expand("*.nothing")).toThrow(/\*\.nothing matches no file/);
});
