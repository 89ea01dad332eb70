import fc from "fast-check";
import { expect, it } from "vitest";
import { AliasTable, formatAliases, withAliases } from "#src/canon/aliases.js";
import { type Canonizer, compile } from "#src/canon/compile.js";
import { rulesInUse } from "#src/canon/cycles.js";
import { lineFields } from "#src/input/url-fields.js";
import { LineFinder } from "#src/jobs/canon/kernel.js";
import { RecordCopier } from "#src/jobs/canon/records.js";
import { parseUrl } from "#src/url/parse.js";
import { makeRule } from "../canon/make-rule.js";
import { rules, url } from "../canon/random-rules.js";

/** What becomes of a list, line by line, in the simplest way. */
function copyReference(canon: Canonizer, list: Buffer) {
  const counts = { records: 0, urls: 0, changed: 0, repeated: 0, notUrls: 0 };
  const lines = list
    .toString("latin1")
    .split(/(?<=\n)/)
    .filter((line) => line !== "");
  const output = lines.map((line) => {
    counts.records++;
    const field = withoutSpace(line);
    if (field === "" || field.startsWith("#")) return line;
    const bytes = Buffer.from(field, "latin1");
    const own = bytes.toString();
    const text = Buffer.from(own).equals(bytes) ? own : field;
    if (parseUrl(text) === undefined) {
      counts.notUrls++;
      return line;
    }
    counts.urls++;
    const canonical = canon(text);
    if (canonical === text) return line;
    counts.changed++;
    return line.replace(field, () => Buffer.from(canonical).toString("latin1"));
  });
  return { output: Buffer.from(output.join(""), "latin1"), counts };
}

function withoutSpace(line: string): string {
  const isSpace = (at: number) => line.charCodeAt(at) <= 0x20;
  let [start, end] = [0, line.length];
  while (start < end && isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return line.slice(start, end);
}

const oddLine = fc.oneof(
  { weight: 8, arbitrary: url.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: url.map((text) => Buffer.from(`  ${text}\t`)) },
  fc.constantFrom(...["", "# http://a.test/?a=1", "no url", "http://", "https:/a", "http://a.test:80/?a"].map(bytesOf)),
  // Not UTF-8, and characters of one byte alone that are no ASCII.
  fc.constantFrom(Buffer.from("http://a.test/\xe9?a=1", "latin1"), Buffer.from([0xff, 0xfe, 0x00])),
  // Around the sixteen bytes that are looked at together, and the lengths of which nobody has a URL.
  fc.integer({ min: 0, max: 40 }).map((length) => bytesOf(`http://a.test/${"x".repeat(length)}?a=1&b`)),
  fc
    .constantFrom(65_519, 65_520, 65_521, 70_000)
    .map((length) => bytesOf(`http://a.test/${"x".repeat(length)}//a?a=1`)),
);
/** Few random rules leave a URL alone that was made to meet them: these do. */
const usualRules = [
  makeRule({ kind: "parameter", name: "sid", action: "remove" }),
  makeRule({ from: "/index.html", to: "/", end: true }),
  makeRule({ from: "://www.", to: "://" }),
  makeRule({ kind: "emptyParameter" }),
  makeRule({ kind: "repeatedSlash", scope: { host: "b.test" } }),
];
const usualUrl = fc
  .tuple(
    fc.constantFrom("http://b.test", "https://www.b.test", "http://b-1.test"),
    fc.constantFrom("/", "/index.php", "/index.html", "//news/", "/news/story-1.html"),
    fc.constantFrom("", "?page=3", "?page=3&sort=name", "?page=", "?page=3&sid=1", "?sidebar=1&of=sid", "?a=1&amp;b=2"),
  )
  .map((parts) => bytesOf(parts.join("")));
const line = fc.oneof({ weight: 2, arbitrary: usualUrl }, oddLine);
const someRules = fc.oneof(rules, fc.constant(usualRules));
const lists = fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n")), {
  minLength: 1,
  maxLength: 30,
  size: "max",
});

function bytesOf(text: string): Buffer {
  return Buffer.from(text);
}

it("a list becomes what it becomes line by line, whatever the rules, aliases and bytes", () => {
  const seen = { changed: 0, quiet: 0, aliases: 0, otherTargets: 0 };
  fc.assert(
    fc.property(
      someRules,
      lists,
      fc.boolean(),
      fc.array(url, { maxLength: 5 }),
      (ruleList, pieces, hasEnd, sources) => {
        const list = Buffer.concat(pieces.flatMap(([own, end], i) => (i > 0 ? [bytesOf(end), own] : [own])));
        const input = hasEnd ? Buffer.concat([list, bytesOf("\n")]) : list;
        const targets = ["http://a.test/0", "http://a.test/0/é", "http://www.a.test/0/index.html?sid=1"];
        const aliasOf = (from: string, i: number) => ({
          ...{ from, to: targets[i % targets.length]!, seenMs: 0, why: "redirect" as const },
        });
        const used = rulesInUse(ruleList).rules;
        // Some sources are in the list, some are what rules make of it.
        const inList = pieces.slice(0, 3).map(([own]) => own.toString().trim());
        const canonical = pieces.slice(3, 6).map(([own]) => compile(used, { use: (rule) => rule })(own.toString()));
        const known = [...sources, ...inList, ...canonical].filter((from) => !/\p{Cc}/u.test(from)).map(aliasOf);
        const make = () => {
          const canon = compile(used, { use: (rule) => rule });
          const file = bytesOf([...formatAliases(known, 1)].join(""));
          return known.length === 0 ? canon : withAliases(canon, AliasTable.read(file, 0, "aliases"));
        };
        const canon = make();
        const finder = LineFinder.of(canon)!;
        const copier = new RecordCopier(canon, { dedupe: false });
        copier.searchWith(finder);
        const expected = copyReference(make(), input);
        const block = finder.memoryFor(input.length);
        input.copy(block);
        const memory = new ArrayBuffer(2 * input.length + 64);
        for (const [bytes, room] of [[input], [block], [block, memory]] as const) {
          const before = { ...copier.counts };
          const { output, taken } = copier.copy(bytes, lineFields(), true, room);
          expect(taken).toBe(input.length);
          expect(Buffer.from(output).equals(expected.output)).toBe(true);
          for (const key of ["records", "urls", "changed", "notUrls"] as const) {
            expect(copier.counts[key] - before[key], key).toBe(expected.counts[key]);
          }
        }
        seen.changed += expected.counts.changed;
        seen.quiet += finder.copyLines(input, input.length)!.quiet;
        if (expected.output.includes("http://a.test/0")) seen.aliases++;
        if (expected.output.includes("http://a.test/0/é")) seen.otherTargets++;
      },
    ),
    { numRuns: 100 },
  );
  expect(seen.changed).toBeGreaterThan(100);
  expect(seen.quiet).toBeGreaterThan(50);
  expect(seen.aliases).toBeGreaterThan(10);
  expect(seen.otherTargets).toBeGreaterThan(5);
});

/** Kinds of rules that are applied to bytes, and pieces of URLs that they meet in every way. */
const byteRule = fc.oneof(
  fc
    .record({
      name: fc.constantFrom("a", "sid", "amp", "b-c"),
      place: fc.constantFrom("query" as const, "path" as const),
    })
    .map(({ name, place }) => makeRule({ kind: "parameter", name, place, action: "remove" })),
  fc
    .record({
      from: fc.constantFrom(
        "&amp;",
        "/index.html",
        "://www.",
        "//",
        "/",
        "a",
        "-",
        ".test/",
        ".test",
        "b=",
        "?",
        "#",
        "&",
      ),
      to: fc.constantFrom("", "&", "/", "://", "-", "c/d", "x", ".test-", "?sid=1", "//"),
      end: fc.boolean(),
    })
    .filter(({ from, to }) => from !== to)
    .map((action) => makeRule(action)),
);
const pieces = [
  "a",
  "sid",
  "amp",
  "b-c",
  "=",
  "=",
  "&",
  "&",
  ";",
  "?",
  "#",
  "/",
  "//",
  "&amp;",
  "index.html",
  "1",
  "x",
  "-",
];
const origin = fc.constantFrom("http://a.test", "https://www.a.test", "http://b-c", "https://a", "");
const oddUrl = fc
  .tuple(origin, fc.array(fc.constantFrom(...pieces), { maxLength: 14, size: "max" }))
  .map(([start, path]) => bytesOf(`${start}/${path.join("")}`));
/** As most are: of these the kernel itself changes what rules change. */
const plainUrl = fc
  .tuple(
    fc.constantFrom("http://a.test", "https://www.a.test"),
    fc.array(fc.constantFrom("a", "x", "b-c", "index.html"), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom("a", "sid", "amp", "b-c", "x"), fc.constantFrom("", "=", "=1", "=x-a")), {
      maxLength: 5,
      size: "max",
    }),
  )
  .map(([start, path, parameters]) => {
    const query = parameters.map(([name, value]) => `${name}${value}`).join("&");
    return bytesOf(`${start}/${path.join("/")}${query === "" ? "" : `?${query}`}`);
  });
const byteUrl = fc.oneof(oddUrl, plainUrl);

it("what rules do to the bytes of a URL is what they do to its text", () => {
  let rewritten = 0;
  fc.assert(
    fc.property(
      fc.array(byteRule, { minLength: 1, maxLength: 4 }),
      fc.array(byteUrl, { minLength: 1, maxLength: 30, size: "max" }),
      (ruleList, urls) => {
        const make = () => compile(rulesInUse(ruleList).rules, { use: (rule) => rule });
        const canon = make();
        const finder = LineFinder.of(canon)!;
        const copier = new RecordCopier(canon, { dedupe: false });
        copier.searchWith(finder);
        const input = Buffer.concat(urls.flatMap((own) => [own, bytesOf("\n")]));
        const expected = copyReference(make(), input);
        const { output } = copier.copy(input, lineFields(), true);
        expect(Buffer.from(output).toString()).toBe(expected.output.toString());
        expect(copier.counts).toEqual(expected.counts);
        rewritten += finder.copyLines(input, input.length)!.changed;
      },
    ),
    { numRuns: 200 },
  );
  expect(rewritten).toBeGreaterThan(150);
});

it("a block that is too long for the finder, or ends in the middle of a line, is copied all the same", () => {
  const canon = compile([makeRule({ kind: "parameter", name: "sid", action: "remove" })]);
  const finder = LineFinder.of(canon)!;
  const copier = new RecordCopier(canon, { dedupe: false });
  copier.searchWith(finder);
  const long = Buffer.from("http://a.test/x?sid=1\nhttp://a.test/y\n".repeat(150_000));
  expect(finder.copyLines(long, long.length)).toBeUndefined();
  const { output } = copier.copy(long, lineFields(), true);
  expect(Buffer.from(output).equals(Buffer.from("http://a.test/x\nhttp://a.test/y\n".repeat(150_000)))).toBe(true);
  const cut = Buffer.from("http://a.test/?sid=1\nhttp://a.test/?si");
  const copied = copier.copy(cut, lineFields(), false);
  expect(Buffer.from(copied.output).toString()).toBe("http://a.test/\n");
  expect(copied.taken).toBe(21);
});
