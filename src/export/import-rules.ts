/** `dustpan import`: rules that others wrote, as candidates. */
import { problemOf } from "../canon/check-rule.js";
import { ruleId } from "../canon/rule-id.js";
import { DataError } from "../errors.js";
import type { Rule } from "../model.js";
import { isFilterList, readFilterList } from "./imports/adguard.js";
import { isProviderList, readProviderList } from "./imports/clearurls.js";
import { isDiscarderList, readDiscarderList } from "./imports/discarder.js";
import type { Draft, Drafts, Skipped } from "./imports/draft.js";
import { isRegexNormalize, readRegexNormalize } from "./imports/nutch.js";
import { readTable } from "./imports/table.js";

export interface Imported {
  /** What was read, in words. */
  readonly format: string;
  /** Likely ones, each once, in the order of the file; nothing is known about them yet. */
  readonly rules: readonly Rule[];
  readonly skipped: readonly Skipped[];
}

/** The format is recognised by the content. `file` is its name in messages and in the rules' notes. */
export function importRules(text: string, file: string): Imported {
  const { format, drafts, skipped } = read(text.replace(/^\uFEFF/, ""), file);
  const rules = new Map<string, Rule>();
  const wrong: Skipped[] = [];
  for (const draft of drafts) {
    const problem = problemOf(draft.action, draft.scope);
    if (problem !== undefined) {
      wrong.push({ entry: JSON.stringify(draft.action), why: `"${problem.field}" ${problem.problem}` });
      continue;
    }
    const rule = candidate(draft, `${format} in ${file}`);
    if (!rules.has(rule.id)) rules.set(rule.id, rule);
  }
  return { format, rules: [...rules.values()], skipped: [...skipped, ...wrong] };
}

/** Whole canonization in substitutions, or a list of URLs: nothing in it is a rule by itself. */
const MADE_HERE = /Made by "dustpan export/;

function read(text: string, file: string): Drafts & { readonly format: string } {
  if (/^\s*[[{]/.test(text) && !isFilterList(text)) {
    const document = parseJson(text, file);
    if (isDiscarderList(document)) return { format: "duplicate-url-discarder", ...readDiscarderList(document) };
    if (isProviderList(document)) return { format: "ClearURLs", ...readProviderList(document) };
  } else if (isRegexNormalize(text)) {
    refuseOwn(text, file);
    return { format: "regex-normalize", ...readRegexNormalize(text) };
  } else if (isFilterList(text)) return { format: "removeparam", ...readFilterList(text) };
  else {
    refuseOwn(text, file);
    const table = readTable(text);
    if (table !== undefined) return { format: "table", ...table };
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
