/** Reads one input, whatever it is, into columns. */

import { availableParallelism } from "node:os";
import { UserError } from "../errors.js";
import type { JobContext, PageRecord } from "../model.js";
import { counted } from "../numbers.js";
import { stopIfAborted } from "../progress.js";
import { ALL_NORMALIZATION_STEPS, type NormalizationMask } from "../url/normalize.js";
import { crawlFormats } from "./crawls/formats.js";
import { type Damage, DamageReport, placeOf } from "./damage.js";
import { type CrawlFormat, type CrawlSink, chooseFormat, type Format, sampleOf } from "./format.js";
import { customLogFormat, logFormatName, logFormats } from "./logs/formats.js";
import { readLog } from "./logs/read-log.js";
import { type Compression, type Input, openInput, SAMPLE_BYTES, type StandardInput } from "./open.js";
import { findResumePoints, type ResumePoint, resumePointOfFile } from "./resume.js";
import { finalSpelling, type Sightings, SightingTable } from "./sightings.js";

/** How an input is read; remembered, so that it is read the same way when it has grown. */
export interface InputSettings {
  /** Name of a format; recognised from the input if absent. */
  readonly format?: string;
  /** The user's own Apache LogFormat or nginx log_format. */
  readonly logFormat?: string;
  /** Origin of requests whose host the log does not know. Without it such a URL is its path alone. */
  readonly base?: string;
  /** For a table: the column, or the JSON field, that holds the URL; found by the names if absent. */
  readonly column?: string;
  /** Safe normalization. */
  readonly steps?: NormalizationMask;
}

export interface ReadOptions extends InputSettings {
  /** The first damaged record ends the reading with a DataError. */
  readonly strict?: boolean;
  readonly threads?: number;
  /** Where the reading of inputs stopped before: if this input is one of them, it goes on there. */
  readonly known?: readonly ResumePoint[];
  /**
   * How to read again what was read before; `parts` are those of `known` that the input has got past, the farthest
   * first.
   */
  readonly again?: (parts: readonly ResumePoint[]) => Again;
  /** Takes pages of crawls. */
  readonly onPages?: (batch: PageRecord[]) => Promise<void> | void;
  readonly standardInput?: StandardInput;
  /** Where the file is, if not at its name. */
  readonly path?: string;
}

export interface Again {
  readonly settings: InputSettings;
  /** From its beginning, replacing what was read before. */
  readonly anew: boolean;
}

export interface SourceResult {
  readonly settings: InputSettings;
  readonly format: string;
  readonly kind: Format["kind"];
  readonly compression: Compression;
  /** Size of the file as it is; for a pipe, the bytes received. */
  readonly bytes: number;
  /** For logs; 0 for crawls. */
  readonly lines: number;
  readonly records: number;
  /** Sound records without a URL, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly sightings: Sightings;
  readonly damage: readonly Damage[];
  /** To be given as `known` another time. Undefined for an empty input and for a crawl from a pipe. */
  readonly resume: ResumePoint | undefined;
  /** The one of `known` that this input goes on from; the result has only what came after it, perhaps nothing. */
  readonly continues: ResumePoint | undefined;
  /** Those of `known` whose place it takes. */
  readonly replaces: readonly ResumePoint[];
}

export const inputFormats: readonly Format[] = [...logFormats, ...crawlFormats];

export async function readSource(name: string, given: ReadOptions, context: JobContext): Promise<SourceResult> {
  const input = { ...(await openInput(given.path ?? name, given.standardInput)), name };
  const parts = await findResumePoints(input, given.known ?? []);
  const { settings, anew } = (parts.length > 0 && given.again?.(parts)) || { settings: given, anew: false };
  const options = { ...given, ...settings };
  const format = formatOf(input, options);
  const continues = anew ? undefined : parts[0];
  const { logFormat, base, column, steps } = options;
  if (column !== undefined && format.kind === "log") {
    throw new UserError(`${name}: --column is for tables, and this is a log (${format.name})`);
  }
  const about = {
    format: format.name,
    kind: format.kind,
    compression: input.compression,
    settings: {
      ...(options.format !== undefined && { format: options.format }),
      ...(logFormat !== undefined && { logFormat }),
      ...(base !== undefined && { base }),
      ...(column !== undefined && { column }),
      ...(steps !== undefined && { steps }),
    },
    continues,
    replaces: anew ? parts : [],
  };
  if (format.kind === "crawl") {
    const result = await readCrawl(format, input, options, continues, context);
    if (isOtherFormat(options, result)) throw otherFormat(name, format, result);
    return { ...about, ...result, bytes: input.sizeBytes ?? input.bytesRead() };
  }
  const scan = {
    name,
    formatName: format.name,
    ...(logFormat !== undefined && { logFormat }),
    ...(base !== undefined && { base }),
    steps: steps ?? ALL_NORMALIZATION_STEPS,
    strict: options.strict ?? false,
  };
  const result = await readLog(input, scan, options.threads ?? availableParallelism(), continues, context);
  if (isOtherFormat(options, result)) throw otherFormat(name, format, result);
  return { ...about, ...result, bytes: input.sizeBytes ?? input.bytesRead() };
}

type Read = Pick<SourceResult, "records" | "damage" | "sightings">;

/** Nothing could be read in the format that the user named. */
function isOtherFormat({ format, logFormat, column }: InputSettings, { damage, sightings }: Read): boolean {
  const isNamed = format !== undefined || logFormat !== undefined || column !== undefined;
  return isNamed && sightings.urls.count === 0 && damage.length > 0;
}

function otherFormat(name: string, format: Format, { damage }: Read): UserError {
  const all = damage.reduce((sum, { count }) => sum + count, 0);
  const [{ reason, samples }] = damage as [Damage];
  const place = samples[0] === undefined ? "" : ` (${placeOf(samples[0].file, samples[0].position)})`;
  return new UserError(
    `${name}: nothing in it could be read as ${format.name}: ${counted(all, "damaged record")}, ${reason}${place}; without --format it is detected`,
  );
}

function formatOf(input: Input, { format, logFormat, base, column }: ReadOptions): Format {
  if (logFormat !== undefined) return customLogFormat(logFormat);
  // An empty file is an empty log: rotation leaves them behind.
  if (input.sample.length === 0 && format === undefined) return logFormats.at(-1)!;
  const sample = sampleOf(input, input.sample.length < SAMPLE_BYTES, { base, column });
  return chooseFormat(inputFormats, sample, format === undefined ? undefined : logFormatName(format));
}

async function readCrawl(
  format: CrawlFormat,
  input: Input,
  options: ReadOptions,
  continues: ResumePoint | undefined,
  context: JobContext,
) {
  const { steps = ALL_NORMALIZATION_STEPS } = options;
  const table = new SightingTable(steps);
  const damage = new DamageReport(input.name, options.strict ?? false);
  const skipped: Record<string, number> = {};
  let records = 0;
  const sink: CrawlSink = {
    table,
    damage,
    base: options.base,
    column: options.column,
    record: () => {
      records++;
    },
    skip: (reason) => {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
    },
    pages: async (batch) => {
      await options.onPages?.(batch.map((page) => normalizePage(page, steps)));
    },
    checkpoint: () => {
      stopIfAborted(context, REMAINDER);
      const total = input.sizeBytes;
      const step = `reading ${input.name}`;
      context.onProgress({ step, done: input.bytesRead(), ...(total !== undefined && { total }), unit: "bytes" });
    },
  };
  if (continues === undefined) await format.read(untilAborted(input, context), sink);
  const { path, sizeBytes = 0 } = input;
  const resume = path === undefined || sizeBytes === 0 ? undefined : resumePointOfFile(path, "file", sizeBytes, 0);
  return { lines: 0, records, skipped, sightings: table.finish(), damage: damage.entries(), resume };
}

const REMAINDER = "nothing was kept";

/** The input, which ends with the work: pages may be long in coming where it is slow to unpack. */
function untilAborted(input: Input, context: JobContext): Input {
  async function* watched(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      stopIfAborted(context, REMAINDER);
      yield chunk;
    }
  }
  return { ...input, raw: () => watched(input.raw()), chunks: (onDamage) => watched(input.chunks(onDamage)) };
}

/** Every URL of a page as the URL list spells it. */
function normalizePage(page: PageRecord, steps: NormalizationMask): PageRecord {
  const { url, links, canonical, redirectTo } = page;
  return {
    ...page,
    url: finalSpelling(url, steps),
    ...(links !== undefined && { links: [...new Set(links.map((link) => finalSpelling(link, steps)))] }),
    ...(canonical !== undefined && { canonical: finalSpelling(canonical, steps) }),
    ...(redirectTo !== undefined && { redirectTo: finalSpelling(redirectTo, steps) }),
  };
}
