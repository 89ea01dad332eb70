/**
 * A rule as substitutions by regular expressions, for programs that have nothing else. The text is an absolute URL after
 * safe normalization, in which no space occurs. What canonization means by a rule is kept: token boundaries, the first
 * occurrence, scopes, how parameters are separated. Each rule is tried on probes before it is handed out.
 */
import { applyRule } from "../canon/apply.js";
import { MARKS_IN_PATH, MARKS_IN_QUERY } from "../canon/kinds/percent-encoding.js";
import {
  type CaptureType,
  capturesOf,
  exampleOf,
  parseTemplate,
  type TemplatePart,
} from "../canon/kinds/template-pattern.js";
import { shrinks } from "../canon/kinds.js";
import type { SubstringAction } from "../canon/replace-substring.js";
import type { Rule, Scope } from "../model.js";
import { normalize } from "../url/normalize.js";
import { isAlphanumeric } from "../url/tokenize.js";
import { textsOf } from "./steps.js";

/** A literal, or the number of a group. */
export type Piece = string | number;

/** One substitution. Pattern and conditions begin where the URL does; the pattern takes all of the URL. */
export interface Rewrite {
  /** Without the "^". Where the URL ends it has `END`. */
  readonly pattern: string;
  readonly groups: number;
  readonly replacement: readonly Piece[];
  /** These have to match too, from the URL's beginning. */
  readonly conditions: readonly string[];
  /** And these must not. */
  readonly exceptions: readonly string[];
  /** Free of what RE2 lacks, looking ahead and behind. */
  readonly isPlain: boolean;
}

/** Substitutions that are tried in order; the first that matches is done, as often as one of them matches or once. */
export interface RuleRewrites {
  readonly rule: Rule;
  readonly rewrites: readonly Rewrite[];
  /** Once a round, as canonization does with a rule that does not shrink; otherwise until none of them matches. */
  readonly isOnce: boolean;
}

/** Stands for the end of the URL: what is after it depends on the target. */
export const END = "\u0000";

const TOKEN = "0-9A-Za-z";
/** One parameter with the separator after it. A ";" after "amp" alone belongs to the next name. */
const NOT_AMP = "(?:a?|am|[^a&; ][^&; ]*|a[^m&; ][^&; ]*|am[^p&; ][^&; ]*|amp[^&; ]+)";
const PARAMETER = `(?:amp;)*(?:[^&; ]*&|${NOT_AMP};)`;
/** After the "?", at the beginning of any parameter; the nearest first. */
const TO_PARAMETER = `[^? ]*[?](?:${PARAMETER})*?`;
/** The same, up to the separator before a parameter, which follows and is "&" or ";". */
const beforeSeparator: readonly (readonly [pattern: string, separator: string])[] = [
  [`${TO_PARAMETER}(?:amp;)*[^&; ]*`, "&"],
  [`${TO_PARAMETER}(?:amp;)*${NOT_AMP}`, ";"],
];
const REST = "((?:[&;][^ ]*)?)";
/** After a parameter "amp": if what follows the next one is ";c", that would become "amp;c". Canonization writes "&". */
const BARE_AMP = "[^? ]*[?](?:[^ ]*[&;])?amp&";
const ORIGIN = "https?://[^/? ]*";
/** No server is asked for one, but links that crawlers find may have it. */
const USER = "(?:[^/? ]*@)?";

/** Trying a rule on its probes takes milliseconds, and a target asks more than once. */
const known = new WeakMap<Rule, RuleRewrites | string>();

/** The substitutions that do what the rule does, or the reason why there are none. */
export function rewritesOf(rule: Rule): RuleRewrites | string {
  const before = known.get(rule);
  if (before !== undefined) return before;
  const found = findRewrites(rule);
  known.set(rule, found);
  return found;
}

function findRewrites(rule: Rule): RuleRewrites | string {
  const ways = variants(rule);
  if (ways.length === 0) return cannotSay(rule);
  const problem = textProblem(rule) ?? scopeProblem(rule) ?? templateProblem(rule);
  if (problem !== undefined) return problem;
  const conditions = scopeConditions(rule.scope);
  const exceptions = scopeExceptions(rule.scope);
  for (const way of ways) {
    const rewrites = way.map((rewrite) => ({ ...rewrite, conditions, exceptions }));
    const candidate = { rule, rewrites, isOnce: !takesSeveral(rule) && !shrinks(rule) };
    if (agreesOnProbes(candidate)) return candidate;
  }
  return "what it may do to a URL's host cannot be said in regular expressions";
}

/** What is done in several places of a URL at once takes several substitutions. */
function takesSeveral({ kind }: Rule): boolean {
  return severalPlaces.has(kind);
}

const severalPlaces: ReadonlySet<Rule["kind"]> = new Set([
  ...(["parameter", "repeatedParameter", "emptyParameter", "repeatedSlash", "percentEncoding"] as const),
]);

function cannotSay({ kind }: Rule): string {
  if (kind === "case") return "regular expressions cannot change letter case";
  if (kind === "parameterOrder") return "regular expressions cannot sort";
  if (kind === "repeatedParameter") return "regular expressions cannot tell which of all names are alike";
  return `a rule of the kind "${kind}" cannot be said in regular expressions`;
}

type Draft = Omit<Rewrite, "conditions" | "exceptions">;

/** Ways to write the rule; the first one that proves right on the probes is taken. */
function variants(rule: Rule): Draft[][] {
  switch (rule.kind) {
    case "substring":
      return substringVariants(rule);
    case "parameter":
      if (rule.place === "path") return [rule.action === "remove" ? removeFromPath(rule.name) : setInPath(rule)];
      return [rule.action === "remove" ? remove(`${literal(rule.name)}(?:=[^&; ]*)?`) : setInQuery(rule)];
    case "repeatedParameter":
      return rule.name === undefined ? [] : [rule.keep === "first" ? keepFirst(rule.name) : keepLast(rule.name)];
    case "emptyParameter":
      return [rule.name === undefined ? removeAllEmpty() : remove(`${literal(rule.name)}=?`)];
    case "trailingSlash":
    case "indexPage":
    case "extension":
      return [editEndOfPath(rule)];
    case "repeatedSlash":
      return [[plain(`(${ORIGIN}(?:/[^? ]*?)??/)/+((?:[^/ ][^ ]*)?)${END}`, [1, 2])]];
    case "percentEncoding":
      return [decodeMarks()];
    case "www":
      return [editWww(rule.action)];
    case "scheme":
      return [editScheme(rule.scheme)];
    case "template":
      return [editTemplate(rule)];
    default:
      return [];
  }
}

// --------------------------------------------------------------------------------------------------------- parameters

/** Removes runs of parameters that match `own`, which is a name with its value. */
function remove(own: string): Draft[] {
  const run = `${own}(?:[&;]${own})*`;
  return [
    plain(`(${BARE_AMP})${run};([^ ]*)${END}`, [1, 2]),
    ...beforeSeparator.map(([before, separator]) => plain(`(${before})${separator}${run}${REST}${END}`, [1, 2])),
    plain(`([^? ]*[?])${run}[&;]([^ ]*)${END}`, [1, 2]),
    plain(`([^? ]*)[?]${run}${END}`, [1]),
  ];
}

/** Also the nothing in "&&" and a bare "?". */
function removeAllEmpty(): Draft[] {
  const notAmp = NOT_AMP.replaceAll("&; ]", "&;= ]");
  const withEqualsOrNotAmp = `(?:[^&;= ]*=|${notAmp})`;
  const beforeAmpersand = "(?:amp;)*[^&;= ]*=?";
  const beforeSemicolon = `(?:amp;)*${withEqualsOrNotAmp}`;
  const leading = `(?:${beforeAmpersand}&|${beforeSemicolon};)`;
  return [
    plain(`([^? ]*)[?]${leading}*${beforeAmpersand}${END}`, [1]),
    plain(`([^? ]*[?])${leading}+([^ ]*)${END}`, [1, 2]),
    ...beforeSeparator.map(([before, separator]) =>
      plain(`(${before})${separator}${beforeAmpersand}((?:&[^ ]*)?)${END}`, [1, 2]),
    ),
    ...beforeSeparator.map(([before, separator]) =>
      plain(`(${before})${separator}${beforeSemicolon}(;[^ ]*)${END}`, [1, 2]),
    ),
  ];
}

function setInQuery({ name, value }: { readonly name: string; readonly value: string }): Draft[] {
  const other = anythingBut(value, "&; ");
  return [plain(`(${TO_PARAMETER}${literal(name)})(?:=${other})?${REST}${END}`, [1, `=${value}`, 2])];
}

function keepFirst(name: string): Draft[] {
  const own = `${literal(name)}(?:=[^&; ]*)?`;
  const run = `${own}(?:[&;]${own})*`;
  const first = `${TO_PARAMETER}${own}`;
  const between = (text: string) => text.replace("[^? ]*[?]", `${first}[&;]`);
  return [
    plain(`(${first})[&;]${run}${REST}${END}`, [1, 2]),
    plain(`(${first}[&;](?:[^ ]*[&;])?amp&)${run};([^ ]*)${END}`, [1, 2]),
    ...beforeSeparator.map(([before, separator]) =>
      plain(`(${between(before)})${separator}${run}${REST}${END}`, [1, 2]),
    ),
  ];
}

function keepLast(name: string): Draft[] {
  const own = `${literal(name)}(?:=[^&; ]*)?`;
  const later = `(?:${PARAMETER})*?${own}(?:[&;][^ ]*)?`;
  return [
    plain(`(${BARE_AMP})${own};(${later})${END}`, [1, 2]),
    plain(`([^? ]*[?])${own}[&;](${later})${END}`, [1, 2]),
    ...beforeSeparator.map(([before, separator]) => plain(`(${before})${separator}${own}([&;]${later})${END}`, [1, 2])),
  ];
}

const IN_PATH = `${ORIGIN}/[^? ]*?`;
const REST_OF_PATH = "((?:[;/?][^ ]*)?)";

function removeFromPath(name: string): Draft[] {
  return [plain(`(${IN_PATH})(?:;${literal(name)}=[^;/? ]*)+${REST_OF_PATH}${END}`, [1, 2])];
}

function setInPath({ name, value }: { readonly name: string; readonly value: string }): Draft[] {
  const other = anythingBut(value, ";/? ");
  return [plain(`(${IN_PATH};${literal(name)}=)${other}${REST_OF_PATH}${END}`, [1, value, 2])];
}

// ----------------------------------------------------------------------------------------------- paths, hosts, schemes

const QUERY = `((?:[?][^ ]*)?)${END}`;
const FOLDER = `${ORIGIN}/(?:[^? ]*/)?`;

function editEndOfPath(rule: Extract<Rule, { kind: "trailingSlash" | "indexPage" | "extension" }>): Draft[] {
  if (rule.kind === "indexPage") return [plain(`(${FOLDER})${literal(rule.name)}${QUERY}`, [1, 2])];
  const end = rule.kind === "extension" ? rule.extension : "/";
  // A name with "." or ";" in it gets no end.
  if (rule.action === "add") return [plain(`(${FOLDER}[^/?.; ]+)${QUERY}`, [1, end, 2])];
  const before = rule.kind === "extension" ? `${FOLDER}[^/? ]+` : `${ORIGIN}/[^? ]*[^/? ]`;
  return [plain(`(${before})${literal(end)}${QUERY}`, [1, 2])];
}

/** One mark at a time, the nearest of each first. */
function decodeMarks(): Draft[] {
  const decode = (before: string) => (mark: string) => {
    const digits = mark.charCodeAt(0).toString(16).toUpperCase();
    const either = digits.replace(/[A-F]/, (letter) => `[${letter}${letter.toLowerCase()}]`);
    return plain(`(${before})%${either}([^ ]*)${END}`, [1, mark, 2]);
  };
  return [
    ...[...MARKS_IN_PATH].map(decode(`${ORIGIN}[/?][^ ]*?`)),
    ...[...MARKS_IN_QUERY].map(decode("[^? ]*[?][^ ]*?")),
  ];
}

/** After it there must be a name with a dot in it that is not an address, and that does not begin with "www.". */
function editWww(action: "drop" | "add"): Draft[] {
  const domain = `(?!www[.]|[^/? ]*@)(?![.]|[0-9.]*(?:[/:?]|${END}))([^/:?\\[ ]*[.][^ ]*)${END}`;
  const before = `(https?://${USER})`;
  const [pattern, prefix] = action === "drop" ? [`${before}www[.]${domain}`, ""] : [`${before}${domain}`, "www."];
  return [{ pattern, groups: 2, replacement: [1, prefix, 2], isPlain: false }];
}

/** Only on the ports that http and https have by themselves. */
function editScheme(scheme: "http" | "https"): Draft[] {
  const other = scheme === "http" ? "https" : "http";
  const host = "(?:\\[[^\\]/? ]*\\]|[^/:?\\[ ]*)";
  return [plain(`${other}(://${host}(?:[/?][^ ]*)?)${END}`, [scheme, 1])];
}

/** What a capture takes, where no space occurs. */
const captureClasses: Readonly<Record<CaptureType, string>> = {
  number: "[0-9]",
  hex: "[0-9A-Fa-f]",
  word: "[A-Za-z0-9_-]",
  segment: "[^/?&;= ]",
  rest: "[^ ]",
};

function editTemplate(rule: Extract<Rule, { kind: "template" }>): Draft[] {
  const [from, to] = [partsOf(rule.from), partsOf(rule.to)];
  const groups = new Map(capturesOf(from).map(({ name }, i) => [name, i + 2]));
  const pattern = from.map((part) => (typeof part === "string" ? literal(part) : `(${captureClasses[part.type]}+)`));
  const image = to.map((part) => (typeof part === "string" ? part : groups.get(part.name)!));
  // A capture that nothing refers to is a group anyway.
  return [{ ...plain(`(${ORIGIN})${pattern.join("")}${END}`, [1, ...image]), groups: 1 + groups.size }];
}

/** The rules file has been checked: these are templates. */
const partsOf = (text: string) => parseTemplate(text) as readonly TemplatePart[];

/**
 * Where what follows a capture may also be a part of it, expressions try every length. One such place takes time of a URL's
 * length squared; several let anybody who asks for a URL keep a server busy.
 */
function templateProblem(rule: Rule): string | undefined {
  if (rule.kind !== "template") return undefined;
  const parts = partsOf(rule.from);
  const open = parts.filter((part, i) => {
    if (typeof part === "string") return false;
    const next = parts[i + 1];
    return typeof next === "string" && new RegExp(captureClasses[part.type]).test(next[0]!);
  });
  return open.length > 1
    ? "it has captures that can be divided in many ways, which regular expressions try in turn"
    : undefined;
}

// --------------------------------------------------------------------------------------------------------- substrings

function substringVariants(rule: SubstringAction): Draft[][] {
  const { from, to, start, end } = rule;
  const needsLeft = isToken(from, 0) || isToken(to, 0);
  const needsRight = isToken(from, from.length - 1) || isToken(to, to.length - 1);
  const behind = end ? END : needsRight ? `((?:[^${TOKEN} ][^ ]*)?)${END}` : `([^ ]*)${END}`;
  const isGrown = to.length >= from.length && to.includes(from);
  const not = isGrown ? notReplaced(rule) : "";
  if (start) {
    const pattern = `${not}${literal(from)}${behind}`;
    return [[{ pattern, groups: end ? 0 : 1, replacement: end ? [to] : [to, 1], isPlain: not === "" }]];
  }
  // Both neighbours alphanumeric would be fused to one token.
  const mayFuse = to === "" && !needsLeft && !needsRight && !end;
  const found = mayFuse ? `(?:(?<![${TOKEN}])${literal(from)}|${literal(from)}(?![${TOKEN}]))` : literal(from);
  const anywhere = needsLeft ? `(?:[^ ]*?[^${TOKEN} ])??` : "[^ ]*?";
  const inPath = `${ORIGIN}/${anywhere}`;
  const fromPath = needsLeft ? inPath : `${ORIGIN}(?:/[^ ]*?)??`;
  return [anywhere, fromPath, inPath].map((before) => [
    {
      pattern: `(${before})${not}${found}${behind}`,
      groups: end ? 1 : 2,
      replacement: end ? [1, to] : [1, to, 2],
      isPlain: not === "" && !mayFuse,
    },
  ]);
}

/** At the beginning of an occurrence of `from`: it is not part of `to`, in whole tokens. */
function notReplaced({ from, to, start, end }: SubstringAction): string {
  const left = isToken(to, 0) ? `(?<![${TOKEN}])` : "";
  const right = isToken(to, to.length - 1) ? `(?![${TOKEN}])` : "";
  const places: number[] = [];
  if (start) places.push(0);
  else if (end) places.push(to.length - from.length);
  else for (let at = to.indexOf(from); at >= 0; at = to.indexOf(from, at + 1)) places.push(at);
  const fits = places.filter((at) => to.startsWith(from, at) && (!end || at === to.length - from.length));
  return fits
    .map((at) => {
      const before = at === 0 ? left : `(?<=${left}${literal(to.slice(0, at))})`;
      return `(?!${before}${literal(to.slice(at))}${end ? END : right})`;
    })
    .join("");
}

function isToken(text: string, index: number): boolean {
  return text !== "" && isAlphanumeric(text.charCodeAt(index));
}

// ------------------------------------------------------------------------------------------------------------- scopes

function scopeConditions({ host, path, script, parameters = {} }: Scope): string[] {
  const conditions: string[] = [];
  if (host !== undefined) {
    const lower = host.toLowerCase();
    const own = lower.startsWith("*.") ? `(?:[^/:? ]*[.])?${literal(lower.slice(2))}` : literal(lower);
    conditions.push(`https?://${USER}${own}(?::[0-9]*)?(?:[/?]|${END})`);
  }
  if (path !== undefined && path !== "/") conditions.push(`${ORIGIN}${literal(path)}`);
  if (script !== undefined) conditions.push(`${ORIGIN}/(?:[^? ]*/)?${literal(script)}(?:;[^/? ]*)?(?:[?]|${END})`);
  for (const [name, condition] of Object.entries(parameters)) {
    if (condition !== false) conditions.push(`${TO_PARAMETER}${literal(name)}(?:[=&;]|${END})`);
  }
  return conditions;
}

/** A parameter that must not be there, or that has another value than the one it must have wherever it stands. */
function scopeExceptions({ parameters = {} }: Scope): string[] {
  return Object.entries(parameters).flatMap(([name, condition]) => {
    if (condition === true) return [];
    const own = `${TO_PARAMETER}${literal(name)}`;
    if (condition === false) return [`${own}(?:[=&;]|${END})`];
    const other = `=${anythingBut(condition, "&; ")}`;
    return [`${own}(?:${condition === "" ? other : `(?:${other})?`})(?:[&;]|${END})`];
  });
}

// --------------------------------------------------------------------------------------------------------------- text

/** Canonization looks at the scope once and then edits all places; these patterns edit one after another. */
function scopeProblem(rule: Rule): string | undefined {
  const { path = "", script = "", parameters = {} } = rule.scope;
  const inScope = [path, script, ...Object.entries(parameters).flat()].join(" ");
  const mayLeave =
    (rule.kind === "percentEncoding" && inScope.includes("%")) ||
    (rule.kind === "repeatedSlash" && inScope.includes("//")) ||
    (rule.kind === "emptyParameter" &&
      rule.name === undefined &&
      Object.values(parameters).some((condition) => condition !== false)) ||
    (rule.kind === "parameter" && rule.action === "set" && typeof parameters[rule.name] === "string") ||
    (rule.kind === "parameter" && rule.place === "path" && path.includes(";"));
  return mayLeave ? "it may change what its own scope asks for" : undefined;
}

/** The pattern for every other value grows with the square of this. */
const MAX_VALUE_CHARS = 100;

/** Text that no such URL has, or that these patterns would misread. */
function textProblem(rule: Rule): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (textsOf(rule).some((text) => /[\x00-\x20\x7f]/.test(text))) return "it has white space or control characters";
  if (textsOf(rule).some((text) => text.includes("#"))) return 'it has a "#", after which a URL has a fragment';
  const names = [
    rule.kind !== "substring" && "name" in rule ? rule.name : undefined,
    ...Object.keys(rule.scope.parameters ?? {}),
  ];
  for (const name of names) {
    if (name !== undefined && !/^(?:amp;)*(?!amp$)[^&;=?#]+$/.test(name))
      return `the name "${name}" is read in two ways`;
  }
  const values = Object.values(rule.scope.parameters ?? {}).filter((value) => typeof value === "string");
  if (rule.kind === "parameter" && rule.action === "set") values.push(rule.value);
  if (values.some((value) => value.length > MAX_VALUE_CHARS)) return "a value is too long to look for all others";
  if (values.some((value) => /[^!-~]|[&;/?#]/.test(value))) return "a value has separators, or characters beyond ASCII";
  if (rule.kind === "substring" && rule.start && ![rule.from, rule.to].every((text) => URL_BEGINNING.test(text)))
    return "what it puts at a URL's beginning is no beginning of one with a plain host";
  return undefined;
}

/** Scheme and host, or a part of them, and what may follow. To canonization nothing else begins a URL: it leaves such ones alone. */
const URL_BEGINNING = /^(?:https?(?::\/?)?|https?:\/\/(?:[a-z0-9.-]+(?::[0-9]*)?(?:[/?].*)?)?)$/is;

/** A literal in any dialect: classes instead of backslashes wherever that is possible. */
export function literal(text: string): string {
  return text.replace(/[.*+?()|{}$]/g, "[$&]").replace(/[[\]^\\]/g, (found, at, whole) => {
    // The brackets of the classes just made stay.
    const isMade =
      (found === "[" && /^\[[.*+?()|{}$]\]/.test(whole.slice(at))) ||
      (found === "]" && /\[[.*+?()|{}$]$/.test(whole.slice(0, at)));
    return isMade ? found : `\\${found}`;
  });
}

/** Any text without the given characters that is not `text`. */
function anythingBut(text: string, without: string): string {
  const rest = `[^${without}]`;
  const ways = [...text].map(
    (character, i) => `${literal(text.slice(0, i))}(?:[^${inClass(character)}${without}]${rest}*)?`,
  );
  return `(?:${[...ways, `${literal(text)}${rest}+`].join("|")})`;
}

/** In Java alone, a bracket in a class begins another class. */
function inClass(character: string): string {
  return /[[\]\\^-]/.test(character) ? `\\${character}` : character;
}

function plain(pattern: string, replacement: readonly Piece[]): Draft {
  return {
    pattern,
    groups: Math.max(...replacement.filter((piece) => typeof piece === "number")),
    replacement,
    isPlain: true,
  };
}

// ------------------------------------------------------------------------------------------------------------- probes

/** The pattern with its conditions, where looking ahead is possible. */
export function wholePattern({ pattern, conditions, exceptions }: Rewrite, end: string): string {
  const ahead = conditions.map((condition) => `(?=${condition})`).join("");
  const notAhead = exceptions.map((exception) => `(?!${exception})`).join("");
  return `^${ahead}${notAhead}${pattern}`.replaceAll(END, end);
}

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

/** What the patterns are written for. A rule must not lead out of it: "/" -> "?" leaves no path. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what no URL has after safe normalization
const HAS_PATH = /^https?:\/\/(?:[a-z.]+@)?[a-z0-9.-]+(?::[0-9]+)?\/[^\x00-\x20\x7f]*$/i;

function agreesOnProbes(candidate: RuleRewrites): boolean {
  const apply = applyRewrites(candidate);
  return probesOf(candidate.rule)
    .filter((url) => HAS_PATH.test(url) && normalize(url).url === url)
    .every((url) => {
      const expected = applyRule(candidate.rule, url);
      return expected === apply(url) && (expected === undefined || /[^!-~]/.test(expected) || HAS_PATH.test(expected));
    });
}
