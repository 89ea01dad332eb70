/** nginx: maps from the request to its canonical URL, for the cache key, for logs, or for a redirect. */
import { refuseScheme, SAFE_TARGET, unsafeTarget } from "../redirects.js";
import { type Piece, rewritesOf } from "../rewrite-patterns.js";
import { nextSteps, type Step, settledStep, unsettledStep } from "../rewrite-steps.js";
import { commented, type Target } from "../target.js";

/** Each is a map, and a map that reads a map that reads a map ends at a hundred. */
const STEPS = 16;
/** It reads its configuration with a buffer of 4,096 bytes, and no word may be longer. */
const MAX_WORD_BYTES = 4000;
const encoder = new TextEncoder();

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
    // The steps of the rules after others have a "." for each of these.
    const words = nextSteps([rewrites]).flatMap(({ pattern, replacement }) => [quote(pattern), value(replacement)]);
    if (words.some((word) => encoder.encode(word).length + taken.length > MAX_WORD_BYTES)) {
      return `it takes a word of more than ${MAX_WORD_BYTES} bytes, which nginx does not read`;
    }
    return refuseScheme(rule, use);
  },
  write: (rules, notes, use) => {
    const rewrites = rules.map(rewritesOf).filter((each) => typeof each !== "string");
    const steps = [settledStep, ...nextSteps(rewrites)];
    const maps = Array.from({ length: STEPS }, (_, i) => mapOf(`$dustpan_${i}`, `$dustpan_${i + 1}`, steps));
    return [
      commented("#", [...notes, ...usage(use)]),
      // Nothing else can say a "$" that is none of a variable.
      'geo $dustpan_dollar { default "$"; }',
      'map "$scheme $http_host" $dustpan_port {\n  "~^http [^ ]*:80$" "";\n  "~^https [^ ]*:443$" "";\n  "~(:[0-9]+)$" $1;\n}',
      "map $request_uri $dustpan_url { default $scheme://$host$dustpan_port$request_uri; }",
      'map $dustpan_url $dustpan_0 { default "$dustpan_url $dustpan_url $dustpan_url !"; }',
      ...maps,
      mapOf(`$dustpan_${STEPS}`, "$dustpan_key", [unsettledStep]),
      ...(use === "redirect" ? [redirectMap()] : []),
      "",
    ].join("\n");
  },
};

function usage(use: "key" | "redirect"): string[] {
  const inHttp =
    "Include this file in the http block. Recommended: pcre_jit on; (main), variables_hash_max_size 2048; (http).";
  return use === "key"
    ? [inHttp, "Then, next to proxy_cache: proxy_cache_key $dustpan_key;"]
    : [inHttp, 'Then, in the server block: if ($dustpan_redirect != "") { return 301 $dustpan_redirect; }'];
}

/** Only where something is safe to repeat, and only where it leads elsewhere, and stays. */
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
