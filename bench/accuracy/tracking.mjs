/**
 * How many of the public tracking parameters hold where they occur: for each parameter that a list names, the URLs of
 * the given workspaces that have it, and of those whose page is known with and without it, how many show one page.
 *   npm run build && node bench/accuracy/tracking.mjs LISTS_FOLDER WORKSPACE...
 * LISTS_FOLDER holds clearurls.json (its global rules are used) and dud-queryRemoval-utm.json.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { applyRule } from "#src/canon/apply.js";
import { trackingParameters } from "#src/mine/known-names.js";
import { readKnownPages } from "#src/store/pages/known-page-rows.js";
import { KnownPages } from "#src/store/pages/known-pages.js";
import { Workspace } from "#src/store/workspace.js";

const [folder, ...files] = process.argv.slice(2);
if (files.length === 0) throw new Error("usage: node bench/accuracy/tracking.mjs LISTS_FOLDER WORKSPACE...");
const read = (name) => JSON.parse(readFileSync(path.join(folder, name), "utf8"));
const clearUrls = read("clearurls.json").providers.globalRules.rules.map((rule) => new RegExp(`^${rule}$`, "i"));
const lists = {
  "ours (mine/known-names.ts)": (name) => trackingParameters.includes(name),
  "ClearURLs, global rules": (name) => clearUrls.some((rule) => rule.test(name)),
  "duplicate-url-discarder, utm": (name) => read("dud-queryRemoval-utm.json")[0].args.includes(name),
};

const found = new Map();
for (const file of files) {
  const rows = await readKnownPages(Workspace.at(file));
  const pages = new KnownPages(rows, "shingles-4/4");
  for (const url of rows.keys()) {
    const names = new Set((url.split("#")[0].split("?")[1] ?? "").split(/[&;]/).map((part) => part.split("=")[0]));
    for (const name of names) {
      const listed = Object.keys(lists).filter((list) => lists[list](name));
      if (listed.length === 0) continue;
      const target = applyRule({ kind: "parameter", name, place: "query", action: "remove", scope: {} }, url);
      const row = found.get(name) ?? { listed, urls: 0, same: 0, different: 0, files: new Set() };
      found.set(name, row);
      row.urls++;
      row.files.add(path.basename(file));
      const answer = target === undefined ? undefined : pages.alike(url, target);
      if (answer === true) row.same++;
      if (answer === false) row.different++;
    }
  }
}
console.log("| parameter | on lists | URLs | same page without it | another page | in |\n|---|---|--:|--:|--:|---|");
for (const [name, { listed, urls, same, different, files: seen }] of [...found].sort((a, b) => b[1].urls - a[1].urls)) {
  console.log(`| \`${name}\` | ${listed.join("; ")} | ${urls} | ${same} | ${different} | ${[...seen].join(", ")} |`);
}
for (const list of Object.keys(lists)) {
  const rows = [...found.values()].filter(({ listed }) => listed.includes(list));
  const told = rows.filter(({ same, different }) => same + different > 0);
  const holding = told.filter(({ different }) => different === 0);
  console.log(
    `\n${list}: ${rows.length} parameters occur, ${told.length} on pages that are known without them too, ${holding.length} of these hold everywhere`,
  );
}
