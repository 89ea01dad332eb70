/** Canonization and its rules as JavaScript: the common part of all targets that are JavaScript. */
import { readFileSync } from "node:fs";
import { plainAction } from "../canon/kinds.js";
import type { Rule } from "../model.js";
import { commented, type SingleAlias } from "./target.js";

/** One line per rule: what canonization needs of it, and nothing that was seen on the site. */
export function rulesAsJavaScript(rules: readonly Rule[]): string {
  const lines = rules.map((rule) => `  ${asLiteral({ id: rule.id, ...plainAction(rule), scope: rule.scope })},\n`);
  return `[\n${lines.join("")}]`;
}

/** Single URLs that have the page of another URL, to be followed after the rules. */
function aliasesAsJavaScript(aliases: readonly SingleAlias[]): string {
  return `[\n${aliases.map(({ from, to }) => `  ${asLiteral([from, to])},\n`).join("")}]`;
}

/** JSON is JavaScript, except for these two characters, which old engines take for line ends. */
function asLiteral(value: unknown): string {
  return JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** A script that defines `canonical`: the notes, the rules, and the code, which is dustpan's own. */
export function canonicalAsJavaScript(
  rules: readonly Rule[],
  notes: readonly string[],
  aliases: readonly SingleAlias[],
): string {
  const runtime = readFileSync(new URL("./runtimes/javascript.js", import.meta.url), "utf8").trim();
  return [
    commented("//", notes),
    `const rules = ${rulesAsJavaScript(rules)};`,
    ...(aliases.length === 0 ? [] : [`const aliases = ${aliasesAsJavaScript(aliases)};`]),
    "// Canonization itself, from the package dustpan (Apache-2.0).",
    runtime,
    "/** Safe normalization, then the rules until nothing changes. What is not an http(s) URL comes back as it was. */",
    `const canonical = dustpan.canonizer(rules${aliases.length === 0 ? "" : ", aliases"});`,
    "",
  ].join("\n");
}
