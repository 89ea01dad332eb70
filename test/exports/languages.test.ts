/** Every language that is installed here: the exported file compiled, and run as a filter on URLs. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { problemOf } from "#src/canon/check-rule.js";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { findCycles } from "#src/canon/cycles.js";
import { exportRules } from "#src/export/export-rules.js";
import { canonicalInLua } from "#src/export/lua.js";
import { type Language, sourceOf } from "#src/export/source-file.js";
import { goLanguage } from "#src/export/targets/go.js";
import { javaLanguage } from "#src/export/targets/java.js";
import { pythonLanguage } from "#src/export/targets/python.js";
import { rustLanguage } from "#src/export/targets/rust.js";
import { findTarget } from "#src/export/targets.js";
import type { Rule } from "#src/model.js";
import { normalize } from "#src/url/normalize.js";
import { makeRule } from "../canon/make-rule.js";
import { agree, expectAgreement, isUrl, RULES, temporaryFolder } from "./agreement.js";
import { hostileRuleLists, urlsAbout } from "./hostile-rules.js";
import { randomRuleLists } from "./random-rules.js";
import { randomUrls } from "./random-urls.js";
import { rawUrls } from "./raw-urls.js";
import { debianPackages, isInstalled, run } from "./tools.js";

interface Tested {
  readonly language: Language;
  readonly compiler: readonly string[];
  /** Compiles the file in the folder, and gives the command that runs it. */
  readonly build: (folder: string) => string[];
  /** A change of the program: it canonizes with a slice of its rules, which the input names before each URL. */
  readonly slices: readonly [call: string, sliced: string];
}

const languages: readonly Tested[] = [
  {
    language: pythonLanguage,
    compiler: ["python3"],
    build: () => ["python3", "canonical.py"],
    slices: [
      "canonical(url).encode",
      '(lambda a, b, u: canonize(u, RULES[int(a):int(b)]))(*url.split("\\t", 2)).encode',
    ],
  },
  {
    language: goLanguage,
    compiler: ["go", "version"],
    build: (folder) => {
      run("go", ["vet", "canonical.go"], { cwd: folder });
      run("go", ["build", "-o", "canonical", "canonical.go"], { cwd: folder });
      return ["./canonical"];
    },
    slices: [
      'Canonical(strings.TrimRight(line, "\\r\\n"))',
      'func() string { f := strings.SplitN(strings.TrimRight(line, "\\r\\n"), "\\t", 3); a, _ := strconv.Atoi(f[0]); b, _ := strconv.Atoi(f[1]); return Canonize(f[2], Rules[a:b]) }()',
    ],
  },
  {
    language: javaLanguage,
    compiler: ["javac"],
    build: (folder) => {
      run("javac", ["-Xlint:all", "-Werror", "-encoding", "ascii", "Canonical.java"], { cwd: folder });
      return ["java", "Canonical"];
    },
    slices: [
      "canonical(line) +",
      'canonize(line.split("\\t", 3)[2], RULES.subList(Integer.parseInt(line.split("\\t")[0]), Integer.parseInt(line.split("\\t")[1]))) +',
    ],
  },
  {
    language: rustLanguage,
    compiler: ["rustc"],
    build: (folder) => {
      run("rustc", ["--edition", "2021", "-O", "-D", "warnings", "-A", "dead_code", "canonical.rs"], { cwd: folder });
      return ["./canonical"];
    },
    slices: [
      "canonical(&url))",
      "{ let f: Vec<&str> = url.splitn(3, '\\t').collect(); canonize(f[2], &RULES[f[0].parse().unwrap()..f[1].parse().unwrap()]) })",
    ],
  },
];

function runProgram({ language, build }: Tested, text: string, lines: readonly string[]): string[] {
  const folder = temporaryFolder(language.name);
  writeFileSync(path.join(folder, language.file), text);
  const [program, ...args] = build(folder);
  return run(program!, args, { cwd: folder, input: `${lines.join("\n")}\n` })
    .split("\n")
    .slice(0, -1);
}

interface SharedCase {
  readonly rule: Record<string, unknown>;
  readonly from: string;
}

/** As often as canonization applies rules, and in as many rounds, and once more: then the URL stays as it was. */
function listsAtTheLimits(): { rules: readonly Rule[]; urls: readonly string[] }[] {
  const shorter = makeRule({ from: "-a", to: "" });
  const often = [998, 999, 1000, 1001, 1002].map((times) => `http://a.test/x${"-a".repeat(times)}?b=1`);
  // In the wrong order, each round gets one step further.
  const chain = (length: number) =>
    Array.from({ length }, (_, i) => makeRule({ from: `/s${length - i}`, to: `/s${length - i + 1}` }));
  return [
    { rules: [shorter], urls: often },
    { rules: [shorter, makeRule({ from: "b=1", to: "-a" })], urls: often },
    ...[7, 8, 9, 10, 11].map((length) => ({ rules: chain(length), urls: ["http://a.test/s1", "http://a.test/s2/s1"] })),
  ];
}

/** Lists of rules with URLs: the cases that the tests of canonization share, and random ones. DUSTPAN_SEED and DUSTPAN_LISTS as elsewhere. */
function manyLists(): { rules: readonly Rule[]; urls: readonly string[] }[] {
  const file = new URL("../canon/apply.cases.json", import.meta.url);
  const shared: SharedCase[] = JSON.parse(readFileSync(file, "utf8"));
  const seed = Number(process.env.DUSTPAN_SEED ?? 0);
  const hostile = Number(process.env.DUSTPAN_LISTS ?? 200);
  const urls = randomUrls(60 * hostile, 41 + seed).map((url) => normalize(url).url);
  return [
    // A few cases are about rules that no list may hold.
    ...shared
      .map(({ rule, from }) => ({ rules: [makeRule(rule)], urls: [from] }))
      .filter(({ rules }) => problemOf(rules[0]!, rules[0]!.scope) === undefined && findCycles(rules).length === 0),
    ...listsAtTheLimits(),
    ...randomRuleLists(3 * hostile, 42 + seed).map((rules, i) => ({ rules, urls: urls.slice(20 * i, 20 * i + 20) })),
    ...hostileRuleLists(hostile, 61 + seed).map((rules, i) => {
      // What no target gets, and what is more than a line or a word to a filter.
      const { rules: exported } = exportRules(rules, findTarget("python"));
      return { rules: exported, urls: urlsAbout(rules, 30, i).filter((url) => isUrl(url) && !/[\r\n\t]/.test(url)) };
    }),
  ];
}

/** All of those lists one behind the other, and for each URL a line with the slice of them that it is about. */
function manyQuestions(): { rules: readonly Rule[]; lines: readonly string[]; expected: readonly string[] } {
  const rules: Rule[] = [];
  const lines: string[] = [];
  const expected: string[] = [];
  for (const list of manyLists()) {
    const canon = compile(list.rules, { use: asTheyAre });
    for (const url of list.urls) {
      lines.push([rules.length, rules.length + list.rules.length, url].join("\t"));
      expected.push(canon(url));
    }
    rules.push(...list.rules);
  }
  return { rules, lines, expected };
}

function expectAnswers({ lines, expected }: ReturnType<typeof manyQuestions>, answers: readonly string[]): void {
  const different = lines.flatMap((line, i) =>
    answers[i] === expected[i] ? [] : [{ line, answer: answers[i], expected: expected[i] }],
  );
  expect(different.slice(0, 5)).toEqual([]);
  expect(expected.filter((url, i) => !lines[i]!.endsWith(url)).length).toBeGreaterThan(1000);
}

/** The exported file makes URLs normal before it canonizes them, and leaves alone what is none. */
function expectRawAnswers(target: string, ask: (text: string, urls: readonly string[]) => readonly string[]): void {
  const urls = rawUrls(6000, 71 + Number(process.env.DUSTPAN_SEED ?? 0));
  const { text, rules } = exportRules(RULES, findTarget(target));
  const canon = compile(rules, { use: asTheyAre });
  const expected = urls.map((url) => canon(normalize(url).url));
  const answers = ask(text, urls);
  const different = urls.flatMap((url, i) =>
    answers[i] === expected[i] ? [] : [{ url, answer: answers[i], expected: expected[i] }],
  );
  expect(different.slice(0, 5)).toEqual([]);
  expect(expected.filter((url, i) => url !== urls[i]).length).toBeGreaterThan(3000);
}

describe("languages agree with canonization", () => {
  for (const tested of languages) {
    const { language, compiler, slices } = tested;
    const [command, ...version] = compiler;
    const isMissing = !isInstalled(command!, ...version);
    it.skipIf(isMissing)(`${language.name}: the rules of all targets`, async () => {
      expectAgreement(await agree(language.name, ({ text }, urls) => runProgram(tested, text, urls)));
    });

    it.skipIf(isMissing)(`${language.name}: URLs that are not normal, and what is none`, () => {
      expectRawAnswers(language.name, (text, urls) => runProgram(tested, text, urls));
    });

    it.skipIf(isMissing)(`${language.name}: many lists of rules`, () => {
      const questions = manyQuestions();
      const text = sourceOf(language, questions.rules);
      expect(text).toContain(slices[0]);
      const answers = runProgram(
        tested,
        text.replace(slices[0], () => slices[1]),
        questions.lines,
      );
      expectAnswers(questions, answers);
    });
  }

  // The Lua that HAProxy has inside, and that of Traffic Server.
  describe.each(["lua5.3", "luajit"])("%s", (name) => {
    /** What the script gives for each line, by the driver's expression of the `line`. */
    const runLua = (script: string, answer: string, lines: readonly string[]): string[] => {
      const { root, env } = debianPackages(name, name);
      const folder = temporaryFolder(name);
      // By lines LuaJIT would end one at a NUL.
      const driver = `for line in io.read("*a"):gmatch("([^\\n]*)\\n") do io.write(${answer}, "\\n") end`;
      writeFileSync(path.join(folder, "canonical.lua"), `${script}\n${driver}\n`);
      const input = `${lines.join("\n")}\n`;
      const answers = run(`${root}/usr/bin/${name}`, ["canonical.lua"], { cwd: folder, input, env });
      return answers.split("\n").slice(0, -1);
    };

    it("URLs that are not normal, and what is none", () => {
      expectRawAnswers("trafficserver", (text, urls) => runLua(text, "canonical(line)", urls));
    });

    it("many lists of rules", () => {
      const questions = manyQuestions();
      const text = canonicalInLua(questions.rules, []);
      const all = "for _, rule in ipairs(RULES) do";
      expect(text).toContain(all);
      const sliced = `${text.replace(all, "for place = FROM, TO do local rule = RULES[place]")}
local function canonize_line(line)
  local from, to, url = line:match("^(%d+)\t(%d+)\t(.*)$")
  FROM, TO = tonumber(from) + 1, tonumber(to)
  return canonize(url)
end`;
      expectAnswers(questions, runLua(sliced, "canonize_line(line)", questions.lines));
    });
  });
});
