// Runs test/exports on the build: exported files in the real programs they are for, compared with canonization URL by
// URL, and prints a table of it. Installs the programs into a cache outside the repository. Arguments: names of test files.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { startVitest } from "vitest/node";

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), ".."));
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-exports-"));
const table = path.join(folder, "table.jsonl");
process.env.DUSTPAN_EXPORT_TABLE = table;

const vitest = await startVitest("test", process.argv.slice(2), {
  config: false,
  watch: false,
  include: ["test/exports/**/*.test.ts"],
  exclude: [],
  testTimeout: 300_000,
  hookTimeout: 600_000,
  pool: "forks",
  fileParallelism: false,
});
await vitest?.close();

if (existsSync(table)) {
  const rows = readFileSync(table, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  console.log("\n| target | rules exported | left out | URLs compared | refused | changed by the rules | different |");
  console.log("|---|--:|--:|--:|--:|--:|--:|");
  for (const { target, exported, leftOut, compared, refused, changed, different } of rows) {
    console.log(
      `| ${[target, exported, leftOut, ...[compared, refused, changed, different].map((n) => n.toLocaleString("en"))].join(" | ")} |`,
    );
  }
}
rmSync(folder, { recursive: true });
