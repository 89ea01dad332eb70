/** Commands on DuckDB as people type them: what is printed, kept, refused. */
import { readdirSync, truncateSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportError } from "#src/cli/run-command-line.js";
import type { Terminal } from "#src/cli/terminal.js";
import { EngineError } from "#src/errors.js";
import { type DuckDBConnection, DuckDBInstance } from "#src/store/duckdb.js";
import { crawl, writeCommonCrawl } from "../engine/common-crawl.js";
import { Folder } from "./folder.js";

const folder = new Folder();
const index = folder.at("cc-index");
const onIndex = ["--engine", "duckdb", "--input", index, "--snapshot", crawl];
let instance: DuckDBInstance;
let connection: DuckDBConnection;
beforeAll(async () => {
  await writeCommonCrawl(index);
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
  folder.remove();
});

async function rowsOf(sql: string): Promise<unknown[]> {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

describe("--print-sql", () => {
  it("of mine and validate, run as it is printed, makes the tables that the commands write", async () => {
    const mined = await folder.run(["mine", ...onIndex, "--output", "mined", "--rules", "cc.rules.json"]);
    expect(mined).toMatchObject({ status: 0 });
    const script = await folder.run(["mine", ...onIndex, "--print-sql"]);
    expect(script.stdout).toMatch(/^-- dustpan mine, for duckdb; reads input, with the columns/);
    await connection.run(`CREATE VIEW input AS SELECT * FROM read_parquet('${index}/**/*.parquet')`);
    await connection.run(script.stdout);
    for (const [made, written] of [
      ["pair", "pairs"],
      ["parameter_group", "parameters"],
    ]) {
      const file = `'${folder.at("mined", `${written}.parquet`)}'`;
      expect(await rowsOf(`SELECT count(*) > 0 FROM ${made}`)).toEqual([[true]]);
      expect(
        await rowsOf(`(FROM ${made} EXCEPT ALL FROM ${file}) UNION ALL (FROM ${file} EXCEPT ALL FROM ${made})`),
      ).toEqual([]);
    }

    const rules = ["--rules", "cc.rules.json"];
    const verdicts = await folder.run(["validate", ...onIndex, ...rules, "--print-sql"]);
    // What mining made of the index is there already.
    const own = verdicts.stdout.slice(verdicts.stdout.indexOf("-- The rules."));
    await connection.run(own);
    expect(await rowsOf("SELECT count(*), sum(different) FROM rule_verdict WHERE alike > 0")).toEqual([["2", "0"]]);
  });

  it("of Spark takes a table that it does not look at for Common Crawl's index", async () => {
    const asked = [
      "mine",
      "--engine",
      "spark",
      "--input",
      "s3a://somewhere/cc-index",
      "--snapshot",
      crawl,
      "--print-sql",
    ];
    const { stdout, status } = await folder.run(asked);
    expect(status).toBe(0);
    expect(stdout).toContain("url_host_registered_domain");
    expect(stdout).toContain(`crawl = '${crawl}'`);
    expect(stdout).not.toContain("s3a://");
  });
});

describe("--keep-steps", () => {
  it("says what each step took, and that it was kept when the command is run again", async () => {
    const words = ["mine", ...onIndex, "--output", "kept", "--keep-steps"];
    const first = await folder.run(words);
    expect(first.status).toBe(0);
    expect(first.stderr).toMatch(/^urls +\d+\.\d +420 +1\.00 /m);
    expect(first.stderr).not.toContain(" kept ");
    expect(readdirSync(folder.at("kept", "steps"))).toEqual(expect.arrayContaining(["manifest.json", "pair.parquet"]));
    const second = await folder.run(words);
    expect(second.stdout).toBe(first.stdout);
    const steps = second.stderr.split("\n").filter((line) => /^[a-z_]+ +(kept|\d)/.test(line));
    expect(steps.length).toBeGreaterThan(30);
    expect(steps.filter((line) => !/^[a-z_]+ +kept /.test(line))).toEqual([]);
  });

  it("makes a step again whose file was cut short, and all steps where the manifest was", async () => {
    const words = ["mine", ...onIndex, "--output", "cut", "--keep-steps"];
    const first = await folder.run(words);
    truncateSync(folder.at("cut", "steps", "frequent.parquet"), 100);
    const again = await folder.run(words);
    expect(again).toMatchObject({ status: 0, stdout: first.stdout });
    expect(again.stderr.match(/^\w+ +\d+\.\d /gm)?.map((line) => line.split(" ", 1)[0])).toEqual(["frequent"]);
    truncateSync(folder.at("cut", "steps", "manifest.json"), 100);
    expect(await folder.run(words)).toMatchObject({ status: 0, stdout: first.stdout });
  });
});

describe("what is refused", () => {
  it("a statement: the step is named, and its SQL shown", async () => {
    const file = folder.at("damaged.parquet");
    await connection.run(`COPY (SELECT '\\x68\\xff'::BLOB AS url) TO '${file}' (FORMAT parquet)`);
    const { status, stderr } = await folder.run(["mine", "--engine", "duckdb", "--input", file]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^dustpan: step input_url: .*not valid UTF8/);
    expect(stderr).toMatch(/\nthe statement was:\nCREATE OR REPLACE TABLE input_url AS SELECT site, url/);
  });

  it("a statement too long to be shown whole: cut anywhere, no part of a password is left", () => {
    const errors: string[] = [];
    const terminal = { color: false, err: (text: string) => errors.push(text) } as unknown as Terminal;
    const place = "FROM 's3a://key:swordfish@bucket/pages'";
    for (let cut = 0; cut <= place.length; cut++) {
      const sql = `${" ".repeat(4000 - cut)}${place}${" ".repeat(100)}`;
      expect(reportError(new EngineError("it says no", "step pages", sql), terminal)).toBe(2);
    }
    expect(errors.filter((text) => text.includes("more characters"))).toHaveLength(place.length + 1);
    expect(errors.filter((text) => text.includes(":s"))).toEqual([]);
  });

  it.each([
    [["mine", "--input", "x.parquet"], /--input needs --engine duckdb or --engine spark/],
    [["cluster", "--print-sql"], /--print-sql needs --engine/],
    [["mine", "--engine", "duckdb", "--input", "nowhere.parquet"], /no Parquet file at nowhere\.parquet/],
    [["mine", "--engine", "duckdb", "--input", "x.parquet", "--keep-steps"], /--keep-steps needs --output DIR/],
    [
      ["mine", "--engine", "duckdb", "--spark", "sc://h.test", "--input", "x.parquet"],
      /--spark belongs to --engine spark/,
    ],
    [["mine", "--engine", "spark", "--input", "x.parquet"], /--engine spark needs --spark sc:\/\/HOST:PORT/],
    [["mine", "--engine", "spark", "--spark", "sc://h.test", "--input", "x.parquet"], /--engine spark needs --output/],
    [["cluster", "--engine", "duckdb"], /--input is missing documents=PATH/],
    [["mirrors", "--engine", "duckdb", "--input", "hosts=x.parquet"], /expected one of cluster=PATH, page_hosts=PATH/],
    [["evolve", "--engine", "duckdb", "--input", "before=a", "--input", "before=b"], /before was given twice/],
    [["collections", "--engine", "duckdb", "--memory", "much"], /--memory much: expected a size/],
    [["validate", "--engine", "duckdb", "--site", "h.test"], /--site fetches or reads the workspace/],
    [["mine", ...onIndex, "--limit-result", "1"], /more than 1 row.*--limit-result/],
  ] as const)("%j: in one sentence", async (words, sentence) => {
    const { status, stderr } = await folder.run(words);
    expect(status).toBe(2);
    expect(stderr.trim()).toMatch(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
