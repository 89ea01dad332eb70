import { describe, expect, test } from "vitest";
import type { FetchOutcome } from "#src/fetch/outcome.js";
import { isSoft404, probesFor } from "#src/validate/looks/soft-404.js";

const patterns = (url: string) => probesFor(url, "seed").map(({ kind, neighbourhood }) => `${kind} ${neighbourhood}`);

describe("a probe", () => {
  test.each([
    ["http://a.test/", ["sibling http://a.test/<word>"]],
    ["http://a.test", ["sibling http://a.test/<word>"]],
    ["http://a.test/f/about.html", ["sibling http://a.test/f/<word>.html"]],
    ["http://a.test/f/about", ["sibling http://a.test/f/<word>"]],
    ["http://a.test/f/about/", ["sibling http://a.test/f/<word>/"]],
    ["http://a.test/f/story_12.html", ["sibling http://a.test/f/story_<number>.html"]],
    ["http://a.test/2019/05/x", ["sibling http://a.test/2019/05/<word>"]],
    ["http://a.test/%C3%A9t%C3%A9", ["sibling http://a.test/<word>"]],
    ["http://a.test/%C3%A9-5", ["sibling http://a.test/%C3%A9-<number>"]],
    [
      "http://a.test/story?mode=all&id=5&sid=ab12#x",
      ["sibling http://a.test/<word>", "value http://a.test/story?mode=all&id=<number>"],
    ],
    ["http://a.test/list?sort=up", ["sibling http://a.test/<word>"]],
    ["nonsense", []],
  ])("for %s", (url, expected) => {
    expect(patterns(url)).toEqual(expected);
  });

  test("is the same for the same seed and neighbourhood, and another for others", () => {
    const url = (page: string, seed: string) => probesFor(page, seed)[0]!.url;
    expect(url("http://a.test/story_1", "s")).toBe(url("http://a.test/story_22", "s"));
    expect(url("http://a.test/story_1", "s")).not.toBe(url("http://a.test/story_1", "t"));
    expect(url("http://a.test/f/x", "s")).not.toBe(url("http://a.test/g/x", "s").replace("/g/", "/f/"));
    expect(url("http://a.test/f/x.html", "s")).toMatch(/^http:\/\/a\.test\/f\/[b-z]{12}\.html$/);
    expect(url("http://a.test/story_1", "s")).toMatch(/^http:\/\/a\.test\/story_9\d{8}$/);
  });

  test("is another one for a URL that was a probe itself: no page can be compared with itself", () => {
    for (const page of ["http://a.test/story_1", "http://a.test/f/about.html", "http://a.test/s?id=5&mode=all"]) {
      for (const probe of probesFor(page, "s")) {
        const probes = probesFor(probe.url, "s");
        expect(probes.map(({ neighbourhood }) => neighbourhood)).toContain(probe.neighbourhood);
        expect(probes.map(({ url }) => url)).not.toContain(probe.url);
      }
    }
  });
});

describe("a page counts as not found", () => {
  const likeness = (a: string, b: string) => (a === b ? "same" : a.startsWith(b) ? "partly" : "none");
  const page = (text: string, change: Partial<FetchOutcome> = {}) => ({ text, outcome: outcome(change) });
  const probe = (text: string, change: Partial<FetchOutcome> = {}) => ({
    ...page(text, change),
    kind: "sibling" as const,
  });

  test("where its text is the probe's", () => {
    expect(isSoft404(page("sorry"), probe("sorry"), likeness)).toBe(true);
    expect(isSoft404(page("story"), probe("sorry"), likeness)).toBe(false);
  });

  test("not where the probe was told so by its status, or there was none", () => {
    expect(isSoft404(page("sorry"), probe("sorry", { kind: "httpError" } as Partial<FetchOutcome>), likeness)).toBe(
      false,
    );
    expect(isSoft404(page("sorry"), probe("sorry", { kind: "timedOut" } as Partial<FetchOutcome>), likeness)).toBe(
      false,
    );
  });

  test("where both were sent to one place, whatever it shows today", () => {
    const sentTo = (finalUrl: string) => ({ finalUrl, redirects: [{ from: "x", status: 302, to: finalUrl }] });
    expect(isSoft404(page("news 1", sentTo("/")), probe("news 2", sentTo("/")), likeness)).toBe(true);
    expect(isSoft404(page("news 1", sentTo("/a")), probe("news 2", sentTo("/b")), likeness)).toBe(false);
    expect(isSoft404(page("news 1", { finalUrl: "/" }), probe("news 2", sentTo("/")), likeness)).toBe(false);
  });

  test("by a probe of values only if the script shows other pages too", () => {
    const value = { ...probe("sorry"), kind: "value" as const };
    expect(isSoft404(page("sorry"), value, likeness)).toBe(false);
    expect(isSoft404(page("sorry"), value, likeness, ["sorry", "sorry"])).toBe(false);
    expect(isSoft404(page("sorry"), value, likeness, ["sorry", "story"])).toBe(true);
    // A script that shows one article whatever the number, with a list of its own for each, has no error page.
    expect(isSoft404(page("sorry"), value, likeness, ["sorry", "sorry and a list"])).toBe(false);
  });
});

function outcome(change: Partial<FetchOutcome>): FetchOutcome {
  return {
    kind: "ok",
    status: 200,
    body: new Uint8Array(0),
    wireBytes: 0,
    url: "http://a.test/x",
    finalUrl: "http://a.test/x",
    redirects: [],
    requests: 1,
    startedAtMs: 0,
    durationMs: 0,
    ...change,
  } as FetchOutcome;
}
