/** Lines of JSON objects, as Scrapy, Crawlee and many scripts write them. */

import type { RowOutcome } from "../../http/row-outcome.js";
import { digestNameOf, type FieldName, mapColumns, pageFromFields } from "./fields.js";

/** No page is nested so deep, and reading millions of levels takes seconds and hundreds of megabytes. */
const MAX_DEPTH = 1000;

/** Reads objects whose keys mostly stay the same: what the keys mean is looked up once per set of keys. */
export class JsonlParser {
  readonly #base: string | undefined;
  #keys = "";
  #columns = new Map<FieldName, number>();
  #names: string[] = [];

  readonly #urlField: string | undefined;

  constructor(base?: string, urlField?: string) {
    this.#base = base;
    this.#urlField = urlField;
  }

  parse(line: string): RowOutcome {
    if (line.trim() === "") return undefined;
    if (isDeep(line)) return `nested more than ${MAX_DEPTH} levels deep`;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return "not valid JSON";
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "not a JSON object";
    return this.#pageFromObject(value as Record<string, unknown>);
  }

  #pageFromObject(object: Record<string, unknown>): RowOutcome {
    // Crawlee and Apify put some fields one level down ({"url": ..., "crawl": {"httpStatusCode": 200}}).
    const names = Object.keys(object);
    const values = Object.values(object);
    for (const inner of Object.values(object)) {
      if (typeof inner !== "object" || inner === null || Array.isArray(inner)) continue;
      for (const [name, value] of Object.entries(inner)) {
        names.push(name);
        values.push(value);
      }
    }
    const keys = names.join("\n");
    if (keys !== this.#keys) {
      this.#keys = keys;
      this.#names = names;
      this.#columns = mapColumns(names, this.#urlField);
    }
    const column = (field: FieldName): number => this.#columns.get(field) ?? -1;
    return pageFromFields((field) => values[column(field)], {
      base: this.#base,
      digestName: digestNameOf(this.#names[column("digest")]),
    });
  }
}

/** Whether arrays and objects are nested beyond the limit; brackets in strings do not count. */
function isDeep(line: string): boolean {
  if (!opensMoreThan(line, MAX_DEPTH)) return false;
  let depth = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === 0x22) {
      for (at++; at < line.length && line.charCodeAt(at) !== 0x22; at++) if (line.charCodeAt(at) === 0x5c) at++;
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

/**
 * Does the line have more than `most` brackets that could open a level? Most lines have few, and are not read by
 * character.
 */
function opensMoreThan(line: string, most: number): boolean {
  let left = most;
  for (const bracket of ["{", "["]) {
    for (let at = line.indexOf(bracket); at >= 0; at = line.indexOf(bracket, at + 1)) if (--left < 0) return true;
  }
  return false;
}

/** Whether a line is a JSON object that names a URL. */
export function isJsonlLine(line: string, urlField?: string): boolean {
  if (!line.startsWith("{")) return false;
  // Where the field is named, the URL may be relative: any base will do here.
  const outcome = new JsonlParser(urlField === undefined ? undefined : "http://base.invalid", urlField).parse(line);
  return typeof outcome === "object";
}

/**
 * Whether a line, of which only the beginning is known, is an object with a URL or a page; several may follow one
 * another.
 */
export function beginsJsonlLine(text: string, urlField?: string): boolean {
  if (!text.startsWith("{")) return false;
  const fields = mapColumns(outerKeys(text), urlField);
  return fields.has("url") || fields.has("html") || fields.has("text");
}

/** Keys of an object and of the objects directly in it. */
function outerKeys(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [piece, quoted, colon] of text.matchAll(/"((?:[^"\\]|\\.)*)(?:"(\s*:)?)?|[{}[\]]/g)) {
    if (quoted === undefined) depth += piece === "{" || piece === "[" ? 1 : -1;
    else if (colon !== undefined && depth <= 2) keys.push(quoted);
  }
  return keys;
}
