import { readFileSync } from "node:fs";
import { DataError, UserError } from "../errors.js";

/** What a crawl leaves out: hosts, all that begins with a prefix, single pages. Schemes do not matter. */
export class AvoidList {
  readonly #hosts = new Set<string>();
  readonly #pages = new Set<string>();
  /** Those that end with a slash are looked up, others tried one by one. */
  readonly #folders = new Set<string>();
  readonly #prefixes: string[] = [];

  add(kind: "host" | "prefix" | "page", value: string): void {
    const bare = withoutScheme(value);
    if (kind === "host" || !bare.includes("/")) this.#hosts.add(bare.replace(/\/$/, ""));
    else if (kind === "page") this.#pages.add(bare);
    else if (bare.endsWith("/")) this.#folders.add(bare);
    else this.#prefixes.push(bare);
  }

  has(url: string): boolean {
    const bare = withoutScheme(url);
    if (this.#pages.has(bare) || this.#prefixes.some((prefix) => bare.startsWith(prefix))) return true;
    for (let slash = bare.indexOf("/"); slash >= 0; slash = bare.indexOf("/", slash + 1)) {
      if (this.#folders.has(bare.slice(0, slash + 1))) return true;
    }
    return this.#hosts.has(/^[^/?#]*/.exec(bare)![0]);
  }
}

function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//i, "");
}

/**
 * Reads an avoid-list: one prefix of URLs a line ("#" begins a comment), or JSON as `mirrors` and `collections` write it.
 * Entries whose time has come to be looked at again are left out.
 */
export function readAvoidList(file: string, nowMs: number): AvoidList {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new UserError(`--avoid ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const list = new AvoidList();
  if (/^\s*[[{]/.test(text)) {
    for (const [i, entry] of entriesOf(text, file).entries()) addEntry(list, entry, nowMs, `${file}: entry ${i}`);
  } else {
    for (const line of text.split("\n")) {
      const value = line.trim();
      if (value !== "" && !value.startsWith("#")) list.add("prefix", value);
    }
  }
  return list;
}

/** A list, or an object that has it under "avoid". */
function entriesOf(text: string, file: string): readonly unknown[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new DataError(`not JSON: ${error instanceof Error ? error.message : String(error)}`, file);
  }
  const entries = Array.isArray(parsed) ? parsed : (parsed as { avoid?: unknown }).avoid;
  if (!Array.isArray(entries)) throw new DataError('expected a list, or an object with a list "avoid"', file);
  return entries;
}

function addEntry(list: AvoidList, entry: unknown, nowMs: number, place: string): void {
  if (typeof entry === "string") {
    list.add("prefix", entry);
    return;
  }
  const { kind = "prefix", value, avoid, lookAgainMs } = (entry ?? {}) as Record<string, unknown>;
  const text = value ?? avoid;
  if (typeof text !== "string" || (kind !== "host" && kind !== "prefix" && kind !== "page")) {
    throw new DataError('expected a string, or "kind" (host, prefix or page) and "value"', place);
  }
  if (typeof lookAgainMs !== "number" || lookAgainMs > nowMs) list.add(kind, text);
}
