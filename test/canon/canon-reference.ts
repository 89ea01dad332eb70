/**
 * Canonization written straight from thesis figure 5.5 and the choices about it: slow, over lists of tokens and lists of
 * parameters, sharing nothing with what it is compared to.
 */
import type { Rule, Scope } from "#src/model.js";
import { parseUrl } from "#src/url/parse.js";

function tokens(text: string): string[] {
  return text.match(/[A-Za-z0-9]+|[\s\S]/gu) ?? [];
}

/** By code points; a surrogate on its own counts as one of those above U+FFFF. */
function order(a: string, b: string): number {
  const units = (text: string) => text.split("").map((unit) => unit.charCodeAt(0));
  const rank = (unit: number | undefined) =>
    unit === undefined ? -1 : unit >= 0xd800 && unit < 0xe000 ? unit + 65536 : unit;
  const [of, against] = [units(a), units(b)];
  const i = Array.from({ length: Math.max(of.length, against.length) }).findIndex((_, at) => of[at] !== against[at]);
  return i < 0 ? 0 : rank(of[i]) - rank(against[i]);
}

const same = (a: string[], b: string[]) => a.length === b.length && a.every((token, i) => token === b[i]);

/** Does the list have the other at this place, in whole tokens and with the anchors asked for? */
function occursAt(list: string[], part: string[], at: number, start: boolean, end: boolean): boolean {
  if (at < 0 || at + part.length > list.length) return false;
  if (start && at !== 0) return false;
  if (end && at + part.length !== list.length) return false;
  return same(list.slice(at, at + part.length), part);
}

function substitute(rule: Rule & { kind: "substring" }, url: string, plan: string): string {
  const { start, end } = rule;
  const list = tokens(url);
  const from = tokens(rule.from);
  const to = tokens(rule.to);
  if (from.length === 0 && !start && !end) return url;
  for (let at = 0; at <= list.length; at++) {
    if (!occursAt(list, from, at, start, end)) continue;
    const result = [...list.slice(0, at), ...to, ...list.slice(at + from.length)];
    if (!same(tokens(result.join("")), result)) continue;
    let isInside = false;
    for (let begin = at + from.length - to.length; begin <= at; begin++) {
      if (occursAt(list, to, begin, start, end)) isInside = true;
    }
    // Only an occurrence inside the replacement counts: `to` has to be the longer, or the same.
    if (plan === "ours" && to.length >= from.length && isInside) continue;
    // What was a URL stays one, and what is not replaced stays where it is: before the path, or in it and after.
    const text = result.join("");
    const head = list.slice(0, at).join("").length;
    const tail = list.slice(at + from.length).join("").length;
    const sides = (whole: string) => {
      const border = parseUrl(whole)?.pathStart ?? Number.NaN;
      return `${Math.min(border, head)} ${Math.max(0, border - (whole.length - tail))}`;
    };
    if (parseUrl(text) === undefined || sides(text) !== sides(url)) continue;
    return text;
  }
  return url;
}

interface Split {
  before: string;
  path: string;
  /** Separators and parameters in turn, beginning with "?"; empty where there is no query. */
  query: string[];
  fragment: string;
  host: string;
}

function split(url: string): Split | undefined {
  const match =
    /^((?:https?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#@:]+)(?::\d*)?)?)(\/[^?#]*|(?=[?#]|$))(\?[^#]*)?(#[\s\S]*)?$/i.exec(
      url,
    );
  if (match === null || url === "" || (match[1] === "" && !url.startsWith("/"))) return undefined;
  const [, before = "", host = "", path = "", query = "", fragment = ""] = match;
  const pieces = query === "" ? [] : ["?", ...query.slice(1).split(/([&;])/)];
  // The ";" of an "amp;" that a parameter begins with belongs to it.
  for (let i = 1; i + 2 < pieces.length; ) {
    if (pieces[i + 1] === ";" && /^(?:amp;)*amp$/.test(pieces[i]!))
      pieces.splice(i, 3, `${pieces[i]};${pieces[i + 2]}`);
    else i += 2;
  }
  return { before, path, query: pieces, fragment, host };
}

/** The separators and parameters of a query as text: a ";" after a bare "amp" would be read as part of the next name. */
function joinQuery(query: readonly string[]): string {
  const mended = query.map((piece, i) =>
    piece === ";" && i % 2 === 0 && /^(amp;)*amp$/.test(query[i - 1]!) ? "&" : piece,
  );
  return mended.length === 0 ? "" : `?${mended.slice(1).join("")}`;
}

const nameOf = (parameter: string) => parameter.split("=")[0]!;
const valueIn = (parameter: string) => parameter.split("=").slice(1).join("=");

function join({ before, path, query, fragment }: Split): string {
  return before + path + joinQuery(query) + fragment;
}

function keep(parts: Split, isKept: (parameter: string, place: number) => boolean): string {
  const query: string[] = [];
  for (let i = 1; i < parts.query.length; i += 2) {
    if (isKept(parts.query[i]!, i)) query.push(parts.query[i - 1]!, parts.query[i]!);
  }
  return join({ ...parts, query });
}

function edit(rule: Rule, url: string, plan: string): string {
  if (rule.kind === "substring") return substitute(rule, url, plan);
  const parts = split(url);
  if (parts === undefined) return url;
  const parameters = parts.query.filter((_, i) => i % 2 === 1);
  switch (rule.kind) {
    case "parameter": {
      if (rule.place === "path") {
        const pattern = /;([^;=/]+)=([^;/]*)/g;
        const change = rule.action === "remove" ? "" : `;${rule.name}=${rule.value}`;
        return join({
          ...parts,
          path: parts.path.replace(pattern, (all, name) => (name === rule.name ? change : all)),
        });
      }
      if (rule.action === "remove") return keep(parts, (parameter) => nameOf(parameter) !== rule.name);
      const query = parts.query.map((piece, i) =>
        i % 2 === 1 && nameOf(piece) === rule.name ? `${rule.name}=${rule.value}` : piece,
      );
      return join({ ...parts, query });
    }
    case "parameterOrder": {
      const sorted = parameters.filter((p) => p !== "").sort((a, b) => order(nameOf(a), nameOf(b)));
      return join({ ...parts, query: parts.query.map((p, i) => (i % 2 === 1 && p !== "" ? sorted.shift()! : p)) });
    }
    case "repeatedParameter":
      return keep(parts, (parameter, place) => {
        if (parameter === "" || (rule.name !== undefined && rule.name !== nameOf(parameter))) return true;
        const others = rule.keep === "first" ? parts.query.slice(1, place) : parts.query.slice(place + 2);
        return !others.some((other, i) => i % 2 === 0 && other !== "" && nameOf(other) === nameOf(parameter));
      });
    case "emptyParameter":
      return keep(parts, (p) => valueIn(p) !== "" || (rule.name !== undefined && rule.name !== nameOf(p)));
    case "trailingSlash": {
      const path =
        rule.action === "drop"
          ? parts.path.replace(/^(.*[^/])\/$/s, "$1")
          : parts.path.replace(/^(.*\/[^/.;]+)$/s, "$1/");
      return join({ ...parts, path });
    }
    case "indexPage": {
      const isIndex = parts.path.endsWith(`/${rule.name}`);
      return join({ ...parts, path: isIndex ? parts.path.slice(0, -rule.name.length) : parts.path });
    }
    case "extension": {
      const end = rule.extension.replace(".", "\\.");
      const path =
        rule.action === "drop"
          ? parts.path.replace(new RegExp(`^(.*/[^/]+)${end}$`, "s"), "$1")
          : parts.path.replace(/^(.*\/[^/.;]+)$/s, `$1${rule.extension}`);
      return join({ ...parts, path });
    }
    case "www": {
      const found = /^(https?:\/\/(?:[^/?#]*@)?)(www\.)?([^/?#:@[\]]+)(?=[:/?#]|$)(.*)$/is.exec(url);
      if (found === null) return url;
      const [, scheme, prefix, host, rest] = found;
      if (!/^[^.].*\./s.test(host!) || /^[\d.]*$/.test(host!)) return url;
      if (rule.action === "add") return prefix === undefined ? `${scheme}www.${host}${rest}` : url;
      return prefix === undefined || /^www\./i.test(host!) ? url : `${scheme}${host}${rest}`;
    }
    case "scheme": {
      const found = /^https?(:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^/?#:@]+)(?:[/?#].*)?)$/is.exec(url);
      const hasIt = url.slice(0, url.indexOf(":")).toLowerCase() === rule.scheme;
      return found === null || hasIt ? url : rule.scheme + found[1];
    }
    case "template": {
      const text = parts.path + joinQuery(parts.query);
      const values = matchTemplate(rule.from, text);
      if (values === undefined) return url;
      const image = rule.to.replace(CAPTURE, (_, name) => values[name]!);
      return url.slice(0, url.indexOf(text, parts.before.length)) + image + parts.fragment;
    }
    case "repeatedSlash":
      return join({ ...parts, path: parts.path.split(/\/+/).join("/") });
    case "percentEncoding": {
      const plain = "-_~!$'()*,:@";
      const decode = (text: string, marks: string) =>
        [...marks].reduce((done, mark) => {
          const hex = mark.charCodeAt(0).toString(16);
          return done.split(`%${hex}`).join(mark).split(`%${hex.toUpperCase()}`).join(mark);
        }, text);
      const query = parts.query.map((piece, i) => (i % 2 === 1 ? decode(piece, `${plain}/?`) : piece));
      return join({ ...parts, path: decode(parts.path, plain), query });
    }
    case "case": {
      const path = parts.path.split(/(%[0-9A-F]{2})/i).map((text, i) => (i % 2 === 1 ? text : asciiLower(text)));
      return join({ ...parts, path: path.join("") });
    }
  }
}

const CAPTURE = /\{(\w+):(\w+)\}/g;

/** What each capture takes, longest first, by trying every length; these templates have no braces of their own. */
function matchTemplate(template: string, text: string): Record<string, string> | undefined {
  const found = /^(.*?)\{(\w+):(\w+)\}(.*)$/s.exec(template);
  if (found === null) return template === text ? {} : undefined;
  const [, literal, name, type, rest] = found as unknown as string[];
  if (!text.startsWith(literal!)) return undefined;
  const isTaken = (char: string) => {
    if (type === "number") return char >= "0" && char <= "9";
    if (type === "hex") return "0123456789abcdefABCDEF".includes(char);
    if (type === "word") return char === "_" || char === "-" || /^[0-9A-Za-z]$/.test(char);
    return type === "rest" || !"/?&;=".includes(char);
  };
  const units = text.slice(literal!.length).split("");
  const most = units.findIndex((char) => !isTaken(char));
  for (let length = most < 0 ? units.length : most; length > 0; length--) {
    const others = matchTemplate(rest!, units.slice(length).join(""));
    if (others !== undefined) return { ...others, [name!]: units.slice(0, length).join("") };
  }
  return undefined;
}

const asciiLower = (text: string) => [...text].map((c) => (c >= "A" && c <= "Z" ? c.toLowerCase() : c)).join("");

function admits(scope: Scope, url: string): boolean {
  if (Object.keys(scope).length === 0) return true;
  const parts = split(url);
  if (parts === undefined) return false;
  const host = asciiLower(parts.host);
  if (scope.host !== undefined) {
    const labels = host.split(".");
    const hosts = labels.map((_, i) => `*.${labels.slice(i).join(".")}`);
    if (scope.host !== host && !hosts.includes(scope.host)) return false;
  }
  if (scope.path !== undefined && !(parts.path || "/").startsWith(scope.path)) return false;
  if (scope.script !== undefined) {
    const [name, folder] = parts.path.split("/").reverse() as [string, string | undefined];
    const own = name.split(";")[0];
    const isFolder = own === "" && scope.script === `${folder}/`;
    if (own !== scope.script && !isFolder) return false;
  }
  const parameters = parts.query.filter((_, i) => i % 2 === 1);
  return Object.entries(scope.parameters ?? {}).every(([name, condition]) => {
    const named = parameters.filter((parameter) => nameOf(parameter) === name);
    if (typeof condition === "boolean") return condition === named.length > 0;
    const given = (parameter: string) => (parameter.includes("=") ? parameter.slice(parameter.indexOf("=") + 1) : "");
    return named.length > 0 && named.every((parameter) => given(parameter) === condition);
  });
}

export function applyReference(rule: Rule, url: string, plan = "ours"): string {
  return parseUrl(url) !== undefined && admits(rule.scope, url) ? edit(rule, url, plan) : url;
}

/** (more tokens, then token by token in the order of UTF-8): does the rule go from the larger string to the smaller? */
function shrinks(rule: Rule): boolean {
  if (rule.kind !== "substring") return false;
  const from = tokens(rule.from);
  const to = tokens(rule.to);
  if (from.length !== to.length) return from.length > to.length;
  const i = from.findIndex((token, at) => token !== to[at]);
  return i >= 0 && order(from[i]!, to[i]!) > 0;
}

/** The other direction, where there is one. */
function turned(rule: Rule): Rule {
  switch (rule.kind) {
    case "substring":
      return { ...rule, from: rule.to, to: rule.from };
    case "trailingSlash":
    case "extension":
    case "www":
      return { ...rule, action: rule.action === "drop" ? "add" : "drop" };
    case "template":
      return { ...rule, from: rule.to, to: rule.from };
    case "scheme":
      return { ...rule, scheme: rule.scheme === "http" ? "https" : "http" };
    default:
      return rule;
  }
}

/** The rules in their direction, without those that need one that is not there. */
export function usedReference(
  rules: readonly Rule[],
  turn = (rule: Rule): Rule => (rule.status === "valid" ? rule : turned(rule)),
): Rule[] {
  let used = rules.map(turn);
  for (let before = Infinity; used.length < before; ) {
    before = used.length;
    used = used.filter(({ after }) => (after ?? []).every((id) => used.some((other) => other.id === id)));
  }
  return used;
}

/** Figure 5.5; undefined where MA rounds, or a thousand applications, do not settle the URL. */
export function canonizeReference(
  rules: readonly Rule[],
  url: string,
  plan = "ours",
  maxRounds = 10,
): string | undefined {
  let u = url;
  let applications = 0;
  for (let k = 1; k <= maxRounds; k++) {
    const prev = u;
    for (const rule of rules) {
      for (;;) {
        const next = applyReference(rule, u, plan);
        if (next === u) break;
        if (plan === "ours" && ++applications > 1000) return undefined;
        u = next;
        if (plan === "paper" || !shrinks(rule)) break;
      }
    }
    if (prev === u) return u;
  }
  return plan === "paper" ? u : undefined;
}
