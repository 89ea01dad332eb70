/** nginx: maps from the request to its canonical URL, for the cache key, for logs, or for a redirect. */
import { lowerAscii } from "../../url/normalize.js";
import { NOT_IN_HOST, refuseScheme, SAFE_TARGET, unsafeTarget } from "../redirects.js";
import { nextSteps, refuseSpaces, rewriteSteps, type Step, settledStep, unsettledStep } from "../rewrite-steps.js";
import type { Piece } from "../rewrites/rewrite.js";
import { rewritesOf } from "../rewrites/rules.js";
import { commented, type SingleAlias, type Target } from "../target.js";

/** Each is a map, and nginx gives up on maps that read one another after a hundred of them. */
const STEPS = 16;
/** It reads its configuration with a buffer of 4,096 bytes, and no word may be longer. */
const MAX_WORD_BYTES = 4000;
const BY_RULES = "$dustpan_by_rules";
const TOO_LONG = `it takes a word of more than ${MAX_WORD_BYTES} bytes, which nginx does not read`;
const TABLE_USAGE =
  "For the aliases, in the http block before it: map_hash_bucket_size 4096; map_hash_max_size 100000;";
const bytesOf = (text: string) => new TextEncoder().encode(text).length;

export const nginx: Target = {
  name: "nginx",
  title: "nginx: the cache key, or redirects (maps, no module needed)",
  expresses:
    "all but the order of parameters, letter case and repeated parameters of any name; " +
    `a URL that needs more than ${STEPS} steps keeps its own key`,
  uses: ["key", "redirect"],
  file: "dustpan.conf",
  refuse: (rule, taken, use) => {
    const rewrites = rewritesOf(rule);
    if (typeof rewrites === "string") return rewrites;
    const steps = rewriteSteps(rewrites, taken.length);
    const words = steps.flatMap(({ pattern, replacement }) => [quote(pattern), value(replacement)]);
    if (words.some((word) => bytesOf(word) > MAX_WORD_BYTES)) return TOO_LONG;
    return refuseScheme(rule, use);
  },
  refuseAlias: (alias) => refuseSpaces(alias) ?? (bytesOf(tableValue([alias])) > MAX_WORD_BYTES ? TOO_LONG : undefined),
  write: (rules, notes, use, aliases) => {
    const rewrites = rules.map(rewritesOf).filter((each) => typeof each !== "string");
    const steps = [settledStep, ...nextSteps(rewrites)];
    const maps = Array.from({ length: STEPS }, (_, i) => mapOf(`$dustpan_${i}`, `$dustpan_${i + 1}`, steps));
    const unsettled = mapOf(`$dustpan_${STEPS}`, aliases.length === 0 ? "$dustpan_key" : BY_RULES, [unsettledStep]);
    return [
      commented("#", [...notes, ...usage(use), ...(aliases.length === 0 ? [] : [TABLE_USAGE])]),
      "",
      '# The URL that was asked for. Nothing else can say a "$" that is none of a variable.',
      'geo $dustpan_dollar { default "$"; }',
      'map "$scheme $http_host" $dustpan_port {\n  "~^http [^ ]*:80$" "";\n  "~^https [^ ]*:443$" "";\n  "~(:[0-9]+)$" $1;\n}',
      "map $request_uri $dustpan_url { default $scheme://$host$dustpan_port$request_uri; }",
      `map $dustpan_url $dustpan_0 {\n  ${quote(`~^https?://[^/]*(?!/)[${NOT_IN_HOST}]`)} $dustpan_url;\n  default "$dustpan_url $dustpan_url $dustpan_url !";\n}`,
      `\n# ${STEPS} equal maps: each does the next step of canonization, if one is left to do.`,
      ...maps,
      "\n# What was not settled by then keeps its own key.",
      unsettled,
      ...(aliases.length === 0 ? [] : ["\n# Single URLs that are another one's page.", ...tableOf(aliases)]),
      ...(use === "redirect" ? ["\n# Where to send the client; empty for nowhere.", redirectMap()] : []),
      "",
    ].join("\n");
  },
};

function usage(use: "key" | "redirect"): string[] {
  const inHttp =
    "Include this file in the http block. Recommended: pcre_jit on; (main), variables_hash_max_size 2048; (http).";
  const inServer =
    use === "key"
      ? "Then, next to proxy_cache: proxy_cache_key $dustpan_key; (with what else your key has, such as a cookie)"
      : 'Then, in the server block: if ($dustpan_redirect != "") { return 301 $dustpan_redirect; }';
  return [inHttp, inServer, "To check: nginx -t"];
}

/** Only for requests that are safe to repeat, and only to a different URL that no client changes. */
function redirectMap(): string {
  return mapOf(
    '"$request_method $dustpan_url $dustpan_key"',
    "$dustpan_redirect",
    [
      { pattern: "^[^ ]* ([^ ]*) \\1$", replacement: [] },
      { pattern: `^[^ ]* [^ ]* ${unsafeTarget}$`, replacement: [] },
      { pattern: `^(?:GET|HEAD) [^ ]* (${SAFE_TARGET})$`, replacement: [1] },
    ],
    '""',
  );
}

/**
 * A map finds texts without regard to case: its entry has all pairs of texts that differ only in case, and an
 * expression picks the right one. What is too long for one word goes into a further map. A map of expressions alone
 * would be read from its beginning for every request.
 */
function tableOf(aliases: readonly SingleAlias[]): string[] {
  const maps: Map<string, SingleAlias[]>[] = [new Map()];
  for (const alias of aliases) {
    const key = lowerAscii(alias.from);
    const withIt = (map: ReadonlyMap<string, SingleAlias[]>) => [...(map.get(key) ?? []), alias];
    const map = maps.find((each) => bytesOf(tableValue(withIt(each))) <= MAX_WORD_BYTES);
    if (map === undefined) maps.push(new Map([[key, [alias]]]));
    else map.set(key, withIt(map));
  }
  const names = maps.map((_, i) => `$dustpan_aliases_${i}`);
  const pick: Step = { pattern: "^([^ ]+)(?: [^ ]+ [^ ]+)*? \\1 ([^ ]+)", replacement: [2] };
  return [
    ...maps.map((map, i) => {
      const lines = [...map].map(([key, pairs]) => `  ${quote(key)} ${tableValue(pairs)};\n`);
      return `map ${BY_RULES} ${names[i]} {\n${lines.join("")}}`;
    }),
    mapOf(`"${BY_RULES}${names.join("")}"`, "$dustpan_key", [pick], BY_RULES),
  ];
}

const tableValue = (pairs: readonly SingleAlias[]) => value(pairs.map(({ from, to }) => ` ${from} ${to}`));

function mapOf(source: string, name: string, steps: readonly Step[], otherwise = source): string {
  const lines = steps.map(({ pattern, replacement }) => `  ${quote(`~${pattern}`)} ${value(replacement)};\n`);
  return `map ${source} ${name} {\n${lines.join("")}  default ${otherwise};\n}`;
}

function value(replacement: readonly Piece[]): string {
  const text = replacement
    .map((piece) => (typeof piece === "number" ? `$${piece}` : piece.replaceAll("$", "\u0000")))
    .join("");
  return quote(text).replaceAll("\u0000", "$" + "{dustpan_dollar}");
}

/** In quotes, nginx takes a backslash away before a backslash or a quote, and before t, r and n. */
function quote(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
