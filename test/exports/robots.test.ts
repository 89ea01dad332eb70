/** robots.txt as a parser from npm reads it, and Clean-param as Yandex describes it. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import {
  type Answer,
  agree,
  agreementUrls,
  agreesOnHostileRules,
  expectAgreement,
  isUrl,
  temporaryFolder,
} from "./agreement.js";
import { npmPackages, run } from "./tools.js";

const script = `
import { createReadStream } from "node:fs";
import parse from "robots-txt-parse";
console.log(JSON.stringify(await parse(createReadStream(process.argv[2]))));`;

interface RobotsFile {
  readonly groups: readonly unknown[];
  readonly extensions: readonly { readonly extension: string; readonly value: string }[];
}

function parseRobotsFile(text: string): RobotsFile {
  const packages = npmPackages("robots", "robots-txt-parse@2.0.1");
  const file = path.join(temporaryFolder("robots"), "robots.txt");
  writeFileSync(file, text);
  const main = path.join(packages, "parse.mjs");
  writeFileSync(main, script);
  return JSON.parse(run(process.execPath, [main, file]));
}

/** "Clean-param: p0[&p1] [path]": where the path begins so, these parameters do not matter. */
function clean(url: string, lines: readonly { names: readonly string[]; prefix: string }[]): string {
  const [, before, target, query] = /^(https?:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url)!;
  if (query === undefined) return url;
  const ignored = lines.filter(({ prefix }) => (target || "/").startsWith(prefix)).flatMap(({ names }) => names);
  const kept = query.split("&").filter((part) => !ignored.includes(part.split("=")[0]!));
  return `${before}${target}${kept.length === 0 ? "" : `?${kept.join("&")}`}`;
}

/** A URL of another host than the one whose file it is has nothing to do with it. */
function askYandex({ text }: Exported, urls: readonly string[]): Answer[] {
  const [, host] = /robots.txt of (\S*[.]test)[.]/.exec(text) ?? [];
  const { groups, extensions } = parseRobotsFile(text);
  // No group: one for Yandex would hide the one for everybody from it.
  expect(groups).toEqual([]);
  const lines = extensions.map(({ extension, value }) => {
    expect(extension).toBe("clean-param");
    const [names, prefix = "/"] = value.split(" ");
    return { names: names!.split("&"), prefix };
  });
  return urls.map((url) =>
    host === undefined || new RegExp(`^https?://${host}[:/]`).test(url) ? clean(url, lines) : undefined,
  );
}

it("Clean-param", async () => {
  const host = "shop.test";
  const urls = [...agreementUrls(), ...agreementUrls(21), ...agreementUrls(22)].map((url) =>
    url.replace(/^(https?:\/\/)[^/?#]*/, `$1${host}`),
  );
  const ask = (exported: Exported, own: readonly string[]) => {
    expect(exported.text).toContain(`robots.txt of ${host}`);
    return askYandex(exported, own);
  };
  expectAgreement(await agree("clean-param", ask, { urls: [...new Set(urls)] }));
});

agreesOnHostileRules("clean-param", 40, askYandex, { reaches: isUrl, kinds: ["parameter"] });
