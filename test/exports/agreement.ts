/**
 * Does an exported file, in the program it is for, do what canonization does with the exported rules? The same rules and
 * URLs for all targets, compared URL by URL, after safe normalization.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { asTheyAre, compile } from "#src/canon/compile.js";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { randomNumbers } from "#src/demo/text.js";
import { type Exported, exportRules } from "#src/export/export-rules.js";
import type { ExportUse } from "#src/export/target.js";
import { findTarget } from "#src/export/targets.js";
import type { Rule } from "#src/model.js";
import { normalize } from "#src/url/normalize.js";
import { parseUrl } from "#src/url/parse.js";
import { hostileRuleLists, urlsAbout } from "./hostile-rules.js";
import { randomUrls } from "./random-urls.js";

/** All kinds of rules: parameters in all ways, order, case, substrings, anchors, growth, ends of paths, hosts; every part of a scope. */
export const RULES: readonly Rule[] = parseRulesFile(
  readFileSync(new URL("./rules.json", import.meta.url), "utf8"),
  "rules.json",
).rules;

/** URLs of real sites, where the folder with the data lies beside this one (or where DUSTPAN_SHARED says). */
function realUrls(): string[] {
  const folder = path.join(process.env.DUSTPAN_SHARED ?? "../shared", "data");
  const unpack = (file: string) => {
    const full = path.join(folder, file);
    return existsSync(full) ? spawnSync("xz", ["-dc", full], { maxBuffer: 2 ** 30 }).stdout.toString("latin1") : "";
  };
  const requests = (file: string, origin: string) =>
    [...unpack(file).matchAll(/"(?:GET|HEAD|POST) (\/\S*)/g)].map(([, target]) => origin + target);
  const every = (list: string[], count: number) =>
    [...new Set(list)].filter((_, i, all) => i % Math.max(1, Math.floor(all.length / count)) === 0);
  const lists = [
    ...every(requests("logs/semicomplete-2011.combined.log.xz", "http://forum.test"), 500),
    ...every(requests("logs/petclinic-tomcat.log.xz", "http://shop.test"), 500),
    ...every(requests("logs/erddap-tomcat.log.xz", "http://wiki.test"), 500),
    ...every(requests("logs/attack-scan.combined.log.xz", "http://iis.test"), 500),
    ...every(unpack("crawls/cofc-edu.urls.txt.xz").split("\n").filter(Boolean), 500),
  ];
  // A line end is not part of a URL, and would be one to programs that read URLs by the line.
  return lists.map((url) => url.trim());
}

export const isUrl = (url: string) => /^http/.test(url) && parseUrl(url) !== undefined;

/** At least 5,000 normal URLs with their hosts, each once. */
export function agreementUrls(seed = 20): string[] {
  const urls = [...realUrls(), ...randomUrls(6500, seed)].map((url) => normalize(url).url);
  const unique = [...new Set(urls)].filter(isUrl);
  expect(unique.length).toBeGreaterThan(5000);
  return unique;
}

/** Some URLs are others' pages, as a table says: chains and circles among them, and pairs that differ in letter case alone. */
function aliasesAmong(urls: readonly string[]) {
  const random = randomNumbers(22);
  const any = () => urls[Math.floor(random() * urls.length)]!;
  const inOtherCase = (url: string) => url.slice(0, url.indexOf("/", 8)) + url.slice(url.indexOf("/", 8)).toUpperCase();
  const pairs = Array.from({ length: 500 }, (_, i) => ({ from: any(), to: any(), seenMs: i }));
  const alike = pairs.slice(0, 50).map(({ from }, i) => ({ from: inOtherCase(from), to: any(), seenMs: 500 + i }));
  const misleading = alike.map(({ seenMs }) => ({ from: inOtherCase(any()), to: any(), seenMs }));
  return [...pairs, ...alike, ...misleading].filter(({ from }) => normalize(from).url === from);
}

/** What canonization does with what was exported: the rules, and then the aliases. */
export function canonOf({ rules, aliases }: Exported): (url: string) => string {
  const canon = compile(rules, { use: asTheyAre });
  const targets = new Map(aliases.map(({ from, to }) => [from, to]));
  return (url) => targets.get(canon(url)) ?? canon(url);
}

/** Will every client that is sent to this URL ask for just this one? Nobody is sent to another. */
export function isAskedAsWritten(url: string): boolean {
  const isPlain = /^https?:[/][/][a-z0-9._:-]+[/][-\w.~!$&'()*+,;=:@%/[\]]*([?][-\w.~!$&()*+,;=:@%/?[\]]*)?$/.test(url);
  return isPlain && normalize(url).url === url && URL.canParse(url) && new URL(url).href === url;
}

/** What a program answered: the canonical URL, or undefined where it refused the URL (too long for it, say). */
export type Answer = string | undefined;

export interface Agreement {
  readonly target: string;
  readonly exported: number;
  /** Pairs of single URLs, for targets that have a table, and how many of the URLs they changed. */
  readonly aliases: number;
  readonly followed: number;
  readonly leftOut: number;
  readonly compared: number;
  readonly refused: number;
  readonly changed: number;
  readonly different: readonly { readonly url: string; readonly expected: string; readonly answer: string }[];
}

export interface AgreementOptions {
  readonly rules?: readonly Rule[];
  readonly urls?: readonly string[];
  readonly use?: ExportUse;
  /** URLs that never reach the program as they are: it is asked the others. */
  readonly reaches?: (url: string) => boolean;
  /** A program that repairs or shortens what it gets says so here: both sides are compared after this. */
  readonly compareAs?: (url: string) => string;
  /** Kinds of hostile rules, for what knows few: of all kinds most lists would be left out whole. */
  readonly kinds?: readonly Rule["kind"][];
  /** How the line in the table is called, where one target is tried in several ways. */
  readonly label?: string;
}

type Ask = (exported: Exported, urls: readonly string[]) => Promise<readonly Answer[]> | readonly Answer[];

/** Exports the rules, asks the program about every URL, and compares. The program gets normal URLs and the file's text. */
export async function agree(target: string, ask: Ask, options: AgreementOptions = {}): Promise<Agreement> {
  const agreement = await compare(target, ask, options);
  const { target: label, aliases, different } = agreement;
  record(aliases > 0 ? `${label}, with aliases` : label, { ...agreement, different: different.length });
  return agreement;
}

async function compare(target: string, ask: Ask, options: AgreementOptions): Promise<Agreement> {
  const { rules = RULES, use, reaches = () => true, compareAs = (url) => url, label = target } = options;
  const { covers, noTable } = findTarget(target);
  const urls = (options.urls ?? agreementUrls()).filter((url) => reaches(url) && covers?.test(url) !== false);
  const exported = exportRules(rules, findTarget(target), {
    ...(use !== undefined && { use }),
    ...(noTable === undefined && use !== "redirect" && { aliases: aliasesAmong(urls) }),
  });
  const canon = canonOf(exported);
  const withoutAliases = compile(exported.rules, { use: asTheyAre });
  const answers = await ask(exported, urls);
  expect(answers.length).toBe(urls.length);
  const different: { url: string; expected: string; answer: string }[] = [];
  let refused = 0;
  let changed = 0;
  let followed = 0;
  for (const [i, url] of urls.entries()) {
    const answer = answers[i];
    const canonical = canon(url);
    const expected = use === "redirect" && !isAskedAsWritten(canonical) ? url : canonical;
    if (answer === undefined) refused++;
    else if (compareAs(answer) !== compareAs(expected)) different.push({ url, expected, answer });
    if (expected !== url) changed++;
    if (answer !== undefined && canonical !== withoutAliases(url)) followed++;
  }
  return {
    ...{ target: label, exported: exported.rules.length, leftOut: exported.leftOut.length },
    ...{ compared: urls.length - refused, refused, changed, aliases: exported.aliases.length, followed, different },
  };
}

/**
 * Lists of rules with what means something to one program or another, each loaded by itself and asked about URLs made for it.
 * DUSTPAN_SEED takes other lists, DUSTPAN_LISTS another number of them.
 */
export function agreesOnHostileRules(target: string, few: number, ask: Ask, options: AgreementOptions = {}): void {
  const lists = Number(process.env.DUSTPAN_LISTS ?? few);
  const total = { exported: 0, compared: 0, changed: 0 };
  const seed = 61 + Number(process.env.DUSTPAN_SEED ?? 0);
  it.each(hostileRuleLists(lists, seed, options.kinds).map((rules, i) => ({ rules, i })))(
    `${options.label ?? target} agrees on hostile rules, list $i`,
    async ({ rules, i }) => {
      const urls = urlsAbout(rules, 150, i);
      const agreement = await compare(target, ask, { ...options, rules, urls });
      expect({ rules, different: agreement.different.slice(0, 5) }).toEqual({ rules, different: [] });
      for (const key of ["exported", "compared", "changed"] as const) total[key] += agreement[key];
    },
  );
  it(`hostile rules were exported to ${options.label ?? target}, and did something`, () => {
    const { exported, compared, changed } = total;
    record(options.label ?? target, { "hostile lists": lists, rules: exported, URLs: compared, changed });
    expect(total.exported).toBeGreaterThan(lists / 4);
    expect(total.changed).toBeGreaterThan(lists);
  });
}

/** What was measured, for the tables that scripts/export-tests.mjs prints. */
export function record(target: string, numbers: Readonly<Record<string, unknown>>): void {
  const file = process.env.DUSTPAN_EXPORT_TABLE;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ ...numbers, target })}\n`);
}

/** Enough URLs were compared, rules changed some of them, and no answer differs. */
export function expectAgreement({ different, compared, changed, exported, aliases, followed }: Agreement): void {
  expect(different.slice(0, 5)).toEqual([]);
  expect(different.length).toBe(0);
  expect(compared).toBeGreaterThan(5000);
  expect(exported).toBeGreaterThan(0);
  expect(changed).toBeGreaterThan(0);
  if (aliases > 0) expect(followed).toBeGreaterThan(50);
}

export function temporaryFolder(name: string): string {
  return mkdtempSync(path.join(tmpdir(), `dustpan-export-${name}-`));
}
