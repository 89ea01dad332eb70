// Runs test/exports on the build: exported files in the real programs they are for, compared with canonization URL by
// URL, and prints a table of it. Installs the programs into a cache outside the repository. Arguments: names of
// test files; -t PATTERN chooses tests by name.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), ".."));
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-exports-"));
// Whatever the tests and their programs leave behind lies in here, and goes with it. Servers that give up root read it too.
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const table = path.join(folder, "table.jsonl");
process.env.DUSTPAN_EXPORT_TABLE = table;

const { values, positionals } = parseArgs({ options: { t: { type: "string", short: "t" } }, allowPositionals: true });
const vitest = await startVitest("test", positionals, {
  ...(values.t !== undefined && { testNamePattern: values.t }),
  config: false,
  watch: false,
  include: ["test/exports/**/*.test.ts"],
  exclude: [],
  testTimeout: 600_000,
  hookTimeout: 600_000,
  pool: "forks",
  // While one installs a program, or waits for one, another compares.
  maxWorkers: 2,
});
await vitest?.close();

/** Rows with the same columns, as a table. */
function printTable(columns, rows) {
  console.log(`\n| ${columns.join(" | ")} |\n|${columns.map((_, i) => (i === 0 ? "---|" : "--:|")).join("")}`);
  for (const row of rows) console.log(`| ${columns.map((column) => row[column].toLocaleString("en")).join(" | ")} |`);
}

if (existsSync(table)) {
  const rows = readFileSync(table, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .sort((a, b) => (a.target < b.target ? -1 : 1));
  const agreements = rows.filter(({ compared }) => compared !== undefined);
  if (agreements.length > 0)
    printTable(
      ["target", "exported", "leftOut", "compared", "refused", "changed", "aliases", "followed", "different"],
      agreements,
    );
  // Others have columns of their own: those with the same ones are a table.
  const tables = new Map();
  for (const { target, ...numbers } of rows.filter(({ compared }) => compared === undefined)) {
    const columns = ["target", ...Object.keys(numbers)].join("\n");
    tables.set(columns, [...(tables.get(columns) ?? []), { target, ...numbers }]);
  }
  for (const [columns, own] of tables) printTable(columns.split("\n"), own);
}
