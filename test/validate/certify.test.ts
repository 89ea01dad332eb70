import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compile } from "#src/canon/compile.js";
import type { Certificate, Rule } from "#src/model.js";
import { boundOf, errorOfAttempt, mostWrong } from "#src/validate/certificate.js";
import { certificateSentence, certificateState, toldCertificates } from "#src/validate/certificate-state.js";
import type { CertifyOptions } from "#src/validate/certify.js";
import type { Draw, ValidateOptions } from "#src/validate/try-rule.js";
import { validateRules } from "#src/validate/validate-rules.js";
import { makeRule } from "../canon/make-rule.js";
import { FakePages, type Site } from "./fake-pages.js";

const choose = (n: number, k: number): bigint => {
  let result = 1n;
  for (let i = 0; i < k; i++) result = (result * BigInt(n - i)) / BigInt(i + 1);
  return k > n ? 0n : result;
};

it("certificates of sites whose URLs no rule changes are not told beside others", () => {
  const of = (changed: number): Certificate => ({ changed, site: `${changed}.test` }) as Certificate;
  expect(toldCertificates([of(0), of(7), of(0), of(9)])).toEqual([of(7), of(9)]);
  expect(toldCertificates([of(0), of(0)])).toEqual([of(0)]);
});

describe("the most that can be wrong", () => {
  it("is what the hypergeometric distribution says", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.nat(120), fc.integer({ min: 1, max: 8 }), (all, n, attempt) => {
        const drawn = Math.min(n, all);
        const error = errorOfAttempt(attempt);
        // Ways to draw no wrong one, of all ways to draw; 40 * 2 ** (attempt - 1) is one through the error.
        const isPossible = (wrong: number) =>
          choose(all - wrong, drawn) * BigInt(40 * 2 ** (attempt - 1)) > choose(all, drawn);
        let expected = 0;
        while (expected < all && isPossible(expected + 1)) expected++;
        expect(mostWrong(all, drawn, error)).toBe(expected);
      }),
    );
  });
  it("is 1% after 344 of 3,166, and not after 343", () => {
    expect(mostWrong(3166, 344, errorOfAttempt(1)) / 3166).toBeLessThanOrEqual(0.01);
    expect(mostWrong(3166, 343, errorOfAttempt(1)) / 3166).toBeGreaterThan(0.01);
  });
  it("is nothing once all were drawn, and everything before", () => {
    expect(mostWrong(50, 50, 0.025)).toBe(0);
    expect(mostWrong(50, 0, 0.025)).toBe(50);
  });
  it("counts those that are known, and leaves out those that are gone or beyond comparison", () => {
    const none = { knownSame: 0, knownGone: 0, knownNotComparable: 0, same: 0, gone: 0, notComparable: 0 };
    expect(boundOf({ ...none, changed: 100, knownSame: 100 }, 0.025)).toBe(0);
    expect(boundOf({ ...none, changed: 100, knownSame: 50 }, 0.025)).toBe(0.5);
    expect(boundOf({ ...none, changed: 100, same: 50, gone: 30, notComparable: 20 }, 0.025)).toBe(0);
    expect(boundOf({ ...none, changed: 10, gone: 10 }, 0.025)).toBe(1);
  });
});

const options = {
  count: 100,
  epsilon: 0.05,
  seed: 1,
  similarity: "text",
  now: () => new Date(0),
} as const;

async function run(
  rules: readonly Rule[],
  urls: readonly string[],
  pages: FakePages,
  { seed = 1, plan = "sequential", ...more }: Partial<CertifyOptions & Pick<ValidateOptions, "plan">> = {},
) {
  const draws: Draw[] = [];
  const attempts: number[] = [];
  const context = { onProgress: () => {}, signal: new AbortController().signal };
  const events = { onDraw: (draw: Draw) => draws.push(draw), onVerdict: () => {} };
  const validated = await validateRules(rules, urls, pages, { ...options, seed, plan }, events, context, {
    site: "a.test",
    list: "list",
    assurance: 0.01,
    attemptsBefore: async () => 0,
    onAttempt: async (_, attempt) => {
      attempts.push(attempt);
    },
    ...more,
  });
  return { ...validated, draws, attempts, certificate: validated.certificate! };
}

const drop = (name: string, more: Parameters<typeof makeRule>[0] = {}) =>
  makeRule({ kind: "parameter", name, action: "remove", status: "likely", site: "a.test", ...more });
const numbered = (count: number, url: (i: number) => string) => Array.from({ length: count }, (_, i) => url(i + 1));

/** URLs that the rules change although the page is then another one. */
function wrongOnes(rules: readonly Rule[], urls: readonly string[], site: Site): string[] {
  const canon = compile(rules);
  return urls.filter((url) => site(url, 0) !== undefined && site(canon(url), 0) !== site(url, 0));
}

describe("rules that are true each, and false together", () => {
  it("a page that is found by either of two names keeps one of them", async () => {
    const site: Site = (url) => {
      const query = new URL(url).searchParams;
      return query.get("user")?.slice(1) ?? query.get("uid")?.slice(1);
    };
    const urls = [
      ...numbered(100, (i) => `http://a.test/profile?user=u${i}&uid=n${i}`),
      ...numbered(30, (i) => `http://a.test/profile?user=u${i}`),
      ...numbered(30, (i) => `http://a.test/profile?uid=n${i}`),
    ];
    const { rules, certificate } = await run([drop("user"), drop("uid")], urls, new FakePages(site));
    expect(wrongOnes(rules, urls, site)).toEqual([]);
    expect(certificate).toMatchObject({ certified: true, wrong: 0, changed: 100 });
    expect(new Set(urls.map(compile(rules))).size).toBeLessThanOrEqual(130);
  });

  it("of two rules the one that merges less goes", async () => {
    // "curid" says nothing next to "title": so it may be any, and then "title" must not go.
    const site: Site = (url) => {
      const query = new URL(url).searchParams;
      return query.get("title")?.slice(1) ?? query.get("curid")?.slice(1);
    };
    const urls = [
      ...numbered(60, (i) => `http://a.test/page?title=t${i}&curid=c${i}`),
      ...numbered(60, (i) => `http://a.test/page?curid=c${i}`),
    ];
    const setting = makeRule({
      ...{ kind: "parameter", name: "curid", action: "set", value: "c1", status: "likely", site: "a.test" },
      scope: { parameters: { title: true } },
    });
    const dropping = drop("title", { scope: { parameters: { curid: true } } });
    const { rules, certificate } = await run([setting, dropping], urls, new FakePages(site));
    expect(wrongOnes(rules, urls, site)).toEqual([]);
    expect(certificate).toMatchObject({ certified: true, wrong: 0 });
    expect(new Set(urls.map(compile(rules))).size).toBe(60);
  });

  it("a rule that never gets its turn is none", async () => {
    const site: Site = (url) => /\/manual\/(?:ru|en)\/p(\d+)$/.exec(url)?.[1];
    const urls = ["doc/manual/ru", "doc/manual/en", "manual/ru", "manual/en"].flatMap((folder) =>
      numbered(40, (i) => `http://a.test/${folder}/p${i}`),
    );
    const likely = { status: "likely", site: "a.test" };
    const moved = makeRule({ from: "/doc/manual/", to: "/manual/", ...likely });
    const translated = makeRule({ from: "/ru/", to: "/en/", scope: { path: "/doc/" }, ...likely });
    const { rules } = await run([moved, translated], urls, new FakePages(site));
    expect(rules).toMatchObject([{ id: moved.id, status: "valid" }]);
    // Unless a person wants it.
    const accepted: Rule = { ...translated, decision: "accepted" };
    const { rules: kept } = await run([moved, accepted], urls, new FakePages(site));
    expect(kept.map(({ id }) => id)).toEqual([moved.id, translated.id]);
  });

  it("what matters only next to another parameter stays where that one goes", async () => {
    // "lang" chooses the language unless "hl" is there; "hl" never matters.
    const site: Site = (url) => {
      const query = new URL(url).searchParams;
      return `${query.get("id")} ${query.has("hl") ? "" : query.get("lang")}`;
    };
    const urls = numbered(400, (i) => {
      const [id, language] = [Math.ceil(i / 4), i % 2 === 0 ? "en" : "de"];
      return `http://a.test/page?id=${id}&lang=${language}${i % 4 < 2 ? "&hl=x" : ""}`;
    });
    const { rules, certificate } = await run([drop("hl"), drop("lang")], urls, new FakePages(site));
    expect(wrongOnes(rules, urls, site)).toEqual([]);
    expect(certificate.wrong).toBe(0);
  });
});

describe("attempts", () => {
  /** The rule fails on every 40th page, and nothing in the URL says on which. */
  const hidden = new Set(numbered(50, (i) => String((i * 7919) % 2000)));
  const site: Site = (url) => {
    const [, id = "", sid] = /id=(\d+)(&sid=.*)?/.exec(url) ?? [];
    return `${id}${hidden.has(id) && sid !== undefined ? " other" : ""}`;
  };
  const urls = numbered(2000, (i) => `http://a.test/page?id=${i}&sid=${(i * 31) % 97}`);

  it("never certify what is wrong too often, for any seed", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { rules, certificate } = await run([drop("sid")], urls, new FakePages(site), { seed });
      const wrong = wrongOnes(rules, urls, site).length / Math.max(1, certificate.changed);
      if (certificate.certified) expect(wrong).toBeLessThanOrEqual(0.01);
    }
  });

  it("cost more the more there were before", async () => {
    const right: Site = (url) => /id=(\d+)/.exec(url)?.[1];
    const tried: number[] = [];
    for (const before of [0, 3]) {
      const { certificate, attempts } = await run([drop("sid")], urls, new FakePages(right), {
        attemptsBefore: async () => before,
      });
      expect(certificate).toMatchObject({ certified: true, attempt: before + 1 });
      expect(attempts).toEqual([1]);
      tried.push(certificate.tried);
    }
    expect(tried[1]!).toBeGreaterThan(tried[0]! + 100);
  });

  it("say what they reached where no more pages are available, and go on with the same draws", async () => {
    const right: Site = (url) => /id=(\d+)/.exec(url)?.[1];
    const seen = new Map();
    const short = await run([drop("sid")], urls, new FakePages(right, seen, 300));
    expect(short).toMatchObject({ stopped: true, certificate: { certified: false, wrong: 0 } });
    expect(short.certificate.atMost).toBeGreaterThan(0.01);
    expect(short.rules[0]!.status).toBe("valid");
    const resumed = await run([drop("sid")], urls, new FakePages(right, seen));
    const whole = await run([drop("sid")], urls, new FakePages(right));
    expect(resumed.draws).toEqual(whole.draws);
    expect(resumed.certificate).toEqual(whole.certificate);
    expect(short.draws).toEqual(whole.draws.slice(0, short.draws.length));
  });

  it("are made with what selecting leaves of the requests: two fifths at least", async () => {
    const right: Site = (url) => /id=(\d+)/.exec(url)?.[1];
    const names = Array.from({ length: 20 }, (_, i) => `junk${i}`);
    const junk = names.flatMap((name) => numbered(200, (i) => `http://a.test/page?id=${i}&${name}=${(i * 31) % 97}`));
    const [seen, rules] = [new Map(), names.map((name) => drop(name))];
    const short = await run(rules, junk, new FakePages(right, seen, 900));
    const isDecided = ({ status }: Rule) => status === "valid";
    expect(short.stopped).toBe(true);
    expect(short.certificate).toMatchObject({ certified: true, wrong: 0 });
    expect(short.rules.filter(isDecided).length).toBeGreaterThan(2);
    expect(short.rules.filter(isDecided).length).toBeLessThan(names.length);
    const resumed = await run(rules, junk, new FakePages(right, seen));
    expect(resumed).toMatchObject({ stopped: false, certificate: { certified: true } });
    expect(resumed.rules.every(isDecided)).toBe(true);
  });

  it("are not made on the paper's plan, which has all requests for its rules", async () => {
    const right: Site = (url) => /id=(\d+)/.exec(url)?.[1];
    const names = ["one", "two", "three"];
    const junk = names.flatMap((name) => numbered(200, (i) => `http://a.test/page?id=${i}&${name}=${(i * 31) % 97}`));
    const rules = names.map((name) => drop(name));
    const whole = new FakePages(right);
    await run(rules, junk, whole, { plan: "paper" });
    const { rules: decided, stopped } = await run(rules, junk, new FakePages(right, new Map(), whole.looks.length), {
      plan: "paper",
    });
    expect(decided.map(({ status }) => status)).toEqual(["valid", "valid", "valid"]);
    expect(stopped).toBe(false);
  });

  it("certify nothing where more than a fifth of what lives cannot be compared", async () => {
    // "old ..." and anything else cannot be compared.
    const some: Site = (url) => {
      const [, id = "", sid] = /id=(\d+)(&sid=.*)?/.exec(url) ?? [];
      return Number(id) % 3 === 0 && sid !== undefined ? `old ${id}` : id;
    };
    // Not in use, unless someone insists.
    expect((await run([drop("sid")], urls, new FakePages(some))).certificate.changed).toBe(0);
    const accepted = drop("sid", { decision: "accepted" });
    const { certificate } = await run([accepted], urls, new FakePages(some));
    expect(certificate).toMatchObject({ certified: false, wrong: 0 });
    expect(certificate.notComparable).toBeGreaterThan(0.25);
    expect(certificateSentence(certificate)).toMatch(/cannot be compared$/);
  });

  it("leave out what is gone, and say how much it is", async () => {
    const some: Site = (url) => {
      const id = /id=(\d+)/.exec(url)![1]!;
      return Number(id) % 5 === 0 ? undefined : id;
    };
    const { certificate } = await run([drop("sid")], urls, new FakePages(some));
    expect(certificate).toMatchObject({ certified: true, wrong: 0 });
    expect(certificate.gone).toBeGreaterThan(0.1);
  });

  it("leave what people accepted in use, and are not certified where it is wrong", async () => {
    const rule = drop("sid", { decision: "accepted" });
    const { rules, certificate } = await run([rule], urls, new FakePages((url) => url));
    expect(rules[0]).toMatchObject({ decision: "accepted" });
    expect(certificate).toMatchObject({ certified: false, wrong: 1 });
  });
});

describe("the certificate", () => {
  const rules = [drop("sid", { status: "valid" })];
  const certificate: Certificate = {
    ...{ site: "a.test", certified: true, changed: 3166, tried: 344, wrong: 0, gone: 0.08, notComparable: 0.04 },
    ...{ atMost: 0.0098, assurance: 0.01, attempt: 1, rules: "", list: "known", at: "2026-01-02T03:04:05Z" },
  };

  it("is a sentence; bounds are rounded up", () => {
    expect(certificateSentence(certificate)).toBe(
      "of 3,166 URLs changed, 344 were tried, none was wrong: at most 1% of those that can be compared are, with 95% confidence; 8% are gone, 4% cannot be compared",
    );
    expect(certificateSentence({ ...certificate, atMost: 0.0101 })).toContain("at most 1.1% of");
  });

  it("is void for other rules: accepted, rejected, written by hand", async () => {
    const urls = numbered(50, (i) => `http://a.test/page?id=${i}&sid=${i}`);
    const site: Site = (url) => /id=(\d+)/.exec(url)?.[1];
    const proven = await run(rules, urls, new FakePages(site));
    const state = (changed: readonly Rule[]) => certificateState(proven.certificate, changed);
    expect(state(proven.rules)).toMatchObject({ certified: true });
    expect(state(proven.rules.map((rule) => ({ ...rule, decision: "rejected" })))).toMatchObject({ certified: false });
    const own = makeRule({ kind: "case", decision: "accepted", source: "hand" });
    expect(state([...proven.rules, own]).text).toMatch(/^not certified: the rules in use are others/);
    const elsewhere = makeRule({ kind: "case", site: "b.test", decision: "accepted" });
    expect(state([...proven.rules, elsewhere]).certified).toBe(true);
  });
});
