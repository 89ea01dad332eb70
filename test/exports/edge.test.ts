import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { AKAMAI_CHARS } from "#src/export/servers/akamai.js";
import { CLOUDFRONT_BYTES } from "#src/export/servers/cloudfront.js";
import { type Answer, agree, agreesOnHostileRules, expectAgreement, isUrl, temporaryFolder } from "./agreement.js";
import { requestOf } from "./servers.js";
import { debianPackages, run } from "./tools.js";

/** Where the query begins, what the path is, and what is before both. */
function partsOf(url: string): { readonly origin: string; readonly path: string; readonly query: string | undefined } {
  const { target } = requestOf(url);
  const at = target.indexOf("?");
  return {
    origin: url.slice(0, url.length - target.length),
    path: at < 0 ? target : target.slice(0, at),
    query: at < 0 ? undefined : target.slice(at),
  };
}

/** The runtime is one of nginx's njs family: little more than ECMAScript 5. The event is the documented one. */
function askCloudfront({ text }: Exported, urls: readonly string[]): string[] {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(CLOUDFRONT_BYTES);
  const { root, env } = debianPackages("njs", "njs");
  const folder = temporaryFolder("cloudfront");
  const events = urls.map((url) => ({ ...partsOf(url), host: requestOf(url).host }));
  writeFileSync(path.join(folder, "events.json"), JSON.stringify(events));
  const driver = `var fs = require("fs");
var answers = JSON.parse(fs.readFileSync("${folder}/events.json", "utf8")).map(function (each) {
  var request = { method: "GET", uri: each.path, querystring: {}, headers: { host: { value: each.host } }, cookies: {} };
  request.rawQueryString = function () { return each.query === undefined ? undefined : each.query.slice(1); };
  var event = { version: "1.0", context: {}, viewer: { ip: "127.0.0.1" }, request: request };
  return handler(event).headers["x-canonical-query"].value;
});
fs.writeFileSync("${folder}/answers.json", JSON.stringify(answers));`;
  writeFileSync(path.join(folder, "function.js"), `${text}\n${driver}`);
  run(`${root}/usr/bin/njs`, [path.join(folder, "function.js")], { env });
  const answers: string[] = JSON.parse(readFileSync(path.join(folder, "answers.json"), "utf8"));
  return urls.map((url, i) => {
    const { origin, path: own } = partsOf(url);
    const value = answers[i]!;
    return origin + own + (value === "none" ? "" : value);
  });
}

/** The request is the documented one: url, host, setVariable, cacheKey. What keeps its own key, being too long, counts as refused. */
async function askAkamai({ text }: Exported, urls: readonly string[]): Promise<Answer[]> {
  const file = path.join(temporaryFolder("akamai"), "main.mjs");
  writeFileSync(file, text);
  const { onClientRequest } = await import(pathToFileURL(file).href);
  return urls.map((url) => {
    const { target, host } = requestOf(url);
    const variables = new Map<string, string>();
    const key: string[] = ["query"];
    onClientRequest({
      url: target,
      host,
      setVariable: (name: string, value: string) => {
        expect(value.length).toBeLessThanOrEqual(AKAMAI_CHARS);
        variables.set(name, value);
      },
      cacheKey: {
        excludeQueryString: () => key.splice(key.indexOf("query"), 1),
        includeVariable: (name: string) => key.push(name),
      },
    });
    const { origin, path: own } = partsOf(url);
    if (key.includes("query")) return undefined;
    return origin + own + key.map((name) => variables.get(name)).join("");
  });
}

it("CloudFront's function agrees with canonization, in njs", async () => {
  expectAgreement(await agree("cloudfront", askCloudfront));
});

it("Akamai's EdgeWorker agrees with canonization, in Node", async () => {
  expectAgreement(await agree("akamai", askAkamai));
});

agreesOnHostileRules("cloudfront", 60, askCloudfront, { reaches: isUrl });
agreesOnHostileRules("akamai", 60, askAkamai, { reaches: isUrl });
