/** Redirects that never come back, whatever the rules and however a client writes a URL. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, expect, it, vi } from "vitest";
import { exportRules } from "#src/export/export-rules.js";
import { SAFE_TARGET, unsafeTarget } from "#src/export/redirects.js";
import { findTarget } from "#src/export/targets.js";
import { makeRule, type RuleWords } from "../canon/make-rule.js";
import { rules, url } from "../canon/random-rules.js";
import { isAskedAsWritten } from "../exports/agreement.js";
import { randomUrls } from "../exports/random-urls.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-redirects-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Worker = { readonly fetch: (request: Request) => Promise<Response> };
let files = 0;

async function workerFor(list: Parameters<typeof exportRules>[0]): Promise<Worker> {
  const file = path.join(folder, `worker-${files++}.mjs`);
  writeFileSync(file, exportRules(list, findTarget("worker"), { use: "redirect" }).text);
  return (await import(pathToFileURL(file).href)).default;
}

/** The URLs that a client asks for, one after another, until it is not sent on. */
async function follow(worker: Worker, start: string): Promise<string[]> {
  const asked = [new Request(start).url];
  while (asked.length < 5) {
    const answer = await worker.fetch(new Request(asked.at(-1)!));
    if (answer.status !== 301) break;
    asked.push(new Request(answer.headers.get("location")!).url);
  }
  return asked;
}

vi.stubGlobal("fetch", async () => new Response("the page"));
afterAll(() => {
  vi.unstubAllGlobals();
});

it.each<[RuleWords, string]>([
  [{ from: "/", to: "", end: true }, "http://a.test/"],
  [{ from: "a.test/", to: "A.test/" }, "http://a.test/x"],
  [{ from: "a.test/", to: "a.test:80/" }, "http://a.test/x"],
  [{ from: "/a", to: "/a#b", end: true }, "http://a.test/a"],
  [{ from: "/a", to: "/a/.", end: true }, "http://a.test/a"],
  [{ from: "/a", to: "/%2e/a" }, "http://a.test/a"],
  [{ from: "%2F", to: "%2f" }, "http://a.test/%2F"],
  [{ from: "/a", to: "\\b" }, "http://a.test/a"],
  [{ kind: "percentEncoding" }, "http://a.test/?q=%27"],
  [{ from: "%22", to: '"' }, "http://a.test/%22"],
])("a client is not sent where it would not arrive: %j", async (words, start) => {
  const worker = await workerFor([makeRule(words)]);
  expect((await follow(worker, start)).length).toBeLessThanOrEqual(2);
});

it("one redirect is the last, with any rules", async () => {
  let redirected = 0;
  const cases = fc.sample(fc.tuple(rules, fc.array(url, { minLength: 20, maxLength: 40, size: "max" })), 25);
  for (const [list, urls] of cases) {
    const worker = await workerFor(list.map((rule) => ({ ...rule, status: "valid" as const })));
    for (const start of urls.filter((each) => /^http/.test(each) && URL.canParse(each) && !each.includes("@"))) {
      const asked = await follow(worker, start);
      expect([start, asked.length <= 2]).toEqual([start, true]);
      redirected += asked.length - 1;
    }
  }
  expect(redirected).toBeGreaterThan(50);
});

it("servers tell such URLs by patterns, which say the same", () => {
  // In JavaScript alone, a bracket at the beginning of a class closes it.
  const pattern = (text: string) => new RegExp(`^(?:${text.replaceAll("[][", "[\\][")})$`);
  const isSafe = (each: string) => pattern(SAFE_TARGET).test(each) && !pattern(unsafeTarget).test(each);
  const urls = [
    ...[
      "http://a.test",
      "http://a.test/",
      "http://A.test/",
      "http://a.test:80/",
      "https://a.test:443/?",
      "http://a.test:81/",
    ],
    ...[
      "http://a.test/.",
      "http://a.test/a/..",
      "http://a.test/%2e%2E/a",
      "http://a.test/.a/..b",
      "http://a.test/?/../",
    ],
    ...[
      "http://a.test/%2f",
      "http://a.test/%aF",
      "http://a.test/%2F",
      "http://a.test/'",
      "http://a.test/?'",
      "http://a.test/#a",
    ],
    ...randomUrls(3000, 51),
  ];
  const safe = urls.filter(isSafe);
  expect(safe.length).toBeGreaterThan(500);
  expect(safe).toEqual(urls.filter(isAskedAsWritten));
});
