import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BloomFilter } from "#src/mirrors/bloom.js";
import { shareAtLeast } from "#src/mirrors/confirm.js";
import { findMirrors, type MirrorOptions } from "#src/mirrors/find.js";
import { isWwwPair, type MirrorInput, preferHosts } from "#src/mirrors/host-pairs.js";
import { compareMirrors } from "#src/mirrors/over-time.js";
import { PairTable } from "#src/mirrors/pair-table.js";
import { countArcs, directoriesOf, pathOfUrl, suffixOf } from "#src/mirrors/path.js";
import type { Addresses } from "#src/pages/cluster-numbers.js";
import { compileAvoidList } from "#src/url/avoid-list.js";

/** Pages as [host and path, cluster]; cluster "" is a page alone, "0" one without a sketch. */
function input(pages: readonly (readonly [string, string])[], addresses?: Record<string, Addresses>): MirrorInput {
  const sorted = [...pages].sort(([a], [b]) => (a < b ? -1 : 1));
  const hostOf = (page: string) => page.slice(0, page.indexOf("/"));
  const hosts = [...new Set(sorted.map(([page]) => hostOf(page)))];
  const clustered = (cluster: string) => cluster !== "" && cluster !== "0";
  return {
    clusters: {
      root: Uint32Array.from(sorted, ([, cluster], document) =>
        clustered(cluster) ? sorted.findIndex(([, other]) => other === cluster) : document,
      ),
      size: Uint32Array.from(sorted, ([, cluster]) =>
        clustered(cluster) ? sorted.filter(([, other]) => other === cluster).length : Number(cluster === ""),
      ),
    },
    host: Uint32Array.from(sorted, ([page]) => hosts.indexOf(hostOf(page))),
    hosts,
    ...(addresses && { addresses: hosts.map((host) => (host in addresses ? addresses[host]! : [])) }),
    urlOf: (document) => `http://${sorted[document]![0]}`,
  };
}

/** `pages` pages of each prefix, near-duplicates by their number. */
function replicate(prefixes: readonly string[], pages: number, name = "p"): [string, string][] {
  return prefixes.flatMap((prefix) =>
    Array.from({ length: pages }, (_, page): [string, string] => [`${prefix}x/${page}.html`, `${name}${page}`]),
  );
}

describe("path", () => {
  it("takes the last arcs, all if there are fewer, directories with their slash", () => {
    expect([1, 2, 3, 4].map((arcs) => suffixOf("/a/b/c/d.html", arcs))).toEqual([
      "d.html",
      "c/d.html",
      "b/c/d.html",
      "a/b/c/d.html",
    ]);
    expect([1, 2, 4].map((arcs) => suffixOf("/a/b/", arcs))).toEqual(["b/", "a/b/", "a/b/"]);
    expect([1, 4].map((arcs) => suffixOf("/", arcs))).toEqual(["", ""]);
    expect(["/", "/a", "/a/", "/a/b", "/a/b/"].map(countArcs)).toEqual([1, 1, 1, 2, 2]);
    expect(pathOfUrl("http://a.test?q=/x/y")).toBe("/");
    expect(pathOfUrl("http://a.test/b/c?q=/x/y")).toBe("/b/c");
    expect(directoriesOf("/a/b/c")).toEqual(["/", "/a/", "/a/b/"]);
  });

  it("joins prefix and suffix to the path again", () => {
    const arcs = fc.array(fc.constantFrom("a", "b", "cc"), { maxLength: 6 });
    fc.assert(
      fc.property(arcs, fc.boolean(), (names, slash) => {
        const path = `/${names.join("/")}${slash && names.length > 0 ? "/" : ""}`;
        expect(countArcs(path)).toBe(Math.max(1, names.length));
        for (let count = 1; count <= 7; count++) {
          const suffix = suffixOf(path, count);
          expect(path.endsWith(`/${suffix}`)).toBe(true);
          expect(countArcs(`/${suffix}`)).toBe(Math.min(count, Math.max(1, names.length)));
        }
      }),
    );
  });
});

describe("BloomFilter", () => {
  it("knows all it was given, and few others", () => {
    const filter = new BloomFilter(2_000);
    for (let number = 0; number < 2_000; number++) filter.add(`docs/${number}.html`);
    for (let number = 0; number < 2_000; number++) expect(filter.has(`docs/${number}.html`)).toBe(true);
    let wrong = 0;
    for (let number = 0; number < 20_000; number++) if (filter.has(`man/${number}.html`)) wrong++;
    expect(wrong / 20_000).toBeLessThan(0.02);
  });
});

describe("PairTable", () => {
  it("counts like a map, in either order", () => {
    const row = fc.tuple(fc.nat(60), fc.nat(60), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }));
    let grown = 0;
    fc.assert(
      fc.property(fc.array(row, { maxLength: 1500, size: "max" }), (rows) => {
        const table = new PairTable();
        const expected = new Map<string, [number, number]>();
        for (const [host, other, pages, otherPages] of rows) {
          if (host === other) continue;
          table.add(host, pages, other, otherPages);
          const [a, b, x, y] = host < other ? [host, other, pages, otherPages] : [other, host, otherPages, pages];
          const [left, right] = expected.get(`${a} ${b}`) ?? [0, 0];
          expected.set(`${a} ${b}`, [left + x, right + y]);
        }
        expect(table.size).toBe(expected.size);
        for (const [key, [left, right]] of expected) {
          const [a, b] = key.split(" ").map(Number);
          const pair = table.find(a!, b!);
          expect([table.pagesA[pair], table.pagesB[pair]]).toEqual([left, right]);
        }
        expect(table.find(61, 62)).toBe(-1);
        if (table.size > 512) grown++;
      }),
      { numRuns: 30 },
    );
    expect(grown).toBeGreaterThan(0);
  });
});

/** Every remaining pair by its definition: all pairs of hosts, all clusters, sets of documents. */
function slowPairs(from: MirrorInput, minPages: number): string[] {
  const { clusters, host, hosts, urlOf } = from;
  const documents = [...host.keys()];
  const inCluster = (document: number) => clusters.size[document]! > 1;
  const found: string[] = [];
  for (let a = 0; a < hosts.length; a++) {
    for (let b = a + 1; b < hosts.length; b++) {
      const on = (side: number, other: number) =>
        documents.filter(
          (document) =>
            host[document] === side &&
            inCluster(document) &&
            documents.some((page) => host[page] === other && clusters.root[page] === clusters.root[document]),
        );
      const pagesA = on(a, b);
      const pagesB = on(b, a);
      if (Math.min(pagesA.length, pagesB.length) < minPages) continue;
      const matched = [1, 2, 3, 4].map(
        (arcs) =>
          pagesA.filter((page) =>
            pagesB.some(
              (other) =>
                clusters.root[other] === clusters.root[page] &&
                suffixOf(pathOfUrl(urlOf(page)), arcs) === suffixOf(pathOfUrl(urlOf(other)), arcs),
            ),
          ).length,
      );
      found.push(`${hosts[a]} ${hosts[b]} ${pagesA.length} ${pagesB.length} ${matched}`);
    }
  }
  return found.sort();
}

describe("preferHosts", () => {
  const hosts = ["root.test", "m.test", "n.test", "a.test", "b.test", "gone.test"];
  const cluster = (pages: Record<string, number>) =>
    new Map(Object.entries(pages).map(([host, count]) => [hosts.indexOf(host), Array<number>(count).fill(0)]));
  const prefer = (pages: Record<string, number>, addresses: Record<string, Addresses>) =>
    [
      ...preferHosts(cluster(pages), {
        ...input([]),
        hosts,
        addresses: hosts.map((host) => (host in addresses ? addresses[host]! : [])),
      }).keys(),
    ].map((host) => hosts[host]);

  it("takes the root's host, else the one with most pages, then the first by name", () => {
    expect(prefer({ "root.test": 1, "m.test": 9 }, { "root.test": ["1"], "m.test": ["1"] })).toEqual(["root.test"]);
    const shared = { "m.test": ["1"], "n.test": ["1"], "a.test": ["1"] };
    expect(prefer({ "root.test": 1, "m.test": 2, "n.test": 3 }, shared)).toEqual(["root.test", "n.test"]);
    expect(prefer({ "root.test": 1, "m.test": 2, "n.test": 2, "a.test": 2 }, shared)).toEqual(["root.test", "a.test"]);
  });

  it("follows addresses from host to host, keeps unknown ones apart, and drops failed lookups", () => {
    const chained = { "m.test": ["1"], "n.test": ["2"], "a.test": ["1", "2"], "gone.test": null };
    const pages = { "root.test": 1, "m.test": 5, "n.test": 4, "a.test": 1, "b.test": 1, "gone.test": 7 };
    expect(prefer(pages, chained)).toEqual(["root.test", "m.test", "b.test"]);
  });

  it("leaves one host of each machine, the best, whatever the addresses are", () => {
    let shared = 0;
    const known = fc.oneof(
      { weight: 8, arbitrary: fc.uniqueArray(fc.constantFrom("1", "2", "3", "4", "5"), { maxLength: 2 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    fc.assert(
      fc.property(
        fc.shuffledSubarray(hosts, { minLength: 2 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: hosts.length, maxLength: hosts.length }),
        fc.array(known, { minLength: hosts.length, maxLength: hosts.length }),
        (order, counts, addresses) => {
          const pages = Object.fromEntries(order.map((host) => [host, counts[hosts.indexOf(host)]!]));
          const of = (host: string) => addresses[hosts.indexOf(host)]!;
          const resolved = order.filter((host) => of(host) !== null);
          // A machine: everybody reached over shared addresses, by going on until nothing is new.
          const machineOf = (host: string): string[] => {
            let machine = [host];
            for (;;) {
              const reached = resolved.filter((other) =>
                machine.some(
                  (member) => member === other || of(member)!.some((address) => of(other)!.includes(address)),
                ),
              );
              if (reached.length === machine.length) return reached;
              machine = reached;
            }
          };
          const best = (machine: readonly string[]) =>
            machine.includes(order[0]!)
              ? order[0]
              : [...machine].sort((a, b) => pages[b]! - pages[a]! || (a < b ? -1 : 1))[0];
          const expected = resolved.filter((host) => best(machineOf(host)) === host);
          expect(prefer(pages, Object.fromEntries(order.map((host) => [host, of(host)])))).toEqual(expected);
          if (expected.length < resolved.length) shared++;
        },
      ),
    );
    expect(shared).toBeGreaterThan(20);
  });
});

describe("findMirrors", () => {
  it("finds the pairs and matches that the definitions give", () => {
    let confirmed = 0;
    const page = fc.tuple(
      fc.constantFrom("a.test", "b.test", "c.test", "d.test"),
      fc.constantFrom("/", "/1", "/2", "/x/1", "/x/2", "/y/x/1", "/x/", "/y/x/"),
      fc.constantFrom("", "0", "k", "l", "m", "n", "o"),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(page, { minLength: 16, maxLength: 32, selector: ([host, path]) => host + path }),
        (pages) => {
          const from = input(pages.map(([host, path, cluster]) => [host + path, cluster]));
          const { pairs, funnel } = findMirrors(from, { minPages: 2 });
          const found = pairs.map(
            ({ a, b, pagesA, pagesB, evidence }) => `${a} ${b} ${pagesA} ${pagesB} ${evidence.matchedA}`,
          );
          expect(found.sort()).toEqual(slowPairs(from, 2));
          expect(funnel.raw).toBe(funnel.autoMirrors + funnel.remaining);
          confirmed += funnel.confirmed[0]!;
          // What is left out is always kept elsewhere, and a prefix holds nothing else.
          const { avoid } = findMirrors(from, { minPages: 2 });
          const avoided = (url: string) =>
            avoid.some(
              (entry) => entry.value === url || (entry.kind === "prefix" && url.startsWith(`http://${entry.value}`)),
            );
          const urls = [...from.host.keys()].map((document) => from.urlOf(document));
          urls.forEach((url, document) => {
            if (!avoided(url)) return;
            expect(
              urls.some((other, at) => from.clusters.root[at] === from.clusters.root[document] && !avoided(other)),
            ).toBe(true);
          });
        },
      ),
      { numRuns: 300 },
    );
    expect(confirmed).toBeGreaterThan(50);
  });

  it("reports mirrored subtrees by their prefixes, and what a crawler can leave out", () => {
    const pages: [string, string][] = [
      ...replicate(["a.test/docs/", "b.test/manual/en/"], 12),
      ["b.test/manual/de/1.html", ""],
      ["b.test/", ""],
      ["a.test/", ""],
      ["a.test/more.html", ""],
      ["a.test/much-more.html", ""],
    ];
    const { pairs, avoid, groups, share, mirroredPages } = findMirrors(input(pages), { nowMs: 0 });
    expect(pairs).toHaveLength(1);
    expect(pairs[0]).toMatchObject({ a: "a.test", b: "b.test", pagesA: 12, pagesB: 12, size: 12, confirmedArcs: 2 });
    expect(pairs[0]!.subtrees).toEqual([
      { a: "a.test/docs/", b: "b.test/manual/en/", pages: 12, knownA: 12, knownB: 12 },
    ]);
    expect(avoid).toEqual([
      {
        kind: "prefix",
        value: "b.test/manual/en/",
        pages: 12,
        why: "mirror",
        keep: "http://a.test/docs/x/0.html",
        lookAgainMs: 30 * 86_400_000,
      },
    ]);
    expect(groups).toEqual([["a.test", "b.test"]]);
    expect(mirroredPages).toBe(24);
    expect(share).toBeCloseTo(24 / 29);
  });

  it("excepts a page of its own from the prefix that names the copies", () => {
    const pages: [string, string][] = [
      ...replicate(["a.test/", "b.test/"], 10),
      ["b.test/x/own.html", ""],
      ["a.test/1", ""],
      ["a.test/2", ""],
    ];
    const { avoid } = findMirrors(input(pages));
    const entries = avoid.map(({ kind, value, pages: count }) => [kind, value, count]);
    expect(entries).toEqual([
      ["prefix", "b.test/x/", 10],
      ["except", "b.test/x/own.html", 0],
    ]);
    const isAvoided = compileAvoidList(avoid, 0);
    expect(isAvoided("http://b.test/x/own.html")).toBeUndefined();
    expect(isAvoided("http://b.test/x/3.html")).toBeDefined();
  });

  it("finds four editions as mirrors of each other, and unrelated manuals as mirrors of nothing", () => {
    const editions = ["g1.test/", "g2.test/", "g3.test/", "g4.test/"];
    const manuals = ["m1.test", "m2.test", "m3.test"].flatMap((host) =>
      Array.from({ length: 30 }, (_, page): [string, string] => [`${host}/x/${page}.html`, ""]),
    );
    const { groups, pairs } = findMirrors(input([...replicate(editions, 25), ...manuals]));
    expect(groups).toEqual([["g1.test", "g2.test", "g3.test", "g4.test"]]);
    expect(pairs).toHaveLength(6);
  });

  it("narrows raw pairs as section 4 does: auto-mirrors, aliases, unresolvable hosts", () => {
    const addresses = { "a.test": ["10.0.0.1"], "alias.test": ["10.0.0.1"], "b.test": ["10.0.0.2"], "gone.test": null };
    const pages: [string, string][] = [
      ...replicate(["a.test/", "alias.test/", "b.test/", "gone.test/", "www.b.test/"], 10),
      ...Array.from({ length: 10 }, (_, page): [string, string] => [`auto.test/${page}`, "auto"]),
    ];
    const { funnel, aliases, pairs, hosts, machines } = findMirrors(input(pages, addresses));
    expect(funnel).toMatchObject({
      raw: 11,
      autoMirrors: 1,
      // a-alias share an address; alias-b and alias-www.b have a.test standing for alias.test.
      aliases: 3,
      sameAddress: 1,
      unresolvable: 4,
      remaining: 3,
      wwwPairs: 1,
      confirmed: [3, 3, 3, 3],
      // The root is on a.test: the paper's filters never see b.test together with www.b.test.
      confirmedByBloom: [2, 2, 2, 2],
    });
    expect(aliases).toEqual([{ a: "a.test", b: "alias.test", addresses: ["10.0.0.1"], pagesA: 10, pagesB: 10 }]);
    expect(pairs.map(({ a, b, alias }) => [a, b, alias])).toEqual([
      ["a.test", "b.test", null],
      ["a.test", "www.b.test", null],
      ["b.test", "www.b.test", "www"],
    ]);
    // Nobody knows the address of www.b.test.
    expect([hosts, machines]).toEqual([3, undefined]);
  });

  it("leaves a pair unconfirmed where URLs do not end alike (section 4: untitled documents)", () => {
    const pages = Array.from({ length: 10 }, (_, page): [string, string][] => [
      [`a.test/a${page}`, "untitled"],
      [`b.test/b${page}`, "untitled"],
    ]).flat();
    const { pairs, groups, avoid, funnel } = findMirrors(input(pages));
    expect(pairs[0]).toMatchObject({ confirmedArcs: 0, subtrees: [] });
    expect([groups, avoid, funnel.confirmed[0]]).toEqual([[], [], 0]);
  });

  it("takes hosts with many pages of one cluster, or with many that say nothing, for no mirrors", () => {
    // Twelve untitled documents each, and one equal path, four arcs long.
    const untitled = ["a.test", "b.test"].flatMap((host) => [
      [`${host}/x/y/z/index.html`, "untitled"] as [string, string],
      ...Array.from({ length: 11 }, (_, page): [string, string] => [`${host}/${host}/${page}`, "untitled"]),
    ]);
    const { pairs, groups, avoid, funnel } = findMirrors(input(untitled));
    expect(pairs[0]).toMatchObject({ confirmedArcs: 4, confirmation: { clusters: 1, alike: 1, isMirror: false } });
    expect([groups, avoid, funnel.mirrors]).toEqual([[], [], 0]);
    // Twelve different ones under equal names; of a few words each, they are practically untitled.
    const placeholders = input(replicate(["a.test/", "b.test/"], 12));
    expect(findMirrors(placeholders).groups).toEqual([["a.test", "b.test"]]);
    const words = new Uint32Array(placeholders.host.length).fill(6);
    expect(findMirrors({ ...placeholders, words })).toMatchObject({ pairs: [], groups: [], share: 0 });
    // Half of the names alike is not most of them.
    const half = Array.from({ length: 12 }, (_, page): [string, string][] => [
      [`a.test/${page}`, `p${page}`],
      [`b.test/${page % 2 === 0 ? page : `other${page}`}`, `p${page}`],
    ]).flat();
    expect(findMirrors(input(half)).groups).toEqual([]);
  });

  it("takes no address of unrelated hosts for an alias, as behind a CDN", () => {
    const mirrored = replicate(["a.test/", "b.test/"], 12);
    const unrelated = Array.from({ length: 12 }, (_, page): [string, string] => [`c.test/${page}`, ""]);
    const cdn = { "a.test": ["10.0.0.1"], "b.test": ["10.0.0.1"], "c.test": ["10.0.0.1"] };
    const behind = findMirrors(input([...mirrored, ...unrelated], cdn));
    expect(behind).toMatchObject({ groups: [["a.test", "b.test"]], aliases: [], sharedAddresses: ["10.0.0.1"] });
    const own = findMirrors(input([...mirrored, ...unrelated], { ...cdn, "c.test": ["10.0.0.2"] }));
    expect(own).toMatchObject({ groups: [], aliases: [{ a: "a.test", b: "b.test" }], sharedAddresses: [] });
  });

  it("bounds shares exactly", () => {
    // All of n: the n-th root of 5%. Otherwise the share at which this many or more have that chance.
    expect(shareAtLeast(10, 10)).toBeCloseTo(0.05 ** 0.1, 9);
    expect([shareAtLeast(4, 4), shareAtLeast(5, 5)].map((share) => share > 0.5)).toEqual([false, true]);
    expect(shareAtLeast(0, 9)).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), (a, b) => {
        const [k, n] = [Math.min(a, b), Math.max(a, b)];
        const p = shareAtLeast(k, n);
        let chance = 0;
        for (let count = k; count <= n; count++) {
          let ways = 1;
          for (let at = 1; at <= count; at++) ways *= (n - count + at) / at;
          chance += ways * p ** count * (1 - p) ** (n - count);
        }
        expect(chance).toBeCloseTo(0.05, 6);
      }),
    );
    expect(shareAtLeast(900_000, 1_000_000)).toBeCloseTo(0.8995, 4);
  });

  it("counts every URL of a host in a common cluster, but the threshold is on the smaller side", () => {
    const many = Array.from({ length: 100 }, (_, page): [string, string] => [`a.test/${page}`, "k"]);
    const find = (pages: [string, string][], options?: MirrorOptions) => findMirrors(input(pages), options).pairs;
    expect(find([...many, ["b.test/1", "k"]])).toEqual([]);
    expect(find([...many, ["b.test/1", "k"]], { minPages: 1 })[0]).toMatchObject({ size: 100, pagesB: 1 });
  });

  it("pairs the root's host with each other one beyond 1,000 hosts, and says so", () => {
    const hosts = Array.from({ length: 1001 }, (_, host) => `h${String(host).padStart(4, "0")}.test`);
    const { pairs, funnel } = findMirrors(input(hosts.map((host) => [`${host}/1`, "k"])), { minPages: 1 });
    expect(pairs).toHaveLength(1000);
    expect(pairs.every(({ a }) => a === "h0000.test")).toBe(true);
    expect(funnel).toMatchObject({ crowdedClusters: 1, remaining: 1000 });
  });

  it("takes www and apex for names of one site", () => {
    expect(isWwwPair("www.a.test", "a.test")).toBe(true);
    expect(isWwwPair("a.test", "b.a.test")).toBe(false);
  });
});

describe("compareMirrors", () => {
  it("follows pairs by name", () => {
    const before = findMirrors(
      input([...replicate(["a.test/", "b.test/"], 12), ...replicate(["c.test/", "d.test/"], 10, "q")]),
    );
    const after = findMirrors(input([...replicate(["a.test/", "b.test/", "0.test/"], 11)]));
    const change = compareMirrors(before.pairs, after.pairs);
    expect(change.kept).toEqual([{ a: "a.test", b: "b.test", before: 12, after: 11 }]);
    expect(change.ended.map(({ a, b }) => [a, b])).toEqual([["c.test", "d.test"]]);
    expect(change.begun).toHaveLength(2);
    expect(change).toMatchObject({ same: 0, grown: 0, shrunk: 1 });
  });
});
