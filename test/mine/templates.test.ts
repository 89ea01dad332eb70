import { describe, expect, it } from "vitest";
import { contentClasses } from "#src/mine/content-classes.js";
import { mineTemplates } from "#src/mine/templates.js";
import { listOf } from "./parameters-lists.js";

const site = "http://a.test";
/** Pairs of URLs that show one page each, for numbers that have nothing to do with each other. */
const mine = (make: (i: number) => readonly string[], count = 12) => {
  const known = Array.from({ length: count }, (_, i) =>
    make(i).map((path) => ({ url: site + path, size: 1000 + 7 * i })),
  );
  return mineTemplates(contentClasses(listOf(known.flat()), "auto")!).map(
    (rule) => rule.kind === "template" && `${rule.from} -> ${rule.to} ${rule.support}`,
  );
};

describe("templates", () => {
  it("two places at once: a printer's page and its article", () => {
    const name = (i: number) => `0${i % 10}/${11 + i}/story${i * 37}`;
    expect(mine((i) => [`/print.pl?sid=${name(i)}`, `/${name(i)}.shtml`])).toEqual([
      "/print.pl?sid={a:rest} -> /{a:rest}.shtml 12",
    ]);
  });

  it("two captures: a query's project and action as a path", () => {
    const actions = ["log", "tree", "summary"];
    const make = (i: number) => [`/?p=repo${i};a=${actions[i % 3]}`, `/repo${i}/${actions[i % 3]}`];
    expect(mine(make)).toEqual(["/?p={a:word};a={b:word} -> /{a:word}/{b:word} 12"]);
  });

  it("where whatever follows a value leads to the same, that is one rule, and it comes first", () => {
    const tails = ["days=7", "limit=50", "days=30&limit=50"];
    const make = (i: number) => [...tails.map((tail) => `/l.php?of=name${i}x&${tail}`), `/list/name${i}x`];
    const wide = "/l.php?of={a:word}&{rest:rest} -> /list/{a:word} 36";
    expect(mine(make)[0]).toBe(wide);
    // Two tails are no reason; nor is what other URLs speak against.
    expect(mine((i) => make(i).slice(1))).not.toContainEqual(expect.stringContaining("{rest:rest}"));
    const others = (i: number) => [...make(i), `/l.php?of=name${(i + 1) % 12}x&page=2`];
    expect(mine(others)).not.toContainEqual(expect.stringContaining("{rest:rest}"));
  });

  it("leaves what a substring rule says to substring rules", () => {
    expect(mine((i) => [`/story?id=${i}`, `/story_${i}`])).toEqual([]);
  });

  it("does not learn what other URLs of the list contradict", () => {
    const make = (i: number) => [`/print.pl?sid=x${i}`, `/x${i}.shtml`, ...(i >= 12 ? [] : [])];
    const known = Array.from({ length: 24 }, (_, i) =>
      make(i).map((path, k) => ({ url: site + path, size: 1000 + 7 * i + (i < 12 ? 0 : 3000 * k) })),
    ).flat();
    known.push(...known.slice(24).map(({ url, size }) => ({ url: `${url}#twin`, size })));
    expect(mineTemplates(contentClasses(listOf(known), "auto")!)).toEqual([]);
  });

  it("needs several pages", () => {
    expect(mine((i) => [`/print.pl?sid=x${i}`, `/x${i}.shtml`], 4)).toEqual([]);
  });
});
