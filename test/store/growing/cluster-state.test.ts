import { readFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InterruptedError } from "#src/errors.js";
import type { Progress } from "#src/model.js";
import { compareClusterMaps, readChanges } from "#src/store/copies/cluster-changes.js";
import { ClusterState } from "#src/store/growing/cluster-state.js";
import { RUN_DOCUMENTS } from "#src/store/growing/value-index.js";
import { context, inFolder, sql } from "../../jobs/near-duplicates.js";

interface Document {
  readonly url: string;
  readonly values: readonly number[];
}

/** Sketch files with just what clustering needs. */
async function writeSketches(file: string, documents: readonly Document[]): Promise<void> {
  const rows = documents.map(
    ({ url, values }) => `('${url}', ${values.map((value) => `${value}::UBIGINT`).join(", ")})`,
  );
  const empty = "SELECT '' AS url, 0::UBIGINT, 0::UBIGINT, 0::UBIGINT, 0::UBIGINT, 0::UBIGINT, 0::UBIGINT LIMIT 0";
  const table = rows.length === 0 ? empty : `VALUES ${rows.join(", ")}`;
  await sql(`COPY (SELECT * FROM (${table}) t(url, s0, s1, s2, s3, s4, s5)) TO '${file}' (FORMAT parquet)`);
}

/** All pairs, roots are the first documents. */
function oracle(documents: readonly Document[], least: number): { url: string; root: string; size: number }[] {
  const root = documents.map((_, at) => at);
  documents.forEach((a, i) => {
    documents.slice(0, i).forEach((b, j) => {
      if (a.values.filter((value, s) => value === b.values[s]).length < least) return;
      const [low, high] = [Math.min(root[i]!, root[j]!), Math.max(root[i]!, root[j]!)];
      root.forEach((of, at) => {
        if (of === high) root[at] = low;
      });
    });
  });
  return documents.map(({ url }, at) => ({
    url,
    root: documents[root[at]!]!.url,
    size: root.filter((of) => of === root[at]).length,
  }));
}

type Clusters = ReturnType<typeof oracle>;

/** Every cluster of two pages and more that is not what it was, from the pages of each. */
function changesOracle(before: Clusters, after: Clusters): string[] {
  const clusters = (map: Clusters) => {
    const pages = new Map<string, Set<string>>();
    for (const { url, root, size } of map) if (size > 1) pages.set(root, (pages.get(root) ?? new Set()).add(url));
    return [...pages];
  };
  const [olds, news] = [clusters(before), clusters(after)];
  const shared = (a: Set<string>, b: Set<string>) => [...a].filter((url) => b.has(url)).length;
  const row = (fate: string, root: string, was: number, is: number, parts: number) =>
    JSON.stringify({ fate, root, before: was, after: is, parts: Math.max(1, parts) });
  const rows: string[] = [];
  for (const [root, pages] of news) {
    const from = olds.filter(([, old]) => shared(old, pages) > 0);
    const came = pages.size - from.reduce((sum, [, old]) => sum + shared(old, pages), 0);
    const largest = Math.max(0, ...from.map(([, old]) => old.size));
    const fate = from.length === 0 ? "born" : from.length > 1 ? "merged" : came > 0 ? "grown" : undefined;
    if (fate !== undefined) rows.push(row(fate, root, largest, pages.size, from.length));
  }
  for (const [root, pages] of olds) {
    const into = news.map(([, now]) => shared(now, pages)).filter((some) => some > 0);
    const left = pages.size - into.reduce((sum, some) => sum + some, 0);
    const fate = into.length === 0 ? "gone" : into.length > 1 ? "split" : left > 0 ? "shrunk" : undefined;
    if (fate !== undefined) rows.push(row(fate, root, pages.size, Math.max(0, ...into), into.length));
  }
  return rows.sort();
}

const document = fc.array(fc.nat(3), { minLength: 6, maxLength: 6 });
/** Two documents alike, then a third that joins them: something to grow in every run. */
const GROWING = [
  [
    [0, 0, 0, 0, 0, 0],
    [0, 0, 1, 1, 1, 1],
  ],
  [[0, 0, 2, 2, 2, 2]],
];
const batches = fc.array(fc.array(document, { maxLength: 7 }), { minLength: 1, maxLength: 4 });

describe("clusters that grow", () => {
  it("are those of one run over all documents, whatever comes when", async () => {
    await inFolder(async (folder) => {
      let run = 0;
      const seen = { merged: 0, grown: 0, changed: 0 };
      await fc.assert(
        fc.asyncProperty(
          batches,
          fc.constantFrom("similar", "identical"),
          fc.boolean(),
          async (given, level, again) => {
            run++;
            const state = await ClusterState.open(path.join(folder, `${run}.duckdb`), level);
            const all: Document[] = [];
            const files: string[] = [];
            try {
              for (const [number, batch] of given.entries()) {
                const added = batch.map((values, at) => ({ url: `http://a.test/${run}/${number}-${at}`, values }));
                // A page that is there already comes with another sketch.
                const changed =
                  again && number === 1 && all[0] !== undefined ? [{ ...all[0], values: [9, 9, 9, 9, 0, 1] }] : [];
                const file = path.join(folder, `${run}-${number}.parquet`);
                await writeSketches(file, [...added, ...changed]);
                const before = oracle(all, level === "similar" ? 2 : 6);
                const found = await state.add([file], context);
                if (changed.length > 0) all[0] = changed[0]!;
                all.push(...added);
                files.push(file);
                const expected = oracle(all, level === "similar" ? 2 : 6);
                const output = path.join(folder, `${run}-map.parquet`);
                await state.writeMap(output, "parquet");
                expect(await sql(`SELECT url, root, size::INTEGER AS size FROM '${output}'`)).toEqual(expected);
                const told = path.join(folder, `${run}-changes.jsonl`);
                await state.writeChanges(told, "json");
                const lines = readFileSync(told, "utf8")
                  .split("\n")
                  .filter((line) => line !== "");
                expect(lines.sort()).toEqual(changesOracle(before, expected));
                const clustered = expected.filter(({ size }) => size > 1);
                expect(found).toMatchObject({
                  ...{ before: before.length, added: added.length, known: 0, changed: changed.length },
                  ...{ clustered: clustered.length, clusters: new Set(clustered.map(({ root }) => root)).size },
                });
                seen.changed += changed.length;
                seen.merged += found.changes.counts.merged;
                seen.grown += found.changes.counts.grown;
                // Sending the same again changes nothing.
                const same = await state.add([file], context);
                expect(same).toMatchObject({ added: 0, changed: 0, known: added.length + changed.length });
                expect(Object.entries(same.changes.counts).filter(([fate, n]) => fate !== "same" && n > 0)).toEqual([]);
              }
            } finally {
              await state.close();
            }
          },
        ),
        { numRuns: 6, examples: [[GROWING, "similar", true]] },
      );
      expect(seen.grown + seen.merged + seen.changed).toBeGreaterThan(0);
    });
  }, 60_000);

  it("are those of one run, too, where there are more documents than are kept in order at a time", async () => {
    await inFolder(async (folder) => {
      // Every third document has the value of another one in two columns; the rest are alone.
      const write = (name: string, from: number, to: number) =>
        sql(
          `COPY (SELECT 'http://a.test/' || i AS url, ${[0, 1, 2, 3, 4, 5]
            .map((s) => `hash(CASE WHEN i % 3 = 0 AND ${s} IN (i % 5, 5) THEN i % 40_000 ELSE i END, ${s}) AS s${s}`)
            .join(", ")} FROM range(${from}, ${to}) t(i)) TO '${path.join(folder, name)}' (FORMAT parquet)`,
        );
      const parts = [0, RUN_DOCUMENTS - 10, RUN_DOCUMENTS + 5, RUN_DOCUMENTS + 2000];
      const files = parts.slice(1).map((_, at) => path.join(folder, `${at}.parquet`));
      for (const [at, to] of parts.slice(1).entries()) await write(`${at}.parquet`, parts[at]!, to);
      const grown = path.join(folder, "grown.parquet");
      // Opened anew for each: what is kept in order is read from its file.
      for (const file of files) {
        const state = await ClusterState.open(path.join(folder, "state.duckdb"), "similar");
        await state.add([file], context);
        await state.writeMap(grown, "parquet");
        await state.close();
      }
      const state = await ClusterState.open(path.join(folder, "at-once.duckdb"), "similar");
      await state.add(files, context);
      const atOnce = path.join(folder, "at-once.parquet");
      await state.writeMap(atOnce, "parquet");
      await state.close();
      const [{ different, clustered }] = (await sql(
        `SELECT count(*) FILTER (a.root <> b.root OR a.size <> b.size)::INTEGER AS different, count(*) FILTER (a.size > 1)::INTEGER AS clustered
         FROM '${grown}' a JOIN '${atOnce}' b USING (url)`,
      )) as [{ different: number; clustered: number }];
      expect(different).toBe(0);
      expect(clustered).toBeGreaterThan(20_000);
      const [{ late }] = (await sql(
        `SELECT count(*)::INTEGER AS late FROM '${grown}' WHERE size > 1 AND root <> url AND split_part(url, '/', 4)::INTEGER >= ${parts[2]}`,
      )) as [{ late: number }];
      expect(late).toBeGreaterThan(100);
    });
  }, 120_000);

  it("stay as they were where the work is cancelled while old documents are read", async () => {
    await inFolder(async (folder) => {
      const state = await ClusterState.open(path.join(folder, "state.duckdb"), "similar");
      const files = ["old", "new"].map((name) => path.join(folder, `${name}.parquet`));
      await writeSketches(files[0]!, [{ url: "http://a.test/1", values: [1, 1, 1, 1, 1, 1] }]);
      await writeSketches(files[1]!, [{ url: "http://a.test/2", values: [1, 1, 2, 2, 2, 2] }]);
      await state.add([files[0]!], context);
      const stop = new AbortController();
      const onProgress = ({ step }: Progress) => {
        if (step === "comparing with old documents") stop.abort();
      };
      await expect(state.add([files[1]!], { onProgress, signal: stop.signal })).rejects.toThrow(InterruptedError);
      expect(await state.add([files[1]!], context)).toMatchObject({ before: 1, added: 1, clustered: 2 });
      await state.close();
    });
  });

  it("say what they are not", async () => {
    await inFolder(async (folder) => {
      const file = path.join(folder, "state.duckdb");
      await (await ClusterState.open(file, "similar")).close();
      await expect(ClusterState.open(file, "identical")).rejects.toThrow(/level similar: name another file/);
    });
  });
});

describe("what changed between two runs", () => {
  it("is told for each cluster", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const map = (clusters: Readonly<Record<string, string>>) =>
      `(VALUES ${Object.entries(clusters)
        .flatMap(([root, pages]) => [...pages].map((page) => `('${page}', '${root}', ${pages.length})`))
        .join(", ")}) t(url, root, size)`;
    const same = await compareClusterMaps(
      connection,
      map({ a: "abc", d: "de", f: "fghi", k: "klm", o: "op", q: "qr", s: "stu" }),
      map({ a: "abcx", d: "defg", h: "hi", k: "kl", y: "yz", q: "qr", s: "stu" }),
    );
    const { counts, largest } = await readChanges(connection, same);
    expect(counts).toEqual({ born: 1, grown: 1, merged: 1, shrunk: 1, split: 1, gone: 1, same: 2 });
    expect(largest).toContainEqual({ fate: "merged", root: "d", before: expect.any(Number), after: 4, parts: 2 });
    expect(largest).toContainEqual({ fate: "split", root: "f", before: 4, after: 2, parts: 2 });
    expect(largest).toContainEqual({ fate: "gone", root: "o", before: 2, after: 0, parts: 1 });
    expect(largest).toContainEqual({ fate: "shrunk", root: "k", before: 3, after: 2, parts: 1 });
    connection.closeSync();
    instance.closeSync();
  });
});
