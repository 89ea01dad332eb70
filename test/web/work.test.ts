import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import type { Documents, Job, Overview } from "#src/documents.js";
import { Workspace } from "#src/store/workspace.js";
import { type RunningServer, startServer } from "#src/web/server/server.js";

const token = "test-token";
let folder: string;
let server: RunningServer;

const start = (host = "127.0.0.1") =>
  startServer({
    workspace: Workspace.at(path.join(folder, "dustpan.duckdb")),
    rulesFile: path.join(folder, "dustpan.rules.json"),
    fetch: { sites: [] },
    unmask: false,
    host,
    port: 0,
    token,
  });

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "dustpan-work-"));
  server = await start();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const address = (to: string) => `http://127.0.0.1:${server.port}${to}`;
const authorized = { Authorization: `Bearer ${token}` };

async function call<T>(method: string, to: string, body?: unknown): Promise<{ status: number; document: T }> {
  const response = await fetch(address(to), {
    method,
    headers: { ...authorized, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, document: (await response.json()) as T };
}

async function upload(name: string, bytes: string): Promise<string> {
  const response = await fetch(address(`/api/uploads?name=${encodeURIComponent(name)}`), {
    method: "POST",
    headers: { ...authorized, "Content-Type": "application/octet-stream" },
    body: bytes,
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { upload: string }).upload;
}

/** Starts a job and waits for its end. */
async function work(kind: string, body: object = {}): Promise<Job> {
  const started = await call<Job & { error?: string }>("POST", `/api/jobs/${kind}`, body);
  expect(started.status, started.document.error).toBe(202);
  return ended(started.document);
}

async function ended({ id }: Job): Promise<Job> {
  const state = async () => (await call<Job>("GET", `/api/jobs/${id}`)).document.state;
  await expect.poll(state, { timeout: 30_000 }).not.toBe("running");
  return (await call<Job>("GET", `/api/jobs/${id}`)).document;
}

const overview = async () => (await call<Overview>("GET", "/api/overview")).document;
const scratch = () => readdirSync(folder).filter((name) => name.includes(".tmp-"));

const log = Array.from({ length: 60 }, (_, i) =>
  ["", "&sid=1", "&sid=2"].map(
    (sid) => `10.0.0.1 - - [16/Nov/2026:10:00:00 +0000] "GET /story?id=${i}${sid} HTTP/1.1" 200 ${1000 + i}`,
  ),
)
  .flat()
  .join("\n");

/** Pages of two hosts that are copies of each other, with links between them. */
const crawl = ["a.test", "b.test"]
  .flatMap((host) =>
    Array.from({ length: 14 }, (_, i) => {
      const text = Array.from({ length: 60 }, (_, word) => `word${(i * 97 + word * 13) % 1000}`).join(" ");
      const next = `<a href="http://${host}/page${(i + 1) % 14}.html">next</a>`;
      const html = `<title>Page ${i}</title><p>${text}</p>${next}`;
      return JSON.stringify({ url: `http://${host}/page${i}.html`, status: 200, html });
    }),
  )
  .join("\n");

describe("work that the browser starts", () => {
  it("goes from nothing to a file, to rules, to copies", async () => {
    expect(await overview()).toMatchObject({ inputs: 0, urls: 0, takesPaths: true });
    expect((await call("GET", "/api/clusters")).document).toMatchObject({ format: "dustpan-nothing" });
    const id = await upload("access.log", log);
    expect(statSync(path.join(folder, scratch()[0]!)).mode & 0o077).toBe(0);
    const added = await work("add", { uploads: [id], base: "http://www.a.test" });
    expect(added).toMatchObject({ state: "done", told: expect.stringMatching(/^access\.log \(\w+\): 180 records/) });
    expect(readdirSync(path.join(folder, scratch()[0] ?? "."))).not.toContain(id);

    expect(await work("mine")).toMatchObject({
      state: "done",
      told: expect.stringMatching(/^\d+ likely rules? among 180/),
    });
    const { rules } = parseRulesFile(readFileSync(path.join(folder, "dustpan.rules.json"), "utf8"));
    expect(rules).toContainEqual(expect.objectContaining({ kind: "parameter", name: "sid", status: "likely" }));
    expect((await overview()).rules).toMatchObject({ used: 0, likely: rules.length });

    const file = path.join(folder, "crawl.jsonl");
    writeFileSync(file, crawl);
    expect(await work("add", { paths: [file], snapshot: "crawl" })).toMatchObject({ state: "done" });
    for (const kind of ["cluster", "mirrors", "collections", "contains"]) {
      expect(await work(kind), kind).toMatchObject({ state: "done", told: expect.stringContaining("crawl: ") });
    }
    expect(await overview()).toMatchObject({
      inputs: 2,
      pages: 28,
      clusters: { snapshot: "crawl", clusters: 14, pages: 28, of: 28 },
      mirrors: { pairs: 1, hosts: 2 },
      collections: { collections: 1, copies: 2, pages: 28 },
    });
    const { document: parts } = await call<Documents["dustpan-parts"]>("GET", "/api/parts");
    expect(parts.found).toMatchObject({ snapshot: "crawl", share: 0.9, pages: 28 });
    expect(await work("evolve")).toMatchObject({ state: "failed", error: expect.stringMatching(/two|snapshot/) });
  });

  it("runs one at a time, and stops when it is told to", async () => {
    const lines = Array.from({ length: 40_000 }, (_, i) => `http://a.test/${i % 700}/x?a=${i}&b=${i % 13}`).join("\n");
    await work("add", { uploads: [await upload("urls.txt", lines)] });
    const { document: mining } = await call<Job>("POST", "/api/jobs/mine", {});
    const second = await call<{ error: string }>("POST", "/api/jobs/cluster", {});
    expect([second.status, second.document.error]).toEqual([400, expect.stringContaining("looking for likely rules")]);
    await call("DELETE", `/api/jobs/${mining.id}`);
    expect((await ended(mining)).state).toBe("cancelled");
    expect(existsSync(path.join(folder, "dustpan.rules.json"))).toBe(false);
  });

  it("refuses a file that is refused by the command, says why, and keeps nothing of it", async () => {
    const job = await work("add", { uploads: [await upload("../../etc/x\n.bin", "\0\x01\x02".repeat(500))] });
    expect(job.state).toBe("failed");
    expect(job.title).toBe("adding x.bin");
    expect(await work("add", { paths: ["/nothing/here.log"] })).toMatchObject({
      state: "failed",
      error: expect.stringContaining("/nothing/here.log"),
    });
    for (const body of [
      {},
      { paths: ["-"] },
      { uploads: ["nothing"] },
      { paths: "x" },
      { paths: [], base: "ftp://x" },
    ]) {
      expect((await call("POST", "/api/jobs/add", body)).status, JSON.stringify(body)).toBe(400);
    }
    expect(existsSync(path.join(folder, "x.bin"))).toBe(false);
  });

  it("takes a file only with the token, from its own pages, and no path where others reach the server", async () => {
    const refused = async (headers: Record<string, string>) =>
      (await fetch(address("/api/uploads?name=x"), { method: "POST", headers, body: "x" })).status;
    expect(await refused({})).toBe(401);
    expect(await refused({ ...authorized, Origin: "http://evil.test" })).toBe(403);
    expect(await refused({ ...authorized, "Sec-Fetch-Site": "cross-site" })).toBe(403);
    const ticket = await call<{ ticket: string }>("POST", "/api/tickets", { address: "/api/uploads?name=x" });
    const withTicket = await fetch(address(`/api/uploads?name=x&ticket=${ticket.document.ticket}`), { method: "POST" });
    expect(withTicket.status).toBe(401);
    expect(scratch()).toEqual([]);

    await server.close();
    server = await start("0.0.0.0");
    expect((await overview()).takesPaths).toBe(false);
    const byPath = await call<{ error: string }>("POST", "/api/jobs/add", { paths: ["/etc/hostname"] });
    expect([byPath.status, byPath.document.error]).toEqual([400, expect.stringContaining("send the file")]);
  });

  it("leaves nothing of a file that broke off, and prints nothing when a page is closed", async () => {
    const printed = vi.spyOn(process.stderr, "write");
    const abandon = (to: string, headers: Record<string, string>, body?: string) =>
      new Promise<void>((resolve) => {
        const method = body === undefined ? "GET" : "POST";
        const sent = request(address(to), { method, headers: { ...authorized, ...headers } });
        sent.on("error", () => {});
        sent.on("close", () => resolve());
        if (body !== undefined) sent.write(body);
        else sent.end();
        setTimeout(() => sent.destroy(), 30);
      });
    await work("add", { uploads: [await upload("access.log", log)], base: "http://www.a.test" });
    await abandon("/api/uploads?name=x", { "Content-Length": "100000" }, "a beginning");
    await abandon("/api/jobs/mine", { "Content-Type": "application/json", "Content-Length": "100" }, "{");
    for (const to of ["/api/info", "/api/urls", "/api/tables/urls.csv", "/api/figures"]) await abandon(to, {});
    await expect.poll(() => scratch().flatMap((name) => readdirSync(path.join(folder, name)))).toEqual([]);
    await overview();
    expect(printed.mock.calls.map(([text]) => text)).toEqual([]);
    printed.mockRestore();
    await server.close();
    expect(scratch()).toEqual([]);
    server = await start();
  });
});
