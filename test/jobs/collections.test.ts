import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InterruptedError } from "#src/errors.js";
import { findReplicatedCollections } from "#src/jobs/collections.js";
import { mirrors } from "#src/jobs/mirrors.js";
import { rollUpResults } from "#src/jobs/rollup.js";
import { searchPages } from "#src/jobs/search.js";
import type { PageRecord } from "#src/model.js";
import { sketchText } from "#src/sketch/sketch.js";
import { readAvoidList } from "#src/store/copies/avoid-list.js";
import { Workspace } from "#src/store/workspace.js";
import { makeRule } from "../canon/make-rule.js";
import { context, prose } from "./near-duplicates.js";
import { addTo } from "./workspace.js";

let folder: string;
let stages = 0;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "dustpan-test-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function page(url: string, text: string, links: readonly string[], title?: string): PageRecord {
  const sketch = sketchText(text);
  return {
    ...{ url, status: 200, mediaType: "text/html", bodyBytes: 1000, text, links },
    ...(title !== undefined && { title }),
    ...(sketch !== undefined && { sketch }),
  };
}

const chapters = 11;
/** An index and 11 chapters below a prefix; `old` is an address of chapter 0 that redirects. */
function manual(prefix: string, session = "", count = chapters): PageRecord[] {
  const urls = Array.from({ length: count }, (_, at) => `${prefix}${at}.html${session}`);
  const [, ...rest] = urls;
  return [
    page(`${prefix}index.html`, `Manual\n${prose(1)}`, [`${prefix}old.html`, ...rest], "The manual"),
    { url: `${prefix}old.html`, status: 301, redirectTo: urls[0]! },
    ...urls.map((url, at) =>
      page(url, `Chapter ${at}\n${prose(2 + at)}\nunicorn${at} zebra`, [`${prefix}index.html`], `Chapter ${at}`),
    ),
  ];
}
const visitors = ["x", "y"].map((host) =>
  page(`http://${host}.test/`, prose(90 + host.charCodeAt(0)), ["http://o.test/index.html"]),
);

async function workspaceWith(pages: readonly PageRecord[]): Promise<Workspace> {
  const workspace = Workspace.inMemory();
  await addTo(workspace, "default", [], pages, path.join(folder, `stage-${stages++}`));
  return workspace;
}
const rows = async (workspace: Workspace, sql: string) =>
  (await workspace.read((connection) => connection.runAndReadAll(sql))).getRowObjectsJS();

describe("dustpan collections", () => {
  it("tells phantom links that a copy has by its kept copy, and none into the kept copy's own host", async () => {
    const own = page("http://o.test/imprint.html", prose(70), []);
    const kept = manual("http://o.test/").map((record) =>
      record.url === "http://o.test/index.html" ? { ...record, links: [...record.links!, own.url] } : record,
    );
    const workspace = await workspaceWith([...kept, own, ...manual("http://mirror.test/docs/"), ...visitors]);
    const phantomFile = path.join(folder, "phantom.jsonl");
    const { phantom } = await findReplicatedCollections(workspace, { phantomFile }, context);
    expect(phantom).toEqual({ links: 22, seen: 22 });
    expect(readFileSync(phantomFile, "utf8")).not.toContain("imprint");
  });

  it.each(["chunks", "clusters"] as const)("finds copies over redirects, by %s, and keeps them", async (similarity) => {
    const workspace = await workspaceWith([
      ...manual("http://o.test/"),
      ...manual("http://mirror.test/docs/"),
      ...visitors,
    ]);
    const avoidFile = path.join(folder, `avoid-${similarity}.json`);
    const options = { similarity, simulate: true, avoidFile, nowMs: 0 };
    const result = await findReplicatedCollections(workspace, options, context);
    expect(result).toMatchObject({
      ...{ snapshot: "default", pages: 26, sites: 4, merged: 0, similarPages: 24, replicatedPages: 24 },
      dropped: { dangling: 0 },
      noise: { clusters: 0 },
      distribution: [{ cardinality: 2, size: 12, isNoise: false, clusters: 1 }],
      avoid: { hosts: 1, prefixes: 0, singlePages: 0, pages: 12 },
      simulation: { shareAfter: 0, fetchesSaved: 12, bytesSaved: 12_000, lost: 0 },
    });
    expect(result.replication.map(({ pages }) => pages)).toEqual([2, 24, 0, 0, 0, 0]);
    expect(result.clusters.map(({ name, entryPage }) => [name, entryPage])).toEqual([
      ["The manual", "http://o.test/index.html"],
    ]);
    expect(result.clusters[0]!.replicas.map(({ root, mapped }) => [root, mapped])).toEqual([
      ["http://o.test/index.html", 1],
      ["http://mirror.test/docs/index.html", 1],
    ]);
    // Corresponding pages have one position.
    const pairs = await rows(
      workspace,
      `SELECT string_agg(u.url, ' ' ORDER BY u.url) AS pair FROM collection_pages c JOIN urls u ON u.id = c.url
       GROUP BY cluster, position ORDER BY pair LIMIT 1`,
    );
    expect(pairs).toEqual([{ pair: "http://mirror.test/docs/0.html http://o.test/0.html" }]);
    expect(
      await rows(workspace, `SELECT count(*)::INTEGER AS urls, count(DISTINCT page)::INTEGER AS pages FROM trivial`),
    ).toEqual([{ urls: 28, pages: 26 }]);
    expect(JSON.parse(readFileSync(avoidFile, "utf8"))).toMatchObject({
      format: "dustpan-avoid",
      avoid: [{ kind: "host", value: "mirror.test", keep: "http://o.test/index.html", pages: 12 }],
    });
    for (const name of [avoidFile, "workspace"]) {
      const avoids = await readAvoidList(name, workspace, 0);
      expect(avoids("http://mirror.test/docs/3.html")?.keep).toBe("http://o.test/index.html");
      expect(avoids("http://o.test/3.html")).toBeUndefined();
      const later = await readAvoidList(name, workspace, 31 * 86_400_000);
      expect(later("http://mirror.test/docs/3.html")).toBeUndefined();
    }
    workspace.close();
  });

  it("takes pages that share a long menu for no copies, and search shows each of them", async () => {
    const menu = Array.from({ length: 80 }, (_, at) => `Menu entry ${at}`).join("\n");
    const urls = Array.from({ length: 12 }, (_, at) => `http://o.test/${at}.html`);
    const unlike = urls.map((url, at) =>
      page(url, `${menu}\n${prose(at, 300).replaceAll(/((?:\S+ ){8})/g, "$1\n")}\nunicorn`, urls, `Page ${at}`),
    );
    const workspace = await workspaceWith(unlike);
    const found = await findReplicatedCollections(workspace, {}, context);
    expect(found).toMatchObject({
      settings: { similarity: "clusters", joinThrough: 1 },
      similarPages: 0,
      clusters: [],
    });
    expect((await searchPages(workspace, "unicorn", { limit: 20 }, context)).total).toBe(12);
    // By chunks they are similar; nobody has confirmed that.
    const chunks = await findReplicatedCollections(workspace, { similarity: "chunks" }, context);
    expect(chunks.similarPages).toBe(12);
    expect((await searchPages(workspace, "unicorn", { limit: 20 }, context)).total).toBe(12);
    const overlapping = await findReplicatedCollections(workspace, { similarity: "chunks", overlap: 0.8 }, context);
    expect(overlapping.similarPages).toBe(0);
    workspace.close();
  });

  it("shows collections as small as one asks for", async () => {
    const workspace = await workspaceWith([...manual("http://o.test/", "", 4), ...manual("http://m.test/", "", 4)]);
    expect(await findReplicatedCollections(workspace, {}, context)).toMatchObject({
      ...{ clusters: [], noise: { clusters: 1, pages: 10 }, avoid: { pages: 0 } },
    });
    expect(await findReplicatedCollections(workspace, { minSize: 5 }, context)).toMatchObject({
      ...{ clusters: [{ size: 5, cardinality: 2 }], noise: { clusters: 0 }, avoid: { pages: 5 } },
    });
    workspace.close();
  });

  it("finds in a week that an archive did not store again what it found before, links too", async () => {
    const digest = (url: string) =>
      `sha1:${[...url]
        .reduce((sum, letter) => sum * 31n + BigInt(letter.charCodeAt(0)), 7n)
        .toString(16)
        .slice(-40)
        .padStart(40, "0")}`;
    const kept = [...manual("http://o.test/"), ...manual("http://mirror.test/docs/")]
      .filter(({ status }) => status === 200)
      .map((one) => ({ ...one, digest: digest(one.url), timeMs: 1000, shingles: BigUint64Array.of(1n, 2n, 3n, 4n) }));
    // With the head of the answer and without: 200 and 304; what the server called unmodified has no digest. A third copy is known by its
    // bytes alone, which are those of o.test.
    const again = kept.map(({ url, digest: same }, at) => ({
      url,
      ...(at % 3 !== 2 && { digest: same }),
      status: at % 3 === 0 ? 200 : 304,
      timeMs: 2000,
    }));
    const third = kept
      .filter(({ url }) => url.startsWith("http://o.test/"))
      .map(({ url, digest: same }) => ({
        url: url.replace("o.test", "third.test/x"),
        digest: same,
        status: 200,
        timeMs: 2000,
      }));
    const workspace = Workspace.inMemory();
    await addTo(workspace, "week1", [], kept, path.join(folder, `stage-${stages++}`));
    const before = await findReplicatedCollections(workspace, {}, context);
    await addTo(workspace, "week2", [], [...again, ...third], path.join(folder, `stage-${stages++}`));
    const after = await findReplicatedCollections(workspace, {}, context);
    expect(before.distribution).toEqual([{ cardinality: 2, size: 12, isNoise: false, clusters: 1 }]);
    expect(after).toMatchObject({
      snapshot: "week2",
      distribution: [{ cardinality: 3, size: 12, isNoise: false, clusters: 1 }],
    });
    expect(after.links).toBe((before.links * 3) / 2);
    expect(
      await rows(workspace, "SELECT count(*)::INTEGER AS n FROM pages WHERE digest IS NULL OR body_bytes IS NULL"),
    ).toEqual([{ n: 0 }]);
    workspace.close();
  });

  it("takes URLs that proven rules make equal as one page", async () => {
    const rules = [makeRule({ kind: "parameter", name: "sid", action: "remove" })];
    const pages = [...manual("http://o.test/", "?sid=1"), ...manual("http://mirror.test/", "?sid=2")];
    const again = manual("http://o.test/", "?sid=3").filter(({ url }) => url.includes("?"));
    const workspace = await workspaceWith([...pages, ...again, ...visitors]);
    const plain = await findReplicatedCollections(workspace, {}, context);
    expect(plain.pages).toBe(37);
    const found = await findReplicatedCollections(workspace, { rules }, context);
    expect(found).toMatchObject({
      pages: 26,
      merged: 11,
      distribution: [{ cardinality: 2, size: 12, isNoise: false, clusters: 1 }],
    });
    workspace.close();
  });

  it("takes two names of one machine for one site, once mirrors has found them", async () => {
    const at = (address: string, pages: readonly PageRecord[]) => pages.map((one) => ({ ...one, address }));
    const workspace = await workspaceWith([
      ...at("10.0.0.1", [
        ...manual("http://o.test/"),
        ...manual("http://www.o.test/"),
        ...manual("http://alias.test/"),
      ]),
      ...at("10.0.0.2", manual("http://mirror.test/")),
    ]);
    expect((await findReplicatedCollections(workspace, {}, context)).sites).toBe(4);
    await mirrors(workspace, { minPages: 10 }, context);
    expect((await findReplicatedCollections(workspace, {}, context)).sites).toBe(2);
    workspace.close();
  });

  it("keeps the same host as mirrors does, so that both lists together lose nothing", async () => {
    // The mirror is larger, and comes first in the alphabet; others link to the original.
    const extra = Array.from({ length: 5 }, (_, at) => page(`http://a-mirror.test/own${at}`, prose(500 + at), []));
    const workspace = await workspaceWith([
      ...manual("http://original.test/"),
      ...manual("http://a-mirror.test/"),
      ...extra,
      page("http://x.test/", prose(91), ["http://original.test/index.html", "http://original.test/3.html"]),
    ]);
    const files = ["collections.json", "mirrors.csv", "collections.parquet"].map((name) => path.join(folder, name));
    await findReplicatedCollections(workspace, { avoidFile: files[0]! }, context);
    await mirrors(workspace, { minPages: 10, avoidFile: files[1]! }, context);
    await findReplicatedCollections(workspace, { avoidFile: files[2]! }, context);
    const lists = await Promise.all([...files, "workspace"].map((name) => readAvoidList(name, workspace, 0)));
    for (const avoids of lists) {
      for (let at = 0; at < chapters; at++) {
        expect(avoids(`http://a-mirror.test/${at}.html`)?.keep).toMatch(/^http:\/\/original\.test\//);
        expect(avoids(`http://original.test/${at}.html`)).toBeUndefined();
      }
      expect(avoids("http://a-mirror.test/own1")).toBeUndefined();
    }
    // A single page names the page that is kept instead.
    expect(lists[0]!("http://a-mirror.test/3.html")).toMatchObject({
      kind: "page",
      keep: "http://original.test/3.html",
    });
    workspace.close();
  });

  it("marks virtual pages, and replaces what it found before", async () => {
    // The partial mirror has the index and half of the chapters; the rest it links to at the original.
    const original = manual("http://o.test/");
    const half = Array.from({ length: chapters }, (_, at) => `http://${at < 10 ? "m" : "o"}.test/${at}.html`);
    const partial = original
      .filter(({ status, url }) => status === 200 && !url.endsWith("/10.html"))
      .map((one) => ({
        ...one,
        url: one.url.replace("o.test", "m.test"),
        links: one.url.endsWith("index.html") ? half : ["http://m.test/index.html"],
      }));
    const workspace = await workspaceWith([...original, ...partial, ...visitors]);
    const virtual = "SELECT u.url FROM collection_pages c JOIN urls u ON u.id = c.url WHERE c.is_virtual";
    const basic = await findReplicatedCollections(workspace, {}, context);
    expect(basic.clusters.map(({ size }) => size)).toEqual([11]);
    expect(await rows(workspace, virtual)).toEqual([]);
    const extended = await findReplicatedCollections(workspace, { extended: true }, context);
    expect(extended.clusters.map(({ size, replicas }) => [size, ...replicas.map(({ real }) => real)])).toEqual([
      [12, 12, 11],
    ]);
    expect(await rows(workspace, virtual)).toEqual([{ url: "http://o.test/10.html" }]);
    expect(await rows(workspace, "SELECT count(*)::INTEGER AS n FROM collections")).toEqual([{ n: 1 }]);
    workspace.close();
  });

  it("tells how far it is, and stops where it is told to, with nothing stored", async () => {
    const workspace = await workspaceWith([...manual("http://o.test/"), ...manual("http://mirror.test/")]);
    const steps = new Set<string>();
    const interrupt = new AbortController();
    const onProgress = ({ step }: { step: string }) => {
      steps.add(step);
      if (step === "looking for break points") interrupt.abort();
    };
    const found = findReplicatedCollections(
      workspace,
      { similarity: "chunks" },
      { onProgress, signal: interrupt.signal },
    );
    await expect(found).rejects.toThrow(InterruptedError);
    expect([...steps]).toEqual([
      ...["looking for documents", "cluster", "describing clusters"],
      "reading pages and links",
      "cutting texts into chunks",
      "counting chunks",
      "comparing the links of similar pages",
      "growing collections",
      "looking for break points",
      "looking for what some replicas have",
      "describing collections",
    ]);
    expect(await rows(workspace, "SELECT count(*)::INTEGER AS n FROM trivial")).toEqual([{ n: 0 }]);
    workspace.close();
  });

  it("says what is missing", async () => {
    const noText = await workspaceWith(manual("http://o.test/").map(({ text: _, ...rest }) => rest));
    await expect(findReplicatedCollections(noText, { similarity: "chunks" }, context)).rejects.toThrow(
      'none of the 12 pages of snapshot "default" has text; add them without --no-text, or use --similarity clusters',
    );
    const noLinks = await workspaceWith([page("http://a.test/", prose(1), ["http://b.test/"])]);
    await expect(findReplicatedCollections(noLinks, {}, context)).rejects.toThrow(
      "have no links to each other, so there is nothing to grow; all 1 links lead to pages that are not there",
    );
    await expect(findReplicatedCollections(noLinks, { snapshot: "x" }, context)).rejects.toThrow(
      'no snapshot "x" in the workspace; it has default',
    );
    const noPages = await workspaceWith([{ url: "http://a.test/", status: 404 }]);
    await expect(findReplicatedCollections(noPages, {}, context)).rejects.toThrow(
      "the workspace has no pages; add WARC",
    );
  });
});

describe("dustpan rollup and search", () => {
  let workspace: Workspace;
  const rules = [makeRule({ kind: "parameter", name: "sid", action: "remove" })];
  beforeAll(async () => {
    workspace = await workspaceWith([...manual("http://o.test/"), ...manual("http://mirror.test/"), ...visitors]);
  });
  afterAll(() => workspace.close());

  it("rolls results up by whatever spelling of a URL, and keeps their fields", async () => {
    const urls = [
      "http://x.test/",
      "http://MIRROR.test:80/old.html",
      "http://o.test/3.html?sid=7",
      "http://else.test/",
    ];
    const results = urls.map((url, at) => ({ url, score: 9 - at, engine: "e" }));
    const lines = await rollUpResults(workspace, results, { rules }, context);
    expect(lines.map(({ url, rank, engine }) => [url, rank, engine])).toEqual([
      [urls[0], 1, "e"],
      [urls[1], 2, "e"],
      [urls[3], 4, "e"],
    ]);
    expect(lines[1]).toMatchObject({
      name: "The manual",
      size: 12,
      collection: [{ rank: 2 }, { rank: 3, engine: "e" }],
    });
    const replicas = lines[1]!.cluster === undefined ? [] : lines[1]!.replicas;
    expect(replicas.map(({ root, hits, isPrincipal }) => [root, hits, isPrincipal])).toEqual([
      ["http://o.test/index.html", 1, true],
      ["http://mirror.test/index.html", 1, false],
    ]);
  });

  it("searches, indexes what was added since, and rolls up", async () => {
    const found = await searchPages(workspace, "Unicorn4", {}, context);
    expect(found).toMatchObject({ matches: 2, total: 1, isRolledUp: true });
    expect(found.lines[0]).toMatchObject({
      url: "http://mirror.test/4.html",
      title: "Chapter 4",
      snippet: "unicorn4 zebra",
    });
    const flat = await searchPages(workspace, "unicorn4", { rollUp: false }, context);
    expect(flat.lines.map(({ url, rank }) => [url, rank])).toEqual([
      ["http://mirror.test/4.html", 1],
      ["http://o.test/4.html", 2],
    ]);
    const everything = await searchPages(workspace, "zebra", { rollUp: false, limit: 50 }, context);
    expect(everything.lines).toHaveLength(22);
    expect(everything.next).toBeUndefined();
    const leafed: string[] = [];
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const options = { rollUp: false, limit: 5, ...(after !== undefined && { after }) };
      const { lines, next, total } = await searchPages(workspace, "zebra", options, context);
      expect(total).toBe(22);
      leafed.push(...lines.map(({ url }) => url));
      after = next;
    }
    expect(leafed).toEqual(everything.lines.map(({ url }) => url));
    // A page that is no longer there: it goes on after its score.
    expect((await searchPages(workspace, "zebra", { rollUp: false, after: "0_99999" }, context)).lines).toEqual([]);
    await expect(searchPages(workspace, "zebra", { after: "20" }, context)).rejects.toThrow(
      '"20" is not a place to continue from',
    );
    await addTo(workspace, "default", [], [page("http://new.test/", "unicorn4", [])], path.join(folder, "stage-new"));
    expect((await searchPages(workspace, "unicorn4", {}, context)).lines.map(({ url }) => url)).toEqual([
      "http://new.test/",
      "http://mirror.test/4.html",
    ]);
    expect(await searchPages(workspace, "nowhere", {}, context)).toMatchObject({ matches: 0, lines: [] });
    await expect(searchPages(workspace, "...", {}, context)).rejects.toThrow('nothing to look for in "..."');
  });

  it("searches pages without links, copies apart", async () => {
    const alone = await workspaceWith([page("http://a.test/", "one two", []), page("http://b.test/", "one two", [])]);
    expect(await searchPages(alone, "two", {}, context)).toMatchObject({ isRolledUp: false, total: 2 });
    alone.close();
  });
});
