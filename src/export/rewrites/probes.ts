/** Each rule is tried on probes before its substitutions are handed out: they must do what canonization does. */
import { applyRule } from "../../canon/apply.js";
import { exampleOf } from "../../canon/kinds/template-pattern.js";
import type { Rule } from "../../model.js";
import { normalize } from "../../url/normalize.js";
import { type RuleRewrites, wholePattern } from "./rewrite.js";
import { partsOf } from "./url-parts.js";

/** An edit in several places of a URL at once takes several substitutions. */
export function takesSeveral({ kind }: Rule): boolean {
  return severalPlaces.has(kind);
}

const severalPlaces: ReadonlySet<Rule["kind"]> = new Set([
  ...(["parameter", "repeatedParameter", "emptyParameter", "repeatedSlash", "percentEncoding"] as const),
]);

/** One application of the rule by its substitutions, as a program with regular expressions would do it. */
function applyRewrites({ rewrites, rule }: RuleRewrites): (url: string) => string | undefined {
  const expressions = rewrites.map((rewrite) => new RegExp(wholePattern(rewrite, "$")));
  const once = (text: string): string => {
    for (const [i, { replacement }] of rewrites.entries()) {
      const match = expressions[i]!.exec(text);
      if (match === null) continue;
      return replacement.map((piece) => (typeof piece === "number" ? match[piece] : piece)).join("");
    }
    return text;
  };
  return (url) => {
    let text = once(url);
    for (let before = url; text !== before && takesSeveral(rule); ) {
      before = text;
      text = once(text);
    }
    return text === url ? undefined : text;
  };
}

/** Where a rule may do something unforeseen: its strings at and across every border of a URL. */
function probesOf(rule: Rule): string[] {
  const host = rule.scope.host?.replace(/^\*\./, "sub.") ?? "a.test";
  const path = rule.scope.path ?? "/";
  const script = rule.scope.script ?? "";
  const middle = `${path}${script === "" ? "" : `${path.endsWith("/") ? "" : "/"}${script}`}`;
  const extra = Object.entries(rule.scope.parameters ?? {})
    .flatMap(([name, value]) => (value === false ? [] : [`${name}=${value === true ? "1" : value}`]))
    .join("&");
  const base = `http://${host}${middle}${extra === "" ? "" : `?${extra}`}`;
  const joint = extra === "" ? "?" : "&";
  if (rule.kind === "template") {
    const own = [rule.from, rule.to].map((text) => exampleOf(partsOf(text)));
    return [...own, ...own.flatMap((each) => [`${each}x`, `${each}/`, `${each}?x=1`, `${each}&x`, `/x${each}`])].map(
      (each) => `http://${host}${each}${extra === "" ? "" : `${each.includes("?") ? "&" : "?"}${extra}`}`,
    );
  }
  if (rule.kind !== "substring") {
    const name = "name" in rule && rule.name !== undefined ? rule.name : "n";
    const tails = [
      "",
      name,
      `${name}=`,
      `${name}=1`,
      `${name}=1&x=2`,
      `x=2&${name}=1`,
      `x=2;${name}=1;y`,
      `amp&${name}=1;c`,
    ];
    const more = [`amp;${name}=1`, `x&amp;${name}`, `${name}=1&${name}=2&x&${name}`, `x&&${name}=&&y=`, `x${name}=1`];
    const spellings = ["//x", "/x//", "///", "/%28x%29", "/%2F%2D%7E?y=%2F%3F%26", "/%%28?%3A//%40"];
    const inPath = [...spellings, `;${name}=1`, `;${name}=1/b;${name}=2;c=3`, `;${name}`, `;${name}=`];
    const ends =
      rule.kind === "indexPage" ? [rule.name] : rule.kind === "extension" ? [`x${rule.extension}`, "x"] : ["x"];
    const folder = middle.endsWith("/") ? middle : `${middle}/`;
    return [
      ...ends
        .flatMap((end) => [`${folder}${end}`, `${folder}b/${end}`, middle])
        .flatMap((own) =>
          [`http://${host}`, `https://${host}`, `http://www.${host}`, `http://u@${host}`, `http://u.v@www.${host}`].map(
            (origin) => `${origin}${own}${extra === "" ? "" : `?${extra}`}`,
          ),
        ),
      ...[...tails, ...more].map((tail) => `${base}${joint}${tail}`),
      ...inPath.map((tail) => `http://${host}${middle}${tail}${extra === "" ? "" : `?${extra}`}`),
      ...inPath.map((tail) => `http://${host}/b${tail}${middle}`),
    ];
  }
  const heads = [
    "",
    "http",
    "http:",
    "http:/",
    "http://",
    "http://a",
    "http://a.",
    "http://a.b:",
    "http://a.b:8",
    "http://a.b",
  ];
  const inside = [
    `http://${host}/`,
    `http://${host}`,
    base,
    `${base}/`,
    `${base}x`,
    `${base}${joint}u=`,
    `https://${host}:81${middle}-`,
  ];
  const tails = [
    "",
    "/",
    "/x",
    "x",
    ".b/",
    "b/x",
    "-",
    "-x/y",
    ":80/",
    ":8080/",
    "?",
    "?x=1",
    "&y",
    ";z",
    ";a=2/x",
    "//",
    // What the scope asks for, after something else.
    ...["", "x", "-", "'x", "/-", "/x"].map((tail) => `${tail}${middle}`),
  ];
  const ends =
    extra === "" ? tails : tails.flatMap((tail) => [tail, `${tail}${tail.includes("?") ? "&" : "?"}${extra}`]);
  const { from, to } = rule;
  return [...heads, ...inside].flatMap((head) =>
    ends.flatMap((end) =>
      [from, to, `${from}${from}`, `${to}${from}`, `${from}-${from}`].map((own) => `${head}${own}${end}`),
    ),
  );
}

/** The URLs that the patterns are written for. A rule must not lead out of them: "/" -> "?" leaves no path. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no URL has after safe normalization
const HAS_PATH = /^https?:\/\/(?:[a-z.]+@)?[a-z0-9.-]+(?::[0-9]+)?\/[^\x00-\x20\x7f]*$/i;

export function agreesOnProbes(candidate: RuleRewrites): boolean {
  const apply = applyRewrites(candidate);
  return probesOf(candidate.rule)
    .filter((url) => HAS_PATH.test(url) && normalize(url).url === url)
    .every((url) => {
      const expected = applyRule(candidate.rule, url);
      return expected === apply(url) && (expected === undefined || /[^!-~]/.test(expected) || HAS_PATH.test(expected));
    });
}
