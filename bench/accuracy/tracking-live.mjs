/**
 * Do real sites ignore the tracking parameters that are known by name? Each is appended to some pages of a live site, and so
 * is a name that nobody knows, which tells what the site does with any parameter.
 *   npm run build && node bench/accuracy/tracking-live.mjs SITES_FOLDER LISTS_FOLDER NAME... [--pages 3]
 * SITES_FOLDER as in sites.mjs, LISTS_FOLDER as in tracking.mjs. Prints a table, a row as soon as it is known.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { createFetcher } from "#src/fetch/fetcher.js";
import { openInput } from "#src/input/open.js";
import { sessionParameters, trackingParameters } from "#src/mine/known-names.js";
import { compareLive } from "./compare-live.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: "string", default: "3" } },
});
const [folder, lists, ...names] = positionals;
if (names.length === 0)
  throw new Error("usage: node bench/accuracy/tracking-live.mjs SITES_FOLDER LISTS_FOLDER NAME...");
const read = (name) => JSON.parse(readFileSync(path.join(lists, name), "utf8"));
const utm = read("dud-queryRemoval-utm.json")[0].args;
const global = read("clearurls.json").providers.globalRules.rules.flatMap(namesOf);
const tried = {
  "of ours and of duplicate-url-discarder": [...new Set([...trackingParameters, ...utm])],
  "more of ClearURLs": [...new Set(global)].filter((name) => ![...trackingParameters, ...utm].includes(name)),
  "session ids": sessionParameters.query,
  "a name that nobody knows": ["qqxzv"],
};

console.log("| site | names | hold on all pages | pages | not comparable | differ |\n|---|---|--:|--:|--:|---|");
for (const name of names) {
  const up = spawnSync(path.join(folder, "sites.sh"), ["up", name], { encoding: "utf8" });
  const origin = /UP \S+ (http:\/\/127\.0\.0\.1:\d+)/.exec(up.stdout)?.[1];
  if (origin === undefined) throw new Error(`${name} did not come up: ${up.stdout}${up.stderr}`);
  try {
    await measure(name, origin, await somePages(path.join(folder, name, "crawl.jsonl.xz")));
  } finally {
    spawnSync(path.join(folder, "sites.sh"), ["down", name]);
  }
}

/** Names that an expression of ClearURLs stands for, one for each of its alternatives. */
function namesOf(rule) {
  const written = rule
    .replace("(?:%3F)?", "")
    .replace(/\[[^\]]*\][*+]/g, "source")
    .replace(/(?:\[[^\]]*\]|[\w])\?/g, "");
  const [, before, choices = "", after] = /^([^(]*)(?:\(\?:([^)]*)\)[?+*]?)?(.*)$/.exec(written);
  const names = choices.split("|").map((choice) => before + choice + after);
  return names.filter((name) => /^[\w.]+$/.test(name) && new RegExp(`^(?:${rule})$`, "i").test(name));
}

/** Spread over the crawl, with and without parameters. */
async function somePages(file) {
  const chunks = [];
  for await (const chunk of (await openInput(file)).chunks(() => {})) chunks.push(Buffer.from(chunk));
  const rows = Buffer.concat(chunks)
    .toString("utf8")
    .split("\n")
    .filter(Boolean)
    .map((row) => JSON.parse(row));
  const shown = rows
    .filter(({ status, ctype }) => status === 200 && (ctype ?? "text/html") === "text/html")
    .map(({ url }) => url);
  const count = Number(values.pages);
  return Array.from({ length: count }, (_, i) => shown[Math.floor(((i + 0.5) * shown.length) / count)]);
}

async function measure(name, origin, pages) {
  const fetcher = createFetcher({ sites: [origin], delayMs: 0, maxRequests: 20_000 });
  for (const [kind, parameters] of Object.entries(tried)) {
    let [holding, untold] = [0, 0];
    const differing = new Map();
    for (const parameter of parameters) {
      const results = [];
      for (const page of pages) {
        const with_ = `${page}${page.includes("?") ? "&" : "?"}${parameter}=dp31`;
        results.push(await compareLive(fetcher, with_, page));
      }
      untold += results.filter((result) => result === "not comparable").length;
      const different = results.filter((result) => result === "different").length;
      if (different > 0) differing.set(parameter, different);
      else if (results.includes("same")) holding++;
    }
    const said = [...differing].slice(0, 8).map(([parameter, count]) => `\`${parameter}\` (${count})`);
    const more = differing.size > 8 ? ` and ${differing.size - 8} more` : "";
    const cells = [name, `${parameters.length} ${kind}`, holding, pages.length * parameters.length, untold];
    console.log(`| ${[...cells, said.join(", ") + more].join(" | ")} |`);
  }
  await fetcher.close();
}
