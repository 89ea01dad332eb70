import { readFileSync } from "node:fs";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import * as library from "#src/canon/index.js";
import { bundleOf } from "../bundle.js";

it("is one small script that needs nothing but the language and TextEncoder", async () => {
  const code = await bundleOf("#src/canon/index.js", "canon");
  expect(code).not.toMatch(/\bnode:|\brequire\(|__vite-browser-external/);
  expect(code.length).toBeGreaterThan(5_000);
  // What a browser loads: fourteen kinds of rules, their words and their forms included.
  expect(gzipSync(code).length).toBeLessThan(22_300);
  const kilobytes = (bytes: number) => `${Math.round(bytes / 1000)} kB`;
  const page = readFileSync(new URL("../../docs/canon.md", import.meta.url), "utf8");
  expect(page).toContain(`${kilobytes(code.length)} minified, ${kilobytes(gzipSync(code).length)} compressed`);
  // No process, Buffer, URL or fetch is in reach here.
  const result = vm.runInNewContext(
    `${code}; canon.compile([{ kind: "parameter", name: "sid", place: "query", action: "remove", id: "r", scope: {}, status: "valid" }])("http://a/?sid=1&b=2")`,
    { TextEncoder },
  );
  expect(result).toBe("http://a/?b=2");
});

it("does what its documentation says", () => {
  const page = readFileSync(new URL("../../docs/canon.md", import.meta.url), "utf8");
  const code = /```js\n([\s\S]*?)```/.exec(page)![1]!;
  const [first, ...lines] = code.trim().split("\n");
  expect(first).toBe('import { compile, parseRulesFile } from "dustpan/canon";');
  const expectations = lines.filter((line) => line.includes("; // "));
  expect(expectations).toHaveLength(4);
  const body = lines.map((line) => line.replace(/^(.*); \/\/ (.*)$/, "check($1, $2);")).join("\n");
  new Function("compile", "parseRulesFile", "check", body)(
    library.compile,
    library.parseRulesFile,
    (actual: unknown, expected: unknown) => expect(actual).toEqual(expected),
  );
});
