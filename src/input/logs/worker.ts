/** Worker thread: scans one range of a plain log and hands the columns over. */
import { answerQuestions } from "../../thread.js";
import type { Sightings } from "../sightings.js";
import { type LogPart, LogScanner, type Range, type ScanOptions, scanRange } from "./scan.js";

export interface ScanTask {
  readonly options: ScanOptions;
  readonly range: Range;
  /** The last line before the range that says how to read lines. */
  readonly directive?: string;
}

/** How far the scan is. */
export interface ScanNote {
  readonly bytes: number;
  readonly lines: number;
}

answerQuestions(
  (_: undefined, note: (note: ScanNote) => void) =>
    ({ options, range, directive }: ScanTask): LogPart => {
      const scanner = new LogScanner(options);
      if (directive !== undefined) scanner.directive(Buffer.from(directive, "latin1"));
      for (const bytes of scanRange(range, scanner)) note({ bytes, lines: scanner.lines });
      const left = scanner.endOfGrowing();
      const { lines, records, skipped, damage } = scanner;
      return { lines, records, skipped, damage: damage.entries(), sightings: scanner.table.finish(), left };
    },
  ({ sightings }) => buffersOf(sightings),
);

function buffersOf(sightings: Sightings): ArrayBuffer[] {
  const { urls, crawlerHits, redirects, spellings, ...columns } = sightings;
  const arrays = [
    ...Object.values(columns),
    ...[urls.bytes, urls.offsets, crawlerHits.url, crawlerHits.family, crawlerHits.hits, redirects.url],
    ...[spellings.url, spellings.steps, spellings.hits, spellings.spelling.bytes, spellings.spelling.offsets],
  ];
  return arrays.map((array) => array.buffer as ArrayBuffer);
}
