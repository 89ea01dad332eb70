import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { avoidList } from "#src/collections/avoid.js";
import { findCollections } from "#src/collections/find-collections.js";
import { findPositions } from "#src/collections/positions.js";
import { describeReplicas } from "#src/collections/replicas.js";
import { type Page, webOf } from "./small-web.js";

/** A chain of chapters, each linked from the one before. */
const chain = (host: string, length: number): Page[] =>
  Array.from({ length }, (_, at) => ({
    url: `http://${host}/${at}.html`,
    text: at,
    links: at + 1 < length ? [`http://${host}/${at + 1}.html`] : [],
  }));

const grown = (pages: readonly Page[], surplus: boolean) => {
  const { web, links, trivial } = webOf(pages);
  const positions = surplus ? findPositions(web, links, trivial) : trivial;
  const collections = findCollections(web, links, positions, { joinThrough: 0 });
  const { firstReplica, size } = collections.clusters;
  return { cardinality: firstReplica[1]!, size: size[0]!, web, positions, collections };
};

describe("positions", () => {
  it("leave a stray copy of one page aside, elsewhere or beside the page, which splits the collection in the paper", () => {
    const copies = [...chain("a.test", 12), ...chain("b.test", 12)];
    expect(grown(copies, false)).toMatchObject({ cardinality: 2, size: 12 });
    for (const stray of [
      "http://elsewhere.test/found.html",
      "http://a.test/backup/5.html",
      "http://a.test/5-old.html",
    ]) {
      const pages = [...copies, { url: stray, text: 5, links: ["http://a.test/6.html"] }];
      expect(grown(pages, false).size).toBeLessThan(12);
      expect(grown(pages, true)).toMatchObject({ cardinality: 2, size: 12 });
    }
  });

  it("are apart where two pages of a manual look alike in every copy", () => {
    const alike = (host: string) => chain(host, 12).map((page, at) => (at === 7 ? { ...page, text: 3 } : page));
    const pages = [...alike("a.test"), ...alike("b.test")];
    expect(grown(pages, false).size).toBeLessThan(12);
    expect(grown(pages, true)).toMatchObject({ cardinality: 2, size: 12 });
  });

  it("keep copies on one site, and all that nothing speaks against", () => {
    const within = [...chain("a.test/old", 12), ...chain("a.test/new", 12)];
    expect(grown(within, true)).toMatchObject({ cardinality: 2, size: 12 });
    const four = ["a.test/old", "a.test/new", "b.test/old", "b.test/new"].flatMap((place) => chain(place, 12));
    expect(grown(four, true)).toMatchObject({ cardinality: 4, size: 12 });
  });

  it("refine the trivial clusters, and planted collections lose no page to strays", () => {
    let strays = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 4 }),
        fc.array(fc.tuple(fc.nat(11), fc.nat(3)), { maxLength: 5 }),
        (hosts, copied) => {
          strays += copied.length;
          const pages = [
            ...Array.from({ length: hosts }, (_, host) => chain(`h${host}.test`, 12)).flat(),
            ...copied.map(([at, host], number) => ({ url: `http://stray${host}.test/${number}`, text: at, links: [] })),
          ];
          const { web, links, trivial } = webOf(pages);
          const positions = findPositions(web, links, trivial);
          positions.of.forEach((position, page) => {
            const first = positions.pages[positions.offsets[position]!]!;
            expect(trivial.of[first]).toBe(trivial.of[page]);
          });
          const collections = findCollections(web, links, positions);
          const replicas = describeReplicas(web, positions, collections);
          const large = [...collections.clusters.size].filter((size) => size >= 10);
          // The first page has no link to it: there, copies elsewhere cannot be told.
          if (copied.every(([at]) => at > 0)) expect(large).toEqual([12]);
          else expect(large[0]).toBeGreaterThanOrEqual(11);
          const avoid = avoidList(web, positions, collections.clusters, replicas, 0);
          expect(avoid.some(({ value }) => value.startsWith("stray"))).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
    expect(strays).toBeGreaterThan(50);
  });
});
