/** Runs the commands of a documentation page in a folder with the data that it names. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { DuckdbEngine } from "#src/engine/duckdb-engine.js";
import { readRulesFile } from "#src/store/rules-on-disk.js";
import { plantedRules, writeCommonCrawl } from "./common-crawl.js";
import { type Cell, stage } from "./stage.js";

/** The lines of the page's shell blocks; a backslash at a line's end joins it with the next. */
export function commandsOf(page: string): string[] {
  const blocks = [...readFileSync(page, "utf8").matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]!);
  return blocks
    .flatMap((block) =>
      block
        .replace(/\\\n\s*/g, " ")
        .trim()
        .split("\n"),
    )
    .filter((line) => line.startsWith("dustpan "));
}

async function stageTables(data: string): Promise<void> {
  copyFileSync("examples/access.log.gz", path.join(data, "access.log.gz"));
  await writeCommonCrawl(path.join(data, "cc-index"));
  // Nobody opens a file of another crawl.
  const other = path.join(data, "cc-index", "crawl=CC-MAIN-2026-99", "subset=warc");
  mkdirSync(other, { recursive: true });
  writeFileSync(path.join(other, "damaged.parquet"), "this is not Parquet");
  const engine = await DuckdbEngine.open({
    memoryBytes: 2 ** 28,
    limitResult: 10,
    scratch: path.join(data, "scratch"),
  });
  // Three copies of a manual of 20 pages, on a host each; page p of copy c is number 3 p + c.
  const pages = Array.from({ length: 60 }, (_, id) => ({ id, label: Math.floor(id / 3), host: id % 3 }));
  const supershingles = (label: number): Cell[] => [0, 1, 2, 3, 4, 5].map((i) => 100 * label + i);
  const columns = ["url VARCHAR", ...[0, 1, 2, 3, 4, 5].map((i) => `s${i} BIGINT`)];
  const sketches = pages.map(({ label, host }): Cell[] => [`http://h${host}.test/${label}`, ...supershingles(label)]);
  await stage(engine, "sketches", columns, sketches, data);
  const clusterRows = pages.map(({ id, label }): Cell[] => [id, 3 * label, 3]);
  await stage(engine, "cluster", ["id BIGINT", "root BIGINT", "size BIGINT"], clusterRows, data);
  await stage(
    engine,
    "page_hosts",
    ["id BIGINT", "host INT"],
    pages.map(({ id, host }): Cell[] => [id, host]),
    data,
  );
  const links = pages.filter(({ label }) => label < 19).map(({ id }): Cell[] => [id, id + 3]);
  await stage(engine, "links", ["src BIGINT", "dest BIGINT"], links, data);
  const snapshotColumns = ["url BIGINT", "outcome INT", "cluster BIGINT"];
  await stage(
    engine,
    "before",
    snapshotColumns,
    pages.map(({ id, label }): Cell[] => [id, 2, 3 * label]),
    data,
  );
  await stage(
    engine,
    "after",
    snapshotColumns,
    pages.slice(3).map(({ id, label }): Cell[] => [id, 2, 3 * label]),
    data,
  );
  await engine.close();
}

/** What was planted in Common Crawl's index, and nothing else, as a command left it in the rules file. */
function checkRules(file: string, isProven: boolean): void {
  const { rules } = readRulesFile(file);
  expect(rules.map(({ site }) => site).sort()).toEqual(Object.keys(plantedRules).sort());
  for (const rule of rules) {
    expect(plantedRules[rule.site!]!(rule), rule.id).toBe(true);
    expect(rule.status === "valid", rule.id).toBe(isProven);
  }
}

export async function runCommands(page: string, folder: string, spark: string): Promise<void> {
  const data = path.join(folder, "data");
  mkdirSync(data);
  await stageTables(data);
  const commands = commandsOf(page);
  expect(commands.length).toBeGreaterThan(8);
  const main = path.resolve("dist/cli/main.js");
  const rulesFile = path.join(data, "cc.rules.json");
  let checked = 0;
  for (const command of commands) {
    const isOnIndex = command.includes("$DATA/cc-index") && !command.includes("--print-sql");
    // Each engine's own rules, and not those that the one before it left.
    if (isOnIndex && command.startsWith("dustpan mine ")) rmSync(rulesFile, { force: true });
    const script = `dustpan() { "${process.execPath}" "${main}" "$@"; }\n${command}`;
    const output = execFileSync("bash", ["-euo", "pipefail", "-c", script], {
      cwd: data,
      env: { ...process.env, SPARK: spark, DATA: data },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    expect(output.length, command).toBeGreaterThan(0);
    if (!isOnIndex) continue;
    checkRules(rulesFile, command.startsWith("dustpan validate "));
    checked++;
  }
  expect(checked).toBe(4);
}
