/** A name for a list of URLs, whatever its order: a certificate is about the list that it was made for. */
import { createHash } from "node:crypto";
import type { Progress } from "../model.js";
import { type InSteps, PAUSE_EVERY } from "../progress.js";

/** So many strings are sorted in some hundredths of a second. */
const RUN = 1 << 15;

/** Digest of the sorted list. Sorted in runs, which are merged, so that Ctrl-C is heard in between. */
export function* listName(urls: readonly string[]): InSteps<string> {
  const step = { step: "naming the list of URLs", total: urls.length, unit: "URLs" };
  let runs: string[][] = [];
  for (let at = 0; at < urls.length; at += RUN) {
    runs.push(urls.slice(at, at + RUN).sort());
    yield { ...step, done: at };
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let i = 0; i < runs.length; i += 2) merged.push(yield* merge(runs[i]!, runs[i + 1] ?? [], step));
    runs = merged;
  }
  const sorted = runs[0] ?? [];
  const digest = createHash("sha1");
  for (let at = 0; at < sorted.length; at += PAUSE_EVERY) {
    digest.update(`${at === 0 ? "" : "\n"}${sorted.slice(at, at + PAUSE_EVERY).join("\n")}`);
    yield { ...step, done: at };
  }
  return digest.digest("hex").slice(0, 16);
}

function* merge(a: string[], b: string[], step: Omit<Progress, "done">): InSteps<string[]> {
  if (b.length === 0) return a;
  const merged: string[] = new Array(a.length + b.length);
  for (let i = 0, j = 0, at = 0; at < merged.length; at++) {
    const takesFirst = j === b.length || (i < a.length && a[i]! <= b[j]!);
    merged[at] = takesFirst ? a[i++]! : b[j++]!;
    if (at % PAUSE_EVERY === PAUSE_EVERY - 1) yield { ...step, done: at };
  }
  return merged;
}
