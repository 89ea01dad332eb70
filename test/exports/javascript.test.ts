import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { it } from "vitest";
import { agree, expectAgreement, temporaryFolder } from "./agreement.js";

it("JavaScript agrees with canonization", async () => {
  const agreement = await agree("javascript", async ({ text }, urls) => {
    const file = path.join(temporaryFolder("javascript"), "canonical.mjs");
    writeFileSync(file, text);
    const { canonical } = await import(pathToFileURL(file).href);
    return urls.map(canonical);
  });
  expectAgreement(agreement);
});
