/** ClearURLs, a browser extension: its list of providers. */
import type { Rule } from "../../model.js";
import { decodedQueries, REMOVES_ONLY, refuseRemoval, refuseScope, removedParameter } from "../removals.js";
import type { Target } from "../target.js";
import { escapeLiteral, urlPattern } from "../url-pattern.js";

/** It compares without regard to case, unless a pattern says otherwise, which browsers since 2024 support. */
const withCase = (pattern: string) => `(?-i:${pattern})`;

export const clearurls: Target = {
  name: "clearurls",
  title: "ClearURLs: its list of providers (JSON), for browsers since Firefox 132 and Chrome 125",
  expresses: "the removal of query parameters on a host, a domain, a path or everywhere",
  uses: ["key"],
  file: "clearurls.json",
  noTable: REMOVES_ONLY,
  covers: {
    words: `${decodedQueries.words}; it rewrites the whole query, as URLSearchParams does`,
    test: decodedQueries.test,
  },
  refuse: (rule, taken) =>
    refuseRemoval(rule, taken) ??
    refuseScope(rule, ["host", "path"], "it knows hosts and paths, and nothing more of a scope"),
  // JSON has no comments; it looks at the providers alone.
  write: (rules, notes) => `${JSON.stringify({ notes, providers: providersOf(rules) }, null, 2)}\n`,
};

/** One for each scope. */
function providersOf(rules: readonly Rule[]): Record<string, object> {
  const names = new Map<string, string[]>();
  for (const rule of rules) {
    const pattern = withCase(urlPattern(rule.scope));
    names.set(pattern, [...(names.get(pattern) ?? []), withCase(escapeLiteral(removedParameter(rule)!))]);
  }
  return Object.fromEntries(
    [...names].map(([pattern, own], i) => [
      `dustpan-${i + 1}`,
      {
        urlPattern: pattern,
        completeProvider: false,
        rules: own,
        rawRules: [],
        referralMarketing: [],
        exceptions: [],
        redirections: [],
        forceRedirection: false,
      },
    ]),
  );
}
