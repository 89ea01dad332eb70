import { existsSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatAliases } from "#src/canon/aliases.js";
import type { RulesFile } from "#src/canon/file/rules-file.js";
import { formatRulesFile } from "#src/canon/file/write-rules-file.js";
import type { Certificate, Rule } from "#src/model.js";
import { rulesName } from "#src/validate/certificate-state.js";
import { makeRule } from "../canon/make-rule.js";
import { Folder } from "./folder.js";

let folder: Folder;
const dustpan = (words: readonly string[], input?: string) => folder.run(words, input);
const session = makeRule({ kind: "parameter", name: "sid", action: "remove" });
const story = makeRule({ from: "story?id=", to: "story_" });
const back = makeRule({ from: "story_", to: "story?id=" });

beforeAll(() => {
  folder = new Folder();
  writeFileSync(folder.at("dustpan.rules.json"), formatRulesFile({ settings: {}, rules: [session, story] }));
  writeFileSync(folder.at("circle.json"), formatRulesFile({ settings: {}, rules: [session, story, back] }));
  writeFileSync(folder.at("none.json"), formatRulesFile({ settings: {}, rules: [] }));
  const urls = Array.from({ length: 10 }, (_, i) => `http://a.test/story_${i}`);
  writeFileSync(folder.at("urls.txt"), `${[...urls, "http://a.test/story?id=1&sid=7"].join("\n")}\n`);
});
afterAll(() => folder.remove());

describe("canon", () => {
  const input = "http://a.test/story?id=1&sid=9\nnot a url\nhttp://a.test/story_1\n";

  it("is a filter", async () => {
    const { status, stdout, stderr } = await dustpan(["canon", "-"], input);
    expect(stdout).toBe("http://a.test/story_1\nnot a url\nhttp://a.test/story_1\n");
    expect(stderr).toBe(
      "all URLs: not certified: the rules in use were never tried together\n" +
        "1 of 3 records are not URLs and stay as they are; for a table or JSON lines, name the --column\n",
    );
    expect(status).toBe(0);
    expect((await dustpan(["canon", "--dedupe", "-", "-q"], input)).stdout).toBe("http://a.test/story_1\nnot a url\n");
  });

  it("takes the site's own word where it is asked to, and never against a person's", async () => {
    const declared = { ...session, status: "declared" as const };
    const rejected = { ...story, status: "declared" as const, decision: "rejected" as const };
    writeFileSync(folder.at("declared.json"), formatRulesFile({ settings: {}, rules: [declared, rejected] }));
    const words = ["canon", "--rules", "declared.json", "-q", "-"];
    expect((await dustpan(words, "http://a.test/story?id=1&sid=9\n")).stdout).toBe("http://a.test/story?id=1&sid=9\n");
    expect((await dustpan([...words, "--trust-site"], "http://a.test/story?id=1&sid=9\n")).stdout).toBe(
      "http://a.test/story?id=1\n",
    );
    expect((await dustpan(["rules", "list", "--status", "declared", "--rules", "declared.json"])).stdout).toContain(
      "drop ?sid",
    );
  });

  it("says where what is in use is not what was certified", async () => {
    const rules = [session, { ...story, status: "declared" as const }];
    const certificate: Certificate = {
      ...{ site: "", certified: true, changed: 9, tried: 9, gone: 0, notComparable: 0, wrong: 0, atMost: 0 },
      ...{ assurance: 0.01, attempt: 1, rules: rulesName([session]), list: "known", at: "2026-01-01T00:00:00.000Z" },
    };
    writeFileSync(folder.at("certified.json"), formatRulesFile({ settings: {}, rules, certificates: [certificate] }));
    const words = ["canon", "--rules", "certified.json", "http://a.test/story?id=1&sid=9"];
    expect((await dustpan(words)).stderr).toBe("");
    expect((await dustpan([...words, "--trust-site"])).stderr).toContain("not certified: the rules in use are others");
    const pair = {
      from: "http://a.test/story?id=1",
      to: "http://a.test/first",
      seenMs: Date.now(),
      why: "content" as const,
    };
    writeFileSync(folder.at("a.tsv"), [...formatAliases([pair], 30)].join(""));
    const { stdout, stderr } = await dustpan([...words, "--aliases", "a.tsv"]);
    expect(stdout).toBe("http://a.test/first\n");
    expect(stderr).toBe("1 alias in use after the rules; no certificate speaks of them\n");
  });

  it("says where rules were never tried together, of all sites or of one that has no certificate", async () => {
    const accepted = { ...story, status: "likely" as const, decision: "accepted" as const, site: "b.test" };
    const write = (name: string, file: Pick<RulesFile, "rules" | "certificates">) =>
      writeFileSync(folder.at(name), formatRulesFile({ settings: {}, ...file }));
    const canon = async (name: string) => (await dustpan(["canon", "--rules", name, "http://a.test/x"])).stderr;
    write("untried.json", { rules: [session] });
    expect(await canon("untried.json")).toBe("all URLs: not certified: the rules in use were never tried together\n");
    const certificate = (site: string, rules: readonly Rule[], changed: number): Certificate => ({
      ...{ site, certified: true, changed, tried: changed, gone: 0, notComparable: 0, wrong: 0, atMost: 0 },
      ...{ assurance: 0.01, attempt: 1, rules: rulesName(rules), list: "known", at: "2026-01-01T00:00:00.000Z" },
    });
    const ofA = { ...session, site: "a.test" };
    const certificates = [certificate("a.test", [ofA], 9), certificate("b.test", [], 0)];
    write("one.json", { rules: [ofA], certificates });
    expect(await canon("one.json")).toBe("");
    // Nothing was changed there when it was certified; then someone accepted a rule.
    write("two.json", { rules: [ofA, accepted], certificates });
    const others = "not certified: the rules in use are others than those that were tried together";
    expect(await canon("two.json")).toBe(`b.test: ${others}\n`);
    write("three.json", { rules: [ofA, accepted], certificates: certificates.slice(0, 1) });
    expect(await canon("three.json")).toBe("b.test: not certified: the rules in use were never tried together\n");
  });

  it("explains each step, for people and for programs", async () => {
    const { stdout } = await dustpan(["canon", "--explain", "-"], input);
    expect(stdout).toBe(
      [
        "http://a.test/story?id=1&sid=9",
        `  http://a.test/story?id=1  ${session.id} drop ?sid`,
        `  http://a.test/story_1  ${story.id} story?id= -> story_`,
        "http://a.test/story_1",
        "",
      ].join("\n"),
    );
    const document = JSON.parse((await dustpan(["canon", "--explain", "--json", "-"], input)).stdout);
    expect(document).toMatchObject({
      format: "dustpan-canon",
      version: 1,
      urls: [
        { canonical: "http://a.test/story_1", steps: [{ rule: session.id }, { rule: story.id }] },
        { url: "http://a.test/story_1", steps: [] },
      ],
      counts: { records: 3, urls: 2, changed: 1, notUrls: 1, unsettled: 0 },
    });
  });

  it("names rules that go round in circles, and uses the others; the paper's plan uses all", async () => {
    const ours = await dustpan(["canon", "--rules", "circle.json", "-"], "http://a.test/story?id=1\n");
    expect(ours.stdout).toBe("http://a.test/story_1\n");
    expect(ours.stderr).toContain(
      `not used, it would undo story?id= -> story_ (${story.id}): story_ -> story?id= (${back.id}`,
    );
    const paper = await dustpan(
      ["canon", "--rules", "circle.json", "--plan", "paper", "-"],
      "http://a.test/story?id=1\n",
    );
    expect(paper.stdout).toBe("http://a.test/story?id=1\n");
  });

  it("says so where there is nothing to use, and what is wrong with a column", async () => {
    expect((await dustpan(["canon", "--rules", "none.json", "-"], input)).stderr).toContain(
      "no rule is proven or accepted",
    );
    expect((await dustpan(["canon", "--column", "url"])).stderr).toContain("--column needs a FILE");
    const wrong = await dustpan(["canon", "--column", "url", "-"], "a,b\n1,2\n");
    expect(wrong.stderr).toContain('no column "url"');
    expect(wrong.status).toBe(2);
  });
});

describe("check", () => {
  it("fails above the limit, and names the rules", async () => {
    const { status, stdout } = await dustpan(["check", "urls.txt"]);
    expect(status).toBe(1);
    expect(stdout).toContain("too much dust: 1 of 11 URLs (9.1%) are not canonical; the limit is 5.0%");
    expect(stdout).toContain(story.id);
    const held = await dustpan(["check", "--max-dust", "0.1", "--of", "requests", "--json", "urls.txt"]);
    expect(held.status).toBe(0);
    expect(JSON.parse(held.stdout)).toMatchObject({
      format: "dustpan-check",
      holds: true,
      dustRequests: 1,
      requests: 11,
    });
  });

  it("refuses what is not a share", async () => {
    const { status, stderr } = await dustpan(["check", "--max-dust", "150%", "urls.txt"]);
    expect(stderr).toContain("--max-dust 150%: expected a share such as 5% or 0.05");
    expect(status).toBe(2);
  });
});

describe("eval and crawl", () => {
  it("eval measures inputs without leaving anything behind", async () => {
    const { status, stdout } = await dustpan(["eval", "--test", "same", "--json", "urls.txt"]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      format: "dustpan-eval",
      sites: [{ lists: { detect: 11, validate: 11, canonize: 11 }, coverage: { urls: 0 } }],
    });
  });

  it.each([
    [["crawl", "a.test"], "a.test is not a URL to begin at"],
    [["crawl", "http://a.test/", "--avoid", "nowhere"], "--avoid nowhere cannot be read"],
    [["eval", "--site", "http://a.test", "urls.txt"], "eval --site needs a workspace"],
  ])("%j is an error that says what to do", async (words, message) => {
    const { status, stderr } = await dustpan(words);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});

describe("a mistake in what is looked at", () => {
  it("is an error, not a check that holds or a validation of nothing", async () => {
    const validate = ["validate", "--site", "http://a.test", "--resolve", "a.test:127.0.0.1"];
    const missing = await dustpan([...validate, "-w", "mistyped.duckdb", "--rules", "dustpan.rules.json"]);
    expect(missing).toMatchObject({ status: 2, stdout: "" });
    expect(missing.stderr).toContain("mistyped.duckdb; make one with");
    expect(existsSync(folder.at("mistyped.duckdb"))).toBe(false);
    await dustpan(["add", "-w", "w.duckdb", "urls.txt"]);
    const elsewhere = formatRulesFile({ settings: {}, rules: [{ ...session, site: "b.test" }] });
    writeFileSync(folder.at("elsewhere.json"), elsewhere);
    const other = await dustpan([...validate, "-w", "w.duckdb", "--rules", "elsewhere.json"]);
    expect(other.status).toBe(2);
    expect(other.stderr).toContain("has no URL of the sites of these rules");
    const check = await dustpan(["check", "-w", "w.duckdb", "--rules", "dustpan.rules.json", "--snapshot", "mistyped"]);
    expect(check).toMatchObject({ status: 2, stdout: "" });
    expect(check.stderr).toContain('no snapshot "mistyped" in the workspace');
  });
});

describe("rules show", () => {
  it("tells what a verdict rests on, and what the site itself says about it", async () => {
    const pair = { from: "http://a.test/?sid=1", to: "http://a.test/" };
    const evidence = {
      ...{ positive: 31, negative: 1, similarity: "shingles-4/4", checkedAt: "2026-01-02T03:04:05Z" },
      ...{ redirected: 1, canonicalised: 0, canonicalConflicts: 3 },
      examples: [pair],
      counterExamples: [{ ...pair, from: "http://a.test/?sid=2", why: "different text" }],
    };
    const file = formatRulesFile({ settings: {}, rules: [{ ...session, evidence }] });
    writeFileSync(folder.at("proven.json"), file);
    const { stdout } = await dustpan(["rules", "show", session.id, "--rules", "proven.json"]);
    expect(stdout).toContain(
      "31 of 32 pairs of pages alike, by 4 of 4 fingerprints of the text equal (shingles-4/4); checked",
    );
    expect(stdout).toContain(
      "the site itself: 1 pair redirected to one place, 3 with different rel=canonical URLs for the same text",
    );
    expect(stdout).toContain("http://a.test/?sid=•••\n    http://a.test/ (different text)");
  });
});
