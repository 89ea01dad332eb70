/** `dustpan import`: rules that others wrote, as candidates. */
import { problemOf } from "../canon/check-rule.js";
import { ruleId } from "../canon/rule-id.js";
import { DataError } from "../errors.js";
import type { Rule } from "../model.js";
import { count } from "../numbers.js";
import { isFilterList, readFilterList } from "./imports/adguard.js";
import { isProviderList, readProviderList } from "./imports/clearurls.js";
import { isDiscarderList, readDiscarderList } from "./imports/discarder.js";
import type { Draft, Found, Skipped } from "./imports/draft.js";
import { isRegexNormalize, readExportedRegexNormalize, readRegexNormalize } from "./imports/nutch.js";
import { readTable } from "./imports/table.js";
import { refuseCharacters } from "./plan.js";

export interface Imported {
  /** What was read, in words. */
  readonly format: string;
  /** Likely ones, each once, in the order of the file; nothing is known about them yet. */
  readonly rules: readonly Rule[];
  readonly skipped: readonly Skipped[];
}

/** Nobody keeps a longer list by hand: short patterns can stand for any number of them. */
const MAX_RULES = 200_000;

/** The format is recognised by the content. `file` is its name in messages and in the rules' notes. */
export function importRules(text: string, file: string): Imported {
  const { format, found } = read(text.replace(/^\uFEFF/, ""), file);
  const rules = new Map<string, Rule>();
  const skipped: Skipped[] = [];
  let drafts = 0;
  for (const each of found) {
    if ("why" in each) {
      skipped.push(each);
      continue;
    }
    if (++drafts > MAX_RULES) throw new DataError(`stands for more than ${count(MAX_RULES)} rules`, file);
    const rule = candidate(each, `${format} in ${file}`);
    const why = problemIn(rule);
    if (why !== undefined) skipped.push({ entry: JSON.stringify(each.action), why });
    else if (!rules.has(rule.id)) rules.set(rule.id, rule);
  }
  return { format, rules: [...rules.values()], skipped };
}

function problemIn(rule: Rule): string | undefined {
  const problem = problemOf(rule, rule.scope);
  return problem === undefined ? refuseCharacters(rule) : `"${problem.field}" ${problem.problem}`;
}

/**
 * A whole canonization as substitutions that were changed since, or a list of URLs: nothing in it is a rule by itself.
 */
const MADE_HERE = /Made by "dustpan export/;

function read(text: string, file: string): { readonly format: string; readonly found: Found } {
  if (/^\s*[[{]/.test(text) && !isFilterList(text)) {
    const document = parseJson(text, file);
    if (isDiscarderList(document)) return { format: "duplicate-url-discarder", found: readDiscarderList(document) };
    if (isProviderList(document)) return { format: "ClearURLs", found: readProviderList(document) };
  } else if (isRegexNormalize(text)) {
    const found = readExportedRegexNormalize(text);
    if (found === undefined) refuseOwn(text, file);
    return { format: "regex-normalize", found: found ?? readRegexNormalize(text) };
  } else if (isFilterList(text)) return { format: "removeparam", found: readFilterList(text) };
  else {
    refuseOwn(text, file);
    const found = readTable(text);
    if (found !== undefined) return { format: "table", found };
  }
  throw new DataError(
    "is not a list of rules that dustpan knows: expected duplicate-url-discarder's or ClearURLs' JSON, a filter list with removeparam, regex-normalize.xml, or a table with two columns (from, to)",
    file,
  );
}

function refuseOwn(text: string, file: string): void {
  if (!MADE_HERE.test(text)) return;
  throw new DataError("was made by dustpan export: its rules are in the rules file that it was made of", file);
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataError(`not JSON: ${error instanceof Error ? error.message : String(error)}`, file);
  }
}

function candidate({ action, scope, note }: Draft, origin: string): Rule {
  return {
    ...action,
    id: ruleId(action, scope),
    scope,
    status: "likely",
    decision: null,
    source: "imported",
    support: 0,
    confirmed: 0,
    merges: 0,
    note: note === undefined ? `from ${origin}` : `from ${origin}; ${note}`,
  };
}
