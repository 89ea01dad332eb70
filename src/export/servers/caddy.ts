/** Caddy: the canonical URL in a variable, for headers and logs, or a redirect there. */
import { refuseScheme, SAFE_TARGET, unsafeTarget } from "../redirects.js";
import { ANY_PLACE, placeAfter, placeUpTo, ROUNDS, refuseSpaces } from "../rewrite-steps.js";
import { END, type Piece, type Rewrite, type RuleRewrites } from "../rewrites/rewrite.js";
import { rewritesOf } from "../rewrites/rules.js";
import { commented, type ExportUse, type SingleAlias, type Target } from "../target.js";

/** Each is a list of handlers of its own. */
const STEPS = 16;

export const caddy: Target = {
  name: "caddy",
  title: "Caddy: the canonical URL in a variable, or redirects (Caddyfile)",
  expresses:
    "all but the order of parameters, letter case, repeated parameters of any name, and what RE2 cannot look ahead for; " +
    `a URL with a brace in it, or that needs more than ${STEPS} steps, keeps its own key`,
  uses: ["key", "redirect"],
  file: "dustpan.caddy",
  refuse: (rule, _taken, use) => {
    const rewrites = rewritesOf(rule);
    if (typeof rewrites === "string") return rewrites;
    if (rewrites.rewrites.some(({ isPlain }) => !isPlain))
      return "Caddy's expressions (RE2) cannot look ahead or behind";
    const texts = rewrites.rewrites.flatMap(({ pattern, replacement }) => [pattern, ...replacement]);
    // No pattern has a quantifier in braces: "[{]" is a brace from the rule itself.
    if (texts.some((text) => typeof text === "string" && /[{}`]/.test(text))) {
      return "a Caddyfile reads braces and backquotes in its own way";
    }
    return refuseScheme(rule, use);
  },
  refuseAlias: (alias) =>
    refuseSpaces(alias) ??
    (/[{}`]/.test(alias.from + alias.to) ? "a Caddyfile reads braces and backquotes in its own way" : undefined),
  write: (rules, notes, use, aliases) => {
    const rewrites = rules.map(rewritesOf).filter((each) => typeof each !== "string");
    const once = [...rewrites.flatMap(stepsOf), ...roundSteps()];
    const steps = Array.from(
      { length: STEPS },
      (_, i) => `    route @dustpan_waits {
${once.map((step, j) => handlerOf(step, `dustpan_${i}_${j}`)).join("")}${handlerOf(wake, `dustpan_${i}_wake`)}    }\n`,
    );
    return `${commented("#", [...notes, ...usage(use)])}
${indented(`(dustpan) {
  route {
    vars dustpan_asked {http.request.scheme}://{http.request.hostport}{http.request.orig_uri}
    @dustpan_port vars_regexp dustpan_port dustpan_asked \`^(http://[^/]*):80(/.*)$|^(https://[^/]*):443(/.*)$\`
    vars @dustpan_port dustpan_asked {http.regexp.dustpan_port.1}{http.regexp.dustpan_port.2}{http.regexp.dustpan_port.3}{http.regexp.dustpan_port.4}
    vars dustpan {vars.dustpan_asked}
    # Caddy would read braces in a variable as names of its own.
    @dustpan_plain expression \`!{http.vars.dustpan_asked}.contains("{")\`
    route @dustpan_plain {
    vars dustpan ">{vars.dustpan_asked} !"
    @dustpan_waits vars_regexp dustpan \`^>\`
${steps.join("")}    vars @dustpan_waits dustpan {vars.dustpan_asked}
${aliases.length === 0 ? "" : tableOf(aliases)}    }
${use === "redirect" ? REDIRECT : ""}  }
}`)}
`;
  },
};

/** As "caddy fmt" has it: a tab for each block. No text of a rule ends a line with a brace, or begins one. */
function indented(text: string): string {
  let depth = 0;
  const lines = text.split("\n").map((each) => {
    const line = each.trim();
    if (line.startsWith("}")) depth--;
    const own = "\t".repeat(depth) + line;
    if (line.endsWith("{")) depth++;
    return own;
  });
  return lines.join("\n");
}

const REDIRECT = `    @dustpan_elsewhere {
      method GET HEAD
      expression {vars.dustpan} != {vars.dustpan_asked}
      vars_regexp dustpan_safe dustpan \`^${SAFE_TARGET}$\`
      not vars_regexp dustpan_unsafe dustpan \`^${unsafeTarget}$\`
    }
    redir @dustpan_elsewhere {vars.dustpan} 301
`;

function tableOf(aliases: readonly SingleAlias[]): string {
  return `    map {vars.dustpan} {dustpan_alias} {
${aliases.map(({ from, to }) => `      \`${from}\` \`${to}\`\n`).join("")}      default {vars.dustpan}
    }
    vars dustpan {dustpan_alias}
`;
}

function usage(use: ExportUse): string[] {
  return [
    "Import this file at the top of the Caddyfile, and in a site: import dustpan",
    ...(use === "key" ? ["Then, say:", ...headerLines] : []),
    "To check: caddy validate --config /etc/caddy/Caddyfile",
  ];
}

/** There, a block's end stands on a line of its own. */
const headerLines = ["  reverse_proxy localhost:8080 {", "    header_up X-Canonical-URL {vars.dustpan}", "  }"];

/**
 * The variable is ">URL .15!!c": how many rules are done in this round, one "!" for each round, and "c" where this
 * round has changed something. It begins with "*" where a step has been done this time, and is the URL alone in the end.
 */
interface Step {
  readonly pattern: string;
  readonly also: readonly string[];
  readonly not: readonly string[];
  readonly value: readonly Piece[];
}

const wake: Step = { pattern: "^[*](.*)$", also: [], not: [], value: [">", 1] };

function stepsOf({ rewrites, isOnce }: RuleRewrites, number: number): Step[] {
  const behind = placeAfter(isOnce ? number + 1 : number);
  return rewrites.map(
    (rewrite: Rewrite): Step => ({
      pattern: `^>${rewrite.pattern.replaceAll(END, "")} ${placeUpTo(number)}(!+)c?$`,
      also: rewrite.conditions.map((condition) => `^>${condition.replaceAll(END, " ")}`),
      not: rewrite.exceptions.map((exception) => `^>${exception.replaceAll(END, " ")}`),
      value: ["*", ...rewrite.replacement, ` ${behind}`, rewrite.groups + 1, "c"],
    }),
  );
}

function roundSteps(): Step[] {
  return [
    { pattern: `^>([^ ]*) ${ANY_PLACE}!+$`, also: [], not: [], value: [1] },
    { pattern: `^>([^ ]*) ${ANY_PLACE}(!{1,${ROUNDS - 1}})c$`, also: [], not: [], value: ["*", 1, " ", 2, "!"] },
  ];
}

/** A matcher has one expression for each variable, so that every condition is a route around the handler. */
function handlerOf({ pattern, also, not, value }: Step, name: string): string {
  const text = value.map((piece) => (typeof piece === "number" ? `{http.regexp.${name}.${piece}}` : piece)).join("");
  const conditions = [
    ...also.map((each, i) => [`${name}_also${i}`, `vars_regexp ${name}_also${i} dustpan \`${each}\``]),
    ...not.map((each, i) => [`${name}_not${i}`, `not vars_regexp ${name}_not${i} dustpan \`${each}\``]),
  ];
  const handler = `@${name} vars_regexp ${name} dustpan \`${pattern}\`
vars @${name} dustpan \`${text}\`
`;
  return conditions.reduceRight((inner, [own, test]) => `@${own} ${test}\nroute @${own} {\n${inner}}\n`, handler);
}
