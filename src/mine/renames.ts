/**
 * Rules that rename rather than merge: ".html" may go from every page of a site of which four were ever asked for without it.
 * True, but all the URLs that people know would change.
 */
import { applyRule } from "../canon/apply.js";
import type { Rule, StringColumn } from "../model.js";
import { stringAt } from "../string-column.js";
import { findApplicable } from "./applicable.js";
import { turned } from "./direction.js";

/** A rule that changes this many URLs for each one that it saves renames them. */
const MOST_CHANGED_PER_SAVED = 100;
/** Some URLs of a long list say as much as all of them. */
const SAMPLED_URLS = 20_000;

/** The rules that only rename; not those that can go the other way, where they change the few instead of the many. */
export function renamingRules(rules: readonly Rule[], urls: StringColumn): Set<Rule> {
  // What a rule saves after others was counted on another list.
  const isOneWay = (rule: Rule) => rule.kind === "substring" && rule.after === undefined && turned(rule) === undefined;
  const oneWay = rules.filter(isOneWay);
  if (oneWay.length === 0) return new Set();
  const step = Math.max(1, Math.floor(urls.count / SAMPLED_URLS));
  const sampled = Array.from({ length: Math.ceil(urls.count / step) }, (_, i) => stringAt(urls, i * step));
  const rows = findApplicable(oneWay, sampled);
  return new Set(
    oneWay.filter((rule, i) => {
      const most = MOST_CHANGED_PER_SAVED * rule.support;
      if (rows[i]!.length * step <= most) return false;
      const changed = rows[i]!.filter((row) => applyRule(rule, sampled[row]!) !== undefined).length;
      return changed * step > most;
    }),
  );
}
