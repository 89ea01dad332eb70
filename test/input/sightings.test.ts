import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Sighting, SightingTable } from "#src/input/sightings.js";
import { ALL_NORMALIZATION_STEPS, allSteps, normalizationMask, normalizationSteps } from "#src/url/normalize.js";
import { rows, strings } from "./reading.js";

const sighting = fc.record(
  {
    status: fc.constantFrom(200, 200, 206, 301, 304, 404, 500),
    head: fc.boolean(),
    bytes: fc.integer({ min: 0, max: 9 }),
    timeMs: fc.integer({ min: 0, max: 9 }),
    family: fc.integer({ min: 0, max: 3 }),
    redirectTo: fc.constantFrom("/x", "/y"),
  },
  { requiredKeys: [] },
);
// Few distinct URLs, several spellings of each.
const url = fc
  .tuple(
    fc.constantFrom(
      "",
      "http://a.test",
      "HTTP://A.test",
      "http://a.test:80",
      "http://b.test",
      "http://me:secret@a.test:80",
    ),
    fc.constantFrom("/", "/a", "/./a", "/b/../a", "/é", "/%c3%a9", "/%C3%A9", "/a#b", "/a b", "/a%20b"),
  )
  .map(([origin, path]) => origin + path);
const log = fc.array(fc.tuple(url, sighting), { maxLength: 60 });

/** Slow and obvious: one object a URL, by its spelling after encoding and normalization. */
function oracle(records: [string, Sighting][]) {
  const found = new Map<
    string,
    ReturnType<typeof rows>[number] & { min: number; max: number; first: number; last: number }
  >();
  for (const [spelling, { status = 0, head = false, bytes, timeMs, family = 0 }] of records) {
    const url = spelling
      .replace(/^HTTP:/, "http:")
      .replace("//me:secret@", "//")
      .replace("//A.test", "//a.test")
      .replace(":80/", "/")
      .replace("/./", "/")
      .replace("/b/../", "/")
      .replace(/#.*/, "")
      .replaceAll("é", "%C3%A9")
      .replaceAll("%c3%a9", "%C3%A9")
      .replaceAll(" ", "%20");
    const row = found.get(url) ?? {
      url,
      hits: 0,
      status: "",
      min: Infinity,
      max: -Infinity,
      first: Infinity,
      last: -Infinity,
    };
    found.set(url, row);
    row.hits++;
    row.status = [...new Set([...row.status, `${Math.floor(status / 100)}`])].sort().join("");
    if (bytes !== undefined && status === 200 && !head) {
      row.min = Math.min(row.min, bytes);
      row.max = Math.max(row.max, bytes);
    }
    if (timeMs !== undefined) {
      row.first = Math.min(row.first, timeMs);
      row.last = Math.max(row.last, timeMs);
    }
    if (family !== 0) {
      row.crawlers ??= {};
      row.crawlers[family] = (row.crawlers[family] ?? 0) + 1;
    }
  }
  return [...found.values()];
}

const known = (value: number) => (Number.isFinite(value) ? value : Number.NaN);

describe("a table of sightings", () => {
  it("equals one object a URL", () => {
    let merged = 0;
    fc.assert(
      fc.property(log, (records) => {
        const table = new SightingTable();
        for (const [url, about] of records) table.add(url, about);
        const spellings = table.count;
        const sightings = table.finish();
        const expected = oracle(records);
        if (spellings > expected.length) merged++;
        expect(strings(sightings.urls)).toEqual(expected.map(({ url }) => url));
        expect([...sightings.hits]).toEqual(expected.map(({ hits }) => hits));
        expect(rows(sightings).map(({ status }) => status)).toEqual(expected.map(({ status }) => status));
        expect([...sightings.minBytes]).toEqual(expected.map(({ min }) => known(min)));
        expect([...sightings.maxBytes]).toEqual(expected.map(({ max }) => known(max)));
        expect([...sightings.firstMs]).toEqual(expected.map(({ first }) => known(first)));
        expect([...sightings.lastMs]).toEqual(expected.map(({ last }) => known(last)));
        const crawlers = [...sightings.crawlerHits.url].map((u, i) => [
          u,
          sightings.crawlerHits.family[i],
          sightings.crawlerHits.hits[i],
        ]);
        expect(crawlers).toEqual(
          expected.flatMap((row, i) =>
            Object.entries(row.crawlers ?? {}).map(([family, hits]) => [i, Number(family), hits]),
          ),
        );
      }),
    );
    expect(merged).toBeGreaterThan(20);
  });

  it("is the same if its input came in parts", () => {
    fc.assert(
      fc.property(log, log, (first, second) => {
        const whole = new SightingTable();
        for (const [url, about] of [...first, ...second]) whole.add(url, about);
        const part = new SightingTable();
        for (const [url, about] of first) part.add(url, about);
        const later = new SightingTable();
        for (const [url, about] of second) later.add(url, about);
        part.merge(later.finish());
        const [a, b] = [whole.finish(), part.finish()];
        // A redirect's target is the last seen; with several spellings in one part that is only a guess.
        const bare = (list: ReturnType<typeof rows>) =>
          list.map(({ to, ...row }) => ({ ...row, redirects: to !== undefined }));
        expect(bare(rows(b))).toEqual(bare(rows(a)));
        const spelled = ({ spellings }: typeof a) =>
          strings(spellings.spelling)
            .map((text, i) => [text, spellings.url[i], spellings.steps[i]])
            .sort();
        expect(spelled(b)).toEqual(spelled(a));
      }),
    );
  });

  it("names the steps that changed a spelling, each spelling once", () => {
    const table = new SightingTable();
    for (const url of ["http://a.test:80/x", "http://a.test:80/x", "http://a.test/x", "http://A.test:80/x", "/é"])
      table.add(url, {});
    const { urls, spellings } = table.finish();
    expect(strings(urls)).toEqual(["http://a.test/x", "/%C3%A9"]);
    expect(strings(spellings.spelling)).toEqual(["http://a.test:80/x", "http://A.test:80/x"]);
    expect([...spellings.steps].map((mask) => normalizationSteps(mask))).toEqual([
      ["defaultPort"],
      ["hostCase", "defaultPort"],
    ]);
    expect([...spellings.url]).toEqual([0, 0]);
  });

  it("knows an international host by its name in DNS, and leaves alone what is none", () => {
    const table = new SightingTable();
    for (const url of ["http://b\u00fccher.test:80/\u00fc", "http://xn--bcher-kva.test/%C3%BC", "http://a b.test/"]) {
      table.add(url, {});
    }
    expect(strings(table.finish().urls)).toEqual(["http://xn--bcher-kva.test/%C3%BC", "http://a%20b.test/"]);
  });

  it("keeps no credentials, whatever steps are switched off", () => {
    for (const steps of [ALL_NORMALIZATION_STEPS, 0]) {
      const table = new SightingTable(steps);
      for (const url of [
        "http://me:secret@a.test:80/x",
        "http://me@a.test/x",
        "HTTPS://a@secret@[::1]/é",
        "/me@secret",
      ])
        table.add(url, { status: 301, redirectTo: "//me:secret@b.test/" });
      const { urls, spellings, redirects } = table.finish();
      const kept = [...strings(urls), ...strings(spellings.spelling), ...redirects.target];
      expect(kept.filter((text) => text.includes("@"))).toEqual(["/me@secret"]);
      expect(kept).toContain("http://a.test/x");
    }
  });

  it.each([
    ["http://b.test:80/y", "http://b.test/y"],
    ["//b.test/y", "https://b.test/y"],
    ["/y", "https://a.test/y"],
    ["y?q", "https://a.test/d/y?q"],
    ["../y", "https://a.test/y"],
    ["?q", "https://a.test/d/x?q"],
  ])("resolves a redirect to %s", (target, resolved) => {
    const table = new SightingTable();
    table.add("https://a.test/d/x?p", { status: 301, redirectTo: target });
    expect(rows(table.finish())).toMatchObject([{ to: resolved }]);
  });

  it("does not take a step that is switched off", () => {
    const steps = normalizationMask(allSteps.filter((step) => step !== "defaultPort"));
    const table = new SightingTable(steps);
    for (const url of ["http://A.test:80/x", "http://a.test/x"]) table.add(url, {});
    expect(strings(table.finish().urls)).toEqual(["http://a.test:80/x", "http://a.test/x"]);
  });

  it("holds more than its first arrays", () => {
    const table = new SightingTable();
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 50_000; i++) table.add(`http://a.test/${"x".repeat(i % 50)}/${i}`, { status: 200, bytes: i });
    }
    const { urls, hits, minBytes } = table.finish();
    expect(urls.count).toBe(50_000);
    expect(hits.every((count) => count === 2)).toBe(true);
    expect(strings(urls)[49_999]).toBe(`http://a.test/${"x".repeat(49)}/49999`);
    expect(minBytes[49_999]).toBe(49_999);
  });
});
