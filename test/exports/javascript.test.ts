import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { agree, agreesOnHostileRules, expectAgreement, isUrl, temporaryFolder } from "./agreement.js";

async function askModule({ text }: Exported, urls: readonly string[]): Promise<string[]> {
  const file = path.join(temporaryFolder("javascript"), "canonical.mjs");
  writeFileSync(file, text);
  const { canonical } = await import(pathToFileURL(file).href);
  return urls.map(canonical);
}

it("JavaScript agrees with canonization", async () => {
  expectAgreement(await agree("javascript", askModule));
});

agreesOnHostileRules("javascript", 60, askModule, { reaches: isUrl });
