import type { RankedResult, RolledUpLine } from "../collections/rollup.js";
import { InterruptedError, UserError } from "../errors.js";
import type { JobContext, Rule } from "../model.js";
import { snippetOf, termsOf } from "../pages/terms.js";
import { hasCollections } from "../store/collections.js";
import type { SnapshotName } from "../store/downloads.js";
import { buildPostings, hasPostings, rankPages, readContents } from "../store/postings.js";
import { pageSnapshot } from "../store/web-graph.js";
import type { Workspace } from "../store/workspace.js";
import { ensureCollections, NothingToGrowError } from "./collections.js";
import { rollUpStored } from "./rollup.js";

export interface SearchOptions {
  /** Default: the last snapshot with pages. */
  readonly snapshot?: string;
  /** Lines to give, from the line `offset` on. Default 10, from 0. */
  readonly limit?: number;
  readonly offset?: number;
  /** Copies share a line. Default true. */
  readonly rollUp?: boolean;
  readonly rules?: readonly Rule[];
}

/** What a line shows of its page. */
export interface ShownPage {
  readonly title?: string;
  /** The line of the page with the most of the words. */
  readonly snippet: string;
}

export interface SearchResult {
  readonly snapshot: string;
  /** Pages with any of the words. */
  readonly matches: number;
  /** Lines that the best `MOST_HITS` of them make. */
  readonly total: number;
  /** False where copies have lines of their own: it was not asked for, or the pages have no links to grow from. */
  readonly isRolledUp: boolean;
  readonly lines: readonly (RolledUpLine & ShownPage)[];
}

/** Only so many of the best pages are rolled up: nobody leafs further. */
export const MOST_HITS = 1000;

/** Searches the pages of a snapshot by BM25, copies rolled up. Makes the index, and finds collections, where needed. */
export async function searchPages(
  workspace: Workspace,
  words: string,
  options: SearchOptions,
  context: JobContext,
): Promise<SearchResult> {
  const { limit = 10, offset = 0, rollUp = true, rules = [] } = options;
  const terms = new Set(termsOf(words));
  if (terms.size === 0) throw new UserError(`nothing to look for in ${JSON.stringify(words)}: expected words`);
  // One visit to the workspace where everything is there already.
  let isRolledUp = rollUp;
  for (;;) {
    const answer = await workspace.read(async (connection): Promise<SearchResult | Missing> => {
      const snapshot = await pageSnapshot(connection, options.snapshot);
      if (!(await hasPostings(connection, snapshot))) return { missing: "postings", snapshot };
      if (isRolledUp && !(await hasCollections(connection, snapshot))) return { missing: "collections", snapshot };
      const { hits, matches } = await rankPages(connection, snapshot, words, MOST_HITS);
      const all = isRolledUp
        ? await rollUpStored(connection, snapshot, hits, rules)
        : hits.map((hit: RankedResult, at): RolledUpLine => ({ ...hit, rank: at + 1 }));
      const shown = all.slice(offset, offset + limit);
      const contents = await readContents(
        connection,
        snapshot,
        shown.map(({ url }) => url),
      );
      const lines = shown.map((line) => {
        const { title, text } = contents.get(line.url)!;
        return { ...line, ...(title !== undefined && { title }), snippet: snippetOf(text, terms) };
      });
      return { snapshot: snapshot.name, matches, total: all.length, isRolledUp, lines };
    });
    if (!("missing" in answer)) return answer;
    if (answer.missing === "postings") await index(workspace, answer.snapshot, context);
    else isRolledUp = await canRollUp(ensureCollections(workspace, answer.snapshot, rules, context));
  }
}

/** What has to be made before the search can go on. */
interface Missing {
  readonly missing: "postings" | "collections";
  readonly snapshot: SnapshotName;
}

async function index(workspace: Workspace, snapshot: SnapshotName, context: JobContext): Promise<void> {
  const { pages } = await buildPostings(workspace, snapshot, (done) => {
    if (context.signal.aborted) throw new InterruptedError("the search index was not stored");
    context.onProgress({ step: "indexing", done, unit: "pages" });
  });
  if (pages === 0) {
    throw new UserError(`no page of snapshot "${snapshot.name}" has text to search; add them without --no-text`);
  }
}

/** Pages without links to each other can be searched all the same. */
async function canRollUp(found: Promise<void>): Promise<boolean> {
  try {
    await found;
    return true;
  } catch (error) {
    if (error instanceof NothingToGrowError) return false;
    throw error;
  }
}
