import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SightingTable } from "#src/input/sightings.js";
import type { StringColumn } from "#src/model.js";
import { PageStage } from "#src/store/pages/page-stage.js";
import { siteOfHost } from "#src/store/urls/site-of-host.js";
import { addSource, knownSources, type SourceEntry } from "#src/store/urls/sources.js";
import { countMergedSpellings } from "#src/store/urls/spellings.js";
import { listSites, readUrlList } from "#src/store/urls/url-lists.js";
import { Workspace } from "#src/store/workspace.js";

const entry: SourceEntry = {
  snapshot: "default",
  series: "access.log",
  name: "access.log",
  format: "combined",
  compression: "none",
  bytes: 10,
  lines: 2,
  records: 2,
  resume: { of: "log", offset: 10, lines: 2, headDigest: "h", tailDigest: "t" },
  settings: {},
  damage: [],
};

function strings({ count, bytes, offsets }: StringColumn): string[] {
  return Array.from({ length: count }, (_, i) => Buffer.from(bytes.slice(offsets[i]!, offsets[i + 1]!)).toString());
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "dustpan-test-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("sources", () => {
  it("become URL lists by site, without what only failed", async () => {
    const workspace = Workspace.at(path.join(folder, "w.duckdb"));
    const first = new SightingTable();
    first.add("http://www.a.test/1", { status: 200, bytes: 10, timeMs: 1000 });
    first.add("http://a.test/2", { status: 404 });
    first.add("http://b.test/", { status: 301, redirectTo: "http://b.test/home" });
    await addSource(workspace, entry, first.finish(), undefined);
    const second = new SightingTable();
    second.add("http://www.a.test/1", { status: 200, bytes: 25, timeMs: 2000 });
    second.add("http://a.test/3", {});
    const { newUrls } = await addSource(workspace, { ...entry, name: "access.log.1" }, second.finish(), undefined);
    expect(newUrls).toBe(1);

    expect(await listSites(workspace)).toEqual([
      { site: "a.test", urls: 2 },
      { site: "b.test", urls: 1 },
    ]);
    const list = await readUrlList(workspace, { by: "domain", name: "a.test" });
    expect(strings(list.urls)).toEqual(["http://www.a.test/1", "http://a.test/3"]);
    // One series: the ranges of both files are one range.
    expect([...list.sizes!.rows]).toEqual([0, 1, 1]);
    expect([...list.sizes!.minBytes]).toEqual([10]);
    expect([...list.sizes!.maxBytes]).toEqual([25]);
    expect(list.sketches).toBeUndefined();
    expect(strings((await readUrlList(workspace, { by: "host", name: "WWW.a.test" })).urls)).toHaveLength(1);
    expect(strings((await readUrlList(workspace, { by: "prefix", name: "http://a.test/" })).urls)).toHaveLength(1);
    expect(strings((await readUrlList(workspace, { by: "all" })).urls)).toHaveLength(3);
  });

  it("of different series keep their sizes apart, and snapshots too", async () => {
    const workspace = Workspace.inMemory();
    for (const [series, snapshot, bytes] of [
      ["plain.log", "one", 100],
      ["gzip.log", "two", 30],
    ] as const) {
      const table = new SightingTable();
      table.add("http://a.test/", { status: 200, bytes });
      await addSource(workspace, { ...entry, series, snapshot }, table.finish(), undefined);
    }
    const { sizes } = await readUrlList(workspace, { by: "all" });
    expect([...sizes!.source]).toEqual([0, 1]);
    expect([...sizes!.minBytes]).toEqual([30, 100]);
    const two = await readUrlList(workspace, { by: "all" }, "two");
    expect([...two.sizes!.minBytes]).toEqual([30]);
    await expect(readUrlList(workspace, { by: "all" }, "three")).rejects.toThrow(/no snapshot "three"/);
    workspace.close();
  });

  it("bring pages with their sketches and links", async () => {
    const workspace = Workspace.at(path.join(folder, "w.duckdb"));
    const stage = await PageStage.create(path.join(folder, "stage.duckdb"));
    await stage.append([
      {
        url: "http://a.test/",
        status: 200,
        timeMs: 5,
        links: ["http://a.test/x", "http://a.test/"],
        canonical: "http://a.test/c",
        text: "line one\nline 'two'",
        shingles: BigUint64Array.of(1n, 2n, 3n, 4n),
      },
      { url: "http://a.test/x", status: 404 },
    ]);
    stage.close();
    const table = new SightingTable();
    table.add("http://a.test/", { status: 200 });
    table.add("http://a.test/x", { status: 404 });
    await addSource(workspace, entry, table.finish(), stage.file);
    const list = await readUrlList(workspace, { by: "all" });
    expect([...list.sketches!.kind]).toEqual([1]);
    expect([...list.sketches!.values]).toEqual([1n, 2n, 3n, 4n]);
    const rows = await workspace.read(async (connection) =>
      (
        await connection.runAndReadAll(
          `SELECT s.url, t.url FROM links JOIN urls s ON s.id = source_url JOIN urls t ON t.id = target_url ORDER BY t.url`,
        )
      ).getRows(),
    );
    expect(rows).toEqual([
      ["http://a.test/", "http://a.test/"],
      ["http://a.test/", "http://a.test/x"],
    ]);
    const text = await workspace.read((connection) =>
      connection.runAndReadAll("SELECT text FROM pages WHERE status = 200"),
    );
    expect(text.getRows()[0]?.[0]).toBe("line one\nline 'two'");
  });

  it("give a page that is known by its digest alone the sketch of its twin", async () => {
    const workspace = Workspace.inMemory();
    const shingles = BigUint64Array.of(5n, 6n, 7n, 8n);
    const add = async (page: Parameters<PageStage["append"]>[0][number]) => {
      const stage = await PageStage.create(path.join(folder, "stage.duckdb"));
      await stage.append([page]);
      stage.close();
      const table = new SightingTable();
      table.add(page.url, { status: 200 });
      return (await addSource(workspace, entry, table.finish(), stage.file)).withoutBody;
    };
    expect(await add({ url: "http://a.test/first", status: 200, digest: "sha1:aa", text: "words", shingles })).toBe(0);
    expect(await add({ url: "http://a.test/again", status: 200, digest: "sha1:aa" })).toBe(0);
    // Said of pages whose body is nowhere, not of what is no page, or was read and is none.
    expect(await add({ url: "http://a.test/other", status: 200, digest: "sha1:bb" })).toBe(1);
    expect(await add({ url: "http://a.test/picture", status: 200, digest: "sha1:cc", mediaType: "image/png" })).toBe(0);
    expect(await add({ url: "http://a.test/read", status: 200, digest: "sha1:dd", bodyBytes: 7 })).toBe(0);
    const { sketches } = await readUrlList(workspace, { by: "all" });
    expect([...sketches!.kind].slice(0, 3)).toEqual([1, 1, 2]);
    expect([...sketches!.values.subarray(4, 8)]).toEqual([5n, 6n, 7n, 8n]);
    workspace.close();
  });

  it("are known again by their beginning", async () => {
    const workspace = Workspace.inMemory();
    expect(await knownSources(workspace, "default")).toEqual([]);
    await addSource(workspace, entry, new SightingTable().finish(), undefined);
    expect(await knownSources(workspace, "default")).toMatchObject([
      { id: 1, format: "combined", settings: {}, name: "access.log", resume: entry.resume },
    ]);
    expect(await knownSources(workspace, "other")).toEqual([]);
    workspace.close();
  });

  it("leave nothing behind when they fail", async () => {
    const workspace = Workspace.at(path.join(folder, "w.duckdb"));
    const table = new SightingTable();
    table.add("http://a.test/", {});
    const sightings = table.finish();
    await expect(addSource(workspace, entry, { ...sightings, hits: new Float64Array(7) }, undefined)).rejects.toThrow(
      /differ in length/,
    );
    expect(await listSites(workspace)).toEqual([]);
  });

  it("count the URLs that a normalization step merged", async () => {
    const workspace = Workspace.inMemory();
    const table = new SightingTable();
    // The normal form was seen: both others are merged.
    table.add("http://a.test/1", {});
    table.add("http://a.test:80/1", {});
    table.add("http://A.test:80/1", {});
    // Never seen in the normal form: one spelling stands for it.
    table.add("http://a.test/2#x", {});
    table.add("http://a.test/2#y", {});
    // A single spelling merges nothing.
    table.add("http://a.test/3#z", {});
    await addSource(workspace, entry, table.finish(), undefined);
    const merged = await countMergedSpellings(workspace);
    expect(merged.map(({ step, urls }) => [step, urls])).toEqual([
      ["hostCase", 1],
      ["defaultPort", 2],
      ["fragment", 1],
    ]);
    expect(merged[2]!.example).toEqual({ from: "http://a.test/2#y", to: "http://a.test/2" });
    workspace.close();
  });
});

it("a site is a registrable domain, a bare name or an address", () => {
  expect(["www.bbc.co.uk", "me.github.io", "localhost", "127.0.0.1", ""].map(siteOfHost)).toEqual([
    "bbc.co.uk",
    "me.github.io",
    "localhost",
    "127.0.0.1",
    "",
  ]);
});
