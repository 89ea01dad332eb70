/** Lists for people: a page at a time, each page found by the key of the row before it, never by counting rows off. */
import { UserError } from "../../errors.js";

export interface Page<T> {
  readonly rows: readonly T[];
  /** Key of the page after this one; absent at the end. */
  readonly next?: string;
}

/** Where a row stands in its list, and what tells it apart from others there. */
export type Key = readonly [place: number, tie: number];

/** A page of rows, of which one more than its limit was asked for: only then it is known that more follow. */
export function cutPage<T>(found: readonly T[], limit: number, keyOf: (row: T) => string): Page<T> {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return { rows, ...(found.length > limit && last !== undefined && { next: keyOf(last) }) };
}

export const writeKey = ([place, tie]: Key): string => `${place}_${tie}`;

export function readKey(text: string): Key {
  const parts = text.split("_");
  const [place, tie] = parts.map(Number);
  if (parts.length !== 2 || parts.includes("") || !Number.isFinite(place) || !Number.isSafeInteger(tie)) {
    throw new UserError(
      `${JSON.stringify(text)} is not a place to continue from: expected the "next" of an earlier answer`,
    );
  }
  return [place!, tie!];
}
