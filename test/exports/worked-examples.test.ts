/** docs/export.md: its commands are run as they stand, and each server is started with the lines that are there for it. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./agreement.js";
import { isInstalled } from "./tools.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const docs = readFileSync(path.join(root, "docs/export.md"), "utf8");

/** An empty folder with the rules of the examples, and a `dustpan` for the shell. */
function exampleFolder(): string {
  const folder = temporaryFolder("example");
  copyFileSync(path.join(root, "examples/forum.rules.json"), path.join(folder, "dustpan.rules.json"));
  const command = path.join(folder, "dustpan");
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${root}/dist/cli/main.js" "$@"\n`);
  chmodSync(command, 0o755);
  return folder;
}

interface Example {
  readonly command: string;
  readonly output: string;
}

/** By heading: what follows "$ ", and what it prints. */
const sections = docs
  .split(/^## /m)
  .map((section) => ({
    title: section.slice(0, section.indexOf("\n")),
    examples: [...section.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(([, block]) => examplesOf(block!)),
  }))
  .filter(({ examples }) => examples.length > 0);

function examplesOf(block: string): Example[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const end = text.indexOf("\n");
      return { command: text.slice(0, end), output: text.slice(end + 1) };
    });
}

/** Languages whose compilers may be missing. */
const compilers = ["go", "java", "rustc"];

describe("the examples of docs/export.md print what they say", () => {
  it.each(sections)("$title", ({ examples }) => {
    const folder = exampleFolder();
    for (const { command, output } of examples) {
      if (compilers.some((name) => command.includes(`${name} `) && !isInstalled("which", name))) continue;
      const { stdout, stderr } = spawnSync("bash", ["-c", command], {
        ...{ cwd: folder, encoding: "utf8" },
        env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
      });
      expect({ command, stdout, stderr }).toEqual({ command, stdout: output, stderr: "" });
    }
  });
});
