/** Lists of others, imported and tried on a site: what holds there, what does not, and what is not about it at all. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { applyRule } from "#src/canon/apply.js";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { startDemoSite } from "#src/demo/site.js";
import { record, temporaryFolder } from "./agreement.js";
import { dustpan } from "./example-site.js";
import { runAside } from "./tools.js";

/** The lists of the field where the folder with them lies beside this one, and one that is wrong about this site. */
function lists(folder: string): string[] {
  const shared = path.join(process.env.DUSTPAN_SHARED ?? "../shared", "data/rule-lists");
  const own = path.join(folder, "own.json");
  const removal = { order: 0, processor: "queryRemoval", args: ["utm_source", "id"], urlPattern: { include: [""] } };
  writeFileSync(own, JSON.stringify([removal]));
  const names = ["clearurls.json", "dud-queryRemoval-utm.json", "dud-queryRemoval-article.json"];
  return [own, ...names.map((name) => path.resolve(shared, name)).filter((file) => existsSync(file))];
}

it("validation says how many rules of imported lists hold on a site", async () => {
  const folder = temporaryFolder("imported");
  const { port, close } = await startDemoSite({ port: 0 });
  onTestFinished(close);
  const origin = `http://forum.test:${port}`;
  // Links as they are in mails and on other sites: the example site takes no notice of these parameters.
  const stories = Array.from({ length: 60 }, (_, i) => `${origin}/story?id=${i + 1}`);
  const urls = stories.flatMap((url, i) => [url, `${url}&utm_source=mail`, `${url}&fbclid=IwAR${i}x${i * 7}`]);
  writeFileSync(path.join(folder, "urls.txt"), urls.join("\n"));
  const run = (...words: string[]) => runAside(process.execPath, [dustpan, ...words], { cwd: folder });
  await run("add", "urls.txt", "-q");
  await run("import", ...lists(folder), "-q");
  const imported = rulesOf(folder);
  expect(imported.every(({ source, status }) => source === "imported" && status === "likely")).toBe(true);
  const told = await run("validate", "--site", origin, "--resolve", "forum.test:127.0.0.1", "--delay", "0", "-q");
  const after = rulesOf(folder);
  const count = (status: string) => after.filter((rule) => rule.status === status).length;
  const verdictOf = (name: string) =>
    after.find((rule) => rule.kind === "parameter" && rule.name === name && rule.scope.host === undefined)?.status;
  expect([told, verdictOf("utm_source"), verdictOf("id")]).toEqual([told, "valid", "refuted"]);
  expect(told).toContain(`${count("valid")} proven rule`);
  const others = after.filter(({ status }) => status !== "valid" && status !== "refuted");
  expect(others.filter((rule) => urls.some((url) => applyRule(rule, url) !== undefined))).toEqual([]);
  const numbers = { valid: count("valid"), refuted: count("refuted"), undecided: count("undecided") };
  record("imported lists on the example site", { imported: imported.length, ...numbers });
});

function rulesOf(folder: string) {
  return parseRulesFile(readFileSync(path.join(folder, "dustpan.rules.json"), "utf8")).rules;
}
