import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InterruptedError } from "#src/errors.js";
import { type CrawlOptions, crawl } from "#src/jobs/crawl.js";
import { readAvoidList } from "#src/store/copies/avoid-list.js";
import { readKnownPages } from "#src/store/pages/known-page-rows.js";
import { Workspace } from "#src/store/workspace.js";
import { compileAvoidList } from "#src/url/avoid-list.js";
import { makeRule } from "../canon/make-rule.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-crawl-"));
const asked: string[] = [];

/** Page i links to 2i and 2i + 1, with and without a session; 7 redirects to 3, 9 is missing, /logout is not a page. */
const server = createServer((request, response) => {
  const target = request.url!;
  asked.push(target);
  const id = Number(/^\/page\/(\d+)/.exec(target)?.[1] ?? (target === "/" ? 1 : Number.NaN));
  if (target === "/robots.txt") return response.writeHead(404).end();
  if (id === 7) return response.writeHead(301, { location: "/page/3" }).end();
  if (Number.isNaN(id) || id === 9) return response.writeHead(404, { "content-type": "text/html" }).end("<p>gone");
  const links = [2 * id, 2 * id + 1].filter((next) => next <= 20);
  const anchors = links.map((next) => `<a href="/page/${next}">x</a> <a href="/page/${next}?sid=${id}">y</a>`);
  const words = Array.from({ length: 40 }, (_, i) => `w${id}-${i}`).join(" ");
  response.writeHead(200, { "content-type": "text/html" });
  return response.end(`<title>${id}</title><p>${words}</p>${anchors.join("")}<a href="/logout">bye</a>`);
});
/** 14, 15, 18 and 19 hang on pages that are not there. */
const reachable = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 20];
let origin = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const context = (signal = new AbortController().signal) => ({ onProgress: () => {}, signal });
const options = (more: Partial<CrawlOptions> = {}): CrawlOptions => ({
  snapshot: "monday",
  maxPages: 1000,
  rules: [],
  text: true,
  fetch: { sites: [origin], delayMs: 0 },
  ...more,
});
const workspaceAt = (name: string) => Workspace.at(path.join(folder, `${name}.duckdb`));
const seeds = () => [`${origin}/`];
const session = makeRule({ kind: "parameter", name: "sid", action: "remove" });

async function urlsIn(workspace: Workspace): Promise<string[]> {
  return [...(await readKnownPages(workspace)).keys()].map((url) => url.slice(origin.length)).sort();
}

describe("a crawl", () => {
  it("finds everything once, and stores pages, redirects and failures with their links", async () => {
    asked.length = 0;
    const workspace = workspaceAt("whole");
    const result = await crawl(workspace, seeds(), options(), context());
    expect(asked.filter((target) => target !== "/page/3").length).toBe(new Set(asked).size - 1);
    expect(asked).not.toContain("/logout");
    expect(result).toMatchObject({ stoppedBy: "nothing left", spared: 0, avoided: 0, waiting: 0 });
    expect(result.leftAlone).toEqual({ 'looks like an action: "logout" in the path': 1 });
    expect(result.found).toBe(1 + 2 * reachable.length);
    const pages = await readKnownPages(workspace, "monday");
    expect(pages.get(`${origin}/page/7`)![0]).toMatchObject({ status: 301, redirect: `${origin}/page/3` });
    expect(pages.get(`${origin}/page/9`)![0]).toMatchObject({ status: 404 });
    expect(pages.get(`${origin}/page/2`)![0]).toMatchObject({
      status: 200,
      digest: pages.get(`${origin}/page/2?sid=1`)![0]!.digest!,
    });
    expect(pages.get(`${origin}/page/2`)![0]!.shingles!.length).toBe(4);
    const links = await workspace.read(async (connection) =>
      (
        await connection.runAndReadAll(
          "SELECT count(*)::INTEGER FROM links l JOIN urls u ON u.id = l.source_url WHERE u.url LIKE '%/page/2'",
        )
      ).getRows(),
    );
    expect(links).toEqual([[5]]);
    expect(existsSync(`${workspace.file}.crawl-monday`)).toBe(false);
    await expect(crawl(workspace, seeds(), options(), context())).rejects.toThrow("already holds a crawl");
  });

  it("asks for canonical URLs only where rules are given, and says what that saves", async () => {
    asked.length = 0;
    const workspace = workspaceAt("canon");
    const result = await crawl(workspace, seeds(), options({ rules: [session] }), context());
    expect(asked.some((target) => target.includes("sid="))).toBe(false);
    expect(result).toMatchObject({ found: 1 + 2 * reachable.length, spared: reachable.length });
    expect(await urlsIn(workspace)).toEqual(["/", ...reachable.map((id) => `/page/${id}`)].sort());
  });

  it("stays away from what the avoid-list names", async () => {
    const avoids = compileAvoidList([{ kind: "prefix", value: `${origin}/page/2` }]);
    const result = await crawl(workspaceAt("avoid"), seeds(), options({ avoids }), context());
    expect(result.avoided).toBeGreaterThan(0);
    const out = result.leftOut.filter(({ why }) => why !== "rules");
    expect(out).toHaveLength(result.avoided);
    expect(out.every(({ url, why }) => url.startsWith(`${origin}/page/2`) && why === "listed")).toBe(true);
    expect((await urlsIn(workspaceAt("avoid"))).some((url) => url.startsWith("/page/2"))).toBe(false);
  });

  it("says for each URL why it was left out, and what is fetched instead", async () => {
    const keep = "http://other.test/2";
    const avoids = compileAvoidList([
      { kind: "page", value: `${origin}/page/2`, keep, why: "collection" },
      { kind: "page", value: `${origin}/page/6`, keep: `${origin}/page/3`, why: "unchanged" },
      { kind: "prefix", value: `${origin}/page/12`, why: "mirror" },
    ]);
    const { leftOut } = await crawl(workspaceAt("why"), seeds(), options({ avoids, rules: [session] }), context());
    const said = new Map(leftOut.map(({ url, ...rest }) => [url.slice(origin.length), rest]));
    expect(said.size).toBe(leftOut.length);
    expect(said.get("/page/2")).toEqual({ why: "collection", keep });
    expect(said.get("/page/6")).toEqual({ why: "unchanged", keep: `${origin}/page/3` });
    expect(said.get("/page/3?sid=1")).toEqual({ why: "rules", keep: `${origin}/page/3` });
    // What only links to it is never found.
    expect(said.has("/page/12")).toBe(false);
    expect((await urlsIn(workspaceAt("why"))).some((url) => said.has(url))).toBe(false);
  });

  it("still fetches what only avoided pages link to, as an earlier crawl knows them", async () => {
    const workspace = workspaceAt("behind");
    await crawl(workspace, seeds(), options(), context());
    const avoids = compileAvoidList([{ kind: "prefix", value: `${origin}/page/2` }]);
    asked.length = 0;
    await crawl(workspace, seeds(), options({ avoids, snapshot: "tuesday" }), context());
    expect(asked.filter((target) => target.startsWith("/page/2"))).toEqual([]);
    // 4 and 5 hang on 2 alone.
    for (const id of [4, 5, 8, 10]) expect(asked).toContain(`/page/${id}`);
  });

  it("takes the workspace's rules where it has no avoid-list, and says where there is neither", async () => {
    const workspace = workspaceAt("why");
    await expect(readAvoidList("workspace", workspace, 0)).rejects.toThrow(/neither an avoid-list .* nor a rule/);
    expect((await readAvoidList("workspace", workspace, 0, true))(`${origin}/page/2`)).toBeUndefined();
  });

  it("goes on with larger limits until nothing is left", async () => {
    const whole = await urlsIn(workspaceAt("whole"));
    const workspace = workspaceAt("parts");
    const first = await crawl(workspace, seeds(), options({ maxPages: 5 }), context());
    expect(first).toMatchObject({ pages: 5, stoppedBy: "max pages" });
    expect(first.waiting).toBeGreaterThan(0);
    expect((await urlsIn(workspace)).length).toBe(5);
    const budget = { sites: [origin], delayMs: 0, maxRequests: 6 };
    const second = await crawl(workspace, seeds(), options({ fetch: budget }), context());
    expect(second).toMatchObject({ stoppedBy: "budget", fetched: { requests: 6 } });
    await expect(crawl(workspace, [`${origin}/page/5`], options(), context())).rejects.toThrow("unfinished crawl");
    const last = await crawl(workspace, seeds(), options(), context());
    expect(last.stoppedBy).toBe("nothing left");
    expect(await urlsIn(workspace)).toEqual(whole);
  });

  it("goes on after Ctrl-C, and after a kill in the middle of a line", async () => {
    const whole = await urlsIn(workspaceAt("whole"));
    const workspace = workspaceAt("killed");
    const interrupt = new AbortController();
    let pages = 0;
    const onProgress = () => {
      if (++pages === 6) interrupt.abort();
    };
    const interrupted = crawl(workspace, seeds(), options(), { onProgress, signal: interrupt.signal });
    await expect(interrupted).rejects.toBeInstanceOf(InterruptedError);
    expect((await urlsIn(workspace)).length).toBeGreaterThan(4);
    const journal = `${workspace.file}.crawl-monday`;
    const lines = readFileSync(journal, "utf8").split("\n");
    appendFileSync(journal, lines[2]!.slice(0, 40));
    asked.length = 0;
    const result = await crawl(workspace, seeds(), options(), context());
    expect(result.stoppedBy).toBe("nothing left");
    expect(asked).not.toContain("/");
    expect(await urlsIn(workspace)).toEqual(whole);
    // No download is there twice.
    const twice = await workspace.read(async (connection) =>
      (await connection.runAndReadAll("SELECT url FROM pages GROUP BY url HAVING count(*) > 1")).getRows(),
    );
    expect(twice).toEqual([]);
  });
});

it("begins with the sitemaps that robots.txt names: an index, a packed one, and no stranger's", async () => {
  const page = (name: string) => `<p>${Array.from({ length: 30 }, (_, i) => `${name}${i}`).join(" ")}</p>`;
  const locs = (root: string, entry: string, urls: readonly string[]) =>
    `<?xml version="1.0"?><${root}>${urls.map((url) => `<${entry}><loc>${url}</loc></${entry}>`).join("")}</${root}>`;
  let site = "";
  const answers = new Map<string, () => string | Buffer>([
    [
      "/robots.txt",
      () => `Sitemap: ${site}/index.xml\nUser-agent: *\nDisallow: /secret\nSitemap: http://b.test/map.xml`,
    ],
    ["/index.xml", () => locs("sitemapindex", "sitemap", [`${site}/map.xml.gz`, `${site}/secret/map.xml`])],
    ["/map.xml.gz", () => gzipSync(locs("urlset", "url", [`${site}/orphan`, `${site}/secret/page`, "http://b.test/"]))],
    ["/", () => page("home")],
    ["/orphan", () => page("orphan")],
  ]);
  const named = createServer((request, response) => {
    const body = answers.get(request.url!)?.();
    response.writeHead(body === undefined ? 404 : 200, {
      "content-type": request.url!.includes(".xml") ? "application/xml" : "text/html",
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => named.listen(0, "127.0.0.1", resolve));
  site = `http://127.0.0.1:${(named.address() as AddressInfo).port}`;
  try {
    const workspace = workspaceAt("sitemaps");
    const limited = options({ fetch: { sites: [site], delayMs: 0 }, maxPages: 2 });
    expect(await crawl(workspace, [`${site}/`], limited, context())).toMatchObject({ stoppedBy: "max pages" });
    // The other half knows the sitemaps from the journal.
    const rest = await crawl(workspace, [`${site}/`], { ...limited, maxPages: 100 }, context());
    expect(rest).toMatchObject({ stoppedBy: "nothing left", outcomes: { ok: 4, disallowed: 2 } });
    const urls = [...(await readKnownPages(workspace)).keys()].map((url) => url.slice(site.length));
    expect(urls.sort()).toEqual(["/", "/index.xml", "/map.xml.gz", "/orphan"]);
  } finally {
    named.closeAllConnections();
    named.close();
  }
});
