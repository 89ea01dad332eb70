/** A few words about the requests so far. */
import { counted } from "../numbers.js";
import type { FetchStats } from "./fetcher.js";

/** For progress: the requests sent so far, and how many a second since this was called. */
export function requestsNote(
  { requests: before }: Readonly<FetchStats>,
  now: () => number = () => performance.now(),
): (stats: Readonly<FetchStats>) => string {
  const startMs = now();
  return ({ requests }) => {
    const perSecond = (1000 * (requests - before)) / Math.max(1, now() - startMs);
    return `${counted(requests, "request")} (${perSecond.toFixed(1)}/s)`;
  };
}
