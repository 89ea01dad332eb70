import fc from "fast-check";
import { expect, test } from "vitest";
import { UrlScanner } from "#src/mine/parameters/scan.js";
import { type Parameter, parameterName, parameterValue, pathParameters, queryParameters } from "#src/url/parameters.js";
import { hostOf, parseUrl, pathOf, queryOf } from "#src/url/parse.js";
import { columnOf, dustyUrl } from "./parameters-lists.js";

interface Scanned {
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly pathParameters: readonly string[][];
  readonly queryParameters: readonly string[][];
}

function scan(urls: readonly string[]): (Scanned | undefined)[] {
  const scanner = new UrlScanner(columnOf(urls));
  const text = (start: number, end: number) => new TextDecoder().decode(scanner.bytes.subarray(start, end));
  const parameters = () =>
    Array.from({ length: scanner.count }, (_, p) => [
      text(scanner.separatorStart[p]!, scanner.nameStart[p]!),
      text(scanner.nameStart[p]!, scanner.nameEnd[p]!),
      text(scanner.nameEnd[p]!, scanner.valueStart[p]!),
      text(scanner.valueStart[p]!, scanner.valueEnd[p]!),
    ]);
  return urls.map((_, i) => {
    if (!scanner.open(i)) return undefined;
    scanner.host();
    scanner.path();
    const inPath = parameters();
    scanner.query();
    return {
      host: text(scanner.hostStart, scanner.hostEnd),
      path: text(scanner.pathStart, scanner.pathEnd),
      query: text(scanner.queryStart, scanner.queryEnd),
      pathParameters: inPath,
      queryParameters: parameters(),
    };
  });
}

function parse(url: string): Scanned | undefined {
  const parts = parseUrl(url);
  if (parts === undefined) return undefined;
  const texts = (parameter: Parameter) => [
    url.slice(parameter.separatorStart, parameter.start),
    parameterName(url, parameter),
    url.slice(parameter.nameEnd, parameter.valueStart),
    parameterValue(url, parameter),
  ];
  return {
    host: hostOf(url, parts),
    path: pathOf(url, parts),
    query: queryOf(url, parts),
    pathParameters: pathParameters(url, parts).map(texts),
    queryParameters: queryParameters(url, parts).map(texts),
  };
}

const hostileUrl = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "http:",
        "https:",
        "HTTP:",
        "//",
        "/",
        "\\",
        "@",
        ":",
        "[::1]",
        "80",
        "?",
        "#",
        "&",
        "&amp;",
        "&am",
        ";",
        "=",
      ),
      fc.string({ unit: "grapheme", maxLength: 2 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

test("the scanner reads what url/ reads", () => {
  let parsed = 0;
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          dustyUrl,
          hostileUrl,
          hostileUrl.map((tail) => `http://${tail}`),
        ),
        { maxLength: 5 },
      ),
      (urls) => {
        const expected = urls.map(parse);
        parsed += expected.filter((parts) => parts !== undefined && parts.queryParameters.length > 1).length;
        expect(scan(urls)).toEqual(expected);
      },
    ),
    { numRuns: 2000 },
  );
  expect(parsed).toBeGreaterThan(500);
});

test("more parameters than it had room for", () => {
  const query = Array.from({ length: 300 }, (_, i) => `p${i}=${i}`).join("&");
  expect(scan([`http://a.test/?${query}`])).toEqual([parse(`http://a.test/?${query}`)]);
});
