/** duplicate-url-discarder, a Scrapy add-on: its JSON list of rules. */

import type { Rule } from "../../model.js";
import { plainQueries, REMOVES_ONLY, refuseRemoval, refuseScope, removedParameter } from "../removals.js";
import type { Target } from "../target.js";

export const duplicateUrlDiscarder: Target = {
  name: "duplicate-url-discarder",
  title: "duplicate-url-discarder for Scrapy: its list of rules (JSON)",
  expresses: "the removal of query parameters, everywhere or on a domain with all hosts below it; the rest: scrapy",
  uses: ["key"],
  file: "dud-rules.json",
  noTable: REMOVES_ONLY,
  covers: {
    words: `${plainQueries.words}, on hosts without a port`,
    // To it "www-a.test" is the same as "www.a.test".
    test: (url) => plainQueries.test(url) && !/^https?:\/\/(?:[^/?#]*:|www[^.])/i.test(url),
  },
  refuse: (rule, taken) => refuseRemoval(rule, taken) ?? refuseScope(rule, ["host"], WHY) ?? refuseHost(rule),
  // JSON has no comments; of an entry it reads only the fields that it knows. Without rules there is one that removes
  // nothing.
  write: (rules, notes) => {
    const [first = removalOf("", []), ...others] = entries(rules);
    return `${JSON.stringify([{ notes, ...first }, ...others], null, 2)}\n`;
  },
};

const WHY = "its paths are compared without regard to case, and it asks for no parameters";

function refuseHost({ scope: { host } }: Rule): string | undefined {
  return host === undefined || host.startsWith("*.") ? undefined : "a host means all hosts below it too here";
}

/** Rules that hold everywhere are used only for domains without rules of their own: so those with rules repeat them. */
function entries(rules: readonly Rule[]): object[] {
  const everywhere = rules.filter(({ scope }) => scope.host === undefined);
  const domains = new Map<string, Rule[]>([["", []]]);
  for (const rule of rules) {
    const domain = rule.scope.host?.slice(2) ?? "";
    domains.set(domain, [...(domains.get(domain) ?? everywhere), rule]);
  }
  return [...domains]
    .filter(([, own]) => own.length > 0)
    .map(([domain, own]) => removalOf(domain, [...new Set(own.map((rule) => removedParameter(rule)!))].sort()));
}

function removalOf(domain: string, args: readonly string[]): object {
  return { args, order: 0, processor: "queryRemoval", urlPattern: { include: [domain] } };
}
