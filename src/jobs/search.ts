/** `search`: ranked pages of a snapshot, copies rolled up. */

import { type Group, groupResults, type LineOrder, type RolledUpLine } from "../collections/rollup.js";
import { UserError } from "../errors.js";
import type { JobContext, Rule } from "../model.js";
import { snippetOf, termsOf } from "../pages/terms.js";
import { stopIfAborted } from "../progress.js";
import { cutPage, type Key, readKey, writeKey } from "../store/browse/page.js";
import { hasCollections } from "../store/copies/collections.js";
import { orderByCopies } from "../store/copies/copy-counts.js";
import { describeGroups } from "../store/copies/result-lines.js";
import { pageSnapshot } from "../store/copies/web-graph.js";
import { buildPostings } from "../store/pages/build-postings.js";
import { type FoundPage, hasPostings, rankPages, readContents } from "../store/pages/postings.js";
import type { SnapshotName } from "../store/pages/snapshots.js";
import type { Workspace } from "../store/workspace.js";

export interface SearchOptions {
  /** Default: the last snapshot with pages. */
  readonly snapshot?: string;
  /** Lines to give. Default 10. */
  readonly limit?: number;
  /** Goes on after the line that this is the `next` of. */
  readonly after?: string;
  /** Copies share a line. Default true. */
  readonly rollUp?: boolean;
  readonly rules?: readonly Rule[];
  /** Default: "rank", the best match first. */
  readonly by?: LineOrder;
}

type Hit = Omit<FoundPage, "place">;

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
  readonly lines: readonly (RolledUpLine<Hit> & ShownPage)[];
  /** To go on after the last line; absent where that was the last. */
  readonly next?: string;
}

/**
 * Only this many of the best pages are rolled up: nobody reads further. All of them are ranked for every page of lines, since
 * what is on a line depends on all hits before it; what is shown of the lines is read for those on the page alone.
 */
export const MOST_HITS = 1000;

/** Searches the pages of a snapshot by BM25, copies rolled up. Makes the index, and finds collections, where needed. */
export async function searchPages(
  workspace: Workspace,
  words: string,
  options: SearchOptions,
  context: JobContext,
): Promise<SearchResult> {
  const { limit = 10, after, rollUp = true, rules = [], by = "rank" } = options;
  const terms = new Set(termsOf(words));
  if (terms.size === 0) throw new UserError(`nothing to look for in ${JSON.stringify(words)}: expected words`);
  const cursor = after === undefined ? undefined : readKey(after);
  // One visit to the workspace where everything is there already.
  let isRolledUp = rollUp;
  for (;;) {
    const answer = await workspace.read(async (connection): Promise<SearchResult | Missing> => {
      const snapshot = await pageSnapshot(connection, options.snapshot);
      if (!(await hasPostings(connection, snapshot))) return { missing: "postings", snapshot };
      if (isRolledUp && !(await hasCollections(connection, snapshot))) return { missing: "collections", snapshot };
      const { hits, matches } = await rankPages(connection, snapshot, words, MOST_HITS, isRolledUp);
      const placeOf = new Map(hits.map(({ url, place }) => [url, place]));
      const ranked = groupResults(
        hits.map(({ place: _, ...hit }) => hit),
        ({ url }) => placeOf.get(url),
      );
      const groups = by === "copies" ? await orderByCopies<Hit, Group<Hit>>(connection, snapshot, ranked) : ranked;
      const start = cursor === undefined ? 0 : startAfter(groups, cursor);
      const { rows: shown, next } = cutPage(groups.slice(start), limit, ({ hit }) => writeKey([hit.score, hit.id]));
      const contents = await readContents(
        connection,
        snapshot,
        shown.map(({ hit }) => hit.id),
      );
      const lines = (await describeGroups(connection, snapshot, shown)).map((line) => {
        const { title, text } = contents.get(line.id)!;
        return { ...line, ...(title !== undefined && { title }), snippet: snippetOf(text, terms) };
      });
      return {
        ...{ snapshot: snapshot.name, matches, total: groups.length, isRolledUp, lines },
        ...(next !== undefined && { next }),
      };
    });
    if (!("missing" in answer)) return answer;
    if (answer.missing === "postings") await index(workspace, answer.snapshot, context);
    else isRolledUp = await findCollections(workspace, answer.snapshot, rules, context);
  }
}

/** After the line with that page; where pages were added or taken since, after those with as good a score. */
function startAfter(
  groups: readonly { readonly hit: { readonly score: number; readonly id: number } }[],
  [score, id]: Key,
): number {
  const line = groups.findIndex(({ hit }) => hit.id === id);
  if (line >= 0) return line + 1;
  const worse = groups.findIndex(({ hit }) => hit.score < score);
  return worse < 0 ? groups.length : worse;
}

/** What has to be made before the search can go on. */
interface Missing {
  readonly missing: "postings" | "collections";
  readonly snapshot: SnapshotName;
}

async function index(workspace: Workspace, snapshot: SnapshotName, context: JobContext): Promise<void> {
  const { pages } = await buildPostings(workspace, snapshot, (done, total) => {
    stopIfAborted(context, "the search index was not stored");
    context.onProgress({ step: "indexing", done, total, unit: "pages" });
  });
  if (pages === 0) {
    throw new UserError(`no page of snapshot "${snapshot.name}" has text to search; add them without --no-text`);
  }
}

/**
 * False where the pages have no links to grow from: they can be searched anyway. Loaded here because most searches
 * find the collections there, and loading what makes them takes a quarter of such a command.
 */
async function findCollections(
  workspace: Workspace,
  snapshot: SnapshotName,
  rules: readonly Rule[],
  context: JobContext,
): Promise<boolean> {
  const { ensureCollections, NothingToGrowError } = await import("./collections.js");
  try {
    await ensureCollections(workspace, snapshot, rules, context);
    return true;
  } catch (error) {
    if (error instanceof NothingToGrowError) return false;
    throw error;
  }
}
