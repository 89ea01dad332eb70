/** Nutch's regex-normalize.xml: substitutions, of which those that are literal on both sides are rules. */
import type { Draft, Drafts, Skipped } from "./draft.js";
import { expandPattern } from "./expand-pattern.js";

export function isRegexNormalize(text: string): boolean {
  return /<regex-normalize[\s>]/.test(text);
}

export function readRegexNormalize(text: string): Drafts {
  const drafts: Draft[] = [];
  const skipped: Skipped[] = [];
  const plain = text.replace(/<!--[\s\S]*?-->/g, "");
  for (const [, inside] of plain.matchAll(/<regex>([\s\S]*?)<\/regex>/g)) {
    const pattern = element(inside!, "pattern");
    const substitution = element(inside!, "substitution");
    const found = pattern === undefined ? "it has no pattern" : substitute(pattern, substitution ?? "");
    if (typeof found === "string") skipped.push({ entry: pattern ?? inside!.trim(), why: found });
    else drafts.push(...found);
  }
  return { drafts, skipped };
}

function substitute(pattern: string, substitution: string): Draft[] | string {
  const [, start, body, end] = /^(\^?)([\s\S]*?)((?<!\\)\$)?$/.exec(pattern)!;
  if (/(?<!\\)\$/.test(substitution)) return "its substitution refers to groups";
  const froms = expandPattern(body!);
  if (froms === undefined) return "its pattern matches too many texts";
  const to = substitution.replace(/\\(.)/g, "$1");
  return froms
    .filter((from) => from !== to)
    .map((from) => ({
      action: { kind: "substring", from, to, start: start === "^", end: end === "$" },
      scope: {},
    }));
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function element(text: string, name: string): string | undefined {
  const inside = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1];
  return inside?.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, entity) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return entities[entity] ?? whole;
  });
}
