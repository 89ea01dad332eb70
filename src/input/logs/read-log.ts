/** Reads a log: a plain file by several threads, each a range of it; anything else as one stream. */

import { closeSync, openSync, readSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { JobContext } from "../../model.js";
import { count, counted } from "../../numbers.js";
import { stopIfAborted } from "../../progress.js";
import { Thread } from "../../thread.js";
import { LineSplitter, lineStart } from "../lines.js";
import type { Input } from "../open.js";
import { type ResumePoint, ResumeTracker, resumePointOfFile } from "../resume.js";
import {
  type LogPart,
  LogScanner,
  logFormatOf,
  MAX_LINE_BYTES,
  type Range,
  type ScanOptions,
  scanRange,
} from "./scan.js";
import type { ScanNote, ScanTask } from "./worker.js";

/** Starting a thread is worth it for this many bytes. */
const RANGE_BYTES = 1 << 24;
const READ_BACK_BYTES = 1 << 22;
const NEWLINE = 10;
/** What an interrupted read leaves. */
const REMAINDER = "nothing was kept";

export interface LogResult extends Omit<LogPart, "left"> {
  /** Undefined where there is no such point (the input is empty). */
  readonly resume: ResumePoint | undefined;
}

export async function readLog(
  input: Input,
  options: ScanOptions,
  threads: number,
  from: ResumePoint | undefined,
  context: JobContext,
): Promise<LogResult> {
  if (input.path !== undefined && input.compression === "none") {
    return await readFile(input.path, input.sizeBytes ?? 0, options, threads, from, context);
  }
  return await readStream(input, options, from, context);
}

async function readFile(
  path: string,
  size: number,
  options: ScanOptions,
  threads: number,
  from: ResumePoint | undefined,
  context: JobContext,
): Promise<LogResult> {
  const file = openSync(path, "r");
  let ranges: Range[];
  let directives: (string | undefined)[];
  try {
    const start = from === undefined ? 0 : lineStart(file, from.offset, size);
    // The first damage in the file's order ends a strict run: only a single thread is sure to find it.
    const count = options.strict ? 1 : Math.max(1, Math.min(threads, Math.floor((size - start) / RANGE_BYTES)));
    const cuts = Array.from({ length: count - 1 }, (_, i) =>
      lineStart(file, start + Math.floor(((size - start) * (i + 1)) / count), size),
    );
    const edges = [start, ...cuts, size];
    ranges = edges.slice(1).map((end, i) => ({ path, start: edges[i]!, end }));
    const { directive } = logFormatOf(options);
    directives = ranges.map((range) => directive && lastLineBefore(file, range.start, directive));
  } finally {
    closeSync(file);
  }

  const linesBefore = from?.lines ?? 0;
  const done = ranges.map(() => ({ bytes: 0, lines: 0 }));
  const started = performance.now();
  const progress = (i: number, bytes: number, lines: number) => {
    done[i] = { bytes, lines };
    const sum = done.reduce((a, b) => ({ bytes: a.bytes + b.bytes, lines: a.lines + b.lines }));
    tellProgress(options.name, ranges[0]!.start + sum.bytes, size, sum.lines, started, context);
  };
  const parts = ranges.slice(1).map((range, i) => {
    const directive = directives[i + 1];
    const thread = new Thread<ScanTask, LogPart, ScanNote>(new URL("./worker.js", import.meta.url), {
      onNote: ({ bytes, lines }) => progress(i + 1, bytes, lines),
      signal: context.signal,
      remainder: REMAINDER,
    });
    const part = thread.ask({ options, range, ...(directive !== undefined && { directive }) });
    return part.finally(() => thread.end());
  });
  // Nothing may be waiting yet when one fails; Promise.all below reports it.
  for (const part of parts) part.catch(() => {});

  const scanner = new LogScanner(options, linesBefore);
  if (directives[0] !== undefined) scanner.directive(Buffer.from(directives[0], "latin1"));
  for (const bytes of scanRange(ranges[0]!, scanner)) {
    progress(0, bytes, scanner.lines);
    await setImmediate();
    stopIfAborted(context, REMAINDER);
  }
  let left = scanner.endOfGrowing();
  const { table, damage, skipped } = scanner;
  let { lines, records } = scanner;
  for (const part of await Promise.all(parts)) {
    table.merge(part.sightings);
    damage.merge(part.damage, linesBefore + lines);
    lines += part.lines;
    records += part.records;
    left += part.left;
    for (const [reason, count] of Object.entries(part.skipped)) skipped[reason] = (skipped[reason] ?? 0) + count;
  }
  const offset = size - left;
  const resume = offset === 0 ? undefined : resumePointOfFile(path, "log", offset, linesBefore + lines);
  return { lines, records, skipped, damage: damage.entries(), sightings: table.finish(), resume };
}

async function readStream(
  input: Input,
  options: ScanOptions,
  from: ResumePoint | undefined,
  context: JobContext,
): Promise<LogResult> {
  const linesBefore = from?.lines ?? 0;
  const scanner = new LogScanner(options, linesBefore);
  const tracker = new ResumeTracker();
  const started = performance.now();
  const { directive } = logFormatOf(options);
  const passedOver = from && new PassedOver(from.offset, directive, scanner);
  for await (const chunk of input.chunks((reason, offset) => scanner.damage.add(reason, { offset }, ""))) {
    tracker.push(chunk);
    scanner.push(passedOver === undefined ? chunk : passedOver.rest(chunk));
    tellProgress(options.name, input.bytesRead(), input.sizeBytes, scanner.lines, started, context);
    stopIfAborted(context, REMAINDER);
  }
  scanner.end();
  const { lines, records, skipped, damage, table } = scanner;
  const resume = tracker.offset === 0 ? undefined : tracker.point("log", linesBefore + lines);
  return { lines, records, skipped, damage: damage.entries(), sightings: table.finish(), resume };
}

/**
 * Gives the bytes of a stream that come after those read another time. The skipped bytes may still say how to read the
 * rest; and where the last line was read before it had a line end, its end is skipped too.
 */
class PassedOver {
  #left: number;
  #inLine = false;
  readonly #lines: LineSplitter | undefined;

  constructor(offset: number, directive: string | undefined, scanner: LogScanner) {
    this.#left = offset;
    if (directive === undefined) return;
    const onLine = (buffer: Buffer, start: number, end: number) => {
      if (buffer.toString("latin1", start, start + directive.length) === directive) {
        scanner.directive(buffer.subarray(start, end));
      }
    };
    this.#lines = new LineSplitter(MAX_LINE_BYTES, onLine, () => {});
  }

  rest(chunk: Uint8Array): Uint8Array {
    const passed = Math.min(this.#left, chunk.length);
    if (passed > 0) {
      this.#lines?.push(chunk.subarray(0, passed));
      this.#left -= passed;
      this.#inLine = chunk[passed - 1] !== NEWLINE;
    }
    if (this.#left > 0 || !this.#inLine) return chunk.subarray(passed);
    const newline = chunk.indexOf(NEWLINE, passed);
    if (newline < 0) return chunk.subarray(chunk.length);
    this.#inLine = false;
    return chunk.subarray(newline + 1);
  }
}

/** The last line before the position that begins with `beginning`, if there is one; blocks are searched backwards. */
function lastLineBefore(file: number, position: number, beginning: string): string | undefined {
  const wanted = Buffer.from(`\n${beginning}`);
  const buffer = Buffer.alloc(READ_BACK_BYTES + MAX_LINE_BYTES);
  for (let end = position; end > 0; ) {
    const start = Math.max(0, end - READ_BACK_BYTES);
    // Beyond the block's end, so that a line that begins in it is whole.
    const length = Math.min(end - start + MAX_LINE_BYTES, position - start);
    const block = buffer.subarray(0, readSync(file, buffer, 0, length, start));
    let at = block.lastIndexOf(wanted, end - start);
    if (at < 0 && start === 0 && block.indexOf(beginning) === 0) at = -1;
    else if (at < 0) {
      end = start;
      continue;
    }
    const newline = block.indexOf(NEWLINE, at + 1);
    return block.toString("latin1", at + 1, newline < 0 ? block.length : newline);
  }
  return undefined;
}

function tellProgress(
  name: string,
  bytes: number,
  total: number | undefined,
  lines: number,
  started: number,
  { onProgress }: JobContext,
): void {
  const perSecond = Math.round((1000 * lines) / Math.max(1, performance.now() - started));
  const note = `${counted(lines, "line")}, ${count(perSecond)}/s`;
  onProgress({ step: `reading ${name}`, done: bytes, ...(total !== undefined && { total }), unit: "bytes", note });
}
