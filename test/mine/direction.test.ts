import { describe, expect, it } from "vitest";
import { mergeRules } from "#src/canon/file/merge-rules.js";
import { addsParameter, declareRules, directRules, lengthensRepetition, type SaidOfUrls } from "#src/mine/direction.js";
import type { Rule } from "#src/model.js";
import { toTheEnd } from "#src/progress.js";
import { makeRule, type RuleWords } from "../canon/make-rule.js";

const likely = (words: RuleWords): Rule => makeRule({ ...words, status: "likely" });

/** URLs with their requests; `leads` are redirects. */
function said(
  requests: Record<string, number>,
  {
    redirects = {},
    canonicals = {},
    sitemap = [] as string[],
  }:
    | Record<string, never>
    | {
        redirects?: Record<string, string>;
        canonicals?: Record<string, string>;
        sitemap?: string[];
      } = {},
): SaidOfUrls {
  return {
    urls: Object.keys(requests),
    requests: Object.values(requests),
    redirects: new Map(Object.entries(redirects)),
    canonicals: new Map(Object.entries(canonicals)),
    inSitemap: new Set(sitemap),
  };
}

const direct = (rules: readonly Rule[], by: SaidOfUrls) => toTheEnd(directRules(rules, by));

describe("the direction of a rule", () => {
  const home = likely({ from: "/~name/", to: "/%7Ename/" });
  const homes = { "http://a.test/~name/": 1143, "http://a.test/%7Ename/": 9 };

  it("is to what is asked for most", () => {
    expect(direct([home], said(homes))).toMatchObject([{ from: "/%7Ename/", to: "/~name/", status: "likely" }]);
    const few = { "http://a.test/old/": 5, "http://a.test/new/x/": 3 };
    // Nearly as often is not a reason.
    const rule = likely({ from: "/new/x/", to: "/old/" });
    expect(direct([rule], said(few))).toEqual([rule]);
  });

  it("is to the more readable text where nobody asks more for one of them", () => {
    expect(direct([home], said({ "http://a.test/~name/": 3, "http://a.test/%7Ename/": 3 }))).toMatchObject([
      { to: "/~name/" },
    ]);
  });

  it("is to what the site redirects to, whatever is asked for", () => {
    const requests: Record<string, number> = {};
    const redirects: Record<string, string> = {};
    for (let i = 0; i < 289; i++) {
      requests[`http://a.test/${i}`] = 50;
      requests[`https://a.test/${i}`] = 1;
      redirects[`http://a.test/${i}`] = `https://a.test/${i}`;
    }
    const toHttp = likely({ kind: "scheme", scheme: "http" });
    expect(direct([toHttp], said(requests, { redirects }))).toMatchObject([{ kind: "scheme", scheme: "https" }]);
    const toHttps = likely({ kind: "scheme", scheme: "https" });
    expect(direct([toHttps], said(requests, { redirects }))).toEqual([toHttps]);
    const asText = likely({ from: "https://", to: "http://", start: true });
    expect(direct([asText], said(requests, { redirects }))).toMatchObject([{ to: "https://" }]);
  });

  it("is to what the site calls canonical, then to what its sitemap names", () => {
    const rule = likely({ from: "/item.php?id=", to: "/item/" });
    const [long, short] = ["http://a.test/item.php?id=1", "http://a.test/item/1"];
    const requests = { [long]: 1, [short]: 100 };
    expect(direct([rule], said(requests, { canonicals: { [short]: long } }))).toMatchObject([{ from: "/item/" }]);
    expect(direct([rule], said(requests, { sitemap: [long] }))).toMatchObject([{ from: "/item/" }]);
    expect(direct([rule], said(requests, { sitemap: [long], canonicals: { [long]: short } }))).toEqual([rule]);
    expect(direct([rule], said(requests, { sitemap: [long], redirects: { [long]: short } }))).toEqual([rule]);
  });

  it("counts all that a direction would change, not only pairs: an index page is not a target for every folder", () => {
    const requests: Record<string, number> = { "http://a.test/a/index.html": 90, "http://a.test/a/": 10 };
    for (let i = 0; i < 30; i++) requests[`http://a.test/folder${i}/`] = 10;
    const rule = likely({ from: "/index.html", to: "/", end: true });
    expect(direct([rule], said(requests))).toEqual([rule]);
  });

  it("never leads further into a trap", () => {
    const out = likely({ from: "/a/a/", to: "/a/" });
    expect(direct([out], said({ "http://x.test/a/a/": 99, "http://x.test/a/": 1 }))).toEqual([out]);
    expect(lengthensRepetition(makeRule({ from: "/a/", to: "/a/a/" }))).toBe(true);
    expect(lengthensRepetition(makeRule({ from: "/", to: "//" }))).toBe(true);
    expect(lengthensRepetition(makeRule({ from: "/b/x", to: "/b/b/x" }))).toBe(true);
    expect(lengthensRepetition(makeRule({ from: "/a/a/", to: "/a/" }))).toBe(false);
    expect(lengthensRepetition(makeRule({ from: "", to: "/", end: true }))).toBe(false);
    expect(addsParameter(makeRule({ from: "", to: "&mode=beta", end: true }))).toBe(true);
    expect(addsParameter(makeRule({ from: "/index.php?id=", to: "/index.php?mode=dark&id=" }))).toBe(true);
    expect(addsParameter(makeRule({ from: "/story_", to: "/story?id=" }))).toBe(false);
    expect(lengthensRepetition(makeRule({ from: "story_", to: "story?id=" }))).toBe(false);
  });

  it("stays as a person, or a verdict, or another rule of the list has it", () => {
    for (const rule of [
      { ...home, decision: "accepted" as const },
      { ...home, status: "valid" as const },
    ]) {
      expect(direct([rule], said(homes))).toEqual([rule]);
    }
    const both = [home, likely({ from: "/%7Ename/", to: "/~name/" })];
    expect(direct(both, said(homes))).toEqual(both);
    const removal = likely({ kind: "parameter", name: "sid", action: "remove" });
    expect(direct([removal], said({ "http://a.test/?sid=1": 9 }))).toEqual([removal]);
  });
});

describe("what the site declares", () => {
  const ref = likely({ kind: "parameter", name: "ref", action: "remove" });
  const id = likely({ kind: "parameter", name: "id", action: "remove" });
  const pages = (count: number, canonicalOf: (i: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`http://a.test/?id=${i}&ref=x`, canonicalOf(i)]));
  const statusOf = (rule: Rule, canonicals: Record<string, string>) =>
    toTheEnd(
      declareRules([rule], said(Object.fromEntries(Object.keys(canonicals).map((url) => [url, 1])), { canonicals })),
    )[0]!.status;

  it("are rules that explain what pages call their canonical URL", () => {
    const canonicals = pages(9, (i) => `http://a.test/?id=${i}`);
    expect(statusOf(ref, canonicals)).toBe("declared");
    expect(statusOf(id, canonicals)).toBe("likely");
    expect(
      statusOf(
        ref,
        pages(4, (i) => `http://a.test/?id=${i}`),
      ),
    ).toBe("likely");
    expect(statusOf({ ...ref, status: "refuted" }, canonicals)).toBe("refuted");
  });

  it("are none where pages call themselves canonical, or another page", () => {
    expect(
      statusOf(
        ref,
        pages(9, (i) => `http://a.test/?id=${i}&ref=x`),
      ),
    ).toBe("likely");
    const some = pages(20, (i) => (i < 3 ? `http://a.test/?id=${i}&ref=x` : `http://a.test/?id=${i}`));
    expect(statusOf(ref, some)).toBe("likely");
    const elsewhere = pages(9, (i) => `http://a.test/?id=${i}`);
    for (let i = 0; i < 9; i++) elsewhere[`http://a.test/?ref=x`] = "http://a.test/home";
    expect(statusOf(id, elsewhere)).toBe("likely");
  });

  it("includes rules that other rules go on from", () => {
    const both = pages(9, (i) => `http://a.test/?id=${i}`);
    for (let i = 0; i < 9; i++) both[`http://a.test/?id=${i}&ref=x&utm_a=1`] = `http://a.test/?id=${i}`;
    expect(statusOf(ref, both)).toBe("declared");
  });
});

it("what the site declares takes no verdict away, and comes and goes with mining", () => {
  const valid = makeRule({ kind: "parameter", name: "sid", action: "remove", site: "a.test" });
  const declared: Rule = { ...valid, status: "declared" };
  const mined = (rules: readonly Rule[], news: readonly Rule[]) => mergeRules(rules, news, new Set(["a.test"]));
  expect(mined([valid], [declared])).toMatchObject([{ status: "valid" }]);
  expect(mined([{ ...valid, status: "likely" }], [declared])).toMatchObject([{ status: "declared" }]);
  expect(mined([declared], [{ ...valid, status: "likely" }])).toMatchObject([{ status: "likely" }]);
  expect(mined([declared], [])).toEqual([]);
});
