/** What the edge module keeps in a cache that everybody shares: only what the origin lets everybody see. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { makeRule } from "../canon/make-rule.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-worker-"));
const kept = new Map<string, Response>();
let respond: (request: Request, environment: object, context: object) => Promise<Response>;
let answer: () => Response;

beforeAll(async () => {
  const file = path.join(folder, "worker.mjs");
  const sid = makeRule({ kind: "parameter", name: "sid", action: "remove" });
  writeFileSync(file, exportRules([sid], findTarget("worker")).text);
  const { default: worker } = await import(pathToFileURL(file).href);
  respond = worker.fetch;
  const match = async ({ url }: Request) => kept.get(url)?.clone();
  const put = async ({ url }: Request, response: Response) => void kept.set(url, response);
  vi.stubGlobal("caches", { default: { match, put } });
  vi.stubGlobal("fetch", async () => answer());
});
afterAll(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true });
});

/** The URLs that are kept after one request. */
async function keptAfter(response: ResponseInit, request: RequestInit = {}): Promise<string[]> {
  kept.clear();
  answer = () => new Response("a page", response);
  const waiting: Promise<unknown>[] = [];
  const context = { waitUntil: (each: Promise<unknown>) => waiting.push(each) };
  const given = await respond(new Request("http://a.test/?sid=1", request), {}, context);
  expect(await given.text()).toBe("a page");
  await Promise.all(waiting);
  return [...kept.keys()];
}

it("keeps under the canonical URL what says for how long it may be kept", async () => {
  expect(await keptAfter({ headers: { "cache-control": "public, max-age=60", vary: "Accept-Encoding" } })).toEqual([
    "http://a.test/",
  ]);
});

it.each<[string, ResponseInit, RequestInit?]>([
  ["nothing is said", {}],
  ["it is private", { headers: { "cache-control": "private, max-age=60" } }],
  ["it has to be asked for again", { headers: { "cache-control": "no-cache, max-age=60" } }],
  ["its time is over", { headers: { "cache-control": "max-age=0" } }],
  ["it varies", { headers: { "cache-control": "max-age=60", vary: "Cookie" } }],
  ["it sets a cookie", { headers: { "cache-control": "max-age=60", "set-cookie": "a=b" } }],
  ["it is a part", { status: 206, headers: { "cache-control": "max-age=60" } }],
  ["it is an error", { status: 404, headers: { "cache-control": "max-age=60" } }],
  ["it is for one person", { headers: { "cache-control": "max-age=60" } }, { headers: { authorization: "Basic x" } }],
  ["it was sent", { headers: { "cache-control": "max-age=60" } }, { method: "POST", body: "a=1" }],
])("keeps nothing where %s", async (_, response, request) => {
  expect(await keptAfter(response, request)).toEqual([]);
});
