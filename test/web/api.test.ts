import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import type { Rule } from "#src/model.js";
import { hostile, sidId, startTestSite, storyId, type TestSite, token } from "./site.js";

// biome-ignore lint/suspicious/noExplicitAny: documents are checked by what they hold
type Document = any;

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite();
});
afterAll(() => site.close());

async function call(method: string, address: string, body?: unknown): Promise<{ status: number; document: Document }> {
  const response = await fetch(`http://127.0.0.1:${site.server.port}${address}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, document: await response.json() };
}
/** The document, asked for again while it is made ready. */
async function get(address: string): Promise<Document> {
  for (;;) {
    const { status, document } = await call("GET", address);
    if (status !== 202) return document;
  }
}
const rulesOnDisk = (): readonly Rule[] =>
  parseRulesFile(readFileSync(path.join(site.folder, "dustpan.rules.json"), "utf8")).rules;

/** All pages of a list, following its keys. */
async function all(address: string, field: string): Promise<Document[]> {
  const rows: Document[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < 100; pages++) {
    const join = address.includes("?") ? "&" : "?";
    const page = await get(`${address}${after === undefined ? "" : `${join}after=${after}`}`);
    rows.push(...page[field]);
    after = page.next;
    if (after === undefined) return rows;
  }
  throw new Error("the pages do not end");
}

describe("rules", () => {
  it("lists them as the rules file has them, sorted, filtered and paged by key", async () => {
    const document = await get("/api/rules");
    expect(document.format).toBe("dustpan-rule-list");
    expect(document.certificates).toMatchObject([
      { certified: false, text: expect.stringMatching(/^not certified: the rules in use were never/) },
    ]);
    expect(document.rules.map(({ id }: Rule) => id)).toEqual(rulesOnDisk().map(({ id }) => id));
    const sorted = await all("/api/rules?sort=support&limit=1", "rules");
    expect(sorted.map(({ support }) => support)).toEqual([300, 100, 7]);
    const ascending = await all("/api/rules?sort=support&order=asc&limit=2", "rules");
    expect(ascending.map(({ support }) => support)).toEqual([7, 100, 300]);
    expect((await get("/api/rules?status=valid")).rules.map(({ id }: Rule) => id)).toEqual([sidId]);
    expect((await get("/api/rules?q=STORY")).rules.map(({ id }: Rule) => id)).toEqual([storyId]);
    expect((await call("GET", "/api/rules?sort=nothing")).status).toBe(400);
  });

  it("writes decisions into the rules file, and takes them back", async () => {
    await call("POST", `/api/rules/${storyId}/decision`, { decision: "accepted", note: "seen" });
    expect(rulesOnDisk().find(({ id }) => id === storyId)).toMatchObject({ decision: "accepted", note: "seen" });
    await call("POST", `/api/rules/${storyId}/decision`, { decision: null, note: "" });
    const reset = rulesOnDisk().find(({ id }) => id === storyId)!;
    expect(reset.decision).toBeNull();
    expect(reset.note).toBeUndefined();
    expect((await call("POST", `/api/rules/${storyId}/decision`, { decision: "maybe" })).status).toBe(400);
    expect((await call("POST", "/api/rules/r-0000000000/decision", { decision: null })).status).toBe(400);
  });

  it("takes a rule by hand, edits it, finds what it refines, and removes it", async () => {
    const wrong = await call("POST", "/api/rules", { rule: { kind: "substring", from: "a", to: "a" } });
    expect(wrong.status).toBe(400);
    expect(wrong.document.error).toMatch(/"to" is the same as "from"|the same as "from"/);

    const rule = { kind: "substring", from: "test/story_", to: "test/story?id=" };
    const made = await call("POST", "/api/rules", { rule });
    expect(made.status).toBe(201);
    const [{ id, source, status }] = made.document.rules;
    expect([source, status]).toEqual(["hand", "likely"]);
    expect((await get(`/api/rules/${storyId}`)).refinements.map((other: Rule) => other.id)).toEqual([id]);
    expect((await get(`/api/rules/${id}`)).refines.map((other: Rule) => other.id)).toEqual([storyId]);
    expect((await call("POST", "/api/rules", { rule })).status).toBe(400);

    const scoped = { ...rule, scope: { host: "forum.test" } };
    const edited = (await call("POST", "/api/rules", { rule: scoped, replaces: id })).document.rules[0].id;
    expect(rulesOnDisk().map((other) => other.id)).not.toContain(id);
    expect(rulesOnDisk()[0]!.id).toBe(edited);
    expect((await call("DELETE", `/api/rules/${storyId}`)).status).toBe(400);
    expect((await call("DELETE", `/api/rules/${edited}`)).status).toBe(200);
    expect(rulesOnDisk()).toHaveLength(3);
  });

  it("keeps a mined rule that is replaced, rejected", async () => {
    const rule = { kind: "parameter", name: "sid", action: "set", value: "0" };
    const [{ id, site: named }] = (await call("POST", "/api/rules", { rule, replaces: sidId })).document.rules;
    expect(named).toBe("forum.test");
    expect(rulesOnDisk().find((other) => other.id === sidId)).toMatchObject({ decision: "rejected" });
    await call("DELETE", `/api/rules/${id}`);
    await call("POST", `/api/rules/${sidId}/decision`, { decision: null, note: "" });
  });

  it("shows which URLs a rule merges, what sketches contradict first", async () => {
    const preview = (await call("POST", "/api/preview", { id: storyId })).document;
    expect(preview).toMatchObject({ changed: 100, merged: 100, alike: 49, contradicted: 1, examined: 303, total: 303 });
    expect(preview.merges[0]).toMatchObject({
      from: "http://forum.test/story_1",
      to: "http://forum.test/story?id=1",
      sketches: "different",
    });
    const written = (await call("POST", "/api/preview", { rule: { kind: "parameter", name: "sid", action: "remove" } }))
      .document;
    // None of the targets has been seen, but all of them are the same: one stays, as mining counts it too.
    expect(written).toMatchObject({ changed: 100, merged: 99, alike: 0, contradicted: 0 });
  });

  it("compares the pages of a pair line by line", async () => {
    const pairs = await all(`/api/rules/${storyId}/pairs?limit=7`, "pairs");
    expect(pairs).toHaveLength(40);
    const [negative] = (await get(`/api/rules/${storyId}/pairs?outcome=negative`)).pairs;
    const { left, rows } = await get(`/api/rules/${storyId}/pairs/${negative.pair}`);
    expect(left).toMatchObject({ url: "http://forum.test/story_1", status: 200, title: hostile });
    expect(rows).toEqual([
      { left: "first line", right: "first line", same: true },
      { left: "story 1", right: "story 1", same: true },
      { left: "other", right: hostile, same: false },
      { left: "last line", right: "last line", same: true },
    ]);
    expect((await call("GET", `/api/rules/${storyId}/pairs/9-9`)).status).toBe(400);
  });
});

describe("URLs", () => {
  it.each([
    ["url", "asc"],
    ["url", "desc"],
    ["hits", "desc"],
    ["hits", "asc"],
  ] as const)("pages by %s, %s: every URL once, in order", async (sort, order) => {
    for (const filter of ["", "&host=forum.test", "&prefix=http://forum.test/story_1", "&contains=story_1"]) {
      const rows = await all(`/api/urls?sort=${sort}&order=${order}&limit=47${filter}&unmask`, "urls");
      const expected = filter === "" ? 301 : filter.startsWith("&host") ? 201 : 11;
      expect(new Set(rows.map(({ id }) => id)).size, filter).toBe(expected);
      expect(rows).toHaveLength(expected);
      const key = (row: Document) => (sort === "url" ? `${row.host} ${row.url}` : row.hits);
      const sorted = [...rows].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
      if (order === "desc") sorted.reverse();
      expect(rows.map(key)).toEqual(sorted.map(key));
    }
  });

  it("goes on from a key after the order has been made again", async () => {
    const { next, urls } = await get("/api/urls?sort=url&limit=5");
    await site.workspace.write(async (connection) => {
      await connection.run("INSERT INTO urls VALUES (301, 'http://forum.test/!first', 'forum.test')");
      await connection.run("INSERT INTO sightings VALUES (1, 301, 1, 4, NULL, NULL, NULL, NULL)");
    });
    const [following] = (await get(`/api/urls?sort=url&limit=5&after=${next}`)).urls;
    const whole = await all("/api/urls?sort=url", "urls");
    expect(whole[0].id).toBe(301);
    expect(following.id).toBe(whole[whole.findIndex(({ id }) => id === urls.at(-1).id) + 1].id);
  });

  it("makes the order again where its file is gone or is something else", async () => {
    const first = async () => (await get("/api/urls?sort=url&limit=5")).urls;
    const before = await first();
    expect(before).toHaveLength(5);
    const file = `${site.workspace.file}.browse`;
    rmSync(file);
    expect(await first()).toEqual(before);
    expect(readdirSync(site.folder).filter((name) => name.includes(".tmp-"))).toEqual([]);
    writeFileSync(file, "something else ".repeat(1000));
    await site.workspace.write((connection) => connection.run("INSERT INTO meta VALUES ('touched', 'yes')"));
    expect(await first()).toEqual(before);
  });

  it("explains a URL, known or not", async () => {
    const text = "HTTP://www.forum.test:80/a?sid=secret5abcdef";
    const document = await get(`/api/url?unmask&url=${encodeURIComponent(text)}`);
    expect(document).toMatchObject({
      given: text,
      normalized: { url: "http://www.forum.test/a?sid=secret5abcdef", steps: ["schemeCase", "defaultPort"] },
      canonical: "http://www.forum.test/a",
      steps: [{ rule: sidId, before: "http://www.forum.test/a?sid=secret5abcdef", after: "http://www.forum.test/a" }],
      id: 205,
      mirrors: [{ host: "forum.test", isMirror: true }],
    });
    const { aliases, next } = await get("/api/urls/205/aliases");
    expect(aliases).toHaveLength(100);
    expect(next).toBeUndefined();
    expect(await get("/api/url?url=http://elsewhere.test/x")).not.toHaveProperty("id");
    // What pages only link to is known, and in no list.
    expect(await get("/api/url?url=http://forum.test/only-linked-to")).toMatchObject({ id: 302, sightings: [] });
    expect((await get("/api/urls")).total).toBe(302);
    expect((await call("GET", "/api/url?url=nonsense")).status).toBe(400);
    expect(await get("/api/urls/0")).toMatchObject({
      clusters: [{ size: 4 }, { size: 4 }],
      pages: [{ title: hostile }],
    });
  });

  it("masks session ids and tokens unless asked", async () => {
    const masked = JSON.stringify(await get("/api/urls?host=www.forum.test"));
    expect(masked).not.toContain("secret");
    expect(masked).toContain("sid=se•••");
    expect(JSON.stringify(await get("/api/urls?host=www.forum.test&unmask=1"))).toContain("secret");
  });
});

describe("copies", () => {
  it("drills down from a size class to a cluster to its pages, by key", async () => {
    const { snapshot, snapshots, classes } = await get("/api/clusters");
    expect({ snapshot, snapshots, classes }).toEqual({
      snapshot: "one",
      snapshots: ["one"],
      classes: [{ sizes: "2-10", clusters: 25, pages: 100 }],
    });
    for (const order of ["asc", "desc"]) {
      const clusters = await all(`/api/clusters?sizes=2-10&order=${order}&limit=4`, "clusters");
      const roots = Array.from({ length: 25 }, (_, i) => 4 * i);
      expect(clusters.map(({ root }) => root)).toEqual(order === "desc" ? roots : roots.reverse());
    }
    expect(await all("/api/clusters?sizes=11-100", "clusters")).toEqual([]);
    const pages = await all("/api/clusters/8?limit=3", "pages");
    expect(pages.map(({ id, title }) => [id, title])).toEqual([8, 9, 10, 11].map((id) => [id, hostile]));
    expect((await get("/api/clusters?limit=1")).clusters).toMatchObject([{ root: 0, size: 4, title: hostile }]);
    const { left, rows } = await get("/api/comparison?left=2&right=3&snapshot=one");
    expect(left).toMatchObject({ url: "http://forum.test/story?id=1", title: hostile });
    expect(rows.filter(({ same }: Document) => !same)).toEqual([{ left: hostile, right: "other", same: false }]);
    expect(await get("/api/comparison?left=2&right=3&snapshot=two")).not.toHaveProperty("rows");
    expect((await call("GET", "/api/comparison?left=2")).status).toBe(400);
    expect((await call("GET", "/api/clusters?snapshot=none")).status).toBe(400);
    expect((await call("GET", "/api/clusters?sizes=many")).status).toBe(400);
  });

  it("lists mirrors, and says nothing where nobody has looked", async () => {
    expect((await get("/api/mirrors")).mirrors).toMatchObject([{ a: "forum.test", b: "www.forum.test", clusters: 12 }]);
    expect(await get("/api/collections")).toMatchObject({ collections: [], snapshots: [] });
    expect((await get("/api/parts")).found).toBe(null);
    expect(await get("/api/snapshots")).toMatchObject({
      ...{ snapshots: [{ name: "one" }, { name: "two" }], evolution: [], changes: [] },
    });
  });

  it("draws figures", async () => {
    const { figures } = await get("/api/figures");
    expect(figures.map(({ name }: { name: string }) => name)).toContain("cluster-sizes");
  });

  it("finds pages by their words, the index made by the first search", async () => {
    expect(await get("/api/search?q=other")).toMatchObject({
      format: "dustpan-search",
      matches: 1,
      lines: [{ url: "http://forum.test/story_1" }],
    });
    expect(await all("/api/search?q=story&flat&limit=40", "lines")).toHaveLength(100);
  });
});

describe("jobs and downloads", () => {
  it("validates in the server's process and keeps what was decided meanwhile", async () => {
    const { status, document } = await call("POST", "/api/jobs/validate", { offline: true });
    expect(status).toBe(202);
    await call("POST", `/api/rules/${storyId}/decision`, { decision: "rejected" });
    let job = document;
    while (job.state === "running") job = await get(`/api/jobs/${job.id}`);
    expect(job).toMatchObject({ state: "done", result: { format: "dustpan-validate" } });
    const story = rulesOnDisk().find(({ id }) => id === storyId)!;
    expect(story.decision).toBe("rejected");
    expect(story.status).toBe("refuted");
    expect((await call("POST", "/api/jobs/validate", { sites: [] })).status).toBe(400);
  });

  it("gives the rules file and whole tables", async () => {
    const download = async (address: string) => {
      const response = await fetch(`http://127.0.0.1:${site.server.port}${address}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="/);
      return Buffer.from(await response.arrayBuffer());
    };
    expect(parseRulesFile((await download("/api/rules-file")).toString()).rules).toEqual(rulesOnDisk());
    const lines = (await download("/api/tables/urls.csv")).toString().trimEnd().split("\n");
    expect(lines).toHaveLength(304);
    expect((await download("/api/tables/clusters.parquet")).subarray(0, 4).toString()).toBe("PAR1");
    expect((await call("GET", "/api/tables/nothing.csv")).status).toBe(400);
    expect((await call("GET", "/api/tables/urls.exe")).status).toBe(400);
  });

  it("holds neither the workspace nor its order: another process can write", async () => {
    await get("/api/urls");
    // A second instance in this process would not be stopped by the lock; an exclusive open shows that none is held.
    const instance = await DuckDBInstance.create(path.join(site.folder, "dustpan.duckdb"));
    instance.closeSync();
    expect((await get("/api/info")).format).toBe("dustpan-info");
  });
});
