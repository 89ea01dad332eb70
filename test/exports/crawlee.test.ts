/** The unique keys of Crawlee's requests. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { agree, expectAgreement, RULES, temporaryFolder } from "./agreement.js";
import { crawleePackages, run } from "./tools.js";

it("gives every request the canonical URL as its unique key, from the package too", async () => {
  const agreement = await agree("crawlee", async ({ text, rules }, urls) => {
    const file = path.join(temporaryFolder("crawlee"), "unique-key.mjs");
    writeFileSync(file, text);
    const { withUniqueKey } = await import(pathToFileURL(file).href);
    const { uniqueKeys } = await import("#src/export/crawlee.js");
    const ofPackage = uniqueKeys(rules);
    // What the queue holds is what Crawlee made of it.
    const script = path.join(crawleePackages(), "queue.mjs");
    const requests = urls.map((url) => withUniqueKey({ url, userData: { a: 1 } }));
    const canon = compile(rules, { use: asTheyAre });
    expect(urls.map((url) => ofPackage({ url, userData: { a: 1 } }))).toEqual(
      urls.map((url) => ({ url, userData: { a: 1 }, uniqueKey: canon(url) })),
    );
    const list = path.join(temporaryFolder("crawlee"), "requests.json");
    writeFileSync(list, JSON.stringify(requests));
    writeFileSync(
      script,
      `import { readFileSync } from "node:fs"; import { Request } from "@crawlee/cheerio";
      console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2], "utf8")).map((options) => { try { return new Request(options).uniqueKey } catch { return null } })));`,
    );
    const keys: (string | null)[] = JSON.parse(run(process.execPath, [script, list]));
    return keys.map((key) => key ?? undefined);
  });
  expectAgreement(agreement);
});

it("a queue takes one of a page's URLs", () => {
  const folder = temporaryFolder("crawlee");
  const file = path.join(folder, "unique-key.mjs");
  writeFileSync(file, exportRules(RULES, findTarget("crawlee")).text);
  const script = path.join(crawleePackages(), "own-queue.mjs");
  writeFileSync(
    script,
    `import { Configuration, RequestQueue } from "@crawlee/cheerio";
    import { withUniqueKey } from ${JSON.stringify(pathToFileURL(file).href)};
    const queue = await RequestQueue.open(null, { config: new Configuration({ persistStorage: false }) });
    const urls = ["/story?id=7&sid=1", "/story_7", "/story?id=7&sid=2", "/story_8"].map((target) => "http://forum.test" + target);
    const present = [];
    for (const url of urls) present.push((await queue.addRequest(withUniqueKey(url))).wasAlreadyPresent);
    console.log(JSON.stringify([present, (await queue.fetchNextRequest()).url]));
    process.exit();`,
  );
  const answer = JSON.parse(run(process.execPath, [script], { cwd: folder }).trim().split("\n").at(-1)!);
  expect(answer).toEqual([[false, true, true, false], "http://forum.test/story?id=7&sid=1"]);
});

it("leaves keys that somebody chose, and forms, alone", async () => {
  const { uniqueKeys } = await import("#src/export/crawlee.js");
  const key = uniqueKeys(readFileSync("examples/forum.rules.json", "utf8"));
  const own = { url: "http://forum.test/?sid=1", uniqueKey: "mine" };
  const form = { url: "http://forum.test/?sid=1", method: "POST" };
  expect(key(own)).toEqual(own);
  expect(key(form)).toEqual(form);
  expect(key(own.url)).toEqual({ url: own.url, uniqueKey: "http://forum.test/" });
});
