import { DataError } from "../errors.js";
import { type AvoidEntry, type AvoidReason, avoidKey, avoidKinds, avoidReasons } from "./avoid-list.js";
import { parseUrl } from "./parse.js";

/** An avoid-list as a file: a JSON document with one entry per line, which `dustpan crawl --avoid` reads. */
export function formatAvoidFile(entries: readonly AvoidEntry[]): string {
  const lines = entries.map(({ kind, value, keep, pages, why, lookAgainMs }) =>
    JSON.stringify({
      ...{ kind, value, keep, pages, why },
      ...(lookAgainMs !== undefined && { lookAgain: new Date(lookAgainMs).toISOString() }),
    }),
  );
  return `{ "format": "dustpan-avoid", "version": 1, "avoid": [\n${lines.join(",\n")}\n] }\n`;
}

/** The document above, or, as people write it, one host or URL prefix per line; "#" begins a comment. */
export function parseAvoidFile(text: string, file: string): AvoidEntry[] {
  if (/^\s*[[{]/.test(text)) {
    return entriesOf(text, file).map((entry, at) => checkEntry(entry, `${file}, entry ${at + 1} of "avoid"`));
  }
  return text.split("\n").flatMap((line, at) => {
    const value = line.replace(/(?:^|\s)#.*/, "").trim();
    return value === "" ? [] : [checkEntry({ kind: "prefix", value }, `${file}:${at + 1}`)];
  });
}

function entriesOf(text: string, file: string): readonly unknown[] {
  let parsed: { readonly format?: unknown; readonly version?: unknown; readonly avoid?: unknown };
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new DataError(`not JSON: ${error instanceof Error ? error.message : String(error)}`, file);
  }
  if (parsed.format !== "dustpan-avoid" || parsed.version !== 1 || !Array.isArray(parsed.avoid)) {
    throw new DataError(
      'expected { "format": "dustpan-avoid", "version": 1, "avoid": [...] }, as mirrors and collections write it',
      file,
    );
  }
  return parsed.avoid;
}

function isKind(kind: unknown): kind is AvoidEntry["kind"] {
  return (avoidKinds as readonly unknown[]).includes(kind);
}

function isReason(why: unknown): why is AvoidReason {
  return (avoidReasons as readonly unknown[]).includes(why);
}

/** One entry of a document or a row of a table, checked. */
export function checkEntry(entry: unknown, place: string): AvoidEntry {
  const { kind, value, keep, pages, why, lookAgain } = (entry ?? {}) as Partial<Record<string, unknown>>;
  if (!isKind(kind)) {
    throw new DataError(`"kind" is ${JSON.stringify(kind)}: expected "host", "prefix", "page" or "except"`, place);
  }
  if (typeof value !== "string" || parseUrl(`http://${avoidKey(value)}`) === undefined || /[\s*]/.test(value)) {
    throw new DataError(`${JSON.stringify(value)} is neither a host nor how URLs begin, such as a.test/manual/`, place);
  }
  const lookAgainMs = lookAgain === undefined ? undefined : Date.parse(String(lookAgain));
  if (Number.isNaN(lookAgainMs)) {
    throw new DataError(`"lookAgain" is ${JSON.stringify(lookAgain)}: expected a time such as 2026-12-31`, place);
  }
  return {
    ...{ kind, value },
    ...(typeof keep === "string" && { keep }),
    ...(typeof pages === "number" && { pages }),
    ...(isReason(why) && { why }),
    ...(lookAgainMs !== undefined && { lookAgainMs }),
  };
}
