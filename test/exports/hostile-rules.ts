/**
 * Random rules of every kind whose texts mean something in one configuration, language or regular expression or another, and
 * URLs that are made of these texts, so that they meet.
 */
import { problemOf } from "#src/canon/check-rule.js";
import { dropCycles } from "#src/canon/cycles.js";
import { exampleOf, parseTemplate, type TemplatePart } from "#src/canon/kinds/template-pattern.js";
import { ruleKinds } from "#src/canon/kinds.js";
import { randomNumbers } from "#src/demo/text.js";
import { textsOf } from "#src/export/steps.js";
import type { Rule, Scope } from "#src/model.js";
import { normalize } from "#src/url/normalize.js";
import { makeRule } from "../canon/make-rule.js";

const HOSTS = ["a.test", "*.a.test", "b.a.test", "*.b.a.test", "www.a.test"];
const PLAIN = "a|b|/|/a|/a/|-|.|index|print|1|2|A|=|_|/b/|.html|?a=|&a=1".split("|");
const HOSTILE = [
  "$" + "{HOME}",
  ..."\"|'|`|$1|$0|$|%{HTTP_HOST}|{env.HOME}|{http.request.method}|\\1|\\|\\E|\\Q|(.*)|(?i)a|[a-z]|[^/]+|^|$|*|+|{2}|#".split(
    "|",
  ),
  ..."]]>|-->|*/|/*|;|,|<b>|&lt;|&amp;|%|%%|%20|%0A|%00|%2F|%2f|%28|%zz|--|''|$$|@|:|~|!|[[:alpha:]]|[|]|(|)|{|}|>|<|!important".split(
    "|",
  ),
  ...['"""', "é", "日本", "😀", "ſ", "K", "İ", "\u2028", "|", "\\u0041", "\\x41", "\\n", "\\\\", "//", "/./", "/../"],
  ...[" ", "\n", "\t", "\r\n", "\ud83d", "x".repeat(900), "a-".repeat(1500)],
  // Of XML, of templates and quotes of languages, of expressions; other spellings of one character; other hosts.
  ...["\uffff", "\ufeff", "\u00a0", "\u200f", "%c3%a9", "%C3%A9", "É", "https://evil.test/", "//evil.test", "?", "'''"],
  ...["'; --", '"}', "{{x}}", "}}", "<%=", "{%", "`id`", 'r#"', '"#', "$dustpan$", "\\'", '\\"', "x{1,2}", "a=b=c"],
  ...["(?<n>", "(?:", "(?=", "\\b", ".{0,9}", "[]", "[^]", "[\\]", "&&[a]", "\\p{L}", "a+b", "amp;amp;", "$" + "{{"],
  ..."$dustpan_url|%1|R=301|[N]|{vars.dustpan}|$(id)|#{x}|@@|%s|{0}|\\g<0>|$&|amp|amp;|amp;a|sid".split("|"),
];
const CAPTURES = ["number", "hex", "word", "segment", "rest"];

/** Of all kinds, or of the given ones, for what knows no others. */
export function hostileRuleLists(
  count: number,
  seed: number,
  kinds: readonly Rule["kind"][] = [...ruleKinds, "substring", "parameter", "template"],
): Rule[][] {
  const random = randomNumbers(seed);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const chance = (share: number) => random() < share;
  const word = () => (chance(0.5) ? oneOf(HOSTILE) : oneOf(PLAIN));
  // What another rule of the list has made, or looks for: rules in chains, in either order.
  let others: readonly string[] = [];
  const text = (): string => {
    if (others.length > 0 && chance(0.15)) return oneOf(others);
    return Array.from({ length: 1 + Math.floor(random() * 3) }, word).join("");
  };
  const name = () => (chance(0.5) ? oneOf(["a", "b", "sid", "1"]) : text());
  const scope = (): Scope => ({
    ...(chance(0.3) && { host: oneOf(HOSTS) }),
    ...(chance(0.2) && { path: `/${chance(0.5) ? "" : text()}` }),
    ...(chance(0.1) && { script: chance(0.3) ? `${text()}/` : text() }),
    ...(chance(0.2) && { parameters: { [name()]: oneOf([true, false, "1", "", text()]) } }),
  });
  const template = () => {
    const names = ["x", "y", "z"].slice(0, 1 + Math.floor(random() * 2));
    const captures = names.map((own) => `{${own}:${oneOf(CAPTURES)}}`);
    const literal = () => text().replaceAll("{", "{{").replaceAll("}", "}}");
    const between = (list: readonly string[]) => list.map((each) => `${literal()}${each}`).join("");
    return { from: `/${between(captures)}${chance(0.5) ? literal() : ""}`, to: `/${between([...captures].reverse())}` };
  };
  const fields: Readonly<Record<Rule["kind"], () => object>> = {
    substring: () => {
      const [start, end] = [chance(0.15), chance(0.15)];
      return {
        from: start ? `http://${oneOf(["a.test", "www."])}${text()}` : text(),
        to: chance(0.3) ? "" : text(),
        start,
        end,
      };
    },
    parameter: () => ({
      ...{ name: name(), place: chance(0.3) ? "path" : "query" },
      ...(chance(0.6) ? { action: "remove" } : { action: "set", value: chance(0.2) ? "" : text() }),
    }),
    repeatedParameter: () => ({ ...(chance(0.7) && { name: name() }), keep: oneOf(["first", "last"]) }),
    emptyParameter: () => (chance(0.6) ? { name: name() } : {}),
    parameterOrder: () => ({}),
    case: () => ({}),
    percentEncoding: () => ({}),
    repeatedSlash: () => ({}),
    trailingSlash: () => ({ action: oneOf(["drop", "add"]) }),
    indexPage: () => ({ name: text() }),
    extension: () => ({ extension: `.${text()}`, action: oneOf(["drop", "add"]) }),
    www: () => ({ action: oneOf(["drop", "add"]) }),
    scheme: () => ({ scheme: oneOf(["http", "https"]) }),
    template,
  };
  const rule = (before: readonly Rule[]): Rule => {
    for (;;) {
      const kind = oneOf(kinds);
      const made = makeRule({ kind, ...fields[kind](), scope: scope() });
      if (problemOf(made, made.scope) !== undefined) continue;
      return before.length > 0 && chance(0.1) ? { ...made, after: [oneOf(before).id] } : made;
    }
  };
  return Array.from({ length: count }, () => {
    const list: Rule[] = [];
    for (let left = 1 + Math.floor(random() * 5); left > 0; left--) {
      others = list.flatMap(textsOf).filter((own) => own !== "" && own.length < 50);
      list.push(rule(list));
    }
    others = [];
    if (chance(0.3)) list.reverse();
    return dropCycles([...new Map(list.map((each) => [each.id, each])).values()]).rules;
  });
}

/** URLs in which the rules have something to do, whole and almost; normal ones. */
export function urlsAbout(rules: readonly Rule[], count: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const chance = (share: number) => random() < share;
  const own = rules.flatMap(textsOf);
  const word = () => (chance(0.5) && own.length > 0 ? oneOf(own) : chance(0.3) ? oneOf(HOSTILE) : oneOf(PLAIN));
  const words = (most: number) => Array.from({ length: Math.floor(random() * (most + 1)) }, word).join("");
  const url = (): string => {
    const rule = oneOf(rules);
    const { host = "a.test", path = "/", script, parameters = {} } = chance(0.8) ? rule.scope : {};
    const origin = `${chance(0.1) ? "https" : "http"}://${host.replace(/^[*]\./, oneOf(["", "b.", "c.b."]))}`;
    if (rule.kind === "template" && chance(0.6)) {
      const example = exampleOf(parseTemplate(chance(0.8) ? rule.from : rule.to) as readonly TemplatePart[]);
      return `${origin}${example}${chance(0.3) ? words(2) : ""}`;
    }
    if (rule.kind === "substring" && rule.start && chance(0.6)) return `${rule.from}${words(3)}`;
    const folder = `${path}${words(3)}${chance(0.1) ? words(9) : ""}`;
    const place = script === undefined || chance(0.2) ? folder : `${folder}${folder.endsWith("/") ? "" : "/"}${script}`;
    const name = "name" in rule && rule.name !== undefined ? rule.name : oneOf(["a", "b", "sid"]);
    const inPath = rule.kind === "parameter" && rule.place === "path" && chance(0.7) ? `;${name}=${words(1)}` : "";
    const end = rule.kind === "indexPage" ? `/${rule.name}` : rule.kind === "extension" ? rule.extension : "";
    const fields = [
      ...Object.entries(parameters).flatMap(([key, value]) =>
        value === false ? [] : [`${key}=${value === true ? words(1) : value}`],
      ),
      ...Array.from(
        { length: Math.floor(random() * 4) },
        () => `${chance(0.6) ? name : word()}${chance(0.8) ? `=${words(1)}` : ""}`,
      ),
    ];
    const query = fields.length === 0 ? (chance(0.1) ? "?" : "") : `?${fields.join(chance(0.8) ? "&" : ";")}`;
    return `${origin}${place}${chance(0.5) ? end : ""}${inPath}${query}${rule.kind === "substring" && rule.end && chance(0.7) ? rule.from : ""}`;
  };
  // Half of a character never reaches a program.
  return [...new Set(Array.from({ length: count }, () => normalize(Buffer.from(url()).toString()).url))];
}
