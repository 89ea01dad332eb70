import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addInput, withoutSketches } from "./build.js";

let folder: string;
let commonCrawl: string;
/** Where the second row group's column of URLs, and its column of digests, are in the file. */
let places: Record<string, { at: number; bytes: number }>;

async function sql(statement: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    memory_limit: "500MB",
  });
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(statement)).getRowObjectsJS();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dustpan-parquet-"));
  // A name that would be a pattern.
  commonCrawl = path.join(folder, "it's [part].parquet");
  // The columns that matter of Common Crawl's index, in three row groups.
  const plain = path.join(folder, "plain.parquet");
  await sql(`COPY (
    SELECT 'test,a)/' || i AS url_surtkey, 'http://a.test/' || i AS url, TIMESTAMP '2024-03-01 12:00:00' AS fetch_time,
           CASE WHEN i % 10 = 0 THEN 404 ELSE 200 END::SMALLINT AS fetch_status,
           CASE WHEN i = 7 THEN '/8' END AS fetch_redirect, translate(upper(md5(i::VARCHAR)), '0189', 'WXYZ') AS content_digest,
           'unk' AS content_mime_type, 'text/html' AS content_mime_detected, 1000::INTEGER AS warc_record_length
    FROM range(6144) t(i) ORDER BY i) TO '${plain}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
  const metadata = await sql(`SELECT path_in_schema AS name,
      coalesce(dictionary_page_offset, data_page_offset)::INTEGER AS place, total_compressed_size::INTEGER AS bytes
    FROM parquet_metadata('${plain}') WHERE row_group_id = 1`);
  places = Object.fromEntries(
    metadata.map(({ name, place, bytes }) => [name as string, { at: place as number, bytes: bytes as number }]),
  );
  writeFileSync(commonCrawl, readFileSync(plain));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** A copy of the file with one column of the second row group overwritten. */
function damagedCopy(column: string): string {
  const bytes = readFileSync(commonCrawl);
  const { at, bytes: length } = places[column]!;
  bytes.fill(0xa5, at + 4, at + length - 4);
  const copy = path.join(folder, `damaged-${column}.parquet`);
  writeFileSync(copy, bytes);
  return copy;
}

describe("Parquet", () => {
  it("of Common Crawl's index", async () => {
    const added = await addInput({ path: commonCrawl });
    expect(added.format).toBe("parquet");
    expect(added.records).toBe(6144);
    expect(added.damage.entries()).toEqual([]);
    expect(added.urls).toHaveLength(6144);
    expect(added.urls[6143]).toBe("http://a.test/6143");
    expect(added.pages[7]).toEqual({
      url: "http://a.test/7",
      status: 200,
      timeMs: Date.UTC(2024, 2, 1, 12),
      mediaType: "text/html",
      digest: expect.stringMatching(/^sha1:/),
      redirectTo: "http://a.test/8",
    });
    expect(added.pages.filter(({ status }) => status === 404)).toHaveLength(615);
  });

  it("with whole pages, links, and values that hold any character", async () => {
    const file = path.join(folder, "pages.parquet");
    await sql(`COPY (SELECT 'http://a.test/' || i AS url, 200 AS status, 'a' || chr(30) || i AS title,
      'some text' AS text, ['http://b.test/', '/x'] AS links FROM range(3) t(i)) TO '${file}' (FORMAT parquet)`);
    const added = await addInput({ path: file });
    expect(withoutSketches(added.pages[2]!)).toEqual({
      url: "http://a.test/2",
      status: 200,
      title: "a\x1e2",
      text: "some text",
      links: ["http://b.test/"],
    });
    const titles = path.join(folder, "titles.parquet");
    await sql(`COPY (SELECT url, status, title FROM '${file}') TO '${titles}' (FORMAT parquet)`);
    expect((await addInput({ path: titles })).pages.map(({ title }) => title)).toEqual(["a\x1e0", "a\x1e1", "a\x1e2"]);
  });

  it("loses no more than the damaged row group", async () => {
    const added = await addInput({ path: damagedCopy("url") });
    expect(added.urls.length).toBe(4096);
    expect(added.urls).toContain("http://a.test/6143");
    expect(added.damage.entries()).toMatchObject([
      {
        reason: "rows without their url",
        samples: [{ position: { offset: places.url!.at }, text: expect.stringContaining("rows 2049 to 4096") }],
      },
    ]);
    await expect(addInput({ path: damagedCopy("url") }, { strict: true })).rejects.toThrow(/rows 2049 to 4096/);
  });

  it("does without a damaged column that is not the URL", async () => {
    const added = await addInput({ path: damagedCopy("content_digest") });
    expect(added.urls).toHaveLength(6144);
    expect(added.pages.filter(({ digest }) => digest !== undefined)).toHaveLength(4096);
    expect(added.damage.entries()).toMatchObject([{ reason: "column content_digest cannot be read", count: 1 }]);
  });

  it("says what it cannot read at all", async () => {
    const cut = path.join(folder, "cut.parquet");
    writeFileSync(cut, readFileSync(commonCrawl).subarray(0, 5000));
    await expect(addInput({ path: cut })).rejects.toThrow(/cut.parquet: the file's metadata cannot be read/);
    const other = path.join(folder, "other.parquet");
    await sql(`COPY (SELECT 1 AS a) TO '${other}' (FORMAT parquet)`);
    await expect(addInput({ path: other })).rejects.toThrow("no column holds URLs; it has a: name one with --column");
    await expect(addInput(readFileSync(commonCrawl))).rejects.toThrow(/plain file/);
  });
});
