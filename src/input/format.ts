/**
 * The table of formats. A format says how much a sample looks like it, and the best one reads the input; a log is read
 * line by line (so that threads can share it), a crawl by its own reader.
 */
import { UserError } from "../errors.js";
import type { PageRecord } from "../model.js";
import { shellWord } from "../url/shell-word.js";
import type { DamageReport } from "./damage.js";
import { isBinary, showable } from "./damage.js";
import type { Input } from "./open.js";
import type { SightingTable } from "./sightings.js";

/** The beginning of an input. */
export interface Sample {
  /** As the user gave it; a hint at most, since rotation and downloads rename files. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Its complete lines (all of it, where the sample is the whole input), read as Latin-1 to keep every byte. */
  readonly lines: readonly string[];
  /** The base of relative URLs, and the column with the URL, if the user gives them. */
  readonly base?: string | undefined;
  readonly column?: string | undefined;
}

/** Where the reader of a crawl puts what it finds. */
export interface CrawlSink {
  readonly table: SightingTable;
  readonly damage: DamageReport;
  /** For relative URLs, and scheme-less ones. */
  readonly base: string | undefined;
  /** For a table: the column with the URL, if the user names it. */
  readonly column: string | undefined;
  /** Counts a record that was read, whatever came of it. */
  record(): void;
  /** Counts a sound record that gives no URL ("dns record", "other method"). */
  skip(reason: string): void;
  /** Pages with their text and links; resolves when there is room for more. */
  pages(batch: PageRecord[]): Promise<void>;
  /** Throws InterruptedError when the work is cancelled, otherwise reports progress: call it now and then. */
  checkpoint(): void;
}

interface FormatBase {
  /** What --format takes. */
  readonly name: string;
  /** What it is, in a few words. */
  readonly title: string;
  /** 0: certainly not; 1: certainly. The first of the best wins. */
  detect(sample: Sample): number;
}

export interface CrawlFormat extends FormatBase {
  readonly kind: "crawl";
  read(input: Input, sink: CrawlSink): Promise<void>;
}

/** Reads the lines of one log into a table. */
export interface LineReader {
  /** One line without its end. Gives the reason if it is damaged. */
  line(buffer: Buffer, start: number, end: number): string | undefined;
}

/** Where the reader of a log puts what it finds. */
export interface LogSink {
  readonly table: SightingTable;
  readonly base: string | undefined;
  record(): void;
  skip(reason: string): void;
}

export interface LogFormat extends FormatBase {
  readonly kind: "log";
  /** A line that begins with this changes how the lines after it are read: "#Fields:". */
  readonly directive?: string;
  reader(sink: LogSink): LineReader;
}

export type Format = LogFormat | CrawlFormat;

/** The lowest score that is accepted when the user names no format. */
const SURE_ENOUGH = 0.3;

/** The beginnings of files that people may give and that cannot be read here. */
const packedMagic: readonly (readonly [magic: string, what: string])[] = [
  ["PK\x03\x04", "a zip archive"],
  ["7z\xbc\xaf\x27\x1c", "a 7-Zip archive"],
  ["Rar!", "a RAR archive"],
  ["\x04\x22\x4d\x18", "an lz4 file"],
  ["\x1f\x9d", "a file of compress (.Z)"],
  ["\x5d\x00\x00", "an lzma file"],
];

export function sampleOf(
  input: Pick<Input, "name" | "sample">,
  whole: boolean,
  { base, column }: Pick<Sample, "base" | "column"> = {},
): Sample {
  const text = Buffer.from(input.sample).toString("latin1");
  const lines = text.split(/\r?\n/);
  const last = lines.pop();
  if (whole && last) lines.push(last);
  return { name: input.name, bytes: input.sample, lines, base, column };
}

/** The format that --format names, or the one that the sample looks like. */
export function chooseFormat(formats: readonly Format[], sample: Sample, name: string | undefined): Format {
  if (name !== undefined) {
    const named = formats.find((format) => format.name === name);
    if (named === undefined) {
      throw new UserError(
        `--format ${name} is unknown; it is one of ${formats.map((format) => format.name).join(", ")}`,
      );
    }
    return named;
  }
  let best: Format | undefined;
  let bestScore = SURE_ENOUGH;
  for (const format of formats) {
    const score = format.detect(sample);
    if (score > bestScore || (best === undefined && score === bestScore)) {
      best = format;
      bestScore = score;
    }
  }
  if (best !== undefined) return best;
  const packed = packedMagic.find(([magic]) =>
    Buffer.from(sample.bytes).toString("latin1", 0, 6).startsWith(magic),
  )?.[1];
  if (packed !== undefined) {
    throw new UserError(
      `${sample.name}: ${packed} cannot be read here; unpack it first (gzip, zstd, bzip2 and xz can)`,
    );
  }
  if (isBinary(sample.bytes)) {
    throw new UserError(
      `${sample.name}: a binary file of a format that is not known; "--format help" lists what is read`,
    );
  }
  if (/^\s*\[\s*(?:\{|$)/.test(sample.lines[0] ?? Buffer.from(sample.bytes.subarray(0, 200)).toString("latin1"))) {
    throw new UserError(
      `${sample.name}: a JSON array; one object a line is read: jq -c '.[]' ${shellWord(sample.name)} | dustpan add -`,
    );
  }
  const paths = sample.lines.filter((line) => /^\/[^\s"]*$/.test(line)).length;
  if (paths > sample.lines.length / 2 && sample.base === undefined) {
    throw new UserError(
      `${sample.name}: these look like paths; say of which site with --base, such as --base https://www.example.com`,
    );
  }
  const first =
    sample.lines.find((line) => line.trim() !== "") ?? Buffer.from(sample.bytes.subarray(0, 200)).toString("latin1");
  const firstLine = `The first line is:\n  ${showable(first)}`;
  if (sample.column !== undefined) {
    throw new UserError(`${sample.name}: no table with a column "${showable(sample.column)}". ${firstLine}`);
  }
  throw new UserError(
    `${sample.name}: the format is not known. Tried ${formats.map((format) => format.name).join(", ")}. ` +
      `${firstLine}\nName it with --format, or describe your log with --log-format.`,
  );
}
