import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findComponents } from "#src/engine/components.js";
import { pairSteps } from "#src/engine/detect.js";
import { type Dialect, duckdbDialect, sparkDialect } from "#src/engine/dialect.js";
import { DuckdbEngine } from "#src/engine/duckdb-engine.js";
import type { SqlEngine, StepReport } from "#src/engine/engine.js";
import { printSteps, runSteps } from "#src/engine/run-steps.js";
import { parseSparkAddress } from "#src/engine/spark-address.js";
import { mineSteps } from "#src/jobs/engine/mine-engine.js";
import {
  clusterOperator,
  collectionsOperator,
  evolveOperator,
  mirrorsOperator,
} from "#src/jobs/engine/table-operators.js";
import { detectDefaults, detectLikelyPairs, readPair } from "#src/mine/detect.js";
import { quietly } from "#src/model.js";
import { stringColumn } from "../mine/oracle/lists.js";
import { pairQuery, pairRows, siteName, stageLists } from "./detect-conformance.js";
import { hashVectors } from "./hash-vectors.js";
import { SEED } from "./seed.js";
import { type Cell, stage } from "./stage.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-engine-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the DuckDB engine", () => {
  let engine: DuckdbEngine;
  beforeAll(async () => {
    engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 5, scratch: path.join(folder, "scratch") });
  });
  afterAll(() => engine.close());

  it("names the step and carries the SQL where a statement fails", async () => {
    const failing = engine.make({ name: "wrong", why: "", select: "SELECT no_such_column FROM range(3)" });
    await expect(failing).rejects.toMatchObject({ name: "EngineError", step: "step wrong" });
    await expect(failing).rejects.toHaveProperty("sql", expect.stringContaining("no_such_column"));
  });

  it("says in a sentence that a path is missing, that a result is too large", async () => {
    await expect(engine.view("nothing", path.join(folder, "nothing.parquet"))).rejects.toThrow(/no Parquet file at/);
    await expect(engine.rows("many", "SELECT * FROM range(6)")).rejects.toThrow(/more than 5 rows.*--limit-result/);
    expect(await engine.rows("few", "SELECT range AS n FROM range(5)")).toHaveLength(5);
  });

  it("says in a sentence that a step does not fit", async () => {
    const small = await DuckdbEngine.open({ memoryBytes: 2 ** 26, limitResult: 5 });
    const list = { name: "long_list", why: "", select: "SELECT list(range) AS all_of_them FROM range(20000000)" };
    await expect(small.make(list)).rejects.toMatchObject({
      name: "UserError",
      message: expect.stringMatching(/^step long_list does not fit in memory.*MiB used\): give it more by --memory$/),
    });
    await small.close();
  });

  it("refuses integers that are not exact numbers here", async () => {
    await expect(engine.rows("huge", "SELECT 9007199254740993 AS n")).rejects.toThrow(/exact/);
  });

  it("computes the one hash as TypeScript does", async () => {
    for (const [text, expected] of hashVectors) {
      const sql = `SELECT CAST(${duckdbDialect.hash(duckdbDialect.quote(text))} AS VARCHAR) AS h`;
      expect(await engine.rows("hash", sql)).toEqual([{ h: expected }]);
    }
  });

  it("is heard within a step when it is cancelled", async () => {
    const stop = new AbortController();
    const cancelled = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 5, signal: stop.signal });
    const working = cancelled.make({
      name: "long",
      why: "",
      select: "SELECT count(*) AS n FROM range(1000000000) a, range(1000) b",
    });
    setTimeout(() => stop.abort(), 50);
    await expect(working).rejects.toMatchObject({ name: "InterruptedError" });
    await cancelled.close();
  });
});

describe("kept steps", () => {
  it("are Parquet with a manifest; the same steps are not made again, and changed ones are", async () => {
    const steps = path.join(folder, "steps");
    const options = {
      maxTokens: 35,
      lowBucket: 6,
      highBucket: 11,
      minSupport: 1,
      likely: "none",
      sketchMatches: 4,
      plan: "ours",
    } as const;
    const run = async (minSupport: number, urls: readonly string[]) => {
      const engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 1000, stepsFolder: steps });
      const reports: StepReport[] = [];
      const file = path.join(folder, `${urls.length}`, "urls.parquet");
      if (existsSync(file)) await engine.view("urls", file);
      else {
        mkdirSync(path.dirname(file));
        const columns = ["site VARCHAR", "id BIGINT", "url VARCHAR"];
        await stage(
          engine,
          "urls",
          columns,
          urls.map((url, id) => ["x", id, url]),
          path.dirname(file),
        );
      }
      const plan = pairSteps(engine.dialect, { ...options, minSupport });
      await runSteps(engine, plan, ["pair"], quietly, (report) => reports.push(report));
      const rows = await engine.rows("pair", "SELECT count(*) AS n FROM pair");
      await engine.close();
      return { made: reports.filter(({ resumed }) => !resumed).map(({ step }) => step), pairs: Number(rows[0]!.n) };
    };
    const urls = ["a/1", "b/1", "a/2", "b/2"];
    const first = await run(1, urls);
    expect(first.made).toHaveLength(pairSteps(duckdbDialect, options).length);
    expect(first.pairs).toBeGreaterThan(0);
    expect(readdirSync(steps)).toContain("manifest.json");
    expect(existsSync(path.join(steps, "pair.parquet"))).toBe(true);
    expect((await run(2, urls)).made).toEqual(["frequent", "pair"]);
    const other = await run(2, [...urls, "c/1"]);
    expect(other.made).toHaveLength(first.made.length);
    expect((await run(2, [...urls, "c/1"])).made).toEqual([]);
  });
});

/** What SQL, regular expressions, files and UTF-16 might take for something else: each piece in URLs that differ in nothing but it. */
const hostile = [
  "'",
  "''",
  '"',
  "\\",
  "\\'",
  "`",
  "%",
  "_",
  "*",
  "[a-z]",
  "$1",
  "--",
  ";",
  "\0",
  "\u0001",
  "\n",
  "\r\n",
  "\t",
  " ",
  "  ",
];
const unusual = [
  "\u00e9",
  "e\u0301",
  "\u{1f600}",
  "\u{10ffff}",
  "\uffff",
  "\u2028",
  "\u0085",
  "\u0130",
  "\ufb00",
  "x".repeat(3000),
  "y/".repeat(200),
];
const hostileTexts = [
  ...new Set([...hostile, ...unusual].flatMap((piece) => [1, 2, 3].map((i) => `http://h.test/${piece}${i}/${piece}`))),
];

it("texts that SQL might take for something else: pairs as local detection finds them", async () => {
  const engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 100_000 });
  try {
    const list = { urls: stringColumn(hostileTexts) };
    await stageLists(engine, [{ texts: hostileTexts, list }]);
    const options = { ...detectDefaults, minSupport: 1 };
    await runSteps(engine, pairSteps(engine.dialect, options), ["pair"], quietly);
    const expected = await pairRows(siteName(0), 0, list, options);
    expect(await engine.rows("pair", pairQuery)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(50);
  } finally {
    await engine.close();
  }
});

/** Most hashes are those of other texts, too. */
function colliding(bits: number): Dialect {
  return { ...duckdbDialect, hash: (text) => `(${duckdbDialect.hash(text)} & ${2n ** BigInt(bits) - 1n})` };
}

describe("a hash that collides", () => {
  const pieces = ["a", "b", "ab", "/", "/", "?", "=", "1", ".", "index", "x"];
  const texts = fc.uniqueArray(
    fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 8, size: "max" }).map((some) => some.join("")),
    { minLength: 80, maxLength: 100, size: "max" },
  );
  /** Every pair of two URLs, whatever the size of the buckets that they share. */
  async function truth(sites: readonly (readonly string[])[]): Promise<Set<string>> {
    const options = { ...detectDefaults, likely: "none", minSupport: 1, threads: 1 } as const;
    const every = new Set<string>();
    for (const [site, urls] of sites.entries()) {
      const all = { ...options, lowBucket: urls.length, highBucket: urls.length };
      const pairs = await detectLikelyPairs({ urls: stringColumn(urls) }, all, quietly);
      for (let i = 0; i < pairs.count; i++) {
        const { alpha, beta, start, end } = readPair(pairs, i);
        every.add(JSON.stringify([`s${site}`, alpha, beta, start, end]));
      }
    }
    return every;
  }

  it("makes no pair of substrings that no two URLs of a site have between their tokens", async () => {
    let found = 0;
    let missed = 0;
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.integer({ min: 4, max: 9 }), async (first, second, bits) => {
        const sites = [first, second];
        const engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 1_000_000 });
        try {
          const rows = sites.flatMap((urls, site) => urls.map((url, i): Cell[] => [`s${site}`, 1000 * site + i, url]));
          await stage(engine, "urls", ["site VARCHAR", "id BIGINT", "url VARCHAR"], rows);
          const options = { ...detectDefaults, likely: "none", minSupport: 1 } as const;
          await runSteps(engine, pairSteps(colliding(bits), options), ["pair"], quietly);
          const every = await truth(sites);
          const pairs = await engine.rows("pair", "SELECT * FROM pair");
          const made = pairs.map(({ site, alpha, beta, at_start, at_end }) =>
            JSON.stringify([site, alpha, beta, at_start, at_end]),
          );
          expect(made.filter((pair) => !every.has(pair))).toEqual([]);
          found += pairs.length;
          missed += every.size - pairs.length;
        } finally {
          await engine.close();
        }
      }),
      { numRuns: 5, endOnFailure: true, seed: SEED },
    );
    expect(found).toBeGreaterThan(100);
    expect(missed).toBeGreaterThan(100);
  });

  it("makes no other component", async () => {
    const engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 5 });
    try {
      // Rings of seven, the last of them not closed.
      const edges = Array.from({ length: 700 }, (_, i): Cell[] => [i, i % 7 === 6 ? i - 6 : i + 1]).slice(0, -1);
      await stage(engine, "ring", ["a BIGINT", "b BIGINT"], edges);
      const blind = Object.assign(Object.create(engine), { dialect: colliding(1) }) as SqlEngine;
      for (const method of ["make", "rows", "drop"] as const) {
        Object.assign(blind, { [method]: (engine[method] as (...given: never[]) => unknown).bind(engine) });
      }
      await findComponents(blind, "ring", "component", quietly);
      const wrong = "SELECT count(*) AS n, count(CASE WHEN root <> id - id % 7 THEN 1 END) AS wrong FROM component";
      expect(await engine.rows("component", wrong)).toEqual([{ n: 700, wrong: 0 }]);
    } finally {
      await engine.close();
    }
  });
});

describe("printed SQL", () => {
  it("is each step with what it is for, in either dialect", () => {
    const options = {
      maxTokens: 35,
      lowBucket: 6,
      highBucket: 11,
      minSupport: 3,
      likely: "size",
      sketchMatches: 4,
      plan: "ours",
    } as const;
    for (const dialect of [duckdbDialect, sparkDialect]) {
      const text = printSteps("pairs with support", pairSteps(dialect, options));
      expect(text.match(/^CREATE TABLE \w+ AS$/gm)).toHaveLength(pairSteps(dialect, options).length);
      expect(text).toContain("-- The rule table");
    }
  });

  const mining = { ...detectDefaults, maxRelativeDeficiency: 0.15, maxAbsoluteDeficiency: 1, maxWindow: 1100 };
  const operators = {
    mine: { inputs: ["urls", "sizes", "captures"], steps: (dialect: Dialect) => mineSteps(dialect, mining) },
    cluster: clusterOperator("similar"),
    "identical clusters": clusterOperator("identical"),
    evolve: evolveOperator,
    mirrors: mirrorsOperator(1),
    collections: collectionsOperator(25),
  };

  it.each(Object.entries(operators))(
    "of %s reads nothing that it has not made, and makes all that it shows",
    (_, operator) => {
      for (const dialect of [duckdbDialect, sparkDialect]) {
        const made = new Set<string>(operator.inputs);
        for (const { name, select } of operator.steps(dialect)) {
          for (const [, table] of select.matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g))
            expect(made, `for ${name}`).toContain(table);
          made.add(name);
        }
        for (const { table } of "results" in operator ? operator.results : []) expect(made).toContain(table);
      }
    },
  );

  it("of clusters gives them, where one round is enough", async () => {
    const engine = await DuckdbEngine.open({ memoryBytes: 2 ** 28, limitResult: 9, scratch: path.join(folder, "sql") });
    try {
      const columns = ["id BIGINT", ...[0, 1, 2, 3, 4, 5].map((i) => `s${i} BIGINT`)];
      const supershingles = (first: number, second: number) => [
        first,
        second,
        ...[20, 30, 40, 50].map((n) => n + first),
      ];
      await stage(engine, "documents", columns, [
        [1, ...supershingles(1, 1)],
        [2, ...supershingles(2, 2)],
        [3, ...supershingles(1, 3)],
      ]);
      for (const step of operators.cluster.steps(duckdbDialect)) await engine.make(step);
      expect(await engine.rows("cluster", "SELECT id, root, size FROM cluster ORDER BY id")).toEqual([
        { id: 1, root: 1, size: 2 },
        { id: 2, root: 2, size: 1 },
        { id: 3, root: 1, size: 2 },
      ]);
    } finally {
      await engine.close();
    }
  });
});

describe("Spark's connection strings", () => {
  it("give host, port, TLS and the rest", () => {
    expect(parseSparkAddress("sc://127.0.0.1")).toMatchObject({ host: "127.0.0.1", port: 15002, useTls: false });
    expect(parseSparkAddress("sc://h.test:443/;use_ssl=true;user_id=me")).toMatchObject({
      port: 443,
      useTls: true,
      userId: "me",
    });
    const managed = parseSparkAddress("sc://h.test:443/;token=s3cret%3D;x-cluster-id=7");
    expect(managed).toMatchObject({ token: "s3cret=", useTls: true, headers: { "x-cluster-id": "7" } });
  });

  it("are refused in one sentence that never holds the token", () => {
    const wrong = [
      "h.test:15002",
      "sc://h.test/path;token=s3cret",
      "sc://h.test:99999/;token=s3cret",
      "sc://h.test/;token=s3cret;use_ssl=perhaps",
      "sc://h.test/;token=s3cret;use_ssl=false",
      "sc://h.test/;token=s3cret;session_id=1",
      "sc://h.test/;token=s3cret%zz",
      "sc://h.test/;token",
    ];
    for (const address of wrong) {
      expect(() => parseSparkAddress(address)).toThrow(/--spark/);
      expect(() => parseSparkAddress(address)).not.toThrow(/s3cret/);
    }
  });
});
