import fc from "fast-check";
import { expect, it } from "vitest";
import { clusterGraph } from "#src/collections/cluster-graph.js";
import { growClusters } from "#src/collections/grow.js";
import { linkSummary } from "#src/collections/link-summary.js";
import { findSimilarPages } from "#src/collections/similar-pages.js";
import { trivialClusters } from "#src/collections/trivial.js";
import { linksFromTable, NONE } from "#src/collections/web-graph.js";
import { clusterSizeSteps, findClusters } from "#src/engine/clusters.js";
import { growCollections } from "#src/engine/collections.js";
import { findComponents } from "#src/engine/components.js";
import type { Row, SqlEngine } from "#src/engine/engine.js";
import { evolutionSteps, evolutionTables, readEvolution } from "#src/engine/evolution.js";
import { hostPairSteps } from "#src/engine/host-pairs.js";
import { runSteps } from "#src/engine/run-steps.js";
import { findSimilarPagesBySql } from "#src/engine/similar-pages.js";
import { countHostPairs } from "#src/mirrors/host-pairs.js";
import { quietly } from "#src/model.js";
import { NOBODY } from "#src/pages/buckets.js";
import { clusterPages, fromColumns } from "#src/pages/cluster.js";
import { countClusters } from "#src/pages/cluster-numbers.js";
import { ABSENT, compareSnapshots, DOWNLOADED, FAILED, type SnapshotPages } from "#src/pages/evolve.js";
import { toTheEnd } from "#src/progress.js";
import { webPages } from "../collections/small-web.js";
import { SEED } from "./seed.js";
import { type Cell, stage } from "./stage.js";

const supershingleColumns = [0, 1, 2, 3, 4, 5].map((i) => `s${i} BIGINT`);

/** Documents with few different supershingles, so that chains of shared ones are long; the highest bit set now and then. */
const documentsArbitrary = fc.array(
  fc.array(fc.constantFrom(1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n, 13n, 2n ** 63n + 1n), {
    minLength: 6,
    maxLength: 6,
  }),
  { minLength: 40, maxLength: 160, size: "max" },
);

export function copiesConformance(engine: () => SqlEngine, rounds: number): void {
  const property = async <T>(values: fc.Arbitrary<T>, check: (value: T) => Promise<void>) =>
    fc.assert(fc.asyncProperty(values, check), { numRuns: rounds, endOnFailure: true, seed: SEED });

  it("components: the smallest id of each, in a logarithmic number of rounds", async () => {
    // A chain in the order of its ids is what makes naive label propagation take one round a node.
    const nodes = 4000;
    const chain = Array.from({ length: nodes - 1 }, (_, i): Cell[] => [i, i + 1]);
    const rings = Array.from({ length: 500 }, (_, i): Cell[] => [nodes + i, nodes + (i % 5 === 4 ? i - 4 : i + 1)]);
    await stage(engine(), "some_edges", ["a BIGINT", "b BIGINT"], [...chain, ...rings]);
    const found = await findComponents(engine(), "some_edges", "some_component", quietly);
    const rows = await engine().rows("some_component", "SELECT id, root FROM some_component ORDER BY id");
    const rootOf = (id: number) => (id < nodes ? 0 : id - ((id - nodes) % 5));
    expect(rows).toEqual(rows.map((_, id) => ({ id, root: rootOf(id) })));
    expect(rows.length).toBe(nodes + 500);
    expect(found.edges.length).toBeLessThanOrEqual(2 * Math.log2(nodes));
    // The last of them are few enough to be followed without the engine.
    expect(found.edges.length).toBeGreaterThan(2);
    for (const [round, edges] of found.edges.entries()) {
      if (round > 0) expect(edges).toBeLessThan(found.edges[round - 1]!);
    }
  });

  it.each(["similar", "identical"] as const)("clusters, level %s: map and sizes as local", async (level) => {
    let clustered = 0;
    await property(documentsArbitrary, async (documents) => {
      const values = new BigUint64Array(6 * documents.length);
      documents.forEach((document, d) => {
        // For the stricter level, all six of few kinds.
        document.forEach((value, i) => {
          values[i * documents.length + d] = level === "similar" ? value : document[0]! % 5n;
        });
      });
      const rows = documents.map((_, d): Cell[] => [
        d,
        ...[0, 1, 2, 3, 4, 5].map((i) => values[i * documents.length + d]!),
      ]);
      await stage(engine(), "documents", ["id BIGINT", ...supershingleColumns], rows);
      await findClusters(engine(), level, quietly);
      const map = await clusterPages(fromColumns(values), { level });
      const expected = documents.map((_, id) => ({ id, root: map.root[id]!, size: map.size[id]! }));
      expect(await engine().rows("cluster", "SELECT id, root, size FROM cluster ORDER BY id")).toEqual(expected);
      await runSteps(engine(), clusterSizeSteps, ["cluster_size"], quietly);
      const sizes = await engine().rows(
        "cluster_size",
        "SELECT size, clusters AS count FROM cluster_size WHERE size > 1 ORDER BY size",
      );
      const numbers = countClusters(map);
      expect(sizes).toEqual(numbers.distribution);
      clustered += numbers.clustered;
    });
    expect(clustered).toBeGreaterThan(10 * rounds);
  });

  it("evolution coefficients: as local", async () => {
    const letters = fc.array(fc.constantFrom(..."aaaaabbbccdefghijklmnopq-!0"), { minLength: 120, maxLength: 120 });
    await property(fc.tuple(letters, letters), async ([first, second]) => {
      const [before, after] = [snapshot(first), snapshot(second)];
      await stageSnapshot(engine(), "before", before);
      await stageSnapshot(engine(), "after", after);
      await runSteps(engine(), evolutionSteps, evolutionTables, quietly);
      const found = await readEvolution(engine());
      const expected = compareSnapshots(before, after);
      expect(found.arrivals).toEqual(expected.arrivals);
      found.classes.forEach((of, number) => {
        for (const [name, value] of Object.entries(expected.classes[number]!)) {
          const got = of[name as keyof typeof of];
          // Ratios are summed in another order here.
          if (typeof value === "number" && !Number.isInteger(value)) expect(got).toBeCloseTo(value, 12);
          else if (typeof value === "number") expect(got).toBeCloseTo(value, 12);
          else expect(got).toBe(value);
        }
      });
      expect(expected.classes.some(({ urls }) => urls > 0)).toBe(true);
    });
  });

  it("host pairs: as local, beyond the threshold", async () => {
    let pairs = 0;
    const pages = fc.array(fc.tuple(fc.nat(11), fc.nat(25)), { minLength: 150, maxLength: 250, size: "max" });
    await property(pages, async (some) => {
      const root = some.map(([, cluster]) => some.findIndex(([, other]) => other === cluster));
      const size = root.map((r) => root.filter((other) => other === r).length);
      const columns = ["id BIGINT", "root BIGINT", "size BIGINT"];
      await stage(
        engine(),
        "cluster",
        columns,
        root.map((r, id) => [id, r, size[id]!]),
      );
      await stage(
        engine(),
        "page_hosts",
        ["id BIGINT", "host INT"],
        some.map(([host], id) => [id, host]),
      );
      const minPages = 4;
      await runSteps(engine(), hostPairSteps(minPages), ["host_pair", "auto_mirror"], quietly);
      const local = countHostPairs(
        {
          clusters: { root: Uint32Array.from(root), size: Uint32Array.from(size) },
          host: Uint32Array.from(some, ([host]) => host),
          hosts: Array.from({ length: 12 }, (_, i) => `h${i}.test`),
          urlOf: () => "",
        },
        minPages,
      );
      const expected: Row[] = [];
      for (let pair = 0; pair < local.raw.size; pair++) {
        if (local.raw.smallerSide(pair) < minPages) continue;
        const { a, b, pagesA, pagesB, clusters } = local.raw;
        expected.push({
          a: a[pair]!,
          b: b[pair]!,
          pages_a: pagesA[pair]!,
          pages_b: pagesB[pair]!,
          clusters: clusters[pair]!,
        });
      }
      expected.sort((x, y) => Number(x.a) - Number(y.a) || Number(x.b) - Number(y.b));
      pairs += expected.length;
      expect(await engine().rows("host_pair", "SELECT * FROM host_pair ORDER BY a, b")).toEqual(expected);
      const auto = [...local.autoPages.entries()].filter(([, n]) => n > 0).map(([host, n]) => ({ host, pages: n }));
      expect(await engine().rows("auto_mirror", "SELECT host, pages FROM auto_mirror ORDER BY host")).toEqual(auto);
    });
    expect(pairs).toBeGreaterThan(5 * rounds);
  });

  it("similar pages by chunks: as local", async () => {
    let similar = 0;
    const text = fc.array(fc.nat(14), { maxLength: 9, size: "max" });
    const texts = fc.array(fc.option(text, { freq: 9 }), { minLength: 60, maxLength: 90, size: "max" });
    await property(fc.tuple(texts, fc.integer({ min: 0, max: 5 })), async ([some, threshold]) => {
      const offsets = [0];
      for (const one of some) offsets.push(offsets.at(-1)! + (one?.length ?? 0));
      const whole = some.map((one) => (one === null ? 0n : BigInt(1 + hashOf(one))));
      const local = findSimilarPages(
        {
          pages: some.length,
          offsets: Uint32Array.from(offsets),
          fingerprints: BigUint64Array.from(
            some.flatMap((one) => one ?? []),
            BigInt,
          ),
          whole: BigUint64Array.from(whole),
        },
        { threshold },
      );
      await stage(
        engine(),
        "pages",
        ["id BIGINT", "whole BIGINT"],
        whole.map((w, id) => [id, w === 0n ? null : w]),
      );
      const chunks = some.flatMap((one, id) => (one ?? []).map((chunk): Cell[] => [id, chunk]));
      await stage(engine(), "chunks", ["id BIGINT", "fingerprint BIGINT"], chunks);
      await findSimilarPagesBySql(engine(), threshold, quietly);
      const rows = await engine().rows("trivial", "SELECT id, root FROM trivial ORDER BY id");
      expect(rows).toEqual([...local.root].map((root, id) => ({ id, root })));
      similar += [...local.root].filter((root, id) => root !== id).length;
    });
    expect(similar).toBeGreaterThan(5 * rounds);
  });

  it("link summary and growth: as local", async () => {
    let grown = 0;
    const web = fc.record({
      hosts: fc.integer({ min: 2, max: 4 }),
      links: fc.array(fc.tuple(fc.nat(9), fc.nat(9), fc.constantFrom(0, 0, 0, 1, 2)), {
        minLength: 8,
        maxLength: 40,
        size: "max",
      }),
      odd: fc.array(fc.tuple(fc.nat(39), fc.nat(39)), { maxLength: 6 }),
    });
    await property(fc.array(web, { minLength: 12, maxLength: 12 }), async (webs) => {
      // Several webs side by side: page p of a web is label p / hosts on host p % hosts.
      const roots: number[] = [];
      const src: number[] = [];
      const dest: number[] = [];
      const urls: string[] = [];
      for (const [number, { hosts, links, odd }] of webs.entries()) {
        const first = roots.length;
        const page = (label: number, host: number) => first + label * hosts + (host % hosts);
        for (let label = 0; label < 10; label++) {
          for (let host = 0; host < hosts; host++) {
            roots.push(page(label, 0));
            urls.push(`http://h${host}.w${number}.test/${label}`);
          }
        }
        for (const [from, to, shift] of links) {
          for (let host = 0; host < hosts; host++) {
            src.push(page(from, host));
            dest.push(page(to, host + shift));
          }
        }
        for (const [from, to] of odd) {
          src.push(first + (from % (10 * hosts)));
          dest.push(first + (to % (10 * hosts)));
        }
      }
      await stage(
        engine(),
        "trivial",
        ["id BIGINT", "root BIGINT"],
        roots.map((root, id) => [id, root]),
      );
      await stage(
        engine(),
        "links",
        ["src BIGINT", "dest BIGINT"],
        src.map((from, i) => [from, dest[i]!]),
      );
      const result = await growCollections(engine(), quietly);

      const trivial = trivialClusters(Uint32Array.from(roots));
      const { links } = linksFromTable(roots.length, Uint32Array.from(src), Uint32Array.from(dest));
      const firstPage = (position: number) => trivial.pages[trivial.offsets[position]!]!;
      const summary = linkSummary(links, trivial);
      const summarized = [...summary.i].map((i, at) => ({
        i: firstPage(i),
        j: firstPage(summary.j[at]!),
        s: summary.s[at]!,
        d: summary.d[at]!,
      }));
      summarized.sort((a, b) => a.i - b.i || a.j - b.j);
      expect(await engine().rows("link_summary", "SELECT i, j, s, d FROM link_summary ORDER BY i, j")).toEqual(
        summarized,
      );

      const graph = toTheEnd(clusterGraph(webPages(urls), links, trivial));
      const clusters = toTheEnd(growClusters(trivial, graph, (a, b) => a < b));
      const firstOf = new Map<number, number>();
      const expected: Row[] = [];
      for (let position = 0; position < trivial.count; position++) {
        const cluster = clusters.clusterOf[position]!;
        if (cluster === NONE) continue;
        if (!firstOf.has(cluster)) firstOf.set(cluster, firstPage(position));
        expected.push({ id: firstPage(position), root: firstOf.get(cluster)! });
      }
      expect(await engine().rows("collection", "SELECT id, root FROM collection ORDER BY id")).toEqual(expected);
      expect(result.unmatched).toBe(graph.unmatched);
      grown += expected.filter(({ id, root }) => id !== root).length;
    });
    expect(grown).toBeGreaterThan(5 * rounds);
  });
}

function hashOf(list: readonly number[]): number {
  return list.reduce((hash, value) => (hash * 31 + value + 1) % 1_000_003, 7);
}

/** "a", "b", ...: pages with the same letter are a cluster; "-" absent, "!" failed, "0" downloaded without text. */
function snapshot(cells: readonly string[]): SnapshotPages {
  return {
    outcome: Uint8Array.from(cells, (cell) => (cell === "-" ? ABSENT : cell === "!" ? FAILED : DOWNLOADED)),
    cluster: Uint32Array.from(cells, (cell) => ("-!0".includes(cell) ? NOBODY : cells.indexOf(cell))),
  };
}

async function stageSnapshot(engine: SqlEngine, name: string, { outcome, cluster }: SnapshotPages): Promise<void> {
  const rows: Cell[][] = [];
  outcome.forEach((one, url) => {
    if (one !== ABSENT) rows.push([url, one, cluster[url] === NOBODY ? null : cluster[url]!]);
  });
  await stage(engine, name, ["url BIGINT", "outcome INT", "cluster BIGINT"], rows);
}
