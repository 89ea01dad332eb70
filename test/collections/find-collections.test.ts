import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CollectionOptions, findCollections } from "#src/collections/find-collections.js";
import { linkSummary } from "#src/collections/link-summary.js";
import { matchRows } from "#src/collections/matching.js";
import { describeReplicas } from "#src/collections/replicas.js";
import type { SimilarClusters } from "#src/collections/similar-clusters.js";
import { trivialClusters, trivialFromTable } from "#src/collections/trivial.js";
import { linksFromTable, NONE } from "#src/collections/web-graph.js";
import { InvariantError } from "#src/errors.js";
import {
  breakPairs,
  checkDefinitions,
  checkExtended,
  checkJoined,
  nearOracle,
  Oracle,
  type PlainWeb,
} from "./oracle.js";
import { smallWeb, webPages } from "./small-web.js";

/**
 * Copies of one random site, then damaged: pages that a copy has not mirrored but links to at the first, pages that differ
 * in every copy, links dropped and added, pages made like another. Purely random graphs would have hardly any merge.
 */
const randomWeb: fc.Arbitrary<PlainWeb> = fc
  .record({
    copies: fc.integer({ min: 2, max: 3 }),
    size: fc.integer({ min: 2, max: 5 }),
    shape: fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 3, maxLength: 8 }),
    unmirrored: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.nat(4)), { maxLength: 2 }),
    broken: fc.array(fc.nat(4), { maxLength: 1 }),
    dropped: fc.array(fc.nat(31), { maxLength: 2 }),
    added: fc.array(fc.tuple(fc.nat(21), fc.nat(21)), { maxLength: 4 }),
    relabelled: fc.array(fc.tuple(fc.nat(19), fc.nat(30)), { maxLength: 1 }),
    moved: fc.array(fc.tuple(fc.nat(19), fc.nat(3)), { maxLength: 2 }),
  })
  .map(({ copies, size, shape, unmirrored, broken, dropped, added, relabelled, moved }) => {
    const pages = copies * size + 2;
    const links = Array.from({ length: copies }, (_, copy) =>
      shape.map(([from, to]) => {
        const isElsewhere = unmirrored.some(([at, page]) => at === copy && page % size === to % size);
        return [copy * size + (from % size), (isElsewhere ? 0 : copy * size) + (to % size)] as const;
      }),
    ).flat();
    const cluster = Array.from({ length: pages }, (_, page) => (page < copies * size ? page % size : 20 + page));
    const site = Array.from({ length: pages }, (_, page) => Math.floor(page / size));
    for (const [copy, page] of unmirrored)
      if (copy < copies) cluster[copy * size + (page % size)] = 100 + copy * size + page;
    for (const position of broken) {
      for (let copy = 0; copy < copies; copy++) cluster[copy * size + (position % size)] = 200 + copy * size + position;
    }
    for (const [page, label] of relabelled) cluster[page % pages] = label;
    for (const [page, to] of moved) site[page % pages] = to;
    return { pages, site, cluster, links: [...links.filter((_, at) => !dropped.includes(at)), ...added] };
  });

function solve(plain: PlainWeb, options: CollectionOptions = {}) {
  const web = webPages(plain.site.map((site, page) => `http://h${site}.test/d${page % 3}/${page}`));
  const { links } = linksFromTable(
    plain.pages,
    Uint32Array.from(plain.links, ([from]) => from),
    Uint32Array.from(plain.links, ([, to]) => to),
  );
  const trivial = trivialFromTable(
    plain.pages,
    Uint32Array.from(plain.cluster),
    Uint32Array.from(plain.cluster, (_, page) => page),
  );
  const collections = findCollections(web, links, trivial, options);
  return { web, links, trivial, collections, replicas: describeReplicas(web, trivial, collections) };
}

/** Positions by their label in the plain web, so that they can be compared with the oracle's. */
function clustersAsText({ collections, trivial }: ReturnType<typeof solve>, plain: PlainWeb): string[] {
  const { clusters } = collections;
  const positions: number[][] = Array.from({ length: clusters.count }, () => []);
  for (let position = 0; position < trivial.count; position++) {
    const label = plain.cluster[trivial.pages[trivial.offsets[position]!]!]!;
    if (clusters.clusterOf[position] !== NONE) positions[clusters.clusterOf[position]!]!.push(label);
  }
  return positions.map((some) => some.sort((a, b) => a - b).join(" ")).sort();
}

/** The oracle orders positions by smallest page, as trivial clusters are numbered. */
function byFirstPage(plain: PlainWeb): PlainWeb {
  const number = new Map<number, number>();
  for (const label of plain.cluster) if (!number.has(label)) number.set(label, number.size);
  return { ...plain, cluster: plain.cluster.map((label) => number.get(label)!) };
}

const webs = randomWeb.map(byFirstPage);

describe("similar clusters on random webs", () => {
  it("has the s and d of the definitions", () => {
    fc.assert(
      fc.property(webs, (plain) => {
        const { links, trivial } = solve(plain);
        const oracle = new Oracle(plain);
        const { i, j, s, d } = linkSummary(links, trivial);
        const rows = new Map(Array.from(i, (from, at) => [`${from} ${j[at]}`, { s: s[at], d: d[at] }]));
        expect(rows.size).toBe(i.length);
        for (const from of oracle.members.keys()) {
          for (const to of oracle.members.keys()) {
            const expected = oracle.summary(from, to);
            const isThere = from !== to && expected.s > 0;
            expect(rows.get(`${from} ${to}`)).toEqual(isThere ? expected : undefined);
          }
        }
      }),
    );
  });

  it("merges what the oracle merges, and holds to definitions 5 to 8", () => {
    let merged = 0;
    let severalStarts = 0;
    fc.assert(
      fc.property(webs, fc.boolean(), (plain, singleSite) => {
        const solved = solve(plain, { singleSite });
        const oracle = new Oracle(plain);
        const text = clustersAsText(solved, plain);
        expect(text).toEqual(oracle.clusters({ singleSite }));
        const { clusters } = solved.collections;
        for (let cluster = 0; cluster < clusters.count; cluster++) {
          expect(checkDefinitions(solved, oracle, cluster)).toEqual([]);
          expect(checkExtended(solved, oracle, cluster, singleSite)).toEqual([]);
          const positions = [...oracle.members.keys()].filter((position) => clusters.clusterOf[position] === cluster);
          expect(clusters.starts[cluster]).toBe(oracle.fewestStarts(positions, { singleSite }));
          if (clusters.size[cluster]! > 1) merged++;
          if (clusters.starts[cluster]! > 1) severalStarts++;
        }
      }),
      { numRuns: 400 },
    );
    expect(merged).toBeGreaterThan(50);
    expect(severalStarts).toBeGreaterThan(5);
  });

  it("extends clusters as the oracle does, with virtual pages that are linked", () => {
    let virtual = 0;
    fc.assert(
      fc.property(webs, fc.boolean(), (plain, singleSite) => {
        const solved = solve(plain, { extended: true, singleSite });
        const oracle = new Oracle(plain);
        expect(clustersAsText(solved, plain)).toEqual(oracle.clusters({ extended: true, singleSite }));
        const { clusters } = solved.collections;
        for (let cluster = 0; cluster < clusters.count; cluster++) {
          expect(checkExtended(solved, oracle, cluster, singleSite)).toEqual([]);
          const cardinality = clusters.firstReplica[cluster + 1]! - clusters.firstReplica[cluster]!;
          const real = clusters.replicaOf.filter(
            (replica) => replica !== NONE && clusters.clusterOfReplica[replica] === cluster,
          );
          virtual += cardinality * clusters.size[cluster]! - real.length;
        }
      }),
      { numRuns: 400 },
    );
    expect(virtual).toBeGreaterThan(20);
  });

  it("joins clusters across break points only", () => {
    let joined = 0;
    fc.assert(
      fc.property(webs, fc.integer({ min: 1, max: 2 }), fc.boolean(), (plain, joinThrough, extended) => {
        const before = solve(plain, { extended });
        const after = solve(plain, { extended, joinThrough });
        const oracle = new Oracle(plain);
        expect(checkJoined(before, oracle, 1)).toEqual([]);
        const pairs = before.collections.breakPoints.map(({ from, to }) => [from, to].sort((a, b) => a - b).join(" "));
        expect(pairs.sort()).toEqual(breakPairs(before, oracle, 1));
        expect(checkJoined(after, oracle, joinThrough)).toEqual([]);
        joined += before.collections.clusters.count - after.collections.clusters.count;
        // One page of each position in each replica, as before.
        for (let replica = 0; replica < after.collections.clusters.clusterOfReplica.length; replica++) {
          const pages = [...after.collections.clusters.replicaOf.keys()].filter(
            (page) => after.collections.clusters.replicaOf[page] === replica,
          );
          expect(new Set(pages.map((page) => plain.cluster[page])).size).toBe(pages.length);
        }
        expect(after.collections.clusters.size.reduce((sum, size) => sum + size, 0)).toBe(
          before.collections.clusters.size.reduce((sum, size) => sum + size, 0),
        );
      }),
      { numRuns: 600 },
    );
    expect(joined).toBeGreaterThan(5);
  });
});

describe("what only some replicas have", () => {
  it("is taken into the larger cluster that its replicas are near to, each to one of its own", () => {
    let taken = 0;
    let left = 0;
    fc.assert(
      fc.property(webs, (plain) => {
        const before = solve(plain, { joinThrough: 1 }).collections.clusters;
        const after = solve(plain, { joinThrough: 1, nearby: true }).collections.clusters;
        const oracle = nearOracle(plain, before);
        let staying = 0;
        for (let cluster = 0; cluster < before.count; cluster++) {
          const first = before.firstReplica[cluster]!;
          const ways = oracle(cluster);
          if (ways.length === 0) staying++;
          else taken++;
          const pagesOf = (replica: number) =>
            [...before.replicaOf.keys()].filter((page) => before.replicaOf[page] === replica);
          const replicaNow = (replica: number) => {
            const now = new Set(pagesOf(replica).map((page) => after.replicaOf[page]));
            expect(now.size).toBe(1);
            return [...now][0];
          };
          const isTaken = ways.some((way) => way.every((other, at) => replicaNow(other) === replicaNow(first + at)));
          expect(isTaken).toBe(ways.length > 0);
        }
        for (let replica = 0; replica < after.clusterOfReplica.length; replica++) {
          const pages = [...after.replicaOf.keys()].filter((page) => after.replicaOf[page] === replica);
          expect(new Set(pages.map((page) => plain.cluster[page])).size).toBe(pages.length);
        }
        expect(after.count).toBe(staying);
        left += staying;
        const positions = (clusters: SimilarClusters) => clusters.size.reduce((sum, size) => sum + size, 0);
        expect(positions(after)).toBe(positions(before));
      }),
      { numRuns: 600 },
    );
    expect(Math.min(taken, left)).toBeGreaterThan(20);
  });

  it("is no part of what is not near, or near to several replicas", () => {
    const collection = (host: string, pages: string) =>
      `${host}.a -> ${[...pages].map((page) => `${host}.${page}`).join(" ")}`;
    const three = ["i", "ii", "iii"].map((host) => collection(host, "bcd")).join("\n");
    const sizes = (lines: string) => {
      const web = smallWeb(lines);
      const { clusters } = findCollections(web.web, web.links, web.trivial, { nearby: true });
      return [...clusters.size].map(
        (size, at) => `${clusters.firstReplica[at + 1]! - clusters.firstReplica[at]!}x${size}`,
      );
    };
    // Two of three copies have a page more, in another directory: a link says that it belongs to them.
    expect(sizes(`${three}\ni.x#1\nii.x#1`)).toEqual(["3x4", "2x1"]);
    expect(sizes(`${three}\ni.d -> i.x#1\nii.d -> ii.x#1`)).toEqual(["3x5"]);
    expect(sizes(`${three}\ni.d -> i.x#1\nii.b -> ii.x#1`)).toEqual(["3x5"]);
    // In the directory of the collection, no link is needed.
    expect(sizes(`${three}\ni.x\nii.x`)).toEqual(["3x5"]);
    // Links to another site tell nothing.
    expect(sizes(`${three}\ni.d -> iv.x#1\nii.d -> v.x#1`)).toEqual(["3x4", "2x1"]);
    // Two copies on one site, and a page that both link to.
    const twice = "i.a -> i.b i.c\ni.a#2 -> i.b#2 i.c#2\nii.a -> ii.b ii.c";
    expect(sizes(`${twice}\ni.b -> i.x#7\ni.b#2 -> i.x#7\nii.b -> ii.x#7`)).toContain("2x1");
  });
});

describe("matching", () => {
  it("finds a column for every row whenever there is one", () => {
    let augmented = 0;
    const tables = fc.record({
      rows: fc.integer({ min: 1, max: 6 }),
      pairs: fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(3)), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(tables, ({ rows, pairs }) => {
        const some = pairs.filter(([row]) => row < rows);
        const place = (row: number, taken: readonly number[]): boolean =>
          row === rows || some.some(([r, c]) => r === row && !taken.includes(c) && place(row + 1, [...taken, c]));
        const matched = matchRows({
          rows,
          columns: 6,
          row: some.map(([row]) => row),
          column: some.map(([, column]) => column),
          cost: some.map(([, , cost]) => cost),
        });
        expect(matched !== undefined).toBe(place(0, []));
        if (matched === undefined) return;
        if (rows > 1 && some.length > rows) augmented++;
        expect(new Set(matched).size).toBe(rows);
        matched.forEach((column, row) => {
          expect(some.some(([r, c]) => r === row && c === column)).toBe(true);
        });
      }),
      { numRuns: 1000 },
    );
    expect(augmented).toBeGreaterThan(20);
  });
});

describe("what is not as it should be", () => {
  it("finds nothing in an empty graph", () => {
    const { collections } = solve({ pages: 0, site: [], cluster: [], links: [] });
    expect(collections.clusters.count).toBe(0);
    expect(collections.breakPoints).toEqual([]);
  });

  it("drops and counts links to pages that are not there, self links and repeated ones", () => {
    const { links, dropped } = linksFromTable(2, Uint32Array.of(0, 0, 0, 5, 1, 0), Uint32Array.of(1, 0, NONE, 0, 0, 1));
    expect(dropped).toEqual({ dangling: 2, selfLinks: 1, repeated: 1 });
    expect([...links.offsets]).toEqual([0, 1, 2]);
    expect([...links.dest]).toEqual([1, 0]);
  });

  it("orders LINK over several blocks of sources", () => {
    const pages = 140_000;
    const src = Uint32Array.from({ length: 300_000 }, (_, row) => (row * 7919) % pages);
    const dest = Uint32Array.from({ length: 300_000 }, (_, row) => (row * 104_729) % pages);
    const { links } = linksFromTable(pages, src, dest);
    const rows = new Set(
      Array.from(src, (from, row) => from * pages + dest[row]!).filter((row) => row % (pages + 1) !== 0),
    );
    const found = Array.from({ length: pages }, (_, page) =>
      Array.from(links.dest.subarray(links.offsets[page]!, links.offsets[page + 1]!), (to) => page * pages + to),
    ).flat();
    expect(found).toEqual([...rows].sort((a, b) => a - b));
  });

  it("says what is wrong with a table", () => {
    expect(() => linksFromTable(1, Uint32Array.of(0), Uint32Array.of())).toThrow(InvariantError);
    expect(() => trivialFromTable(1, Uint32Array.of(7), Uint32Array.of(1))).toThrow(/names page 1/);
    expect(() => trivialClusters(Uint32Array.of(1, 1))).toThrow(InvariantError);
  });

  it("makes clusters that share a page one", () => {
    const { of } = trivialFromTable(3, Uint32Array.of(9, 9, 4, 4), Uint32Array.of(0, 1, 1, 2));
    expect([...of]).toEqual([0, 0, 0]);
  });

  it("keeps two similar pages of one collection apart by their paths", () => {
    // Both editions are on one host and link to each other's pages as well.
    const urls = ["v1/a", "v1/b", "v2/a", "v2/b"].map((path) => `http://h.test/${path}`);
    const web = webPages(urls);
    const { links } = linksFromTable(4, Uint32Array.of(0, 0, 2, 2), Uint32Array.of(1, 3, 1, 3));
    const { clusters } = findCollections(web, links, trivialClusters(Uint32Array.of(0, 1, 0, 1)));
    expect(clusters.count).toBe(1);
    expect(clusters.replicaOf[0]).toBe(clusters.replicaOf[1]);
    expect(clusters.replicaOf[2]).toBe(clusters.replicaOf[3]);
  });

  it("manages pages with a million links", () => {
    const targets = 1_000_000;
    const pages = targets + 2;
    const src = Uint32Array.from({ length: targets * 2 }, (_, row) => targets + (row & 1));
    const dest = Uint32Array.from(
      { length: targets * 2 },
      (_, row) => (row & 1) * (targets / 2) + ((row >>> 1) % (targets / 2)),
    );
    const root = Uint32Array.from({ length: pages }, (_, page) => (page < targets ? page % (targets / 2) : targets));
    const web = {
      count: pages,
      site: Uint32Array.from({ length: pages }, (_, page) => (page < targets ? Number(page >= targets / 2) : page & 1)),
      urls: { count: pages, bytes: new Uint8Array(0), offsets: new Uint32Array(pages + 1) },
    };
    const { links } = linksFromTable(pages, src, dest);
    const { clusters } = findCollections(web, links, trivialClusters(root));
    expect(clusters.count).toBe(1);
    expect([clusters.size[0], clusters.firstReplica[1]]).toEqual([targets / 2 + 1, 2]);
  });

  it("follows a chain of fifty thousand pages", () => {
    const length = 50_000;
    const pages = 2 * length;
    const rows = Array.from({ length: pages }, (_, page) => page).filter((page) => page % length < length - 1);
    const { links } = linksFromTable(
      pages,
      Uint32Array.from(rows),
      Uint32Array.from(rows, (page) => page + 1),
    );
    const web = {
      count: pages,
      site: Uint32Array.from({ length: pages }, (_, page) => Number(page >= length)),
      urls: { count: pages, bytes: new Uint8Array(0), offsets: new Uint32Array(pages + 1) },
    };
    const root = Uint32Array.from({ length: pages }, (_, page) => page % length);
    expect(findCollections(web, links, trivialClusters(root)).clusters.size[0]).toBe(length);
  });
});
