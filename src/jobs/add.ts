import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Damage, placeOf } from "../input/damage.js";
import { expandInputs } from "../input/expand.js";
import { type ReadOptions, readSource } from "../input/read-source.js";
import type { JobContext, PageRecord } from "../model.js";
import { PageStage, removeStage } from "../store/page-stage.js";
import { addSource, knownSources, type StoredDamage } from "../store/sources.js";
import type { Workspace } from "../store/workspace.js";
import { maxTextLength } from "./answered-page.js";

export interface AddOptions extends Pick<ReadOptions, "format" | "logFormat" | "base" | "steps" | "strict"> {
  readonly snapshot: string;
  /** Keep the pages' text; their sketches and links are kept in any case. */
  readonly text: boolean;
}

/** What became of one input. */
export interface AddedInput {
  readonly name: string;
  readonly format: string;
  readonly compression: string;
  /** "added"; "continued" where a known log has grown; "known" where nothing of it is new. */
  readonly outcome: "added" | "continued" | "known";
  /** The known input that it goes on from, where it had another name. */
  readonly continues?: string;
  readonly lines: number;
  readonly records: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly damage: readonly Damage[];
  readonly urls: number;
  readonly newUrls: number;
  readonly pages: number;
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
  for (const name of expandInputs(inputs)) {
    const result = await addInput(workspace, name, options, context);
    added.push(result);
    onAdded(result);
  }
  return added;
}

async function addInput(
  workspace: Workspace,
  name: string,
  options: AddOptions,
  context: JobContext,
): Promise<AddedInput> {
  const startedMs = performance.now();
  const known = await knownSources(workspace, options.snapshot);
  const stageFile = stagePath(workspace);
  let stage: PageStage | undefined;
  try {
    const read = await readSource(
      name,
      {
        ...options,
        known: known.map(({ resume }) => resume),
        onPages: async (batch) => {
          stage ??= await PageStage.create(stageFile);
          await stage.append(batch.map((page) => trimText(page, options.text)));
        },
      },
      context,
    );
    stage?.close();
    const earlier = known.find(({ resume }) => resume === read.continues)?.name;
    const isSameAgain = read.continues !== undefined && read.records === 0 && read.damage.length === 0;
    // What came through a pipe can be looked at only once: it is known by its end, after it was read.
    const isKnown = isSameAgain || known.some(({ resume }) => isDeepStrictEqual(resume, read.resume));
    let newUrls = 0;
    if (!isKnown) {
      context.onProgress({ step: `storing ${name}`, done: read.sightings.urls.count, unit: "URLs" });
      const { format, logFormat, base, steps } = options;
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
        settings: { format, logFormat, base, steps },
        damage: withoutText(read.damage),
      };
      ({ newUrls } = await addSource(workspace, entry, read.sightings, stage?.file));
    }
    return {
      name,
      format: read.format,
      compression: read.compression,
      outcome: isKnown ? "known" : read.continues === undefined ? "added" : "continued",
      ...(earlier !== undefined && earlier !== name && { continues: earlier }),
      lines: read.lines,
      records: read.records,
      skipped: read.skipped,
      damage: read.damage,
      urls: read.sightings.urls.count,
      newUrls,
      pages: stage?.count ?? 0,
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    stage?.close();
    removeStage(stageFile);
  }
}

/** For the workspace: a damaged line may hold what is never stored, such as a client's address. */
function withoutText(damage: readonly Damage[]): StoredDamage[] {
  return damage.map(({ reason, count, samples }) => ({
    reason,
    count,
    places: samples.map(({ file, position }) => placeOf(file, position)),
  }));
}

export function trimText(page: PageRecord, keepText: boolean): PageRecord {
  if (page.text === undefined || (keepText && page.text.length <= maxTextLength)) return page;
  const { text, ...rest } = page;
  return keepText ? { ...rest, text: text.slice(0, maxTextLength) } : rest;
}

/** Beside the workspace, so that both are on one disk; one process adds one input at a time. */
export function stagePath({ file }: Workspace): string {
  if (file !== ":memory:") return `${file}.stage-${process.pid}`;
  const unique = createHash("sha256").update(`${process.pid} ${performance.now()}`).digest("hex").slice(0, 12);
  return path.join(tmpdir(), `dustpan-${unique}.stage`);
}

/**
 * The log that a file is a part of: rotation appends numbers, dates and the compression's suffix ("access.log.2.gz",
 * "access.log-20260101.xz", "access-2026-01-01.log"). Sizes are comparable within it.
 */
export function seriesOf(name: string): string {
  const base = path.basename(name).replace(/\.(?:gz|xz|zst|zstd|bz2)$/i, "");
  return base.replace(/[._-]?(?:\d{4}-?\d{2}-?\d{2}(?:[T_-]?\d{2,6})?|\d{1,4})(?=\.[a-z]+$|$)/i, "");
}
