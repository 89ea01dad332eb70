/** `rollup`: results of any search engine, rolled up by the workspace's copies. */
import { asTheyAre, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import {
  type Group,
  groupResults,
  type LineOrder,
  type RankedResult,
  type RolledUpLine,
} from "../collections/rollup.js";
import { DataError } from "../errors.js";
import { readWhole, type StandardInput } from "../input/open.js";
import type { JobContext, Rule } from "../model.js";
import { readPlaces } from "../store/copies/collections.js";
import { orderByCopies } from "../store/copies/copy-counts.js";
import { describeGroups } from "../store/copies/result-lines.js";
import { pageSnapshot } from "../store/copies/web-graph.js";
import type { Workspace } from "../store/workspace.js";
import { normalize } from "../url/normalize.js";
import { ensureCollections } from "./collections.js";

export interface RollUpOptions {
  /** Default: the last snapshot with pages. */
  readonly snapshot?: string;
  /** For URLs that the workspace does not know: the page that they are canonically. */
  readonly rules?: readonly Rule[];
  /** Default: "rank". */
  readonly by?: LineOrder;
}

/** Ranked results of any search engine, rolled up by the collections in the workspace. Further fields are kept. */
export async function rollUpResults<R extends RankedResult>(
  workspace: Workspace,
  results: readonly R[],
  options: RollUpOptions,
  context: JobContext,
): Promise<RolledUpLine<R>[]> {
  const snapshot = await workspace.read((connection) => pageSnapshot(connection, options.snapshot));
  const rules = options.rules ?? [];
  await ensureCollections(workspace, snapshot, rules, context);
  const canon = compile(rulesInUse(rules).rules, { use: asTheyAre });
  const spellings = results.map(({ url }) => {
    const normal = normalize(url).url;
    return [...new Set([url, normal, canon(normal)])];
  });
  return workspace.read(async (connection) => {
    const places = await readPlaces(connection, snapshot, spellings);
    const placeOf = new Map(results.map((result, at) => [result, places[at]]));
    const groups = groupResults(results, (result) => placeOf.get(result));
    const ordered = options.by === "copies" ? await orderByCopies<R, Group<R>>(connection, snapshot, groups) : groups;
    return describeGroups(connection, snapshot, ordered);
  });
}

/** Results as JSON lines, best first. */
export async function readResults(name: string, standardInput?: StandardInput): Promise<RankedResult[]> {
  const text = (await readWhole(name, standardInput)).toString("utf8");
  return text.split("\n").flatMap((line, at) => (line.trim() === "" ? [] : [parseResult(line, `${name}:${at + 1}`)]));
}

function parseResult(line: string, place: string): RankedResult {
  let found: Partial<Record<string, unknown>> | null;
  try {
    found = JSON.parse(line);
  } catch (error) {
    throw new DataError(`no JSON: ${error instanceof Error ? error.message : String(error)}`, place);
  }
  if (typeof found?.url !== "string") {
    throw new DataError(
      `expected an object with "url" and "score", such as {"url": "http://...", "score": 1.5}`,
      place,
    );
  }
  if (typeof found.score !== "number") {
    throw new DataError(`"score" is ${JSON.stringify(found.score)}: expected a number`, place);
  }
  return { ...found, url: found.url, score: found.score };
}
