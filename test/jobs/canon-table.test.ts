import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { canonTable } from "#src/jobs/canon/canon-table.js";
import { makeRule } from "../canon/make-rule.js";
import { context, inFolder, sql } from "./near-duplicates.js";

it("canonizes a column of a table, from each format to each", async () => {
  await inFolder(async (folder) => {
    const canon = compile([makeRule({ kind: "parameter", name: "sid", action: "remove" })], { use: asTheyAre });
    const at = (name: string) => path.join(folder, name);
    const rows = [
      { id: 1, address: "http://a.test/x?sid=1", note: 'Ünï, "quoted"' },
      { id: 2, address: "http://a.test/x?sid=2", note: "" },
      { id: 3, address: "no url", note: "kept" },
    ];
    writeFileSync(at("in.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const options = { column: "address", dedupe: false, signal: context.signal };
    await canonTable(canon, at("in.jsonl"), { ...options, output: at("a.parquet") });
    await canonTable(canon, at("a.parquet"), { ...options, output: at("b.csv") });
    const counts = await canonTable(canon, at("in.jsonl"), { ...options, dedupe: true, output: at("c.jsonl") });
    expect(counts).toEqual({ records: 3, urls: 2, changed: 2, repeated: 1, notUrls: 1 });
    expect(await sql(`SELECT id::INTEGER AS id, address, note FROM '${at("a.parquet")}' ORDER BY id`)).toEqual(
      rows.map((row) => ({ ...row, address: row.address.replace(/\?sid=.*/, "") })),
    );
    expect(await sql(`SELECT address FROM read_csv('${at("b.csv")}') ORDER BY id`)).toHaveLength(3);
    expect(await sql(`SELECT id::INTEGER AS id FROM read_json('${at("c.jsonl")}') ORDER BY id`)).toEqual([
      { id: 1 },
      { id: 3 },
    ]);
    await expect(
      canonTable(canon, at("in.jsonl"), { ...options, column: "nope", output: at("d.csv") }),
    ).rejects.toThrow(/in\.jsonl: no column "nope"; it has .*: name one with --column/);
    await expect(canonTable(canon, at("list.txt"), { ...options, output: at("d.csv") })).rejects.toThrow(
      /expected a table/,
    );
  });
});

it("writes no formula for a spreadsheet, and leaves numbers as they are", async () => {
  await inFolder(async (folder) => {
    const at = (name: string) => path.join(folder, name);
    const cells = ["=1+1", "@SUM(1)", "-2+3", "-7", "+3", "-2.5e3", "plain"];
    writeFileSync(at("in.csv"), `url,cell\n${cells.map((cell) => `http://a.test/,${cell}\n`).join("")}`);
    const canon = compile([], { use: asTheyAre });
    await canonTable(canon, at("in.csv"), {
      column: "url",
      dedupe: false,
      signal: context.signal,
      output: at("out.csv"),
    });
    const written = readFileSync(at("out.csv"), "utf8").trimEnd().split("\n").slice(1);
    expect(written.map((row) => row.split(",")[1])).toEqual([
      "'=1+1",
      "'@SUM(1)",
      "'-2+3",
      "-7",
      "+3",
      "-2.5e3",
      "plain",
    ]);
  });
});
