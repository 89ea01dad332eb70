import fc from "fast-check";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { applyRule } from "#src/canon/apply.js";
import { compile } from "#src/canon/compile.js";
import { collectReport } from "#src/jobs/report.js";
import { renderReport } from "#src/report/page.js";
import { measureSavings, savingsInReport } from "#src/report/savings.js";
import type { Workspace } from "#src/store/workspace.js";
import { makeRule } from "../canon/make-rule.js";
import { workspaceOf } from "../jobs/workspace.js";
import { attack, evidence, sampleRules, sampleUrls, sampleWorkspace } from "./sample-report.js";

const context = { onProgress: () => {}, signal: new AbortController().signal };
const options = { unmask: false, rulesFile: "dustpan.rules.json", now: () => new Date(0) };
const collect = (workspace: Workspace, rules = sampleRules, words = {}) =>
  collectReport(workspace, { settings: { minSupport: 3 }, rules }, { ...options, ...words }, context);

describe("the numbers of the report", () => {
  it("count what the rules save, and what each of them does", async () => {
    const { dust, rules, handled } = await collect(await sampleWorkspace());
    expect(dust.all).toEqual({ urls: sampleUrls.length, requests: 67, bytes: 0 });
    // 20 stories under another URL, of the two sessions of one page that nobody asked for plainly all but one, and one URL that
    // the site canonicalises: it is fetched anyway.
    expect(dust.dust.urls).toBe(23);
    expect(dust.saved).toEqual({ urls: 22, requests: 20 + 3 + 1, bytes: 0 });
    expect(rules.proven.shown.map(({ saved }) => saved?.urls)).toEqual([21, 20]);
    expect(handled.saved).toBe(1);
    expect(rules.handled.shown).toHaveLength(1);
    expect(rules.refuted.shown).toHaveLength(1);
    expect(rules.undecided.shown).toHaveLength(1);
    expect(rules.likely).toMatchObject({ shown: [{ status: "likely" }], more: 0 });
  });

  it("agree with what other commands say, and with a slow count", async () => {
    const rule = [
      makeRule({ kind: "parameter", name: "sid", action: "remove", evidence: evidence() }),
      makeRule({ from: "story?id=", to: "story_", evidence: evidence() }),
      makeRule({ from: "/index.html", to: "/", end: true, evidence: evidence() }),
    ];
    const url = fc
      .tuple(
        fc.constantFrom("", "story?id=1", "story_1", "story_2", "index.html"),
        fc.constantFrom("", "?sid=1", "&sid=2", "?sid=1&x=1"),
      )
      .map(([path, query]) => `http://a.test/${path}${query}`);
    let merged = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(url, fc.integer({ min: 1, max: 3 })), {
          selector: ([text]) => text,
          minLength: 8,
          maxLength: 20,
        }),
        async (urls) => {
          const workspace = await workspaceOf(urls);
          const report = await collect(workspace, rule);
          const { dust, rules, figures, sites } = report;
          expect(savingsInReport(report, [])).toEqual(await measureSavings(workspace, rule));
          workspace.close();
          const canon = compile(rule);
          const groups = new Map<string, [string, number][]>();
          for (const entry of urls) groups.set(canon(entry[0]), [...(groups.get(canon(entry[0])) ?? []), entry]);
          merged += urls.length - groups.size;
          expect(dust.saved.urls).toBe(urls.length - groups.size);
          // One URL of each page stays: the canonical one, else the smallest.
          const saved = [...groups].flatMap(([target, members]) => {
            const names = members.map(([text]) => text).sort();
            const kept = names.includes(target) ? target : names[0]!;
            return members.filter(([text]) => text !== kept);
          });
          expect(dust.saved.requests).toBe(saved.reduce((sum, [, hits]) => sum + hits, 0));
          for (const { id, saved: own } of rules.proven.shown) {
            const takesPart = saved.filter(([text]) => canon.explain(text).steps.some((step) => step.rule.id === id));
            expect(own?.urls).toBe(takesPart.length);
          }
          const causes = figures["dust-by-rule"] ?? [];
          expect(causes.reduce((sum, cause) => sum + cause.urls, 0)).toBe(dust.saved.urls);
          expect(sites.shown.reduce((sum, site) => sum + site.savedUrls, 0)).toBe(dust.saved.urls);
        },
      ),
      { numRuns: 12 },
    );
    expect(merged).toBeGreaterThan(10);
  });

  it("count a rule that waits for one that the site makes needless with that one, in the report and in the savings", async () => {
    const redirected = makeRule({
      kind: "parameter",
      name: "sid",
      action: "remove",
      evidence: evidence({ positive: 40, redirected: 40 }),
    });
    const waiting = { ...makeRule({ from: "story?id=", to: "story_", evidence: evidence() }), after: [redirected.id] };
    const slash = makeRule({ from: "/index.html", to: "/", end: true, evidence: evidence() });
    const rules = [redirected, waiting, slash];
    const workspace = await workspaceOf([
      ["http://a.test/story?id=1&sid=2", 5],
      ["http://a.test/story_1", 1],
      ["http://a.test/index.html", 2],
      ["http://a.test/", 3],
    ]);
    const report = await collect(workspace, rules);
    const savings = await measureSavings(workspace, rules);
    expect(savings).toMatchObject({
      rules: 3,
      handled: { rules: 2, urls: 1 },
      urlsBefore: 4,
      urlsAfter: 2,
      hitsOnDust: 7,
    });
    expect(savingsInReport(report, [])).toEqual(savings);
    expect(report.rules.handled.shown.map(({ id }) => id).sort()).toEqual([redirected.id, waiting.id].sort());
    workspace.close();
  });

  it("use a rule in the direction that was proven", async () => {
    const rule = makeRule({
      from: "/a/b/",
      to: "/c/",
      status: "refuted",
      opposite: { status: "valid", positive: 40, negative: 1 },
      evidence: evidence({ positive: 40, negative: 1 }),
      example: { from: "http://a.test/a/b/", to: "http://a.test/c/" },
    });
    const workspace = await workspaceOf([["http://a.test/c/1", 1]]);
    const [shown] = (await collect(workspace, [rule])).rules.proven.shown;
    expect(shown).toMatchObject({
      action: { from: "/c/", to: "/a/b/" },
      status: "valid",
      example: { from: "http://a.test/c/" },
      evidence: { positive: 40, negative: 1 },
    });
    expect(applyRule({ ...shown!.action, scope: shown!.scope }, "http://a.test/c/1")).toBe("http://a.test/a/b/1");
  });

  it("hold for a workspace without anything to say", async () => {
    const data = await collect(await workspaceOf([["http://a.test/", 1]]), []);
    expect(data.dust.saved.urls).toBe(0);
    expect(renderReport(data)).toContain("No dust is proven on a.test");
  });

  it("lead on before anybody has looked for rules, by commands that do in a shell what they say", async () => {
    // Who sends the Host header chooses the host that a log names.
    const workspace = await workspaceOf([["http://a$(reboot)'.test/", 1]]);
    const data = await collectReport(workspace, { settings: {}, rules: [] }, options, context);
    const page = parseHTML(renderReport(data)).document;
    expect(page.querySelector(".lead")?.textContent).toMatch(/Nobody has looked for rules/);
    const commands = page.querySelector(".commands")?.textContent ?? "";
    expect(commands).toMatch(/^dustpan mine /);
    expect(commands).toContain("dustpan validate --site 'a$(reboot)'\\''.test' -w");
  });
});

describe("the page", () => {
  const render = async (words = {}) => renderReport(await collect(await sampleWorkspace(), sampleRules, words));

  it("names as many rules as make the dust that it counts", async () => {
    // Two of the sample's rules are proven, and the site does a third one's work.
    expect(await render()).toContain("3 rules below say which");
  });

  it("runs nothing that an input says, and loads nothing", async () => {
    const text = await render();
    const { document } = parseHTML(text);
    expect(text).toContain("onerror");
    expect(document.querySelectorAll("img, iframe, object, link, [src], [onerror], [onclick]")).toHaveLength(0);
    expect(document.querySelectorAll("script")).toHaveLength(1);
    const links = [...document.querySelectorAll("a")].map((link) => link.getAttribute("href")!);
    expect(
      links.filter((href) => !/^(?:#[\w-]+$|https?:\/\/|data:text\/csv;charset=utf-8;base64,[\w+/=]+$)/.test(href)),
    ).toEqual([]);
    expect(text).toContain("script-src 'sha256-".replaceAll("'", "&#39;"));
  });

  it("says nothing of sessions and tokens unless it is asked to, and links to none", async () => {
    expect(await render()).not.toContain("b299875dff51e5f8");
    const open = await render({ unmask: true });
    expect(open).toContain('href="http://forum.test/story_1?sid=b299875dff51e5f8"');
    expect(open).toContain(attack.slice(3, 6));
  });

  it("is small", async () => {
    expect((await render()).length).toBeLessThan(100_000);
  });

  it("lists no more rules than a person reads, whatever there is", async () => {
    const many = Array.from({ length: 2000 }, (_, i) =>
      makeRule({
        from: `/a${i}/`,
        to: `/b${i}/`,
        status: i % 2 ? "valid" : "refuted",
        support: i,
        evidence: evidence(),
      }),
    );
    const data = await collect(await sampleWorkspace(), many);
    expect(data.rules.proven).toMatchObject({ more: 850 });
    expect(data.rules.refuted).toMatchObject({ more: 950 });
    expect(renderReport(data).length).toBeLessThan(600_000);
  });
});
