import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

// docs/architecture.md: imports go one way, from right to left.
const layers = [
  ["model.ts", "errors.ts"],
  ["wasm"],
  ["url", "sketch"],
  ["rules", "pages", "mirrors", "collections"],
  ["store", "input", "fetch", "export", "report", "demo"],
  ["jobs"],
  ["cli", "web", "index.ts"],
];
/** Folders that run in a browser: nothing from npm, nothing from Node but what is named here. */
const pure: Record<string, string[]> = {
  "model.ts": [],
  "errors.ts": [],
  wasm: [],
  url: [],
  sketch: ["node:worker_threads"],
  rules: ["node:worker_threads", "node:os"],
};

const src = fileURLToPath(new URL("../src/", import.meta.url));
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.replaceAll(path.sep, "/"));
const partOf = (file: string) => file.split("/", 1)[0]!;
const layerOf = (file: string) => layers.findIndex((parts) => parts.includes(partOf(file)));
const importsOf = (file: string) =>
  [
    ...readFileSync(path.join(src, file), "utf8").matchAll(
      /(?:^|\s)(?:import|export)\s[^"';]*?from\s+"([^"]+)"|import\("([^"]+)"\)/g,
    ),
  ].map((match) => (match[1] ?? match[2])!);

describe("the architecture", () => {
  it("has a layer for every file", () => {
    expect(files.filter((file) => layerOf(file) < 0)).toEqual([]);
    expect(files.length).toBeGreaterThan(10);
  });

  it("imports from the same layer or from the left of it only", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => target.startsWith("."))
        .map((target) => path.posix.join(path.posix.dirname(file), target))
        .filter((target) => layerOf(target.replace(/\.js$/, ".ts")) > layerOf(file))
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("keeps the pure parts free of packages and of I/O", () => {
    const wrong = files
      .filter((file) => partOf(file) in pure)
      .flatMap((file) =>
        importsOf(file)
          .filter((target) => !target.startsWith(".") && !pure[partOf(file)]!.includes(target))
          .map((target) => `${file} -> ${target}`),
      );
    expect(wrong).toEqual([]);
  });
});
