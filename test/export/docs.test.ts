/** docs/export.md: every target has its command there, and the commands do what they are there for. */
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { exportRules } from "#src/export/export-rules.js";
import type { ExportUse } from "#src/export/target.js";
import { exportTargets, findTarget } from "#src/export/targets.js";
import { urlTargets } from "#src/export/url-targets.js";
import { Folder, runHere } from "../cli/folder.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rulesFile = path.join(root, "test/exports/rules.json");
const docs = readFileSync(path.join(root, "docs/export.md"), "utf8");
const examples = [...docs.matchAll(/^ {4}dustpan (export --to ([\w-]+)(?: --as (\w+)| --host \S+)? -o (\S+))$/gm)].map(
  ([, command, target, use, file]) => ({ command: command!, target: target!, use, file: path.basename(file!) }),
);

const { rules } = parseRulesFile(readFileSync(rulesFile, "utf8"));
const exported = new Map<string, ReturnType<typeof exportRules>>();

/** The suite's rules for a target, as it is mostly used or as said; planning takes a while, and is done once. */
function exportedTo(target: string, use?: string): ReturnType<typeof exportRules> {
  const key = `${target} ${use}`;
  const made = exported.get(key) ?? exportRules(rules, findTarget(target), use ? { use: use as ExportUse } : {});
  exported.set(key, made);
  return made;
}

it("has a command for every target, and for no other", () => {
  const documented = new Set(examples.map(({ target }) => target));
  expect([...documented].sort()).toEqual([...exportTargets, ...urlTargets].map(({ name }) => name).sort());
});

it("writes what its commands say, with what was left out named in the file", () => {
  for (const { target, use } of examples.filter((example) => urlTargets.every(({ name }) => name !== example.target))) {
    const { text, rules: taken, leftOut } = exportedTo(target, use);
    expect([target, taken.length > 0]).toEqual([target, true]);
    for (const { rule } of leftOut) expect([target, text.includes(rule.id)]).toEqual([target, true]);
  }
});

it("says how many of the suite's rules each target takes, and how many are left out", () => {
  const rows = [
    ...docs.matchAll(
      /^\| ([\w-]+)(, redirects|, with aliases)?(?: \(.*\))? (?:\| [^|\d][^|]* )?\| (\d+) \| (\d+) \| .*\| 0 \|$/gm,
    ),
  ];
  expect(new Set(rows.map(([, target]) => target)).size).toBe(exportTargets.length);
  for (const [, target, way, taken, left] of rows) {
    const { rules: those, leftOut } = exportedTo(target!, way === ", redirects" ? "redirect" : undefined);
    expect([target, way, taken, left]).toEqual([target, way, `${those.length}`, `${leftOut.length}`]);
  }
});

it("the commands run as they stand", async () => {
  const folder = new Folder();
  try {
    // One of each sort: a source file, a list in JSON, a server's file, lines for a file of one's own.
    for (const name of ["python", "clearurls", "nginx", "clean-param"]) {
      const { command, file } = examples.find(({ target }) => target === name)!;
      mkdirSync(folder.at(name));
      const words = command.replace(/-o \S+$/, `-o ${file}`).split(" ");
      const { status, stderr } = await runHere([...words, "--rules", rulesFile], folder.at(name));
      expect([name, status, stderr]).toEqual([name, 0, expect.stringMatching(/^\d+ rules? exported to /m)]);
      expect(readFileSync(folder.at(name, file), "utf8").length).toBeGreaterThan(100);
    }
  } finally {
    folder.remove();
  }
});
