/** A rule in words: pieces of text with what they are, which a terminal, a report and a page render in their own way. */
import type { Scope } from "../model.js";
import type { difference } from "../url/difference.js";
import { conditionsOf, conditionWords } from "./scope.js";

export interface Segment {
  readonly text: string;
  /** What goes, what comes, a name that matters, and what only explains; plain text where absent. */
  readonly as?: "removed" | "added" | "name" | "quiet";
}

/** For short lines: what two texts have in common gives way to what differs. */
export type Shorten = (whole: ReturnType<typeof difference>) => ReturnType<typeof difference>;

/** Where a rule applies; `site` need not be said, since its rules are listed under it. */
export function scopeWords(scope: Scope, site?: string): Segment[] {
  const { host, path, script } = scope;
  const isSite = site !== undefined && (host === site || host === `*.${site}`);
  const places = [isSite ? undefined : host, path && `${path}*`, script && `*/${script}`];
  const named = places.filter((place) => place !== undefined && place !== "");
  return [
    ...(named.length === 0 ? [] : [{ text: " on ", as: "quiet" as const }, { text: named.join(" ") }]),
    ...conditionsOf(scope)
      .map(conditionWords)
      .flatMap(({ word, text }) => [{ text: ` ${word} `, as: "quiet" as const }, { text }]),
  ];
}

/** "?sid", or ";sid" in the path. */
export function parameterText(name: string, place: "query" | "path" = "query"): string {
  return (place === "query" ? "?" : ";") + name;
}

export function textOf(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join("");
}
