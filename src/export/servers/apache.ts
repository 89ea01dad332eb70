/** Apache httpd: the canonical URL in a variable of the request, for headers and logs, or a redirect there. */
import { refuseScheme, SAFE_TARGET, unsafeTarget } from "../redirects.js";
import { nextSteps, refuseSpaces, type Step, unsettledStep } from "../rewrite-steps.js";
import type { Piece } from "../rewrites/rewrite.js";
import { rewritesOf } from "../rewrites/rules.js";
import { commented, type ExportUse, type SingleAlias, type Target } from "../target.js";

export const apache: Target = {
  name: "apache",
  title: "Apache httpd: the canonical URL in a variable, or redirects (mod_rewrite)",
  expresses: "all but the order of parameters, letter case and repeated parameters of any name",
  uses: ["key", "redirect"],
  file: "dustpan.conf",
  refuse: (rule, _taken, use) => {
    const rewrites = rewritesOf(rule);
    if (typeof rewrites === "string") return rewrites;
    const texts = rewrites.rewrites.flatMap(({ replacement }) => replacement);
    if (texts.some((piece) => typeof piece === "string" && /[,\]"]/.test(piece))) {
      return 'the flags of a RewriteRule cannot hold a comma, a "]" or a quote';
    }
    return refuseScheme(rule, use);
  },
  refuseAlias: (alias) =>
    refuseSpaces(alias) ??
    (/"|\$\{/.test(`${alias.from} ${alias.to}`) ? 'Apache reads a quote and "${" in its own way' : undefined),
  write: (rules, notes, use, aliases) => {
    const rewrites = rules.map(rewritesOf).filter((each) => typeof each !== "string");
    return [
      commented("#", [...notes, ...usage(use)]),
      "RewriteEngine On",
      "RewriteMap dustpan_lower int:tolower",
      "",
      "# Once: what was asked for, as it was asked for.",
      ...begin(),
      "",
      "# Until nothing is left to do: the next step, then from the top again.",
      ...nextSteps(rewrites).flatMap((step) => setBy(step, "dustpan", "dustpan", ",N")),
      ...setBy(unsettledStep, "dustpan", "dustpan", ""),
      'RewriteCond %{ENV:dustpan} "^([^ ]+)$"',
      "RewriteRule ^ - [E=DUSTPAN_URL:%1]",
      ...aliases.flatMap(follow),
      ...(use === "redirect" ? redirect() : []),
      "",
    ].join("\n");
  },
};

function usage(use: ExportUse): string[] {
  const include =
    "Include this file in each virtual host, before other rewriting: what stands in the server alone is not inherited.";
  const check = "To check: apachectl configtest";
  if (use === "redirect") return [include, check];
  return [
    include,
    "Then, say: RequestHeader set X-Canonical-URL %{DUSTPAN_URL}e",
    "or a log format with %{DUSTPAN_URL}e.",
    check,
  ];
}

/** A RewriteRule gets paths decoded; this does not. */
function begin(): string[] {
  const isNew = 'RewriteCond %{ENV:dustpan} "^$"';
  const scheme = "%{REQUEST_SCHEME}";
  return [
    isNew,
    'RewriteCond %{THE_REQUEST} "^[^ ]+ (/[^ ]*) HTTP/"',
    `RewriteRule ^ - [E=dustpan_asked:${scheme}://$\{dustpan_lower:%{HTTP_HOST}}%1]`,
    isNew,
    'RewriteCond %{ENV:dustpan_asked} "^(http://[^/]*):80(/.*)$" [OR]',
    'RewriteCond %{ENV:dustpan_asked} "^(https://[^/]*):443(/.*)$"',
    "RewriteRule ^ - [E=dustpan_asked:%1%2]",
    isNew,
    'RewriteCond %{ENV:dustpan_asked} "^([^ ]+)$"',
    'RewriteRule ^ - "[E=dustpan:%1 %1 %1 !]"',
  ];
}

function setBy({ pattern, replacement }: Step, source: string, variable: string, flags: string): string[] {
  return [
    `RewriteCond %{ENV:${source}} ${quote(pattern)}`,
    `RewriteRule ^ - ${quote(`[E=${variable}:${replacement.map(piece).join("")}${flags}]`)}`,
  ];
}

/** A RewriteMap would be a second file, whose place this one would have to name: so the pairs are compared in turn. */
function follow({ from, to }: SingleAlias): string[] {
  return [
    `RewriteCond %{ENV:DUSTPAN_URL} "=${from}"`,
    `RewriteCond "${piece(to)}" "(.*)"`,
    "RewriteRule ^ - [E=DUSTPAN_URL:%1]",
  ];
}

/**
 * Only for requests that are safe to repeat, only to a different URL, and never if it ends with "?" or "&", which a
 * redirect would lose. A "?" that comes out of a group is refused: it has to be written.
 */
function redirect(): string[] {
  const to = (pattern: string, target: string, flags: string) => [
    'RewriteCond %{REQUEST_METHOD} "^(?:GET|HEAD)$"',
    'RewriteCond "%{ENV:dustpan_asked} %{ENV:DUSTPAN_URL}" "!^([^ ]*) \\1$"',
    `RewriteCond %{ENV:DUSTPAN_URL} "!^${unsafeTarget}$"`,
    `RewriteCond %{ENV:DUSTPAN_URL} "^${SAFE_TARGET}$"`,
    `RewriteCond %{ENV:DUSTPAN_URL} "${pattern}"`,
    `RewriteRule ^ ${target} [${flags}]`,
  ];
  return [...to("^([^ ?]+)$", "%1", "R=301,NE,QSD,L"), ...to("^([^ ?]+)[?]([^ ]*[^ &])$", "%1?%2", "R=301,NE,L")];
}

/** Unescaped, "${HOME}" would be a variable of the environment, and would be replaced before anything else is read. */
function piece(value: Piece): string {
  return typeof value === "number" ? `%${value}` : value.replace(/[%${\\]/g, "\\$&");
}

/** RewriteCond and RewriteRule read their arguments themselves: a quote cannot be escaped between quotes. */
function quote(text: string): string {
  return `"${text.replaceAll('"', "\\x22")}"`;
}
