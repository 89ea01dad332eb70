import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { it } from "vitest";
import { JAVA_LENGTH } from "#src/export/java-regex.js";
import { type Answer, agree, agreementUrls, expectAgreement, temporaryFolder } from "./agreement.js";
import { mavenJarsAlone, run } from "./tools.js";

/** What a program in Java makes of the URLs, with the exported file; a longer URL stays as it is, which counts as refused. */
function askJava(program: string, classPath: string, exported: string, urls: readonly string[]): Answer[] {
  const file = path.join(temporaryFolder("java"), "exported.xml");
  writeFileSync(file, exported);
  const source = fileURLToPath(new URL(`./java/${program}.java`, import.meta.url));
  const answers = run("java", ["-cp", classPath, source, file], { input: `${urls.join("\n")}\n` }).split("\n");
  return urls.map((url, i) => (answers[i] === url && url.length > JAVA_LENGTH ? undefined : answers[i]));
}

const isOneLine = (url: string) => !/\s/.test(url);

it("Heritrix agrees with canonization", async () => {
  const spring = ["core", "jcl", "beans", "context", "expression", "aop"].map(
    (name) => `org.springframework:spring-${name}:5.3.39`,
  );
  const heritrix = ["modules", "commons"].map((name) => `org.archive.heritrix:heritrix-${name}:3.8.0`);
  const jars = mavenJarsAlone("heritrix", ...heritrix, ...spring);
  const agreement = await agree("heritrix", ({ text }, urls) => askJava("Heritrix", jars, text, urls), {
    urls: agreementUrls().filter(isOneLine),
  });
  expectAgreement(agreement);
});

it("what Nutch's normalizer does with the file agrees with canonization", async () => {
  const agreement = await agree("nutch", ({ text }, urls) => askJava("RegexNormalize", ".", text, urls), {
    urls: agreementUrls().filter(isOneLine),
  });
  expectAgreement(agreement);
});
