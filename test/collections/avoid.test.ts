import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { avoidList, replayCrawl } from "#src/collections/avoid.js";
import { clusterDistribution, describeCluster, replicationDistribution } from "#src/collections/describe.js";
import { findCollections } from "#src/collections/find-collections.js";
import { describeReplicas } from "#src/collections/replicas.js";
import { groupResults, lineOf } from "#src/collections/rollup.js";
import { NONE } from "#src/collections/web-graph.js";
import { compileAvoidList } from "#src/url/avoid-list.js";
import { type Page, webOf } from "./small-web.js";

/** A manual of an index and 11 chapters below a prefix. */
function manual(prefix: string, chapterPrefix: (chapter: number) => string = () => prefix): Page[] {
  const chapters = Array.from({ length: 11 }, (_, at) => `${chapterPrefix(at)}${at}.html`);
  return [
    { url: `${prefix}index.html`, text: 1, links: chapters },
    ...chapters
      .map((url, at) => ({ url, text: 10 + at, links: [`${prefix}index.html`] }))
      .filter(({ url }) => url.startsWith(prefix)),
  ];
}

function solve(pages: readonly Page[], extended = false) {
  const { web, links, trivial, numberOf } = webOf(pages);
  const collections = findCollections(web, links, trivial, { extended });
  const replicas = describeReplicas(web, trivial, collections);
  return { web, links, trivial, collections, replicas, numberOf };
}

const recordsOf = (solved: ReturnType<typeof solve>) =>
  Array.from({ length: solved.collections.clusters.count }, (_, cluster) => describeCluster(solved, cluster));

const linkTo = (url: string, from: string, text: number): Page => ({ url: from, text, links: [url] });

function avoided(solved: ReturnType<typeof solve>) {
  const { web, trivial, collections, replicas } = solved;
  const list = avoidList(web, trivial, collections.clusters, replicas, 0);
  return { list, text: list.map(({ kind, value, pages }) => `${kind} ${value} ${pages}`) };
}

describe("the principal copy", () => {
  it("has the most links from other sites to its root", () => {
    const solved = solve([
      ...manual("http://short.test/"),
      ...manual("http://mirror.test/docs/"),
      linkTo("http://mirror.test/docs/index.html", "http://x.test/", 100),
    ]);
    const record = describeCluster(solved, 0);
    expect(record).toMatchObject({ cardinality: 2, size: 12, isNoise: false, name: "mirror.test/docs/index.html" });
    expect(record.replicas.map(({ root, isPrincipal }) => [root, isPrincipal])).toEqual([
      ["http://mirror.test/docs/index.html", true],
      ["http://short.test/index.html", false],
    ]);
  });

  it("is entered, as every copy, by the page that most of it links to, even if that page has no copy", () => {
    const editions = ["http://arm.test/", "http://intel.test/"].flatMap((host, edition) => {
      const front = `${host}index.html`;
      const chapter = (at: number) => `${host}${at}.html`;
      // Two parts, which only the front page holds together.
      const chapters = Array.from({ length: 12 }, (_, at): Page => {
        return { url: chapter(at), text: 10 + at, links: [front, ...(at % 6 === 5 ? [] : [chapter(at + 1)])] };
      });
      return [{ url: front, text: 1000 + edition, links: chapters.map(({ url }) => url) }, ...chapters];
    });
    const { web, links, trivial } = webOf(editions);
    const collections = findCollections(web, links, trivial, { joinThrough: 1 });
    const replicas = describeReplicas(web, trivial, collections);
    const record = describeCluster({ web, links, trivial, collections, replicas }, 0);
    expect(record).toMatchObject({ cardinality: 2, size: 12, entryPage: "http://arm.test/index.html" });
    expect(record.replicas.map(({ root, unmatched }) => [root, unmatched])).toEqual([
      ["http://arm.test/index.html", 1],
      ["http://intel.test/index.html", 1],
    ]);
  });

  it("else has the most real pages, else the shortest URL", () => {
    const equal = solve([...manual("http://longer.test/"), ...manual("http://short.test/")]);
    expect(describeCluster(equal, 0).entryPage).toBe("http://short.test/index.html");
    const whole = "http://whole.test/manual/";
    const partial = solve(
      [...manual("http://a.test/", (at) => (at < 2 ? whole : "http://a.test/")), ...manual(whole)],
      true,
    );
    expect(describeCluster(partial, 0)).toMatchObject({
      entryPage: `${whole}index.html`,
      size: 12,
      replicas: [
        { real: 12, virtual: 0, mapped: 1 },
        { real: 10, virtual: 2, mapped: 10 / 12 },
      ],
    });
  });
});

describe("extended clusters", () => {
  it("do not take pages of one manual that look alike for mirrors of what their menu links to", () => {
    const host = (name: string): Page[] => {
      const pages = manual(name);
      const menu = pages.map(({ url }) => url);
      return [...pages, ...[1, 2, 3].map((at): Page => ({ url: `${name}list${at}.html`, text: 2, links: menu }))];
    };
    const solved = solve([...host("http://o.test/"), ...host("http://mirror.test/")], true);
    expect(clusterDistribution(recordsOf(solved))).toEqual([
      { cardinality: 6, size: 1, isNoise: true, clusters: 1 },
      { cardinality: 2, size: 12, isNoise: false, clusters: 1 },
    ]);
  });
});

describe("the avoid-list", () => {
  const original = manual("http://o.test/");

  it("names a host if all its known pages are copies", () => {
    const solved = solve([...original, ...manual("http://mirror.test/")]);
    const { list, text } = avoided(solved);
    expect(text).toEqual(["host mirror.test 12"]);
    expect(list[0]).toMatchObject({ keep: "http://o.test/index.html", lookAgainMs: 30 * 86_400_000 });
    const avoids = compileAvoidList(list);
    expect(avoids("https://mirror.test/new.html?x=/y#z")).toBe(list[0]);
    expect(avoids("http://mirror.test.example/")).toBeUndefined();
    expect(compileAvoidList(list, 30 * 86_400_000)("http://mirror.test/")).toBeUndefined();
    expect(compileAvoidList(list, 30 * 86_400_000 - 1)("http://mirror.test/")).toBe(list[0]);
    expect(replayCrawl(solved.web, solved.trivial, avoids, new Uint32Array(24).fill(100))).toEqual({
      pages: 24,
      similarBefore: 24,
      similarAfter: 0,
      shareBefore: 1,
      shareAfter: 0,
      fetchesSaved: 12,
      bytesSaved: 1200,
      lost: 0,
    });
  });

  it("names a prefix only if every known page under it is a copy", () => {
    const home: Page = { url: "http://mirror.test/", text: 500, links: [] };
    const pure = solve([...original, ...manual("http://mirror.test/ldp/"), home]);
    expect(avoided(pure).text).toEqual(["prefix mirror.test/ldp/ 12"]);
    const avoids = compileAvoidList(avoided(pure).list);
    expect(avoids("http://mirror.test/ldp/deep/new.html")).toBeDefined();
    expect(avoids("http://mirror.test/")).toBeUndefined();
    expect(avoids("http://mirror.test/?back=/ldp/")).toBeUndefined();

    const note: Page = { url: "http://mirror.test/ldp/note.html", text: 501, links: [] };
    const mixed = avoided(solve([...original, ...manual("http://mirror.test/ldp/"), note]));
    // One page in thirteen is an exception; two would be too many.
    expect(mixed.text).toEqual(["prefix mirror.test/ldp/ 12", "except mirror.test/ldp/note.html 0"]);
    expect(compileAvoidList(mixed.list)(note.url)).toBeUndefined();
    const more = { ...note, url: "http://mirror.test/ldp/more.html", text: 502 };
    const two = avoided(solve([...original, ...manual("http://mirror.test/ldp/"), note, more]));
    expect(two.text).toHaveLength(12);
    expect(two.text.every((line) => line.startsWith("page mirror.test/ldp/"))).toBe(true);
    expect(two.list[0]).toMatchObject({ value: "mirror.test/ldp/0.html", keep: "http://o.test/0.html" });
  });

  it("names a directory of copies once, however many collections they are of", () => {
    const [first, second] = [manual("http://mirror.test/docs/a/"), manual("http://mirror.test/docs/b/")];
    const other = (pages: readonly Page[]) => pages.map((page) => ({ ...page, text: page.text + 100 }));
    const { text } = avoided(
      solve([
        ...manual("http://o.test/x/"),
        ...other(manual("http://o.test/y/")),
        ...first,
        ...other(second),
        { url: "http://mirror.test/", text: 900, links: [] },
      ]),
    );
    expect(text).toEqual(["prefix mirror.test/docs/ 24"]);
  });

  it("takes both schemes of a URL for one", () => {
    const other: Page = { url: "https://mirror.test/0.html", text: 777, links: [] };
    const { list, text } = avoided(solve([...original, ...manual("http://mirror.test/"), other]));
    expect(text).toEqual(["prefix mirror.test/ 11", "except mirror.test/0.html 0"]);
    expect(compileAvoidList(list)("http://mirror.test/0.html")).toBeUndefined();
  });

  it("lists neither noise nor what the principal copy itself has only virtually", () => {
    const small = [1, 2].map((host): Page => ({ url: `http://h${host}.test/`, text: 1, links: [] }));
    expect(avoided(solve(small)).list).toEqual([]);
    // The principal lacks chapters 0 and 1, which only the other host has.
    const holder = "http://holder.test/m/";
    const solved = solve(
      [
        ...manual("http://p.test/", (at) => (at < 2 ? holder : "http://p.test/")),
        ...manual(holder),
        linkTo("http://p.test/index.html", "http://x.test/", 900),
      ],
      true,
    );
    const { list } = avoided(solved);
    expect(describeCluster(solved, 0).entryPage).toBe("http://p.test/index.html");
    expect(list.reduce((sum, { pages }) => sum + pages, 0)).toBe(10);
    expect(replayCrawl(solved.web, solved.trivial, compileAvoidList(list))).toMatchObject({
      fetchesSaved: 10,
      lost: 0,
    });
  });
});

describe("the avoid-list of random mirrors", () => {
  /** Manuals whose chapters are in some directories, damaged, on hosts with other pages of their own. */
  const mirrors = fc
    .record({
      chapters: fc.array(fc.constantFrom("", "a/", "a/b/", "c/"), { minLength: 10, maxLength: 14 }),
      copies: fc.integer({ min: 2, max: 3 }),
      onOneHost: fc.boolean(),
      changed: fc.array(fc.tuple(fc.nat(2), fc.nat(13)), { maxLength: 3 }),
      others: fc.array(fc.tuple(fc.nat(2), fc.constantFrom("", "a/", "a/b/", "d/")), { maxLength: 3 }),
      secure: fc.nat(2),
    })
    .map(({ chapters, copies, onOneHost, changed, others, secure }) => {
      const prefix = (copy: number) => {
        const scheme = copy === secure ? "https" : "http";
        return onOneHost ? `${scheme}://h.test/m${copy}/` : `${scheme}://h${copy}.test/`;
      };
      const pages = Array.from({ length: copies }, (_, copy): Page[] => {
        const urls = chapters.map((directory, at) => `${prefix(copy)}${directory}${at}.html`);
        return [
          { url: `${prefix(copy)}index.html`, text: 1, links: urls },
          ...urls.map((url, at) => ({
            url,
            text: changed.some(([of, chapter]) => of === copy && chapter === at) ? 1000 + 100 * copy + at : 10 + at,
            links: [],
          })),
        ];
      }).flat();
      const rest = others
        .filter(([copy]) => copy < copies)
        .map(
          ([copy, directory], at): Page => ({ url: `${prefix(copy)}${directory}x${at}`, text: 5000 + at, links: [] }),
        );
      return [...pages, ...rest];
    });

  it("names nothing but copies of pages that are kept, and no page twice", () => {
    const kinds = { host: 0, prefix: 0, page: 0, except: 0 };
    fc.assert(
      fc.property(mirrors, (pages) => {
        const solved = solve(pages);
        const { clusters } = solved.collections;
        const { list } = avoided(solved);
        const avoids = compileAvoidList(list);
        let count = 0;
        pages.forEach(({ url, text }, page) => {
          const entry = avoids(url);
          if (entry === undefined) return;
          count++;
          kinds[entry.kind]++;
          const replica = clusters.replicaOf[page]!;
          const principal = solved.replicas.principal[clusters.clusterOfReplica[replica]!]!;
          expect(principal).not.toBe(replica);
          const kept = pages.findIndex((other, at) => other.text === text && clusters.replicaOf[at] === principal);
          expect(avoids(pages[kept]!.url)).toBeUndefined();
        });
        expect(count).toBe(list.reduce((sum, entry) => sum + entry.pages, 0));
        expect(replayCrawl(solved.web, solved.trivial, avoids)).toMatchObject({ fetchesSaved: count, lost: 0 });
      }),
    );
    expect(Math.min(kinds.host, kinds.prefix, kinds.page)).toBeGreaterThan(20);
  });
});

describe("the paper's tables and figures", () => {
  it("counts pages by replicas, clusters by cardinality and size", () => {
    const solved = solve([
      ...manual("http://o.test/"),
      ...manual("http://m.test/"),
      linkTo("http://o.test/", "http://x.test/", 3),
    ]);
    expect(replicationDistribution(solved.trivial)).toEqual([1, 24, 0, 0, 0, 0]);
    expect(clusterDistribution(recordsOf(solved))).toEqual([{ cardinality: 2, size: 12, isNoise: false, clusters: 1 }]);
  });
});

describe("roll-up", () => {
  const pages = [...manual("http://o.test/"), ...manual("http://mm.test/"), ...manual("http://n.test/docs/")];
  const solved = solve([...pages, linkTo("http://o.test/index.html", "http://x.test/", 3)]);
  const hits = [
    "http://x.test/",
    "http://mm.test/3.html",
    "http://unknown.test/",
    "http://o.test/3.html",
    "http://mm.test/3.html",
    "http://mm.test/4.html",
  ];
  const lines = groupResults(
    hits.map((url, at) => ({ url, score: 10 - at })),
    ({ url }) => {
      const { replicaOf, clusterOfReplica } = solved.collections.clusters;
      const replica = replicaOf[solved.numberOf.get(url) ?? NONE];
      return replica === undefined || replica === NONE ? undefined : { cluster: clusterOfReplica[replica]!, replica };
    },
  ).map((group) => lineOf(group, (cluster) => describeCluster(solved, cluster)));

  it("gives a cluster one line, at its best hit", () => {
    expect(lines.map(({ url, rank, score }) => [url, rank, score])).toEqual([
      ["http://x.test/", 1, 10],
      ["http://mm.test/3.html", 2, 9],
      ["http://unknown.test/", 3, 8],
    ]);
    expect(lines[0]!.cluster).toBeUndefined();
  });

  it("has the hits under Collection and all copies under Replica", () => {
    const line = lines[1]!;
    if (line.cluster === undefined) throw new Error("expected a cluster");
    expect(line.collection.map(({ url, rank }) => [url, rank])).toEqual([
      ["http://mm.test/3.html", 2],
      ["http://o.test/3.html", 4],
      ["http://mm.test/4.html", 6],
    ]);
    expect(line.replicas.map(({ root, hits: count }) => [root, count])).toEqual([
      ["http://o.test/index.html", 1],
      ["http://mm.test/index.html", 2],
      ["http://n.test/docs/index.html", 0],
    ]);
  });
});
