/** Filter lists of AdGuard and uBlock Origin: the lines with `removeparam`. Other lines are for other things. */
import type { Scope } from "../../model.js";
import { scopeOfPattern } from "../url-pattern.js";
import { type Draft, type Drafts, remove, type Skipped } from "./draft.js";
import { expandPattern } from "./expand-pattern.js";

export function isFilterList(text: string): boolean {
  return /^[^!\n]*\$(?:[^\n]*,)?(?:removeparam|queryprune)\b/m.test(text);
}

export function readFilterList(text: string): Drafts {
  const drafts: Draft[] = [];
  const skipped: Skipped[] = [];
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    const match = /^(?!!)(.*?)\$((?:[^$]*,)?(?:removeparam|queryprune)(?:[=,].*)?)$/.exec(line);
    if (match === null) continue;
    const found = readLine(match[1]!, match[2]!);
    if (typeof found === "string") skipped.push({ entry: line, why: found });
    else drafts.push(...found);
  }
  return { drafts, skipped };
}

function readLine(pattern: string, options: string): Draft[] | string {
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
  return names.flatMap((name) => scopes.map((each) => ({ action: remove(name), scope: each })));
}

/** A name, or a pattern of few names: /^(?:a|b)=/ or /^(?:a|b)$/. */
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
