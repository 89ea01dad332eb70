/** `contains`: pages that are a part of another page. Nothing is merged by it. */
import type { ContainedPage, ContainsResult } from "../documents.js";
import type { JobContext } from "../model.js";
import { type ContainedPair, findContained, patternOf } from "../pages/contains.js";
import { drive, pause } from "../progress.js";
import { storeAnalysis } from "../store/analyses.js";
import { writeParts } from "../store/copies/parts.js";
import { outputFormat } from "../store/output-format.js";
import { readSketchedPages, readTexts, type SketchedPages } from "../store/pages/sketched-pages.js";
import { listSketchedSnapshots, type SnapshotName } from "../store/pages/snapshots.js";
import type { Workspace } from "../store/workspace.js";
import { shinglesOf, wordsOf } from "../validate/looks/align-words.js";

export interface ContainsJobOptions {
  /** Of the smaller page, this much must be in the other. */
  readonly share: number;
  /** Default: the last one with pages. */
  readonly snapshot?: string;
  /** Also write the pairs to this file: .parquet, .csv or .jsonl. */
  readonly output?: string;
}

export const containsDefaults = { share: 0.9 } as const satisfies ContainsJobOptions;

const REMAINDER = "nothing was kept";
/** What the workspace keeps for the report. */
const MOST_KEPT = 1000;
/** Texts in memory at a time. */
const TEXTS_AT_ONCE = 2000;

export async function findParts(
  workspace: Workspace,
  options: ContainsJobOptions,
  context: JobContext,
): Promise<ContainsResult> {
  const { output } = options;
  const format = output === undefined ? undefined : outputFormat(output);
  const names = options.snapshot === undefined ? undefined : [options.snapshot];
  const snapshot = (await listSketchedSnapshots(workspace, names)).at(-1)!;
  context.onProgress({ step: "reading sketches", done: 0, unit: "pages" });
  const pages = await readSketchedPages(workspace, snapshot);
  await pause(context, REMAINDER);
  const candidates = await drive(findContained(pages, options.share, true), context, REMAINDER);
  const pairs = await confirm(workspace, pages, candidates.pairs, options.share, context);
  const result: ContainsResult = {
    snapshot: snapshot.name,
    pages: pages.count,
    share: options.share,
    parts: new Set(pairs.map(({ part }) => part)).size,
    pairs,
    patterns: patternsOf(pairs),
  };
  await keep(workspace, snapshot, options, result);
  if (output !== undefined) await workspace.read((connection) => writeParts(connection, pairs, output, format!));
  return result;
}

async function keep(
  workspace: Workspace,
  snapshot: SnapshotName,
  { share }: ContainsJobOptions,
  result: ContainsResult,
): Promise<void> {
  const kept = {
    ...result,
    pairs: result.pairs.slice(0, MOST_KEPT),
    patterns: result.patterns.slice(0, MOST_KEPT),
  };
  await workspace.write((connection) => storeAnalysis(connection, "contains", snapshot.id, { share }, kept));
}

/** Pairs counted exactly where both texts are kept; the others by the estimate alone. */
async function confirm(
  workspace: Workspace,
  pages: SketchedPages,
  candidates: readonly ContainedPair[],
  share: number,
  context: JobContext,
): Promise<ContainedPage[]> {
  const common = await commonShingles(workspace, pages);
  const found: ContainedPage[] = [];
  for (let from = 0; from < candidates.length; from += TEXTS_AT_ONCE / 2) {
    const some = candidates.slice(from, from + TEXTS_AT_ONCE / 2);
    const rows = new Set(some.flatMap(({ part, whole }) => [pages.rows[part]!, pages.rows[whole]!]));
    const texts = await readTexts(workspace, [...rows]);
    const shingles = new Map<number, Set<string>>();
    const ownShingles = (page: number): Set<string> | undefined => {
      const text = texts.get(pages.rows[page]!);
      if (text === undefined) return undefined;
      const known = shingles.get(page) ?? distinctive(text, common);
      shingles.set(page, known);
      return known;
    };
    for (const [at, { part, whole, containment: estimate }] of some.entries()) {
      if (at % PAUSE_EVERY === 0) {
        context.onProgress({
          step: "comparing texts",
          done: from + at,
          total: candidates.length,
          unit: "pairs",
        });
        await pause(context, REMAINDER);
      }
      const [small, large] = [ownShingles(part), ownShingles(whole)];
      const isExact = small !== undefined && large !== undefined;
      if (isExact && small.size < LEAST_SHINGLES) continue;
      const containment = isExact ? shareOf(small, large) : estimate;
      if (containment < share) continue;
      found.push({
        part: pages.urls[part]!,
        whole: pages.urls[whole]!,
        partWords: pages.words[part]!,
        wholeWords: pages.words[whole]!,
        containment,
        isExact,
      });
    }
  }
  return found;
}

const PAUSE_EVERY = 50;
/** A page with less of its own is part of anything. */
const LEAST_SHINGLES = 20;
/** Pages that tell what most pages have: menus and footers. */
const SAMPLE_PAGES = 200;
const COMMON_SHARE = 0.25;

async function commonShingles(workspace: Workspace, pages: SketchedPages): Promise<Set<string>> {
  const step = Math.max(1, Math.floor(pages.count / SAMPLE_PAGES));
  const drawn = [...pages.rows].filter((_, i) => i % step === 0).slice(0, SAMPLE_PAGES);
  const texts = await readTexts(workspace, drawn);
  const counts = new Map<string, number>();
  for (const text of texts.values()) {
    for (const shingle of new Set(shinglesOf(wordsOf(text)))) counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  const most = Math.max(3, COMMON_SHARE * texts.size);
  return new Set([...counts].filter(([, count]) => count > most).map(([shingle]) => shingle));
}

function distinctive(text: string, common: ReadonlySet<string>): Set<string> {
  return new Set(shinglesOf(wordsOf(text)).filter((shingle) => !common.has(shingle)));
}

function shareOf(small: ReadonlySet<string>, large: ReadonlySet<string>): number {
  let inBoth = 0;
  for (const shingle of small) if (large.has(shingle)) inBoth++;
  return inBoth / small.size;
}

function patternsOf(pairs: readonly ContainedPage[]): ContainsResult["patterns"] {
  const byPattern = new Map<string, { part: string; whole: string; pairs: number; example: ContainedPage }>();
  for (const pair of pairs) {
    const pattern = patternOf(pair.part, pair.whole);
    const key = `${pattern.part} ${pattern.whole}`;
    const known = byPattern.get(key);
    if (known === undefined) byPattern.set(key, { ...pattern, pairs: 1, example: pair });
    else known.pairs++;
  }
  return [...byPattern.values()]
    .sort((a, b) => b.pairs - a.pairs || (a.part < b.part ? -1 : 1))
    .map(({ example: { part, whole }, ...pattern }) => ({ ...pattern, example: { part, whole } }));
}
