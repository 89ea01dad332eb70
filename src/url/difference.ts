import { isTokenBoundary } from "./tokenize.js";

/** What two strings have in common at both ends, and what differs between: whole tokens, as rules see them. */
export function difference(a: string, b: string): { prefix: string; from: string; to: string; suffix: string } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start++;
  while (!isTokenBoundary(a, start) || !isTokenBoundary(b, start)) start--;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  while (!isTokenBoundary(a, a.length - end) || !isTokenBoundary(b, b.length - end)) end--;
  return {
    prefix: a.slice(0, start),
    from: a.slice(start, a.length - end),
    to: b.slice(start, b.length - end),
    suffix: a.slice(a.length - end),
  };
}
