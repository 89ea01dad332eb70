import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ALL_NORMALIZATION_STEPS,
  allSteps,
  mayNeedNormalization,
  type NormalizationStep,
  normalizationMask,
  normalizationSteps,
  normalize,
} from "#src/url/normalize.js";
import { type Parameter, parameterName, parameterValue, pathParameters, queryParameters } from "#src/url/parameters.js";
import { hostOf, parseUrl, pathOf, queryOf } from "#src/url/parse.js";
import { compareByTokens, compareCodePoints, countTokens, isTokenBoundary, tokenize } from "#src/url/tokenize.js";

function cases<T>(name: string): T[] {
  return JSON.parse(readFileSync(new URL(`./${name}.cases.json`, import.meta.url), "utf8")) as T[];
}

/** Texts that look like URLs often enough for every branch to be taken, and are hostile otherwise. */
const urlText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "/",
        "?",
        "&",
        ";",
        "=",
        "#",
        ":",
        "@",
        ".",
        "..",
        "/../",
        "/./",
        "%7e",
        "%7E",
        "%",
        "&amp;",
        "\\",
      ),
      fc.constantFrom("a", "B", "index", "html", "80", ":80", ":443", "é", "🔥", " ", "[::1]", "sid=1"),
    ),
    { maxLength: 12 },
  )
  .chain((pieces) =>
    fc
      .constantFrom("http://a.test/", "http://a.test/?", "https://B.test", "HTTP://", "http://a", "")
      .map((start) => start + pieces.join("")),
  );

describe("tokens", () => {
  it("counts 15 for the thesis' example, anchors included", () => {
    expect(countTokens("http://www.site.com/index.html") + 2).toBe(15);
  });
  it("are runs of ASCII letters and digits, or single code points", () => {
    expect(tokenize("http://a1/é🔥^x-_9$")).toEqual([
      "http",
      ":",
      "/",
      "/",
      "a1",
      "/",
      "é",
      "🔥",
      "^",
      "x",
      "-",
      "_",
      "9",
      "$",
    ]);
    expect(tokenize("")).toEqual([]);
  });
  it("have boundaries exactly between them", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (text) => {
        const starts = new Set([0, text.length]);
        let at = 0;
        for (const token of tokenize(text)) {
          at += token.length;
          starts.add(at);
        }
        expect(at).toBe(text.length);
        expect(countTokens(text)).toBe(tokenize(text).length);
        for (let i = 0; i <= text.length; i++) expect(isTokenBoundary(text, i)).toBe(starts.has(i));
      }),
    );
  });
  it.each([
    ["story_", "story?id=", -1],
    ["zz", "a.b", -1],
    ["a", "ab", -1],
    ["ab.c", "a.cc", 1],
    ["", "a", -1],
    ["a.b", "a.b", 0],
    ["🔥", "！", 1],
  ])("order %j against %j", (a, b, sign) => {
    expect(Math.sign(compareByTokens(a, b))).toBe(sign);
    expect(Math.sign(compareByTokens(b, a))).toBe(-sign + 0);
  });
  it("order by code points is the order of UTF-8 bytes", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "！", "🔥", "🔦", "\u{ffff}"), maxLength: 4 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });
});

describe("parseUrl", () => {
  interface Case {
    url: string;
    refused?: boolean;
    host: string;
    port: string;
    path: string;
    query: string;
  }
  it.each(cases<Case>("parse"))("$url", ({ url, refused, host, port, path, query }) => {
    const parts = parseUrl(url);
    if (refused || parts === undefined) {
      expect(parts).toBe(refused ? undefined : "accepted");
      return;
    }
    expect(hostOf(url, parts)).toBe(host);
    expect(url.slice(parts.portStart, parts.portEnd)).toBe(port);
    expect(pathOf(url, parts)).toBe(path);
    expect(queryOf(url, parts)).toBe(query);
  });
  it("splits plain URLs as the platform's URL does", () => {
    // No digits but in the port: the platform reads numbers as addresses.
    const authority = fc.string({ unit: fc.constantFrom("a", "B", "-", ".", "@", ":8", "~", "%", "|"), maxLength: 6 });
    const part = fc.string({ unit: fc.constantFrom(..."aB1-._~!$&*+,;=:@%"), maxLength: 8 });
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom("http", "https"), authority, part, part, (scheme, authority, path, query) => {
        const url = `${scheme}://${authority}/${path}?${query}`;
        const parts = parseUrl(url);
        if (parts === undefined || !URL.canParse(url)) return;
        accepted++;
        const other = new URL(url);
        expect(hostOf(url, parts).toLowerCase()).toBe(other.hostname);
        expect(url.slice(parts.portStart, parts.portEnd)).toBe(other.port);
        expect(queryOf(url, parts)).toBe(other.search || "?");
      }),
    );
    expect(accepted).toBeGreaterThan(10);
  });
});

describe("parameters", () => {
  interface Case {
    url: string;
    query: string[];
    path: string[];
  }
  it.each(cases<Case>("parameters"))("$url", ({ url, query, path }) => {
    const parts = parseUrl(url)!;
    const show = (p: Parameter) =>
      `${url.slice(p.separatorStart, p.start)}|${parameterName(url, p)}|${parameterValue(url, p)}`;
    expect(queryParameters(url, parts).map(show)).toEqual(query);
    expect(pathParameters(url, parts).map(show)).toEqual(path);
  });
  it("of the query cover it without gaps", () => {
    let several = 0;
    fc.assert(
      fc.property(urlText, (url) => {
        const parts = parseUrl(url);
        if (parts === undefined) return;
        let at = parts.queryStart;
        for (const parameter of queryParameters(url, parts)) {
          expect(parameter.separatorStart).toBe(at);
          at = parameter.end;
          if (at < parts.queryEnd) several++;
        }
        expect(at).toBe(parts.queryEnd);
      }),
      { numRuns: 500 },
    );
    expect(several).toBeGreaterThan(5);
  });
});

describe("normalize", () => {
  interface Case {
    from: string;
    to: string;
    steps: NormalizationStep[];
  }
  it.each(cases<Case>("normalize"))("$from", ({ from, to, steps }) => {
    const { url, changed } = normalize(from);
    expect(url).toBe(to);
    expect(normalizationSteps(changed)).toEqual(steps);
  });
  it("has one bit per step", () => {
    expect(normalizationMask(allSteps)).toBe(ALL_NORMALIZATION_STEPS);
  });
  it("does only the chosen steps, reports what changed, and is idempotent", () => {
    let changes = 0;
    fc.assert(
      fc.property(urlText, fc.integer({ min: 0, max: ALL_NORMALIZATION_STEPS }), (text, steps) => {
        const { url, changed } = normalize(text, steps);
        expect(changed & ~steps).toBe(0);
        expect(changed !== 0).toBe(url !== text);
        expect(normalize(url, steps)).toEqual({ url, changed: 0 });
        if (changed !== 0) changes++;
      }),
      { numRuns: 500 },
    );
    expect(changes).toBeGreaterThan(50);
  });
  it("is never needed where mayNeedNormalization says no", () => {
    let no = 0;
    fc.assert(
      fc.property(urlText, fc.boolean(), (text, requestTarget) => {
        const parts = parseUrl(text);
        if (parts === undefined) return;
        // A request target is the text from the path on, which must be there.
        if (requestTarget && parts.pathStart === parts.pathEnd) return;
        const target = requestTarget ? text.slice(parts.pathStart) : text;
        const bytes = new TextEncoder().encode(`xx${target}#/.`);
        if (mayNeedNormalization(bytes, 2, bytes.length - 3)) return;
        no++;
        const url = requestTarget ? `http://a.test${target}` : text;
        expect(normalize(url).changed).toBe(0);
      }),
      { numRuns: 1000 },
    );
    expect(no).toBeGreaterThan(50);
  });
});
