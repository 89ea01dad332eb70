/** Worker thread: scans one range of a plain log and hands the columns over. */
import { parentPort, workerData } from "node:worker_threads";
import type { Sightings } from "../sightings.js";
import { type LogPart, LogScanner, type Range, type ScanOptions, scanRange } from "./scan.js";

export interface WorkerTask {
  readonly options: ScanOptions;
  readonly range: Range;
  /** The last line before the range that says how to read it. */
  readonly directive?: string;
}

export type WorkerMessage = { readonly done: number; readonly lines: number } | { readonly part: LogPart };

const port = parentPort;
if (port !== null) {
  const { options, range, directive } = workerData as WorkerTask;
  const scanner = new LogScanner(options);
  if (directive !== undefined) scanner.directive(Buffer.from(directive, "latin1"));
  for (const done of scanRange(range, scanner)) {
    port.postMessage({ done, lines: scanner.lines } satisfies WorkerMessage);
  }
  const left = scanner.endOfGrowing();
  const { lines, records, skipped, damage } = scanner;
  const sightings = scanner.table.finish();
  const part: LogPart = { lines, records, skipped, damage: damage.entries(), sightings, left };
  port.postMessage({ part } satisfies WorkerMessage, buffersOf(sightings));
}

function buffersOf(sightings: Sightings): ArrayBuffer[] {
  const { urls, crawlerHits, redirects, spellings, ...columns } = sightings;
  const arrays = [
    ...Object.values(columns),
    ...[urls.bytes, urls.offsets, crawlerHits.url, crawlerHits.family, crawlerHits.hits, redirects.url],
    ...[spellings.url, spellings.steps, spellings.hits, spellings.spelling.bytes, spellings.spelling.offsets],
  ];
  return arrays.map((array) => array.buffer as ArrayBuffer);
}
