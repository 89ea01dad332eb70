/** Random lists of rules about what random URLs are made of. */
import { dropCycles } from "#src/canon/cycles.js";
import { randomNumbers } from "#src/demo/text.js";
import type { Rule, Scope } from "#src/model.js";
import { makeRule } from "../canon/make-rule.js";

const HOSTS = ["shop.test", "*.shop.test", "forum.test", "wiki.test", "iis.test"];
const PATHS = ["/", "/docs", "/docs/", "/item", "/a/", "/story"];
const NAMES = "sid|utm_source|ref|f|t|lang|id|page|q|a|b|amp|amp;sid|é".split("|");
const TEXTS = [
  ..."/|//|-|-print|print|a|b|A|/a|/a/|/a/b/|/index.html|index.html|/story?id=|/story_|story|?|&|&amp;|;|=|1|2".split(
    "|",
  ),
  ..."http://www.forum.test|http://forum.test|www.|forum.test/|.test|:|?id=|id=1|sid=1&|é|日本|.|%20|a-b|/docs/a".split(
    "|",
  ),
];

const TEMPLATES = [
  ["/story?id={id:number}", "/story_{id:number}"],
  ["/docs/{a:rest}", "/{{x}}/{a:rest}"],
  ["/{a:word}/{b:segment}/{c:segment}", "/{c:segment}/{a:word}"],
  ["/{a:rest}-print", "/{a:rest}"],
  ["/{a:segment}?{n:word}={v:segment}&{rest:rest}", "/{a:segment}/é{n:word}?{rest:rest}"],
  ["/{a:rest}/{b:hex}{{z}}", "/{b:hex}/{a:rest}"],
];

/** Lists of one to five rules that do not visibly go round in circles. */
export function randomRuleLists(count: number, seed: number): Rule[][] {
  const random = randomNumbers(seed);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const chance = (share: number) => random() < share;
  const scope = (): Scope => ({
    ...(chance(0.3) && { host: oneOf(HOSTS) }),
    ...(chance(0.2) && { path: oneOf(PATHS) }),
    ...(chance(0.1) && { script: oneOf(["viewtopic.php", "index.html", "", "a", "docs/"]) }),
    ...(chance(0.15) && { parameters: { [oneOf(NAMES)]: oneOf([true, false, "1", ""]) } }),
  });
  const rule = (): Rule => {
    const pathName = () => oneOf(["jsessionid", "v", "a"]);
    const template = () => {
      const [from, to] = oneOf(TEMPLATES);
      return { kind: "template", from, to };
    };
    const kinds = [
      () => ({ kind: "parameter", name: oneOf(NAMES), action: "remove" }),
      () => ({ kind: "parameter", name: pathName(), place: "path", action: "remove" }),
      () => ({ kind: "parameter", name: oneOf(NAMES), action: "set", value: oneOf(["", "en", "1", "a=b", "x?y"]) }),
      () => ({ kind: "parameter", name: pathName(), place: "path", action: "set", value: oneOf(["", "1"]) }),
      () => ({ kind: "repeatedParameter", ...(chance(0.5) && { name: oneOf(NAMES) }), keep: oneOf(["first", "last"]) }),
      () => ({ kind: "emptyParameter", ...(chance(0.5) && { name: oneOf(NAMES) }) }),
      () => ({ kind: "parameterOrder" }),
      () => ({ kind: "case" }),
      () => ({ kind: "percentEncoding" }),
      () => ({ kind: "repeatedSlash" }),
      () => ({ kind: "trailingSlash", action: oneOf(["drop", "add"]) }),
      () => ({ kind: "indexPage", name: oneOf(["index.html", "a"]) }),
      () => ({ kind: "extension", extension: oneOf([".html", ".php"]), action: oneOf(["drop", "add"]) }),
      () => ({ kind: "www", action: oneOf(["drop", "add"]) }),
      () => ({ kind: "scheme", scheme: oneOf(["http", "https"]) }),
      template,
      template,
    ];
    const substring = () => {
      const start = chance(0.15);
      const end = chance(0.15);
      const from = start !== end && chance(0.1) ? "" : oneOf(TEXTS);
      const to = oneOf(["", ...TEXTS].filter((text) => text !== from));
      return { kind: "substring", from, to, start, end };
    };
    return makeRule({ ...(chance(0.5) ? substring() : oneOf(kinds)()), scope: scope() });
  };
  const lists = Array.from({ length: count }, () => Array.from({ length: 1 + Math.floor(random() * 5) }, rule));
  return lists.map((list) => dropCycles([...new Map(list.map((each) => [each.id, each])).values()]).rules);
}
