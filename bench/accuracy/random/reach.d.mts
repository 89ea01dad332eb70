import type { Site } from "./site.mjs";

export interface Missed {
  readonly rule: string;
  readonly urls: number;
  readonly example: readonly [string, string];
}

export interface Reach {
  /** Duplicates that exact rules merge. */
  readonly merged: number;
  /** What they make of one of the live URLs. */
  formOf(url: string): string;
  readonly rules: readonly { readonly rule: string; readonly gain: number }[];
  missedBy(canon: (url: string) => string): readonly Missed[];
}

/** What a truth says of a URL that it does not know. */
export const UNKNOWN: symbol;

/** `live`: the list's URLs that show a page. */
export function reachOf(site: Pick<Site, "truth">, live: readonly string[]): Reach;
