/** Filter lists of AdGuard and uBlock Origin: the lines with `removeparam`. Other lines serve other purposes. */
import type { Scope } from "../../model.js";
import { scopeOfPattern } from "../url-pattern.js";
import { type Draft, type Found, remove } from "./draft.js";
import { expandPattern } from "./expand-pattern.js";

export function isFilterList(text: string): boolean {
  return removals(text).next().done !== true;
}

export function* readFilterList(text: string): Found {
  for (const { line, pattern, options } of removals(text)) {
    const found = readLine(pattern, options);
    if (typeof found === "string") yield { entry: line, why: found };
    else yield* found;
  }
}

function* removals(text: string) {
  for (const each of text.split("\n")) {
    const line = each.trim();
    const match = /^(?!!)(.*?)\$((?:[^$]*,)?(?:removeparam|queryprune)(?:[=,].*)?)$/.exec(line);
    if (match !== null) yield { line, pattern: match[1]!, options: match[2]! };
  }
}

function readLine(pattern: string, options: string): Iterable<Draft> | string {
  if (pattern.startsWith("@@")) return "it is an exception";
  const modifiers = options.split(/(?<!\\),/).map((each) => each.trim());
  const value = modifiers.map((each) => /^(?:removeparam|queryprune)=(.*)$/.exec(each)?.[1]).find(Boolean);
  if (value === undefined) return "it removes every parameter";
  const names = namesOf(value);
  if (names === undefined) return "it matches too many names, or goes by values";
  const domains = modifiers.map((each) => /^domain=(.*)$/.exec(each)?.[1]).find(Boolean);
  const hosts = domains?.split("|").map((domain) => `*.${domain.toLowerCase()}`);
  if (hosts?.some((host) => /[~*/]/.test(host.slice(2)))) return "its domains have exceptions or wildcards";
  const scope = scopeOf(pattern);
  if (scope === undefined) return "its pattern of URLs is not a host with a path";
  const scopes = scope.host !== undefined || hosts === undefined ? [scope] : hosts.map((host) => ({ ...scope, host }));
  return inEachScope(names, scopes);
}

function* inEachScope(names: readonly string[], scopes: readonly Scope[]): Generator<Draft> {
  for (const name of names) for (const scope of scopes) yield { action: remove(name), scope };
}

/** A name, or a pattern of a few names: /^(?:a|b)=/ or /^(?:a|b)$/. */
function namesOf(value: string): string[] | undefined {
  if (value.startsWith("~")) return undefined;
  const pattern = /^\/\^(.*?)(?:=|\$|\(\?:=\|\$\))\/$/.exec(value)?.[1];
  if (pattern !== undefined) return expandPattern(pattern);
  return value.startsWith("/") ? undefined : [value];
}

/** "" and "*" are everywhere; "||shop.test^" a domain with all hosts below it; "||shop.test/a" URLs there that begin so. */
function scopeOf(pattern: string): Scope | undefined {
  if (pattern === "" || pattern === "*") return {};
  if (/^\/.+\/$/.test(pattern)) return scopeOfPattern(pattern.slice(1, -1));
  const match = /^\|\|([\w.-]+)(?:\^|(\/[^*^|]*))?\*?$/.exec(pattern);
  if (match === null) return undefined;
  return {
    host: `*.${match[1]!.toLowerCase()}`,
    ...(match[2] !== undefined && match[2] !== "/" && { path: match[2] }),
  };
}
