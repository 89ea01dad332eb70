/**
 * What a crawler need not fetch, because another copy has it. Schemes do not matter here: a value, and the key
 * a URL is looked up by, is a normal URL without its scheme, "host/path?query".
 */
import { normalize } from "./normalize.js";

/** Why: a copy of a collection, a mirrored host, or a near-duplicate that did not change without the other. */
export const avoidReasons = ["collection", "mirror", "unchanged"] as const;
export type AvoidReason = (typeof avoidReasons)[number];

export const avoidKinds = ["host", "prefix", "page", "except"] as const;

export interface AvoidEntry {
  /**
   * A host with all its pages, all URLs with a prefix, or one page where neither would be right. "except": a page that
   * is to be fetched although its host or prefix is not.
   */
  readonly kind: (typeof avoidKinds)[number];
  /** "mirror.test", "mirror.test/ldp/" or "mirror.test/ldp/index.html". */
  readonly value: string;
  /** The URL to fetch instead: the root of the copy that is kept, or the page's counterpart there. */
  readonly keep?: string;
  /** Known pages that need not be fetched because of it. */
  readonly pages?: number;
  readonly why?: AvoidReason;
  /** When to fetch it again, to see whether it still is a copy. */
  readonly lookAgainMs?: number;
}

export const LOOK_AGAIN_DAYS = 30;

export function lookAgainAfter(nowMs: number, days = LOOK_AGAIN_DAYS): number {
  return nowMs + days * 86_400_000;
}

/** The URL without its scheme; a value without a scheme stays so. The path begins with a slash. */
export function avoidKey(urlOrValue: string): string {
  const url = /^https?:\/\//i.test(urlOrValue) ? urlOrValue : `http://${urlOrValue}`;
  const normal = normalize(url).url;
  return normal.slice(normal.indexOf("://") + 3);
}

/** The entry that says to avoid a URL, or undefined. */
export type AvoidMatcher<E extends AvoidEntry = AvoidEntry> = (url: string) => E | undefined;

/** Entries whose time to look again has come at `nowMs` are left out. */
export function compileAvoidList<E extends AvoidEntry>(
  entries: readonly E[],
  nowMs = Number.NEGATIVE_INFINITY,
): AvoidMatcher<E> {
  const pages = new Map<string, E>();
  const exceptions = new Set<string>();
  const beginnings: { readonly text: string; readonly entry: E }[] = [];
  for (const entry of entries) {
    if (entry.lookAgainMs !== undefined && entry.lookAgainMs <= nowMs) continue;
    const key = avoidKey(entry.value);
    if (entry.kind === "page") pages.set(key, entry);
    else if (entry.kind === "except") exceptions.add(key);
    // A host is the beginning of all its URLs, up to the first slash.
    else beginnings.push({ text: entry.kind === "host" ? `${hostOfKey(key)}/` : key, entry });
  }
  const prefixes = withoutLonger(beginnings);
  return (url) => {
    const key = avoidKey(url);
    const page = pages.get(key);
    if (page !== undefined || exceptions.has(key)) return page;
    // Any text that sorts between a prefix and a text that begins with it begins with it too: only the last prefix
    // before the URL can be its beginning, since no prefix begins with another.
    let low = 0;
    let high = prefixes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (prefixes[middle]!.text <= key) low = middle + 1;
      else high = middle;
    }
    const last = prefixes[low - 1];
    return last !== undefined && key.startsWith(last.text) ? last.entry : undefined;
  };
}

/** In order, without prefixes that begin with another one. */
function withoutLonger<P extends { readonly text: string }>(prefixes: P[]): P[] {
  prefixes.sort((a, b) => compare(a.text, b.text));
  const kept: P[] = [];
  for (const prefix of prefixes) {
    const last = kept.at(-1);
    if (last === undefined || !prefix.text.startsWith(last.text)) kept.push(prefix);
  }
  return kept;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Several avoid-lists as one, the first of them being the newest. A crawl that avoids copies does not see them, so the
 * list made from it does not name them again: the older lists still count. But where following `keep` would lead in a
 * circle, from host to host, all copies could be left out; so an entry that closes a circle is dropped. Entries of
 * one list do not contradict each other.
 */
export function combineAvoidLists(lists: readonly (readonly AvoidEntry[])[]): AvoidEntry[] {
  const combined: AvoidEntry[] = [];
  /** For each host with avoided pages, the other hosts where those are kept. */
  const keptOn = new Map<string, Set<string>>();
  /** Hosts with copies of their own pages. */
  const within = new Map<string, number>();
  const leadsTo = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    for (const host of seen) {
      if (host === to) return true;
      for (const next of keptOn.get(host) ?? []) seen.add(next);
    }
    return false;
  };
  lists.forEach((list, number) => {
    for (const entry of list) {
      const host = hostOfKey(avoidKey(entry.value));
      const kept = entry.keep === undefined ? undefined : hostOfKey(avoidKey(entry.keep));
      if (entry.kind === "except") {
        combined.push(entry);
        continue;
      }
      if (kept === host) {
        if ((within.get(host) ?? number) !== number) continue;
        within.set(host, number);
      } else if (kept !== undefined) {
        const known = keptOn.get(host) ?? new Set<string>();
        if (!known.has(kept) && leadsTo(kept, host)) continue;
        keptOn.set(host, known.add(kept));
      }
      combined.push(entry);
    }
  });
  return combined;
}

/** A host, directory or page that covers known URLs of one group, or a page below one that is to be fetched anyway. */
export interface Cover {
  readonly kind: AvoidEntry["kind"];
  readonly value: string;
  readonly group: number;
  /** How many URLs it covers, and the number of one of them. */
  readonly pages: number;
  readonly example: number;
}

/**
 * A host or directory is named although it has other pages, which are then named too, if at least this share of its
 * pages are copies.
 */
const MOSTLY_COPIES = 0.9;

/**
 * The fewest hosts, directories and pages that cover the URLs of groups, and no other known URL: `groupOf` gives the
 * copy that each URL belongs to, or `none` where it is to be fetched. All known URLs of the hosts must be among them. A
 * host or directory is named only if what is known below it is in one group; where nearly all of it is, the rest are
 * exceptions.
 */
export function coverCopies(urls: readonly string[], groupOf: (url: number) => number, none: number): Cover[] {
  const known = new Map<string, { readonly key: string; readonly number: number; pages: number; group: number }>();
  urls.forEach((url, number) => {
    const [key, group] = [avoidKey(url), groupOf(number)];
    const same = known.get(key);
    if (same === undefined) known.set(key, { key, number, pages: 1, group });
    // Two URLs that differ in the scheme alone are one entry here, and a copy only if both are.
    else if (same.group === group) same.pages++;
    else same.group = none;
  });
  const sorted = [...known.values()].sort((a, b) => compare(a.key, b.key));
  const pageOf = ({ key, number, pages, group }: (typeof sorted)[number]): Cover =>
    group === none
      ? { kind: "except", value: key, group, pages: 0, example: number }
      : { kind: "page", value: key, group, pages, example: number };

  /** URLs [from, to) have their first `length` characters in common: a host without its slash, or a directory. */
  const cover = (from: number, to: number, length: number): Cover[] => {
    const counts = new Map<number, number>();
    for (let at = from; at < to; at++) counts.set(sorted[at]!.group, (counts.get(sorted[at]!.group) ?? 0) + 1);
    const [[group, count]] = [...counts].sort(([, a], [, b]) => b - a) as [[number, number]];
    const value = sorted[from]!.key.slice(0, length);
    const whole = (): Cover[] => {
      const own = sorted.slice(from, to);
      const inside = own.filter((entry) => entry.group === group);
      const pages = inside.reduce((sum, entry) => sum + entry.pages, 0);
      const kind = value.endsWith("/") ? "prefix" : "host";
      return [
        { kind, value, group, pages, example: inside[0]!.number },
        ...own.filter((entry) => entry.group !== group).map(pageOf),
      ];
    };
    if (count === to - from) return group === none ? [] : whole();
    const parts: Cover[] = [];
    for (let at = from, next: number; at < to; at = next) {
      const { key } = sorted[at]!;
      const end = directoryEnd(key, length);
      next = at + 1;
      if (end === 0) {
        if (sorted[at]!.group !== none) parts.push(pageOf(sorted[at]!));
        continue;
      }
      const directory = key.slice(0, end);
      while (next < to && sorted[next]!.key.startsWith(directory)) next++;
      for (const part of cover(at, next, end)) parts.push(part);
    }
    const mayBeWhole = group !== none && count >= MOSTLY_COPIES * (to - from);
    return mayBeWhole && 1 + (to - from - count) < parts.length ? whole() : parts;
  };
  const covers: Cover[] = [];
  for (let from = 0, to: number; from < sorted.length; from = to) {
    const host = hostOfKey(sorted[from]!.key);
    to = from + 1;
    while (to < sorted.length && hostOfKey(sorted[to]!.key) === host) to++;
    for (const part of cover(from, to, host.length)) covers.push(part);
  }
  return covers;
}

function hostOfKey(key: string): string {
  return key.slice(0, key.indexOf("/"));
}

/** Where the next directory of the path ends, after the slash; 0 if there is none. */
function directoryEnd(key: string, from: number): number {
  const slash = key.indexOf("/", from);
  const query = key.indexOf("?");
  return slash < 0 || (query >= 0 && query < slash) ? 0 : slash + 1;
}
