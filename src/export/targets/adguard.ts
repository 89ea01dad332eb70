/** AdGuard and uBlock Origin: filter lines with `removeparam`. */
import type { Rule } from "../../model.js";
import { decodedQueries, REMOVES_ONLY, refuseRemoval, refuseScope, removedParameter } from "../removals.js";
import { commented, type Target } from "../target.js";
import { urlPattern } from "../url-pattern.js";

export const adguard: Target = {
  name: "adguard",
  title: "AdGuard and uBlock Origin: a filter list with removeparam",
  expresses: "the removal of query parameters on a host, a domain, a path or everywhere",
  uses: ["key"],
  file: "dustpan-filter.txt",
  noTable: REMOVES_ONLY,
  covers: {
    words: `${decodedQueries.words}, none without a name`,
    // A parameter without a name goes with the first one that a line takes away.
    test: (url) => decodedQueries.test(url) && !/[?&]=/.test(url),
  },
  refuse: (rule, taken) =>
    refuseRemoval(rule, taken) ??
    refuseScope(rule, ["host", "path"], "it knows hosts and paths, and nothing more of a scope") ??
    refuseName(removedParameter(rule)!),
  write: (rules, notes) => `${commented("!", notes)}\n${rules.map((rule) => `${lineOf(rule)}\n`).join("")}`,
};

/** A comma ends an option, and these characters begin something other than a name. */
function refuseName(name: string): string | undefined {
  return /[,$|\s]|^[~/]/.test(name) ? `a filter line cannot hold the name "${name}"` : undefined;
}

/** Everywhere, or where a pattern says, in which case matters. */
function lineOf(rule: Rule): string {
  const option = `$removeparam=${removedParameter(rule)}`;
  const isEverywhere = Object.keys(rule.scope).length === 0;
  return isEverywhere ? `*${option}` : `/${urlPattern(rule.scope)}/${option},match-case`;
}
