/** Reads the lines of a log, or of one range of it, into a table. */
import { closeSync, openSync, readSync } from "node:fs";
import { type Damage, DamageReport } from "../damage.js";
import type { LineReader, LogFormat, LogSink } from "../format.js";
import { LineSplitter } from "../lines.js";
import { type Sightings, SightingTable } from "../sightings.js";
import { customLogFormat, logFormats } from "./formats.js";
import { damageReasons } from "./recorder.js";

/** A longer line is damage: no server accepts such a request. */
export const MAX_LINE_BYTES = 1 << 16;
const READ_BYTES = 1 << 22;

/** What a scan has to know; plain data, since it goes to worker threads. */
export interface ScanOptions {
  /** As damage reports call the input. */
  readonly name: string;
  readonly formatName: string;
  /** The user's own format string, which is used instead of the name. */
  readonly logFormat?: string;
  readonly base?: string;
  readonly steps: number;
  readonly strict: boolean;
}

export interface LogCounts {
  lines: number;
  /** Lines that are records of requests, whatever was asked. */
  records: number;
  /** Sound records without a URL, by reason. */
  skipped: Record<string, number>;
}

export interface LogPart extends LogCounts {
  readonly sightings: Sightings;
  readonly damage: readonly Damage[];
  /** Bytes of an unfinished last line that were left unread. */
  readonly left: number;
}

export function logFormatOf({ formatName, logFormat }: ScanOptions): LogFormat {
  return logFormat === undefined ? logFormats.find(({ name }) => name === formatName)! : customLogFormat(logFormat);
}

export class LogScanner implements LogSink, LogCounts {
  readonly table: SightingTable;
  readonly base: string | undefined;
  readonly damage: DamageReport;
  lines = 0;
  records = 0;
  skipped: Record<string, number> = {};
  readonly #reader: LineReader;
  readonly #splitter: LineSplitter;
  readonly #linesBefore: number;

  /** `linesBefore` were read by another scan, or at another time. */
  constructor(options: ScanOptions, linesBefore = 0) {
    this.table = new SightingTable(options.steps);
    this.base = options.base;
    this.damage = new DamageReport(options.name, options.strict);
    this.#linesBefore = linesBefore;
    this.#reader = logFormatOf(options).reader(this);
    this.#splitter = new LineSplitter(
      MAX_LINE_BYTES,
      (buffer, start, end) => {
        this.lines++;
        const reason = this.#reader.line(buffer, start, end);
        if (reason !== undefined) this.#damaged(reason, buffer.subarray(start, end));
      },
      (head, bytes) => {
        this.lines++;
        this.records++;
        this.#damaged(`the line is longer than ${MAX_LINE_BYTES} bytes`, head.subarray(0, Math.min(bytes, 1000)));
      },
    );
  }

  record(): void {
    this.records++;
  }

  skip(reason: string): void {
    this.skipped[reason] = (this.skipped[reason] ?? 0) + 1;
  }

  push(chunk: Uint8Array): void {
    this.#splitter.push(chunk);
  }

  /** A line that only says how to read other lines, and is not counted: it came before this range. */
  directive(line: Buffer): void {
    this.#reader.line(line, 0, line.length);
  }

  /** The last line has no line end: it is read. */
  end(): void {
    this.#splitter.end();
  }

  /**
   * The last line of a file that may still grow has no line end: it is read if it is already a record. Returns the
   * number of bytes left for another time.
   */
  endOfGrowing(): number {
    const { pending } = this.#splitter;
    if (pending === 0) return 0;
    const last = this.#splitter.takePending();
    const { records } = this;
    const reason = last === undefined ? "too long" : this.#reader.line(last, 0, last.length);
    if (reason !== undefined && reason !== damageReasons.time) {
      this.records = records;
      return pending;
    }
    this.lines++;
    return 0;
  }

  #damaged(reason: string, text: Uint8Array): void {
    this.damage.add(reason, { line: this.#linesBefore + this.lines }, text);
  }
}

/** Bytes [start, end) of a plain file, whole lines. `end` is a line's end or the file's. */
export interface Range {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** Pushes a range of a file into the scanner; yields the bytes done after every block, for progress and cancelling. */
export function* scanRange({ path, start, end }: Range, scanner: LogScanner): Generator<number> {
  const file = openSync(path, "r");
  try {
    // One buffer for all: the scanner keeps no view of it.
    const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, Math.max(1, end - start)));
    for (let at = start; at < end; ) {
      const bytes = readSync(file, buffer, 0, Math.min(buffer.length, end - at), at);
      if (bytes === 0) break;
      scanner.push(buffer.subarray(0, bytes));
      at += bytes;
      yield at - start;
    }
  } finally {
    closeSync(file);
  }
}
