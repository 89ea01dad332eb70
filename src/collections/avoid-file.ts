import { DataError } from "../errors.js";
import type { AvoidEntry } from "./avoid.js";

/** An avoid-list as a file: one JSON object a line, so that it can be read, cut and joined with ordinary tools. */
export function formatAvoidFile(entries: readonly AvoidEntry[]): string {
  return entries
    .map(({ lookAgainMs, ...entry }) => JSON.stringify({ ...entry, lookAgain: new Date(lookAgainMs).toISOString() }))
    .map((line) => `${line}\n`)
    .join("");
}

/**
 * Reads such a file, and lists made by hand: on a line of its own a host ("mirror.test"), a prefix that ends with a slash
 * ("http://mirror.test/ldp/"), or a page; they never lapse. Empty lines and lines that begin with # are comments.
 */
export function parseAvoidFile(text: string, file: string): AvoidEntry[] {
  const entries: AvoidEntry[] = [];
  text.split(/\r?\n/).forEach((line, at) => {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) return;
    const place = `${file}:${at + 1}`;
    entries.push(trimmed.startsWith("{") ? parseObject(trimmed, place) : parsePlain(trimmed, place));
  });
  return entries;
}

function parsePlain(line: string, place: string): AvoidEntry {
  const value = line.replace(/^https?:\/\//i, "");
  if (value === "" || /\s/.test(value)) {
    throw new DataError(`${JSON.stringify(line)}: expected a host, a prefix that ends with "/", or a URL`, place);
  }
  const kind = !value.includes("/") ? "host" : value.endsWith("/") ? "prefix" : "page";
  return { kind, value, keep: "", cluster: 0, replica: 0, pages: 0, lookAgainMs: Number.POSITIVE_INFINITY };
}

function parseObject(line: string, place: string): AvoidEntry {
  let found: Partial<Record<string, unknown>>;
  try {
    found = JSON.parse(line);
  } catch (error) {
    throw new DataError(`no JSON: ${error instanceof Error ? error.message : String(error)}`, place);
  }
  const { kind, value, keep, cluster, replica, pages, lookAgain } = found;
  if (kind !== "host" && kind !== "prefix" && kind !== "page") {
    throw new DataError(`"kind" is ${JSON.stringify(kind)}: expected host, prefix or page`, place);
  }
  if (typeof value !== "string" || value === "") {
    throw new DataError(`"value" is ${JSON.stringify(value)}: expected a host or a URL without its scheme`, place);
  }
  const lookAgainMs = lookAgain === undefined ? Number.POSITIVE_INFINITY : Date.parse(String(lookAgain));
  if (Number.isNaN(lookAgainMs)) {
    throw new DataError(`"lookAgain" is ${JSON.stringify(lookAgain)}: expected a time as ISO 8601 has it`, place);
  }
  const number = (field: unknown) => (typeof field === "number" ? field : 0);
  return {
    kind,
    value,
    keep: typeof keep === "string" ? keep : "",
    cluster: number(cluster),
    replica: number(replica),
    pages: number(pages),
    lookAgainMs,
  };
}
