/** File patterns, for shells that do not expand them (and for quoted patterns): *, ?, [a-z], {a,b} and **. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { UserError } from "../errors.js";

/**
 * The files that the arguments name, in the order of the arguments; those of one pattern in the order of their names
 * (digits by value, so that access.log.9 is before access.log.10). A file named twice is read once.
 */
export function expandInputs(inputs: readonly string[]): string[] {
  const files = new Set<string>();
  for (const input of inputs) for (const file of expandOne(input)) files.add(file);
  return [...files];
}

function expandOne(input: string): string[] {
  // A file whose name happens to look like a pattern is that file.
  if (input === "-" || !/[*?[{]/.test(input) || existsSync(input)) return [input];
  const files = alternatives(input)
    .flatMap((pattern) => {
      const segments = pattern.split(/[\\/]+/);
      const absolute = pattern.startsWith("/");
      return match(absolute ? "/" : "", absolute ? segments.slice(1) : segments);
    })
    .sort(byName);
  if (files.length === 0) throw new UserError(`${input} matches no file`);
  return files;
}

/** {a,b} first: "x.{log,log.1}" is two patterns. */
function alternatives(pattern: string): string[] {
  const braces = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const before = pattern.slice(0, braces.index);
  const after = pattern.slice(braces.index + braces[0].length);
  return braces[1]!.split(",").flatMap((choice) => alternatives(before + choice + after));
}

function match(folder: string, segments: readonly string[]): string[] {
  const [segment, ...rest] = segments;
  if (segment === undefined) return [];
  if (segment === "**") {
    const below = entries(folder).filter((entry) => entry.isDirectory() && !entry.name.startsWith("."));
    return [...match(folder, rest), ...below.flatMap((entry) => match(path.join(folder, entry.name), segments))];
  }
  if (!/[*?[]/.test(segment) && rest.length > 0) return match(path.join(folder, segment), rest);
  const name = segmentPattern(segment);
  return entries(folder)
    .filter((entry) => name.test(entry.name) && (segment.startsWith(".") || !entry.name.startsWith(".")))
    .flatMap((entry) => {
      const found = path.join(folder, entry.name);
      if (rest.length > 0) return entry.isFile() ? [] : match(found, rest);
      return entry.isDirectory() ? [] : [found];
    });
}

function entries(folder: string) {
  try {
    return readdirSync(folder === "" ? "." : folder, { withFileTypes: true });
  } catch {
    // Not a folder, or not ours to read: nothing in it matches.
    return [];
  }
}

function segmentPattern(segment: string): RegExp {
  const source = segment.replace(/\[!?[^\]]+\]|[\\^$.*+?()[\]{}|]/g, (special) => {
    if (special === "*") return ".*";
    if (special === "?") return ".";
    if (special.length > 1) return special.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
    return `\\${special}`;
  });
  return new RegExp(`^${source}$`, "u");
}

const { compare } = new Intl.Collator("en", { numeric: true });

/** Digits by their value. */
export function byName(a: string, b: string): number {
  return compare(a, b) || (a < b ? -1 : 1);
}
