import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listCommands } from "#src/cli/commands.js";
import { commandHelp, commandsAsMarkdown } from "#src/cli/help/help.js";
import { Folder } from "./folder.js";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const dustpan = (words: readonly string[], input?: string) => folder.run(words, input);

/** A log in which 40 stories are served under two names, and a page that is not there. */
function writeLog(): void {
  const line = (url: string, status: number, size: number) =>
    `192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET ${url} HTTP/1.1" ${status} ${size} "-" "Mozilla/5.0 (compatible; Googlebot/2.1)"`;
  const lines = Array.from({ length: 40 }, (_, i) => [
    line(`/story?id=${i}`, 200, 1000 + 7 * i),
    line(`/story_${i}`, 200, 1000 + 7 * i),
  ]).flat();
  writeFileSync(folder.at("access.log"), `${[...lines, line("/gone", 404, 10), "torn line"].join("\n")}\n`);
}

describe("the command line", () => {
  it("explains itself", async () => {
    const overview = await dustpan(["--help"]);
    expect(overview.status).toBe(0);
    for (const { name } of listCommands()) expect(overview.stdout).toContain(`  ${name}`);
    for (const command of listCommands()) {
      const help = commandHelp(command, undefined);
      expect(help).toContain(`usage: dustpan ${command.name}`);
      expect(help).toMatch(new RegExp(`^  dustpan ${command.name}\\b.*  # `, "m"));
    }
    const mine = commandHelp(listCommands().find(({ name }) => name === "mine")!, undefined);
    for (const words of [
      ["mine", "--help"],
      ["help", "mine"],
    ]) {
      expect(await dustpan(words)).toEqual({ status: 0, stdout: `${mine}\n`, stderr: "" });
    }
    expect((await dustpan(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("is documented as it is", () => {
    const file = fileURLToPath(new URL("../../docs/cli.md", import.meta.url));
    expect(readFileSync(file, "utf8"), "run: node scripts/cli-docs.mjs").toBe(commandsAsMarkdown(listCommands()));
  });

  it.each([
    [["mime"], /no command "mime" \(did you mean "mine"\?\); /],
    [["access.log"], /no command "access\.log" \(did you mean "run access\.log"\?\); /],
    [["add"], /add needs an input/],
    [["add", "--bse", "x", "f"], /add has no flag --bse \(did you mean --base\?\); /],
    [["export", "--to", "nginx", "--to", "caddy"], /--to is given twice: expected one TARGET/],
    [["add", "nowhere.log"], /nowhere\.log cannot be read: no such file/],
    [["add", "--base", "example.com", "access.log"], /--base example\.com: expected an origin/],
    [["add", "--keep", "slash", "access.log"], /--keep slash: expected one of schemeCase/],
    [["mine"], /no workspace at .*dustpan\.duckdb; make one with "dustpan add INPUT"/],
    [["mine", "--low-bucket", "20", "access.log"], /--high-bucket 11 is below --low-bucket 20/],
    [["mine", "--likely", "maybe", "access.log"], /--likely maybe: expected one of auto, size, sketch, none/],
    [["validate"], /validate needs to know where it may fetch/],
    [["rules", "list"], /no rules file at .*dustpan\.rules\.json/],
  ])("%j is an error that says what to do", async (words, message) => {
    writeLog();
    const { status, stderr, stdout } = await dustpan(words);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain("    at ");
    expect(stdout).toBe("");
    expect(status).toBe(2);
  });

  it("mines a log at once in an empty folder and leaves nothing behind", async () => {
    writeLog();
    const { status, stdout, stderr } = await dustpan(["mine", "access.log"]);
    expect(status).toBe(0);
    expect(stdout).toContain("all URLs: 80 URLs, sizes known for 100%");
    expect(stdout).toMatch(/1 {5}40 {3}100% {6}50% {2}\^\/story\?id= -> \^\/story_/);
    expect(stderr).toContain("1 damaged");
    expect(stderr).toContain("access.log:82");
    expect(existsSync(folder.at("dustpan.duckdb"))).toBe(false);
    const rules = JSON.parse((await dustpan(["mine", "access.log", "--json", "-q"])).stdout);
    expect(rules).toMatchObject({ format: "dustpan-rules", version: 2, settings: { maxTokens: 35, lowBucket: 6 } });
    expect(rules.rules[0]).toMatchObject({
      kind: "substring",
      from: "/story?id=",
      to: "/story_",
      start: true,
      support: 40,
    });
  });

  it("runs on a log alone: likely rules, a report, and what proves them", async () => {
    writeLog();
    const { status, stdout, stderr } = await dustpan([
      "run",
      "access.log",
      "--base",
      "http://a.test",
      "-w",
      "w.duckdb",
    ]);
    expect(status, stderr).toBe(0);
    expect(stdout).toMatch(/1 likely rule, nothing proven\n {2}\?\? {2}.*story\?id= -> /);
    expect(stdout).toContain("let pages be fetched with --site a.test,");
    expect(stdout).not.toContain("saved");
    expect(stderr).toMatch(/the report is .*w-report\.html/);
    expect(existsSync(folder.at("w-report.html"))).toBe(true);
  });

  it("adds once, goes on where a log has grown, and keeps decisions", async () => {
    writeLog();
    expect((await dustpan(["add", "access.log"])).stdout).toContain(
      "access.log: added (combined), 82 lines; 81 URLs, 81 of them new",
    );
    expect((await dustpan(["add", "access.log"])).stdout).toContain("already in the workspace");
    expect((await dustpan(["add", "-"], readFileSync(folder.at("access.log"), "utf8"))).stdout).toContain("already in");
    const log = folder.at("access.log");
    const more = '192.0.2.1 - - [10/Oct/2025:14:00:00 +0000] "GET /new HTTP/1.1" 200 5 "-" "-"\n';
    writeFileSync(log, readFileSync(log, "utf8") + more);
    expect((await dustpan(["add", "access.log"])).stdout).toMatch(
      /continued where it stopped.* 1 line; 1 URL, 1 of them new/,
    );
    const info = JSON.parse((await dustpan(["info", "--json"])).stdout);
    expect(info.snapshots[0]).toMatchObject({ name: "default", urls: 81, failedUrls: 1 });
    expect(info.crawlers[0]).toMatchObject({ family: "Googlebot", hits: 81 });

    expect((await dustpan(["mine"])).status).toBe(0);
    const [first] = JSON.parse((await dustpan(["rules", "list", "--json"])).stdout).rules;
    expect((await dustpan(["rules", "reject", first.id])).stdout).toContain(`${first.id} is rejected`);
    await dustpan(["mine"]);
    expect(JSON.parse((await dustpan(["rules", "list", "--json"])).stdout).rules[0].decision).toBe("rejected");
    expect((await dustpan(["rules", "accept", "r-nothing"])).stderr).toContain("no rule r-nothing");
  });

  it.each([
    [
      ["mine", "access.log", "--rules", "nowhere/r.json"],
      "dustpan: cannot open nowhere/r.json: no such file or directory",
    ],
    [["--json", "info"], 'dustpan: --json: flags follow the command, as in "dustpan info --json"'],
    [["info", "other.duckdb"], 'dustpan: info takes no "other.duckdb", only flags; see "dustpan info --help"'],
    [
      ["mine", "access.log", "--host", "b.test"],
      'dustpan: no URL has the host b.test; "dustpan info" lists what is there',
    ],
    [
      ["mine", "packed.zip"],
      "dustpan: packed.zip: a zip archive cannot be read here; unpack it first (gzip, zstd, bzip2 and xz can)",
    ],
    [["rules", "drop"], "dustpan: rules drop: expected list, show, accept, reject or reset"],
    [["mine", "access.log", "--top", "some"], "dustpan: --top some: expected a number of at least 0"],
    [["demo", "--folder", "."], "dustpan: --folder . is not empty: expected a new folder (it has access.log)"],
    [
      ["add", "access.log", "--base", "http://me:secret@a.test/"],
      "dustpan: --base http://a.test/: expected only scheme and host, such as http://a.test",
    ],
    [
      ["crawl", "ftp://me:secret@a.test/"],
      "dustpan: ftp://a.test/ is not a URL to begin at: expected one such as https://www.example.com/",
    ],
    [
      ["mine", "access.log", "--prefix", "http://me:p@ss@b.test/"],
      'dustpan: no URL begins with http://b.test/; "dustpan info" lists what is there',
    ],
  ])("%j gets one line that says what to do", async (words, line) => {
    writeFileSync(folder.at("access.log"), "http://a.test/\nhttp://a.test/b\n");
    writeFileSync(folder.at("packed.zip"), "PK\x03\x04 ...");
    expect(await dustpan(words)).toEqual({ status: 2, stdout: "", stderr: `${line}\n` });
  });

  it("does not fail as a check does where its output cannot be written", () => {
    const { status, stderr } = spawnSync("sh", ["-c", `"${process.execPath}" "${main}" --help > /dev/full`], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 2, stderr: "dustpan: cannot write: no space left on device\n" });
  });

  it("lists what --format and --keep take", async () => {
    expect((await dustpan(["add", "--format", "help"])).stdout).toContain("caddy-json");
    expect((await dustpan(["mine", "--keep", "help"])).stdout).toContain("dotSegments");
  });

  it("reads standard input", async () => {
    const urls = Array.from({ length: 5 }, (_, i) => `http://a.test/p${i}.html\nhttp://a.test/p${i}.html?ref=x`).join(
      "\n",
    );
    const { stdout } = await dustpan(["mine", "-", "--top", "1"], `${urls}\n`);
    expect(stdout).toContain("a.test: 10 URLs");
    expect(stdout).toContain("drop ?ref");
  });

  it("stops at the first damaged record when asked to", async () => {
    writeLog();
    const { status, stderr } = await dustpan(["add", "--strict", "access.log"]);
    expect(status).toBe(2);
    expect(stderr).toContain("access.log:82");
    // Either the file is not there at all, or nothing is in it.
    const info = await dustpan(["info", "--json"]);
    if (info.status === 0) expect(JSON.parse(info.stdout).sources).toEqual([]);
  });
});

it("the README's examples and its table of commands are true", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, ["scripts/readme.mjs", "--check"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
});
