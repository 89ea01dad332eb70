/** `sketch`: archives to sketch files that machines can share. */
import { existsSync, mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { UserError } from "../errors.js";
import type { Damage } from "../input/damage.js";
import { expandInputs } from "../input/expand.js";
import { type ReadOptions, readSource, type SourceResult } from "../input/read-source.js";
import type { JobContext, PageRecord } from "../model.js";
import { type SketchTextOptions, SUPERSHINGLES, sketchText, supershingles } from "../sketch/sketch.js";
import { PageStage } from "../store/pages/page-stage.js";
import { removeScratch, scratchBeside } from "../store/scratch.js";

export interface SketchOptions extends Pick<ReadOptions, "format" | "base" | "strict"> {
  /** Where the sketch files go; made if it is not there. */
  readonly folder: string;
  /** The paper's own functions, its words, other shingles: sketches to compare with each other only. */
  readonly making?: Omit<SketchTextOptions, "document">;
}

/** What became of one input. */
export interface SketchedInput {
  readonly name: string;
  readonly file: string;
  /** "known" where its sketch file was there already. */
  readonly outcome: "written" | "known";
  readonly format?: string;
  readonly bytes: number;
  /** Downloads, failed ones among them, and those of them with a sketch. */
  readonly pages: number;
  readonly sketches: number;
  readonly damage: readonly Damage[];
  readonly seconds: number;
}

/**
 * One Parquet file of sketches for each archive, so that several machines can share the work. A file appears under its
 * name only when it is complete: what was interrupted is done again, and what is there is left alone.
 */
export async function sketch(
  inputs: readonly string[],
  options: SketchOptions,
  onSketched: (sketched: SketchedInput) => void,
  context: JobContext,
): Promise<SketchedInput[]> {
  const names = expandInputs(inputs);
  const inputOf = new Map<string, string>();
  for (const name of names) {
    const file = sketchFileOf(name, options.folder);
    const other = inputOf.get(file);
    if (other !== undefined) throw new UserError(`${other} and ${name} would both become ${file}: sketch them apart`);
    inputOf.set(file, name);
  }
  mkdirSync(options.folder, { recursive: true });
  const results: SketchedInput[] = [];
  for (const [file, name] of inputOf) {
    const result = existsSync(file) ? knownFile(name, file) : await sketchInput(name, file, options, context);
    results.push(result);
    onSketched(result);
  }
  return results;
}

/** "crawl/part-07.warc.gz" becomes "DIR/part-07.warc.gz.sketches.parquet". */
function sketchFileOf(name: string, folder: string): string {
  return path.join(folder, `${name === "-" ? "stdin" : path.basename(name)}.sketches.parquet`);
}

function knownFile(name: string, file: string): SketchedInput {
  return { name, file, outcome: "known", bytes: 0, pages: 0, sketches: 0, damage: [], seconds: 0 };
}

async function sketchInput(
  name: string,
  file: string,
  { folder: _, making, ...options }: SketchOptions,
  context: JobContext,
): Promise<SketchedInput> {
  const startedMs = performance.now();
  const stageFile = scratchBeside(file);
  const partFile = scratchBeside(file);
  const stage = await PageStage.create(stageFile);
  try {
    const onPages = (batch: PageRecord[]) => stage.append(batch.map((page) => withoutText(sketchAs(page, making))));
    const read = await readPages(name, { ...options, onPages }, context);
    const { sketches } = await stage.writeSketchFile(partFile);
    renameSync(partFile, file);
    return {
      name,
      file,
      outcome: "written",
      format: read.format,
      bytes: read.bytes,
      pages: stage.count,
      sketches,
      damage: read.damage,
      seconds: (performance.now() - startedMs) / 1000,
    };
  } finally {
    stage.close();
    removeScratch(stageFile);
    removeScratch(partFile);
  }
}

async function readPages(name: string, options: ReadOptions, context: JobContext): Promise<SourceResult> {
  const read = await readSource(name, options, context);
  if (read.kind !== "crawl") {
    throw new UserError(`${name} is a log (${read.format}): sketches are made from pages, so from WARC archives`);
  }
  return read;
}

/**
 * Lines of URL, status and the six supershingles, separated by tabs, for a program that has each of its machines sketch a part
 * (docs/scale.md): in the order of the input, "\\N" where there is no sketch. Returns what was damaged.
 */
export async function sketchLines(
  inputs: readonly string[],
  { making, ...options }: Omit<SketchOptions, "folder">,
  write: (lines: string) => Promise<void>,
  context: JobContext,
): Promise<Damage[]> {
  const damage: Damage[] = [];
  const onPages = (batch: PageRecord[]) => write(batch.map((page) => sketchLine(sketchAs(page, making))).join(""));
  for (const name of expandInputs(inputs)) {
    damage.push(...(await readPages(name, { ...options, onPages }, context)).damage);
  }
  return damage;
}

function sketchLine({ url, status, sketch: made }: PageRecord): string {
  const values = made === undefined ? Array<string>(SUPERSHINGLES).fill("\\N") : [...supershingles(made)].map(String);
  return `${[inOneField(url), status, ...values].join("\t")}\n`;
}

/** A tab would begin another field, and a line break another line. */
function inOneField(url: string): string {
  return url.replace(/[\t\n\r]/g, encodeURIComponent);
}

/** The page with a sketch of another making, where its text is there. */
function sketchAs(page: PageRecord, making: SketchOptions["making"]): PageRecord {
  if (making === undefined || page.text === undefined || page.sketch === undefined) return page;
  const { checksum, lengthBytes } = page.sketch;
  const { sketch: _, ...rest } = page;
  const other = sketchText(page.text, making);
  return other === undefined ? rest : { ...rest, sketch: { ...other, checksum, lengthBytes } };
}

function withoutText({ text: _text, links: _links, ...page }: PageRecord): PageRecord {
  return page;
}
