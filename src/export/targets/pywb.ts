/** pywb, which replays web archives: substitutions by which it finds a capture for a URL that was not captured itself. */
import type { Rule, Scope } from "../../model.js";
import { plainQueries, REMOVES_ONLY, refuseRemoval, refuseScope, removedParameter } from "../removals.js";
import { commented, type Target } from "../target.js";

/** If the name has another ending, pywb takes the whole query for something that does not matter. */
const PAGE_ENDS = "asp|aspx|cfm|cgi|dll|do|exe|htm|html|jsp|php|php3|php5|phtml|pl|py|shtml|xhtml".split("|");
/** How many captures below the URL's path it looks at. */
const SEARCH_LIMIT = 1000;

/** Its keys are in lower case, without "www." and without the slash at a path's end. */
const isKeyText = (text: string) => /^[a-z0-9/_.~-]*$/.test(text);

export const pywb: Target = {
  name: "pywb",
  title: "pywb: fuzzy rules, by which a capture of one URL is replayed for another (rules.yaml)",
  expresses: "the removal of query parameters on a host, a domain, a path or everywhere",
  uses: ["key"],
  file: "dustpan-rules.yaml",
  noTable: REMOVES_ONLY,
  covers: {
    words: `${plainQueries.words}, nothing in them percent-encoded; in lower case and ASCII, on hosts without "www." and ports; where a path ends in .html, .php or another page's end, or in none`,
    test: (url) => plainQueries.test(url) && isPlainPage(url),
  },
  refuse: (rule, taken) =>
    refuseRemoval(rule, taken) ??
    refuseScope(rule, ["host", "path"], "it knows hosts and paths, and nothing more of a scope") ??
    refuseText(rule),
  write: (rules, notes) =>
    [
      commented("#", [
        ...notes,
        "In config.yaml: rules_file: dustpan-rules.yaml",
        "It stands alone. To keep pywb's rules for well-known sites too, add the lines below url_normalize to a copy of its rules.yaml.",
      ]),
      "default_filters:",
      `  fuzzy_search_limit: '${SEARCH_LIMIT}'`,
      `  not_exts: [${PAGE_ENDS.join(", ")}]`,
      "  mimes: []",
      ...(rules.length === 0 ? ["  url_normalize: []"] : ["  url_normalize:", ...rules.flatMap(substitutionsOf)]),
      "rules:",
      "  - url_prefix: ''",
      "    fuzzy_lookup:",
      "      match: '()'",
      "",
    ].join("\n"),
};

function isPlainPage(url: string): boolean {
  const [, host, path] = /^https?:\/\/([^/?#]*)([^?#]*)/.exec(url) ?? [];
  const end = /[^/]*\.([^/.]*)$/.exec(path ?? "")?.[1];
  return (
    /^(?!www\d*\.)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host ?? "") &&
    !/[^!-~]|[A-Z]|%[01]|[?].*%/.test(url) &&
    (end === undefined || PAGE_ENDS.includes(end))
  );
}

function refuseText(rule: Rule): string | undefined {
  const { host = "", path = "" } = rule.scope;
  if (/^www\d*\./i.test(host)) return 'to it a host with "www." is the one without';
  if (path.length > 1 && path.endsWith("/")) return "to it a path with a slash at its end is the one without";
  if (![host.toLowerCase().replace(/^\*\./, ""), path].every(isKeyText)) return KEY_REASON;
  return /^[a-z0-9_.[\]~-]+$/.test(removedParameter(rule)!) ? undefined : KEY_REASON;
}

const KEY_REASON = "its keys are in lower case, without other characters";

/** A key is "test,shop,www:81)/path?a=1&b=2": parameters in their order, so that equal names are neighbours. */
function substitutionsOf(rule: Rule): string[] {
  const own = `${inPattern(removedParameter(rule)!)}(?:=[^&]*)?`;
  const run = `${own}(?:&${own})*`;
  const scope = scopeInKey(rule.scope);
  // The query begins with the first "?"; a second one is a part of a value.
  const patterns = [`^(${scope}[?](?:.*?&)??)${run}&`, `^(${scope})[?]${run}$`, `^(${scope}[?].*?)&${run}$`];
  return patterns.flatMap((pattern) => [`    - match: '${pattern}'`, "      replace: '\\1'"]);
}

function scopeInKey({ host, path = "/" }: Scope): string {
  const isBelow = host?.startsWith("*.") ?? false;
  const labels = (isBelow ? host!.slice(2) : (host ?? "")).toLowerCase().split(".").reverse();
  const own =
    host === undefined ? "[^)]*" : `${labels.map(inPattern).join(",")}${isBelow ? "(?:,[^):]*)?" : ""}(?::[0-9]+)?`;
  return `${own}[)]${path === "/" ? "" : inPattern(path)}[^?]*`;
}

function inPattern(text: string): string {
  return text.replace(/[.[\]]/g, "\\$&");
}
