import { describe, expect, it } from "vitest";
import type { Rule } from "#src/model.js";
import { sketchesOf } from "#src/sketch/document-sketches.js";
import type { KnownPage } from "#src/store/pages/known-page-rows.js";
import { KnownPages } from "#src/store/pages/known-pages.js";
import { validateRules } from "#src/validate/validate-rules.js";
import { makeRule } from "../canon/make-rule.js";

const day = 86_400_000;
const words = (name: string) => Array.from({ length: 40 }, (_, i) => `${name}w${i}`).join(" ");
const range = (count: number) => Array.from({ length: count }, (_, i) => i);

/** An archive: URL, document, the day of its capture, and a name for its lines without numbers. */
type Capture = readonly [url: string, document: string, day?: number, wordLines?: string];

async function decide(rule: Rule, captures: readonly Capture[], list = captures.map(([url]) => url)): Promise<Rule[]> {
  const pages = new Map<string, KnownPage[]>();
  for (const [url, document, onDay = 0, wordLines] of captures) {
    const known: KnownPage = {
      ...{ url, status: 200, timeMs: onDay * day, ...sketchesOf(words(document)) },
      ...(wordLines !== undefined && { wordLines }),
    };
    pages.set(url, [...(pages.get(url) ?? []), known]);
  }
  const options = {
    plan: "sequential",
    count: 100,
    epsilon: 0.05,
    seed: 1,
    similarity: "shingles-4/4",
    now: () => new Date(0),
  } as const;
  const events = { onDraw: () => {}, onVerdict: () => {} };
  const context = { onProgress: () => {}, signal: new AbortController().signal };
  const known = new KnownPages(pages, "shingles-4/4");
  return [...(await validateRules([rule], list, known, options, events, context)).rules];
}

const likely = (rule: Parameters<typeof makeRule>[0]) => makeRule({ status: "likely", ...rule });
const noSid = likely({ kind: "parameter", name: "sid", action: "remove" });
const site = "http://f.test";

describe("without a network", () => {
  const sessions = range(60).map((i): Capture => [`${site}/t.php?t=${i % 30}&sid=s${i}`, `topic${i % 30}`]);
  const plain = range(6).map((i): Capture => [`${site}/t.php?t=${i}`, `topic${i}`, 300]);

  it("two URLs that lead to one are compared where it is not known; but some targets must be pages", async () => {
    expect((await decide(noSid, [...sessions, ...plain]))[0]).toMatchObject({
      status: "valid",
      evidence: { positive: 30, negative: 0 },
    });
    expect((await decide(noSid, sessions))[0]).toMatchObject({ status: "undecided" });
  });

  it("pages outside the list are looked at as well", async () => {
    const list = range(30).map((i) => sessions[i]![0]);
    expect((await decide(noSid, [...sessions, ...plain], list))[0]).toMatchObject({
      status: "valid",
      evidence: { positive: 30 },
    });
  });

  it("a few positives prove a rule only where they are all there is", async () => {
    const few = range(10).flatMap((i): Capture[] => [
      [`${site}/t.php?t=${i}`, `topic${i}`],
      [`${site}/t.php?t=${i}&sid=s`, `topic${i}`],
    ]);
    const alone = range(8).map((i): Capture => [`${site}/t.php?t=${100 + i}&sid=s`, `lonely${i}`]);
    expect((await decide(noSid, few))[0]).toMatchObject({ status: "valid", evidence: { positive: 10 } });
    expect((await decide(noSid, [...few, ...alone]))[0]).toMatchObject({
      status: "undecided",
      evidence: { positive: 10 },
    });
  });

  it("what differs and may only have changed is not left out of the count", async () => {
    const noPage = likely({ kind: "parameter", name: "page", action: "remove" });
    const lists = range(40).flatMap((i): Capture[] => [
      [`${site}/list?n=${i}`, `list${i}`, 0, "menu"],
      [`${site}/list?n=${i}&page=1`, `list${i}`, 0.001, "menu"],
      [`${site}/list?n=${i}&page=2`, `list${i}second`, 0.002, "menu"],
    ]);
    const rules = await decide(noPage, lists);
    expect(rules.map(({ status, scope }) => [status, scope])).toEqual([
      ["undecided", {}],
      ["valid", { parameters: { page: "1" } }],
    ]);
  });

  it("what one document shows under many numbers is one observation", async () => {
    const rule = likely({ kind: "parameter", name: "p", action: "set", value: "1" });
    const posts = (threads: number) =>
      range(60).map(
        (i): Capture => [`${site}/t.php?f=${i % threads}&p=${1 + Math.floor(i / threads)}`, `t${i % threads}`],
      );
    expect((await decide(rule, posts(1)))[0]).toMatchObject({ status: "undecided", evidence: { positive: 59 } });
    expect((await decide(rule, posts(6)))[0]).toMatchObject({ status: "valid", evidence: { positive: 54 } });
  });

  it("what was tried on one sort of page is not said of another", async () => {
    const start = likely({ kind: "parameter", name: "start", action: "remove" });
    const short = range(30).flatMap((i): Capture[] => [
      [`${site}/a/t.php?t=${i}`, `topic${i}`],
      [`${site}/a/t.php?t=${i}&start=0`, `topic${i}`],
    ]);
    const long = range(40).map((i): Capture => [`${site}/b/list.php?f=${i}&start=50`, `page${i}`]);
    const [broad, narrow] = await decide(start, [...short, ...long]);
    expect(broad).toMatchObject({ status: "undecided" });
    expect(narrow).toMatchObject({ status: "valid", scope: { path: "/a/" } });
  });

  it("a name that no page has does not become canonical: the rule holds where it leads to pages", async () => {
    const [inQuery, inPath] = ["/index.php?title=", "/wiki/"];
    const named = range(40).flatMap((i): Capture[] => [
      [`${site}${inQuery}T${i}`, `topic${i}`],
      [`${site}${inPath}T${i}`, `topic${i}`],
    ]);
    // Two URLs each that would be one, of a name that nobody has seen: "/wiki/T1&action=history".
    const histories = range(80).map(
      (i): Capture => [`${site}${inQuery}T${i % 40}&${i < 40 ? "a" : "b"}&action=history`, `history${i % 40}`],
    );
    const noA = range(40).map((i): Capture => [`${site}${inQuery}T${i}&b&a&action=history`, `history${i}`]);
    const same = histories.map(([url, page]): Capture => [url.replace(/[ab]&action/, "action"), page]);
    const rule = likely({ kind: "substring", from: inQuery, to: inPath, start: false, end: false });
    const example = { from: named[0]![0], to: named[1]![0] };
    const proven = async (captures: readonly Capture[]) =>
      (await decide({ ...rule, example }, captures))
        .filter(({ status }) => status === "valid")
        .map((one) => ("from" in one ? `${one.from} -> ${one.to}` : one.kind));
    const template = "/index.php?title={value:segment} -> /wiki/{value:segment}";
    expect(await proven([...named, ...histories, ...noA, ...same])).toEqual([template]);
    // What was mined the other way round is tried this way, too.
    const back = { ...rule, from: inPath, to: inQuery, example: { from: example.to, to: example.from } };
    const specials = range(90).map((i): Capture => [`${site}/wiki/Special/${i}`, `special${i}`]);
    expect(
      (await decide(back, [...named, ...specials]))
        .filter(({ status }) => status === "valid")
        .map((one) => "from" in one && one.from),
    ).toEqual(["/index.php?title={value:segment}"]);
  });

  it("two URLs that one rule would merge refute it where they differ", async () => {
    const start = likely({ kind: "parameter", name: "start", action: "remove" });
    const lists = range(20).map((i): Capture => [`${site}/t.php?t=${i % 5}&start=${i}`, `page${i}`]);
    expect((await decide(start, lists))[0]).toMatchObject({ status: "refuted" });
  });
});
