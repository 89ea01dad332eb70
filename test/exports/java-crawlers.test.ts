import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { it } from "vitest";
import { JAVA_LENGTH } from "#src/export/java-regex.js";
import {
  type Answer,
  agree,
  agreementUrls,
  agreesOnHostileRules,
  expectAgreement,
  isUrl,
  temporaryFolder,
} from "./agreement.js";
import { mavenJars, run } from "./tools.js";

/** What a program in Java makes of the URLs, with the exported file; a longer URL stays as it is, which counts as refused. */
function askJava(program: string, jars: string, exported: string, urls: readonly string[]): Answer[] {
  const folder = temporaryFolder("java");
  writeFileSync(path.join(folder, "exported.xml"), exported);
  const source = fileURLToPath(new URL(`./java/${program}.java`, import.meta.url));
  const options = { cwd: folder, input: `${urls.join("\n")}\n` };
  const answers = run("java", ["-cp", `${jars}:${folder}`, source, "exported.xml"], options).split("\n");
  return urls.map((url, i) => (answers[i] === url && url.length > JAVA_LENGTH ? undefined : answers[i]));
}

const isOneLine = (url: string) => !/\s/.test(url);

async function expectAgreementInJava(target: string, program: string, jars: string): Promise<void> {
  const agreement = await agree(target, ({ text }, urls) => askJava(program, jars, text, urls), {
    urls: agreementUrls().filter(isOneLine),
  });
  expectAgreement(agreement);
}

function heritrixJars(): string {
  const spring = ["core", "jcl", "beans", "context", "expression", "aop"].map(
    (name) => `org.springframework:spring-${name}:5.3.39`,
  );
  const heritrix = ["modules", "commons"].map((name) => `org.archive.heritrix:heritrix-${name}:3.8.0`);
  return mavenJars("heritrix", ...heritrix, ...spring);
}

it("Heritrix agrees with canonization", () => expectAgreementInJava("heritrix", "Heritrix", heritrixJars()));

it("StormCrawler, which reads Nutch's file, agrees with canonization", async () => {
  const jackson = ["core", "databind", "annotations"].map(
    (name) => `com.fasterxml.jackson.core:jackson-${name}:2.15.2`,
  );
  const others = ["commons-lang:commons-lang:2.6", "xerces:xercesImpl:2.12.2", "org.slf4j:slf4j-api:1.7.36"];
  const stormCrawler = "com.digitalpebble.stormcrawler:storm-crawler-core:2.4";
  const jars = mavenJars("stormcrawler", stormCrawler, ...jackson, ...others);
  await expectAgreementInJava("nutch", "StormCrawler", jars);
});

it("what Nutch's normalizer does with the file agrees with canonization", () =>
  expectAgreementInJava("nutch", "RegexNormalize", "."));

/**
 * The class path of Nutch's own plugin, which Maven Central does not have: RegexURLNormalizer.java of its sources, compiled with the jars
 * of nutch and hadoop-common, and these with what they need.
 */
const nutch = process.env.DUSTPAN_NUTCH;
it.skipIf(nutch === undefined)("Nutch's own normalizer agrees with canonization", () =>
  expectAgreementInJava("nutch", "Nutch", nutch!),
);

agreesOnHostileRules("nutch", 8, ({ text }, urls) => askJava("RegexNormalize", ".", text, urls), {
  reaches: (url) => isUrl(url) && isOneLine(url),
});
agreesOnHostileRules("heritrix", 4, ({ text }, urls) => askJava("Heritrix", heritrixJars(), text, urls), {
  reaches: (url) => isUrl(url) && isOneLine(url),
});
