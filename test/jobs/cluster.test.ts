import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { add } from "#src/jobs/add.js";
import { clusterFiles, clusterSnapshots } from "#src/jobs/cluster.js";
import { sketch } from "#src/jobs/sketch.js";
import { Workspace } from "#src/store/workspace.js";
import { context, inFolder, prose, sql, type TestPage, workspaceOf, writeWarc } from "./near-duplicates.js";

const plain = { level: "similar", top: 5 } as const;

/** Rows with random supershingles from few values, so that chains are common. */
const rows = fc.array(
  fc.record({
    url: fc.nat(30).map((n) => `http://a.test/${n}`),
    time: fc.nat(1000),
    status: fc.constantFrom(200, 200, 200, 404),
    shingles: fc.option(
      fc.oneof(
        fc.array(fc.nat(4), { minLength: 6, maxLength: 6 }),
        fc.nat(3).map((value) => Array<number>(6).fill(value)),
      ),
      { freq: 8 },
    ),
  }),
  { minLength: 12, maxLength: 40, size: "max" },
);

interface Row {
  readonly url: string;
  readonly time: number;
  readonly status: number;
  readonly shingles: readonly number[] | null;
}

/** Slow and obvious: the latest usable row of each URL, all pairs compared, smallest URL of each component. */
function oracle(all: readonly Row[], level: "similar" | "identical"): Map<string, { root: string; size: number }> {
  const latest = new Map<string, Row>();
  for (const row of all) {
    if (row.status !== 200 || row.shingles === null) continue;
    const other = latest.get(row.url);
    if (other === undefined || row.time >= other.time) latest.set(row.url, row);
  }
  const urls = [...latest.keys()].sort();
  const common = (a: string, b: string) =>
    latest.get(a)!.shingles!.filter((value, i) => value === latest.get(b)!.shingles![i]).length;
  const root = new Map(urls.map((url) => [url, url]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const a of urls) {
      for (const b of urls) {
        if (common(a, b) < (level === "similar" ? 2 : 6) || root.get(a)! >= root.get(b)!) continue;
        root.set(b, root.get(a)!);
        changed = true;
      }
    }
  }
  const members = (of: string) => urls.filter((url) => root.get(url) === of).length;
  return new Map(urls.map((url) => [url, { root: root.get(url)!, size: members(root.get(url)!) }]));
}

async function writeRows(file: string, part: readonly Row[]): Promise<void> {
  const values = part.map(
    ({ url, time, status, shingles }) =>
      `('${url}', ${status}, make_timestamp_ms(${time}), ${(shingles ?? Array(6).fill("NULL")).join(", ")})`,
  );
  await sql(`COPY (SELECT url, status, time, s0::UBIGINT AS s0, s1::UBIGINT AS s1, s2::UBIGINT AS s2, s3::UBIGINT AS s3,
      s4::UBIGINT AS s4, s5::UBIGINT AS s5 FROM (VALUES ${values.join(", ")}) t(url, status, time, s0, s1, s2, s3, s4, s5))
    TO '${file}' (FORMAT parquet)`);
}

it.each(["similar", "identical"] as const)(
  "finds the same clusters on disk where documents do not fit in memory, and says so: %s",
  async (level) => {
    await inFolder(async (folder) => {
      const file = path.join(folder, "rows.parquet");
      const [all] = fc.sample(rows, { numRuns: 1, seed: 4 });
      await writeRows(file, all!);
      const maps: unknown[] = [];
      const cluster = async (memoryBytes: number, announce: (text: string) => void) => {
        const output = path.join(folder, "map.parquet");
        const result = await clusterFiles([file], { level, top: 3, output, memoryBytes, announce }, context);
        maps.push(await sql(`SELECT url, root, size FROM '${output}' ORDER BY url`));
        return result;
      };
      const announced: string[] = [];
      const inMemory = await cluster(2 ** 20, (text) => announced.push(text));
      expect(announced).toEqual([]);
      expect(await cluster(1000, (text) => announced.push(text))).toEqual(inMemory);
      expect(announced).toEqual([expect.stringMatching(/^\d+ documents are more than fits in memory/)]);
      expect(maps[1]).toEqual(maps[0]);
      expect(inMemory.clusters).toBeGreaterThan(0);
      expect(inMemory.unsketched * inMemory.leftOut).toBeGreaterThan(0);
    });
  },
);

it("clusters rows of several files as comparing all pairs does, the latest download of each URL", async () => {
  const clustered = { similar: 0, identical: 0 };
  let repeated = 0;
  await inFolder(async (folder) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(rows, fc.nat(100), async (all, cut) => {
        const at = cut % (all.length + 1);
        const files = [all.slice(0, at), all.slice(at)]
          .filter((part) => part.length > 0)
          .map((part, i) => ({ part, file: path.join(folder, `${run}-${i}.parquet`) }));
        run++;
        for (const { part, file } of files) {
          await writeRows(file, part);
        }
        for (const level of ["similar", "identical"] as const) {
          const output = path.join(folder, `map-${run}.parquet`);
          const names = files.map(({ file }) => file);
          const result = await clusterFiles(names, { level, top: 3, output }, context);
          const expected = oracle(all, level);
          const found = await sql(`SELECT url, root, size FROM '${output}'`);
          expect(new Map(found.map(({ url, root, size }) => [url, { root, size }]))).toEqual(expected);
          expect(result.documents).toBe(expected.size);
          expect(result.documents + result.unsketched + result.leftOut).toBe(all.length);
          const largest = Math.max(0, ...[...expected.values()].map(({ size }) => size));
          expect(result.largest[0]?.size ?? 1).toBe(Math.max(1, largest));
          if (largest > 1) clustered[level]++;
        }
        if (new Set(all.map(({ url }) => url)).size < all.length) repeated++;
      }),
      { numRuns: 8 },
    );
  });
  expect(Math.min(clustered.similar, clustered.identical)).toBeGreaterThan(2);
  expect(repeated).toBeGreaterThan(2);
});

/** Three copies, a near-duplicate, a page of its own, an empty one, a failure. */
const pages: TestPage[] = [
  { url: "http://b.test/2", text: prose(1), address: "10.0.0.1" },
  { url: "http://a.test/1", text: prose(1), address: "10.0.0.1" },
  { url: "http://a.test/3", text: prose(1), address: "10.0.0.1" },
  { url: "http://c.test/4", text: `${prose(1)} more` },
  { url: "http://c.test/5", text: prose(2) },
  { url: "http://c.test/7", text: prose(1), status: 404 },
];

it("gives the same clusters from archives, from sketch files, and from a workspace made of either", async () => {
  await inFolder(async (folder) => {
    const archive = path.join(folder, "pages.warc");
    writeWarc(archive, pages);
    const [sketched] = await sketch([archive], { folder: path.join(folder, "out") }, () => {}, context);
    expect(sketched).toMatchObject({ outcome: "written", pages: 6, sketches: 6, damage: [] });
    const again = await sketch([archive], { folder: path.join(folder, "out") }, () => {}, context);
    expect(again[0]!.outcome).toBe("known");

    const direct = await clusterFiles([sketched!.file], { ...plain, verify: 0.8 }, context);
    expect(direct).toMatchObject({
      documents: 5,
      clustered: 4,
      clusters: 1,
      nearDuplicates: 3,
      share: 3 / 5,
      leftOut: 1,
    });
    expect(direct.largest[0]).toMatchObject({
      size: 4,
      hosts: 3,
      machines: 2,
      representative: "http://a.test/1",
      title: "A page",
      identical: 3,
    });

    const fromArchive = await workspaceOf(folder, { default: pages });
    const fromSketches = Workspace.at(path.join(folder, "other.duckdb"));
    await add(fromSketches, [sketched!.file], { snapshot: "default", text: true }, () => {}, context);
    const tables = [];
    for (const workspace of [fromArchive, fromSketches]) {
      const output = path.join(folder, "map.csv");
      const [result] = await clusterSnapshots(workspace, { ...plain, verify: 0.8, output }, context);
      expect(result).toMatchObject({ snapshot: "default", documents: 5, clustered: 4, clusters: 1 });
      tables.push(readFileSync(output, "utf8"));
      const stored = await workspace.read((connection) =>
        connection.runAndReadAll(
          "SELECT u.url, r.url, size FROM clusters c JOIN urls u ON u.id = c.url JOIN urls r ON r.id = c.root ORDER BY u.url",
        ),
      );
      expect(stored.getRows()).toEqual([
        ["http://a.test/1", "http://a.test/1", 4],
        ["http://a.test/3", "http://a.test/1", 4],
        ["http://b.test/2", "http://a.test/1", 4],
        ["http://c.test/4", "http://a.test/1", 4],
        ["http://c.test/5", "http://c.test/5", 1],
      ]);
      const sketches = await workspace.read((connection) =>
        connection.runAndReadAll(
          `SELECT u.url, status, epoch_ms(fetched)::DOUBLE, address, media_type, body_bytes::DOUBLE, digest, title, words, shingles_kind,
             hex(shingles), hex(sketch), s0::VARCHAR, s5::VARCHAR FROM pages p JOIN urls u ON u.id = p.url ORDER BY 1`,
        ),
      );
      tables.push(JSON.stringify(sketches.getRows()));
    }
    expect(tables[2]).toBe(tables[0]);
    expect(tables[3]).toBe(tables[1]);
  });
});

it("a damaged row group costs its own rows, and is named", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "documents.parquet");
    const shingles = [0, 1, 2, 3, 4, 5].map((n) => `hash(i // 2, ${n}) AS s${n}`);
    await sql(`COPY (SELECT 'http://a.test/' || i AS url, ${shingles.join(", ")} FROM range(6144) t(i) ORDER BY i)
      TO '${file}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
    const whole = await clusterFiles([file], plain, context);
    expect(whole).toMatchObject({ documents: 6144, clusters: 3072, lost: [] });
    const [place] =
      await sql(`SELECT coalesce(dictionary_page_offset, data_page_offset)::INTEGER AS at, total_compressed_size::INTEGER AS bytes
      FROM parquet_metadata('${file}') WHERE row_group_id = 1 AND path_in_schema = 's3'`);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, Number(place!.at) + 4, Number(place!.at) + Number(place!.bytes) - 4);
    writeFileSync(file, bytes);
    const rest = await clusterFiles([file], plain, context);
    expect(rest).toMatchObject({ documents: 4096, clusters: 2048 });
    expect(rest.lost).toMatchObject([{ file, rows: { first: 2049, last: 4096 } }]);
  });
});

it("stops where it is told to", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "documents.parquet");
    const shingles = [0, 1, 2, 3, 4, 5].map((n) => `hash(i // 2, ${n}) AS s${n}`);
    await sql(
      `COPY (SELECT 'http://a.test/' || i AS url, ${shingles.join(", ")} FROM range(1000) t(i)) TO '${file}' (FORMAT parquet)`,
    );
    const abort = new AbortController();
    const stopping = { signal: abort.signal, onProgress: () => abort.abort() };
    await expect(clusterFiles([file], plain, stopping)).rejects.toThrow(/no clusters were stored/);
  });
});

it("says what is missing", async () => {
  await inFolder(async (folder) => {
    const file = path.join(folder, "urls.parquet");
    await sql(`COPY (SELECT 'http://a.test/' AS url) TO '${file}' (FORMAT parquet)`);
    await expect(clusterFiles([file], plain, context)).rejects.toThrow(/neither sketches nor pages to make them of/);
    // Beside pages it may be there: an archive of revisits names what another one has.
    const pages = path.join(folder, "pages.jsonl");
    writeFileSync(pages, '{"url":"http://a.test/","text":"some words of this page"}\n');
    expect(await clusterFiles([pages, file], plain, context)).toMatchObject({ documents: 1 });
    await expect(clusterFiles([path.join(folder, "no.parquet")], plain, context)).rejects.toThrow(/no such file/);
    await expect(clusterFiles([file], { ...plain, output: "map.txt" }, context)).rejects.toThrow(/\.parquet, \.csv/);
    const workspace = await workspaceOf(folder, { default: [{ url: "http://a.test/", status: 404 }] });
    await expect(clusterSnapshots(workspace, plain, context)).rejects.toThrow(
      /no pages with sketches; add page contents/,
    );
    await expect(clusterSnapshots(workspace, { ...plain, snapshot: "x" }, context)).rejects.toThrow(/it has default/);
  });
});

it("finds related pages, and does not mix sketches that were made differently", async () => {
  await inFolder(async (folder) => {
    // A sixth of the text is another one: a resemblance of about .75.
    const [whole, other] = [prose(1, 600).split(" "), prose(2, 600).split(" ")];
    const mixed = whole.map((word, at) => (at >= 520 ? other[at]! : word)).join(" ");
    const pages = [
      { url: "http://a.test/1", text: whole.join(" ") },
      { url: "http://a.test/2", text: mixed },
      { url: "http://a.test/3", text: other.join(" ") },
    ];
    const related = [["http://a.test/1", "http://a.test/2"]];
    const workspace = await workspaceOf(folder, { default: pages });
    const [stored] = await clusterSnapshots(workspace, { ...plain, level: "related" }, context);
    expect(stored!.largest.map(({ urls }) => urls)).toEqual(related);
    const archive = path.join(folder, "pages.warc");
    writeWarc(archive, pages);
    const [affine] = await sketch([archive], { folder: path.join(folder, "affine") }, () => {}, context);
    const making = { family: "rabin", words: "ascii", shingleWords: 4 } as const;
    const [rabin] = await sketch([archive], { folder: path.join(folder, "rabin"), making }, () => {}, context);
    for (const { file } of [affine!, rabin!]) {
      const direct = await clusterFiles([file], { ...plain, level: "related" }, context);
      expect(direct.largest.map(({ urls }) => urls)).toEqual(related);
    }
    const mixing = /made as affine\/1\/5 and rabin-ascii\/1\/4 cannot be compared/;
    await expect(clusterFiles([affine!.file, rabin!.file], plain, context)).rejects.toThrow(mixing);
    await expect(add(workspace, [rabin!.file], { snapshot: "two", text: true }, () => {}, context)).rejects.toThrow(
      mixing,
    );
  });
});

it("clusters pages in one step, whatever they are in", async () => {
  await inFolder(async (folder) => {
    const lines = [1, 1, 2].map((seed, at) => ({ url: `http://a.test/${at}`, text: prose(seed) }));
    const jsonl = path.join(folder, "pages.jsonl");
    const parquet = path.join(folder, "pages.parquet");
    writeFileSync(jsonl, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await sql(`COPY (SELECT * FROM read_json('${jsonl}')) TO '${parquet}' (FORMAT parquet)`);
    for (const file of [jsonl, parquet]) {
      const output = path.join(folder, "map.jsonl");
      const result = await clusterFiles([file], { ...plain, output }, context);
      expect(result).toMatchObject({ documents: 3, clusters: 1, clustered: 2, leftOut: 0 });
      const map = readFileSync(output, "utf8").trim().split("\n");
      expect(map.map((line) => JSON.parse(line))).toContainEqual({
        url: "http://a.test/1",
        root: "http://a.test/0",
        size: 2,
      });
    }
  });
});

it("sketches pages that an earlier version read again, as soon as others come", async () => {
  await inFolder(async (folder) => {
    const page = (at: number, seed: number) => ({ url: `http://a.test/${at}`, text: prose(seed) });
    const workspace = await workspaceOf(folder, { default: [page(1, 1), page(2, 2)] });
    const old = "('\\x01\\x00\\x00\\x00'::BLOB || sketch[5:])";
    await workspace.write((connection) =>
      connection.run(
        `UPDATE pages SET sketch = ${old}, s0 = s0 + 1, s1 = s1 + 1, s2 = s2 + 1, s3 = s3 + 1, s4 = s4 + 1, s5 = s5 + 1`,
      ),
    );
    const archive = path.join(folder, "more.warc");
    writeWarc(archive, [page(3, 1)]);
    await add(workspace, [archive], { snapshot: "default", text: true }, () => {}, context);
    const [result] = await clusterSnapshots(workspace, plain, context);
    expect(result!.largest.map(({ urls }) => urls)).toEqual([["http://a.test/1", "http://a.test/3"]]);
    // Without the text there is nothing to make them of.
    await workspace.write((connection) => connection.run(`UPDATE pages SET sketch = ${old}, text = NULL`));
    writeWarc(archive, [page(4, 1)]);
    const other = add(workspace, [archive], { snapshot: "two", text: true }, () => {}, context);
    await expect(other).rejects.toThrow(/made as affine\/0\/5 and affine\/1\/5 cannot be compared/);
  });
});
