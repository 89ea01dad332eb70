/** `add`: reads inputs and adds each to the workspace in one transaction. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { InterruptedError, UserError } from "../errors.js";
import { MAX_TEXT_LENGTH } from "../fetch/answered-page.js";
import { unpackTar } from "../input/crawls/tar.js";
import { type Damage, placeOf } from "../input/damage.js";
import { expandInputs } from "../input/expand.js";
import { logFormatName } from "../input/logs/formats.js";
import { type Again, type InputSettings, inputFormats, type ReadOptions, readSource } from "../input/read-source.js";
import type { ResumePoint } from "../input/resume.js";
import type { JobContext, PageRecord } from "../model.js";
import { PageStage } from "../store/pages/page-stage.js";
import { PRIVATE_FOLDER } from "../store/private.js";
import { removeScratch } from "../store/scratch.js";
import { addSource, type KnownSource, knownSources, type StoredDamage } from "../store/urls/sources.js";
import type { Workspace } from "../store/workspace.js";
import { ALL_NORMALIZATION_STEPS } from "../url/normalize.js";
import { voidingCertificates } from "./validate/void-certificates.js";

export interface AddOptions extends InputSettings, Pick<ReadOptions, "strict"> {
  /** Where it has "{file}", which stands for a file's name, each file is a snapshot of its own, also each in a tar archive. */
  readonly snapshot: string;
  /** As `base`, for an input that is not there yet and where `base` says nothing. */
  readonly newBase?: string;
  /** Keep the pages' text; their sketches and links are kept in any case. */
  readonly text: boolean;
}

/** What became of one input. */
export interface AddedInput {
  readonly name: string;
  readonly format: string;
  readonly compression: string;
  /** "added"; "continued" where a known log has grown; "replaced" where it was read again with other settings; "known" where nothing of it is new. */
  readonly outcome: "added" | "continued" | "replaced" | "known";
  /** The known input that it goes on from, where it had another name. */
  readonly continues?: string;
  readonly lines: number;
  readonly records: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly damage: readonly Damage[];
  readonly urls: number;
  readonly newUrls: number;
  readonly pages: number;
  /** Those of them whose bodies are nowhere: copies, as their digests say, of pages that no input has brought yet. */
  readonly withoutBody: number;
  readonly seconds: number;
}

/**
 * Reads each input and adds it to the workspace in one transaction; what was added before an error or an interruption
 * stays. Tells each input as soon as it is in.
 */
export async function add(
  workspace: Workspace,
  inputs: readonly string[],
  options: AddOptions,
  onAdded: (added: AddedInput) => void,
  context: JobContext,
): Promise<AddedInput[]> {
  const added: AddedInput[] = [];
  const take = (result: AddedInput) => {
    added.push(result);
    onAdded(result);
  };
  for (const name of expandInputs(inputs)) {
    if (options.snapshot.includes(EACH_FILE)) await addEachFile(workspace, name, options, take, context);
    else take(await addInput(workspace, name, options, context));
  }
  return added;
}

const EACH_FILE = "{file}";
/** Line ends, escape codes and marks of direction: an archive's names may have them, a snapshot's name is typed by people. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu;

/** Adds a file, or those of a tar archive in the order of their names, each to a snapshot of its own. */
async function addEachFile(
  workspace: Workspace,
  name: string,
  options: AddOptions,
  take: (added: AddedInput) => void,
  context: JobContext,
): Promise<void> {
  const into = (file: string): AddOptions => {
    const base = path
      .basename(file)
      .replace(COMPRESSED, "")
      .replace(/(?<=.)\.[a-z]\w*$/i, "")
      .replace(UNSEEN, "_");
    return { ...options, snapshot: options.snapshot.replaceAll(EACH_FILE, () => base) };
  };
  const folder = workspace.scratch();
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
  try {
    const archive = name === "-" ? undefined : await unpackTar(name, folder, inputFormats, options.strict ?? false);
    if (archive === undefined) take(await addInput(workspace, name, into(name), context));
    else if (archive.files.length === 0) throw new UserError(`${name} has no crawl in it`);
    else {
      for (const [at, file] of archive.files.entries()) {
        const result = await addInput(workspace, file.name, into(file.name), context, file.path);
        // Damage of the archive itself is reported once.
        const damage = [...archive.damage, ...result.damage];
        take(at > 0 ? result : { ...result, damage, skipped: { ...archive.skipped, ...result.skipped } });
      }
    }
  } finally {
    removeScratch(folder);
  }
}

/** Reads one input and adds it in one transaction; `place` is where the file is, if not at its name. */
export async function addInput(
  workspace: Workspace,
  name: string,
  options: AddOptions,
  context: JobContext,
  place?: string,
): Promise<AddedInput> {
  return voidingCertificates(workspace, () => readAndStore(workspace, name, options, context, place));
}

async function readAndStore(
  workspace: Workspace,
  name: string,
  options: AddOptions,
  context: JobContext,
  place?: string,
): Promise<AddedInput> {
  const startedMs = performance.now();
  const known = await knownSources(workspace, options.snapshot);
  const sourceAt = (point: ResumePoint) => known.find(({ resume }) => resume === point)!;
  const stageFile = workspace.scratch();
  let stage: PageStage | undefined;
  try {
    const read = await readSource(
      name,
      {
        ...options,
        ...(options.base === undefined && options.newBase !== undefined && { base: options.newBase }),
        ...(place !== undefined && { path: place }),
        known: known.map(({ resume }) => resume),
        again: (parts) => readAgain(parts.map(sourceAt), options),
        onPages: async (batch) => {
          stage ??= await PageStage.create(stageFile);
          await stage.append(batch.map((page) => trimText(page, options.text)));
        },
      },
      context,
    );
    stage?.close();
    const earlier = read.continues === undefined ? undefined : sourceAt(read.continues).name;
    const isSameAgain = read.continues !== undefined && read.records === 0 && read.damage.length === 0;
    // What came through a pipe can be looked at only once: it is known by its end, after it was read.
    const piped = read.replaces.length > 0 ? [] : known.filter(({ resume }) => isDeepStrictEqual(resume, read.resume));
    const isPipedAnew = readAgain(piped, options).anew;
    const replaced = [...read.replaces.map(sourceAt), ...(isPipedAnew ? piped : [])];
    const isKnown = replaced.length === 0 && (isSameAgain || piped.length > 0);
    let newUrls = 0;
    let withoutBody = 0;
    if (!isKnown) {
      context.onProgress({ step: `storing ${name}`, done: read.sightings.urls.count, unit: "URLs" });
      const entry = {
        snapshot: options.snapshot,
        series: `${seriesOf(earlier ?? name)} (${read.format})`,
        name,
        format: read.format,
        compression: read.compression,
        bytes: read.bytes,
        lines: read.lines,
        records: read.records,
        ...(read.resume !== undefined && { resume: read.resume }),
        settings: { ...read.settings },
        damage: withoutText(read.damage),
      };
      const ids = replaced.map(({ id }) => id);
      ({ newUrls, withoutBody } = await addSource(workspace, entry, read.sightings, stage?.file, ids, context.signal));
    }
    return {
      name,
      format: read.format,
      compression: read.compression,
      outcome: isKnown
        ? "known"
        : replaced.length > 0
          ? "replaced"
          : read.continues === undefined
            ? "added"
            : "continued",
      ...(earlier !== undefined && earlier !== name && { continues: earlier }),
      lines: read.lines,
      records: read.records,
      skipped: read.skipped,
      damage: read.damage,
      urls: read.sightings.urls.count,
      newUrls,
      pages: stage?.count ?? 0,
      withoutBody,
      seconds: (performance.now() - startedMs) / 1000,
    };
  } catch (error) {
    if (!(error instanceof InterruptedError) || workspace.isInMemory) throw error;
    throw new InterruptedError(`${name} was not added; the same command goes on with it`);
  } finally {
    stage?.close();
    removeScratch(stageFile);
  }
}

/** As before where nothing else is asked for, and from the beginning where it is: one log is read in one way. */
function readAgain(parts: readonly KnownSource[], { format, logFormat, base, column, steps }: InputSettings): Again {
  const settings = parts[0]?.settings ?? {};
  const asked = {
    ...(format !== undefined && { format }),
    ...(logFormat !== undefined && { logFormat }),
    ...(base !== undefined && { base }),
    ...(column !== undefined && { column }),
    ...(steps !== undefined && { steps }),
  };
  const isOther = (part: KnownSource) => {
    const before = { steps: ALL_NORMALIZATION_STEPS, ...part.settings, format: part.format };
    return !isDeepStrictEqual(
      { ...before, ...asked, ...(format !== undefined && { format: logFormatName(format) }) },
      before,
    );
  };
  return { settings: { ...settings, ...asked }, anew: parts.some(isOther) };
}

/** For the workspace: a damaged line may hold what is never stored, such as a client's address. */
function withoutText(damage: readonly Damage[]): StoredDamage[] {
  return damage.map(({ reason, count, samples }) => ({
    reason,
    count,
    places: samples.map(({ file, position }) => placeOf(file, position)),
  }));
}

const COMPRESSED = /\.(?:gz|xz|zst|zstd|bz2)$/i;

export function trimText(page: PageRecord, keepText: boolean): PageRecord {
  if (page.text === undefined || (keepText && page.text.length <= MAX_TEXT_LENGTH)) return page;
  const { text, ...rest } = page;
  return keepText ? { ...rest, text: text.slice(0, MAX_TEXT_LENGTH) } : rest;
}

/**
 * The log that a file is a part of: rotation appends numbers, dates and the compression's suffix ("access.log.2.gz",
 * "access.log-20260101.xz", "access-2026-01-01.log"). Sizes are comparable within it.
 */
export function seriesOf(name: string): string {
  const base = path.basename(name).replace(COMPRESSED, "");
  return base.replace(/[._-]?(?:\d{4}-?\d{2}-?\d{2}(?:[T_-]?\d{2,6})?|\d{1,4})(?=\.[a-z]+$|$)/i, "");
}
