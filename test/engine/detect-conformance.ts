import fc from "fast-check";
import { expect, it } from "vitest";
import { type PairOptions, pairSteps } from "#src/engine/detect.js";
import type { Row, SqlEngine } from "#src/engine/engine.js";
import { runSteps } from "#src/engine/run-steps.js";
import { detectLikelyPairs, readPair } from "#src/mine/detect.js";
import { quietly, type UrlList } from "#src/model.js";
import { compareCodePoints } from "#src/url/tokenize.js";
import { listArbitrary, optionsArbitrary, type RandomList } from "../mine/oracle/lists.js";
import { SEED } from "./seed.js";
import { type Cell, stage } from "./stage.js";

/** Many random lists at once, each a site of its own: an engine far away answers few questions a minute. */
const LISTS = 40;

export async function stageLists(engine: SqlEngine, lists: readonly RandomList[]): Promise<void> {
  const urls: Cell[][] = [];
  const sizes: Cell[][] = [];
  const captures: Cell[][] = [];
  lists.forEach(({ texts, list }, site) => {
    const first = urls.length;
    texts.forEach((text, i) => {
      urls.push([siteName(site), first + i, text]);
      eachSize(list, i, (row) => sizes.push([first + i, ...row]));
      eachCapture(list, i, (row) => captures.push([first + i, ...row]));
    });
  });
  await stage(engine, "urls", ["site VARCHAR", "id BIGINT", "url VARCHAR"], urls);
  await stage(engine, "sizes", ["id BIGINT", "source INT", "min_bytes DOUBLE", "max_bytes DOUBLE"], sizes);
  const values = ["v0 BIGINT", "v1 BIGINT", "v2 BIGINT", "v3 BIGINT"];
  await stage(engine, "captures", ["id BIGINT", "seq INT", "time_ms DOUBLE", "kind INT", ...values], captures);
}

export const siteName = (site: number) => `site-${String(site).padStart(3, "0")}.test`;

function eachSize({ sizes }: UrlList, i: number, visit: (row: Cell[]) => void): void {
  for (let at = sizes?.rows[i] ?? 0; sizes !== undefined && at < sizes.rows[i + 1]!; at++) {
    visit([sizes.source[at]!, sizes.minBytes[at]!, sizes.maxBytes[at]!]);
  }
}

function eachCapture({ sketches }: UrlList, i: number, visit: (row: Cell[]) => void): void {
  for (let at = sketches?.rows[i] ?? 0; sketches !== undefined && at < sketches.rows[i + 1]!; at++) {
    const time = sketches.timeMs[at]!;
    visit([at, Number.isNaN(time) ? null : time, sketches.kind[at]!, ...sketches.values.subarray(4 * at, 4 * at + 4)]);
  }
}

/** What local detection finds in a list whose first URL has this number, in the shape and order of the engine's table. */
export async function pairRows(site: string, first: number, list: UrlList, options: PairOptions): Promise<Row[]> {
  const pairs = await detectLikelyPairs(list, { ...options, threads: 1 }, quietly);
  const rows = Array.from({ length: pairs.count }, (_, i): Row => {
    const pair = readPair(pairs, i);
    return {
      site,
      alpha: pair.alpha,
      beta: pair.beta,
      at_start: pair.start,
      at_end: pair.end,
      support_low: pair.supportLow,
      support_high: pair.supportHigh,
      confirmed: pair.confirmed,
      example_alpha: first + pair.example[0],
      example_beta: first + pair.example[1],
    };
  });
  const text = (value: unknown) => String(value);
  return rows.sort(
    (a, b) =>
      compareCodePoints(text(a.alpha), text(b.alpha)) ||
      compareCodePoints(text(a.beta), text(b.beta)) ||
      Number(a.at_start) - Number(b.at_start) ||
      Number(a.at_end) - Number(b.at_end),
  );
}

export const pairQuery = "SELECT * FROM pair ORDER BY site, alpha, beta, at_start, at_end";

async function localPairs(lists: readonly RandomList[], options: PairOptions): Promise<Row[]> {
  const rows: Row[] = [];
  let first = 0;
  for (const [site, { list }] of lists.entries()) {
    rows.push(...(await pairRows(siteName(site), first, list, options)));
    first += list.urls.count;
  }
  return rows;
}

export function detectConformance(engine: () => SqlEngine, rounds: number): void {
  it("pairs with support: the same as local detection, by site, in UTF-8 byte order", async () => {
    let found = 0;
    const lists = fc.array(listArbitrary, { minLength: LISTS, maxLength: LISTS, size: "max" });
    await fc.assert(
      fc.asyncProperty(lists, optionsArbitrary, async (some, options) => {
        await stageLists(engine(), some);
        await runSteps(engine(), pairSteps(engine().dialect, options), ["pair"], quietly);
        const rows = await engine().rows("pair", pairQuery);
        const expected = await localPairs(some, options);
        found += expected.length;
        expect(rows).toEqual(expected);
      }),
      { numRuns: rounds, endOnFailure: true, seed: SEED },
    );
    expect(found).toBeGreaterThan(10 * rounds);
  });
}
