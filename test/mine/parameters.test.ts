import { describe, expect, test } from "vitest";
import { InvariantError } from "#src/errors.js";
import type { LikelyMode, MinePlan } from "#src/mine/likely-similar.js";
import type { MinedRule } from "#src/mine/mined-rule.js";
import { Mining } from "#src/mine/parameters/mining.js";
import { mineParameterRules } from "#src/mine/parameters.js";
import { toTheEnd } from "#src/progress.js";
import { type Known, listOf } from "./parameters-lists.js";

function mine(
  known: readonly Known[],
  likely: LikelyMode = "auto",
  minSupport = 3,
  plan: MinePlan = "paper",
): MinedRule[] {
  return toTheEnd(mineParameterRules(new Mining(listOf(known), { minSupport, likely, sketchMatches: 4, plan })));
}

/** A rule in short: what it does, where, support/confirmed/merges. */
function short(rule: MinedRule): string {
  const name = "name" in rule && rule.name !== undefined ? ` ${rule.name}` : "";
  const value = rule.kind === "parameter" && rule.action === "set" ? `=${rule.value}` : "";
  const what =
    rule.kind === "parameter"
      ? `${rule.action}${rule.place === "path" ? " ;" : " "}${rule.name}${value}`
      : `${rule.kind}${name}${rule.kind === "repeatedParameter" ? ` ${rule.keep}` : ""}`;
  const scope = Object.values(rule.scope).join(" ");
  return `${what}${scope === "" ? "" : ` at ${scope}`} ${rule.support}/${rule.confirmed}/${rule.merges}`;
}

const site = "http://a.test";
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

describe("removing and setting", () => {
  test(";jsessionid in the path", () => {
    const pages = times(3, (i) => ({ url: `${site}/owners/${i}.html`, size: 1000 + i }));
    const sessions = times(9, (i) => ({
      url: `${site}/owners/${i % 3}.html;jsessionid=${"AB"[i % 2]}${i}`,
      size: 1000 + (i % 3),
    }));
    expect(mine([...pages, ...sessions]).map(short)).toEqual(["remove ;jsessionid 9/9/9", "set ;jsessionid=A0 6/6/2"]);
    expect(mine([...pages, ...sessions])[0]?.example).toEqual({
      from: `${site}/owners/0.html;jsessionid=A0`,
      to: `${site}/owners/0.html`,
    });
  });

  test("sid, and the parameter that &amp;sid is to a server", () => {
    const known = times(4, (t) => [
      { url: `${site}/viewtopic.php?t=${t}`, size: 5000 + 900 * t },
      { url: `${site}/viewtopic.php?t=${t}&sid=a${t}`, size: 5000 + 900 * t },
      { url: `${site}/viewtopic.php?t=${t}&amp;sid=b${t}`, size: 5000 + 900 * t },
    ]).flat();
    expect(mine(known).map(short)).toEqual(["remove amp;sid 4/4/4", "remove sid 4/4/4"]);
  });

  test("&amp cut off at its end", () => {
    const known = times(4, (t) => [
      { url: `${site}/viewtopic.php?t=${t}`, size: 5000 + 900 * t },
      { url: `${site}/viewtopic.php?t=${t}&amp`, size: 5000 + 900 * t },
    ]).flat();
    expect(mine(known).map(short)).toEqual(["remove amp 4/4/4"]);
  });

  test("replytocom: pages of one post, each with another comment's form", () => {
    const known = times(30, (i) => ({ url: `${site}/post-${i % 5}/?replytocom=${i}`, size: 9000 * (1 + (i % 5)) }));
    expect(mine(known).map(short)).toEqual(["remove replytocom 25/25/0", "set replytocom=0 25/25/5"]);
  });

  test("v_p is the most frequent value, then the smallest", () => {
    const views = ["print", "print", "full", "full", "list"];
    const known = views.map((view, i) => ({ url: `${site}/${i >> 1}?view=${view}&n=${i}` }));
    const more = times(4, (i) => ({ url: `${site}/x?view=${["full", "list", "print", "b"][i]}` }));
    expect(mine([...known, ...more], "none").map(short)).toContain("set view=full 3/0/3");
  });

  test("the page without the parameter is another: set it, do not remove it", () => {
    const known = times(4, (i) => [
      { url: `${site}/${i}`, size: 100 * (i + 1) },
      ...times(3, (v) => ({ url: `${site}/${i}?tab=${v}`, size: 777 * (i + 1) })),
    ]).flat();
    expect(mine(known).map(short)).toEqual(["set tab=0 8/8/8"]);
  });

  test("an identifier is not a rule where sizes are known, and an unconfirmed one where they are not", () => {
    const known = times(40, (i) => ({ url: `${site}/item?id=${i}`, size: 1000 + 137 * i }));
    expect(mine(known)).toEqual([]);
    expect(mine(known, "none").map(short)).toEqual(["remove id 39/0/0", "set id=0 39/0/39"]);
  });

  test("unknown counts as similar, unless what is known speaks against it", () => {
    const unknown = times(20, (i) => ({ url: `${site}/${i % 5}?p=${i}` }));
    const different = times(8, (i) => ({ url: `${site}/${i % 4}?p=x${i}`, size: 100 + 50 * i }));
    expect(mine(unknown).map(short)).toEqual(["remove p 15/0/0", "set p=0 15/0/3"]);
    expect(mine([...unknown, ...different])).toEqual([]);
  });

  test("a page of many sizes is nothing to compare with", () => {
    const known = [
      { url: `${site}/`, size: [0, 50_000] as const },
      ...times(9, (i) => ({ url: `${site}/?page=${i}`, size: 9000 + 997 * i })),
    ];
    expect(mine(known)).toEqual([]);
  });

  test("sketches go before sizes", () => {
    const known = times(8, (i) => ({ url: `${site}/?s=${i}`, size: 100 + i, sketch: [1, 2, 3, 4] as const }));
    expect(mine(known).map(short)).toEqual(["remove s 7/7/0", "set s=0 7/7/7"]);
    expect(mine(known, "size")).toEqual([]);
  });
});

describe("sizes that are only near", () => {
  /** Apache's index, sorted in eight ways, as transferred compressed. */
  const indexes = times(12, (d) =>
    ["N", "M", "S", "D"].flatMap((column, c) =>
      ["A", "D"].map((order, o) => ({
        url: `${site}/files/${d}/?C=${column};O=${order}`,
        size: 650 + 90 * d + ((c + 2 * o + d) % 5),
      })),
    ),
  ).flat();

  test("autoindex ?C=N;O=A: nearer to its own directory's listing than to another's", () => {
    expect(mine(indexes).map((rule) => short(rule).replace(/\/.*/, ""))).toEqual([
      "remove C 72",
      "set C=D 72",
      "remove O 48",
      "set O=A 48",
    ]);
    expect(mine(indexes).every((rule) => rule.confirmed < rule.support / 2)).toBe(true);
  });

  test("where any two pages are near, nearness tells nothing", () => {
    const forms = times(60, (i) => ({ url: `${site}/${i % 6}/subscribe?id=${i}`, size: 2000 + ((7 * i) % 60) }));
    expect(mine(forms)).toEqual([]);
  });
});

describe("parameters that come together", () => {
  const tracked = "utm_source=feed&utm_medium=rss&utm_campaign=all";
  test("utm_*: none merges alone, all do", () => {
    const known = times(5, (i) => [
      { url: `${site}/post-${i}`, size: 1000 * (i + 1) },
      { url: `${site}/post-${i}?${tracked}`, size: 1000 * (i + 1) },
    ]).flat();
    expect(mine(known).map(short)).toEqual([
      "remove utm_campaign 5/5/5",
      "remove utm_medium 5/5/5",
      "remove utm_source 5/5/5",
    ]);
    expect(mine(known, "none").map((rule) => rule.confirmed)).toEqual([0, 0, 0]);
  });

  test("what one page is asked for is not such a group", () => {
    const known = [{ url: `${site}/map` }, ...times(20, (i) => ({ url: `${site}/map?lat=${i}&lon=${40 - i}` }))];
    expect(mine(known)).toEqual([]);
  });
});

describe("scopes", () => {
  const log = (count: number, path: string) =>
    times(count, (i) => ({ url: `${site}${path}?h=v${i}`, size: 4000 + 1313 * i }));
  const feed = (count: number, path: string, size = 900) =>
    times(count, (i) => ({ url: `${site}${path}?h=v${i}`, size }));

  test("?h= matters on the log and not on the feed", () => {
    expect(mine([...log(20, "/repo/log/"), ...feed(20, "/repo/feed/")]).map(short)).toEqual([
      "remove h at /repo/feed/ 19/19/0",
      "set h=v0 at /repo/feed/ 19/19/19",
    ]);
  });

  test("in many directories: by the script's name", () => {
    const known = times(12, (d) => [
      ...log(5, `/repo${d}/log.cgi`),
      ...feed(5, `/repo${d}/feed.cgi`, 900 + 70 * d),
    ]).flat();
    expect(mine(known).map(short)).toEqual(["remove h at feed.cgi 48/48/0", "set h=v0 at feed.cgi 48/48/48"]);
  });

  test("on one host of the site", () => {
    const feedOn = (host: string) =>
      feed(12, "/x").map(({ url, size }) => ({ url: url.replace("a.test", host), size }));
    expect(mine([...log(12, "/x"), ...feedOn("feeds.a.test")]).map(short)).toEqual([
      "remove h at feeds.a.test 11/11/0",
      "set h=v0 at feeds.a.test 11/11/11",
    ]);
    // A name that some client made up; in a scope it would mean other hosts.
    expect(mine([...log(12, "/x"), ...feedOn("*.a.test")])).toEqual([]);
  });

  test("the broadest place that holds, and the whole site where it holds everywhere", () => {
    const feeds = [...feed(5, "/feeds/a/x"), ...feed(5, "/feeds/b/y", 1200)];
    expect(mine([...feeds, ...log(9, "/log/x")]).map(short)).toEqual([
      "remove h at /feeds/ 8/8/0",
      "set h=v0 at /feeds/ 8/8/8",
    ]);
    expect(mine(feeds).map(short)).toEqual(["remove h 8/8/0", "set h=v0 8/8/8"]);
  });

  test("disagreements that are spread out do not cut a rule to pieces", () => {
    const known = times(40, (d) =>
      times(5, (i) => ({ url: `${site}/p${d}/?r=${i}`, size: 1000 * d + (i === d % 5 ? 499 : 0) })),
    ).flat();
    const rules = mine(known);
    expect(rules.map(({ scope }) => scope)).toEqual([{}, {}]);
  });

  test("without sizes nothing can be told apart", () => {
    const known = [...log(9, "/log/"), ...feed(9, "/feed/")].map(({ url }) => ({ url }));
    expect(mine(known).map(short)).toEqual(["remove h 16/0/0", "set h=v0 16/0/16"]);
  });
});

describe("running", () => {
  test("pauses with its progress before each parameter and kind, to the end", () => {
    const list = listOf(times(9, (i) => ({ url: `${site}/?a=${i}&b=${i}` })));
    const seen = [
      ...mineParameterRules(new Mining(list, { minSupport: 3, likely: "auto", sketchMatches: 4, plan: "ours" })),
    ];
    expect(seen.map(({ done }) => done)).toEqual(seen.map((_, i) => i));
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.at(-1)).toMatchObject({ step: "parameter rules", done: seen.length - 1, total: seen.length - 1 });
  });

  test("a list with a URL twice is refused", () => {
    expect(() => mine([{ url: `${site}/?a=1` }, { url: `${site}/?a=1` }])).toThrow(InvariantError);
  });

  test("an empty list", () => {
    expect(mine([])).toEqual([]);
  });
});

describe("sizes as evidence, not as a veto", () => {
  const id = (i: number) => (i * 2654435761).toString(16).slice(0, 8);
  const sessions = (sizeOf: (page: number, visit: number) => number) =>
    times(8, (p) => times(4, (v) => ({ url: `${site}/page${p}?sid=${id(10 * p + v)}`, size: sizeOf(p, v) }))).flat();

  test("a parameter on many pages, a few times on each, is tried whatever the sizes say", () => {
    const rotating = sessions((p, v) => 5000 + 977 * p + 4001 * v);
    expect(mine(rotating)).toEqual([]);
    expect(mine(rotating, "auto", 3, "ours").map(short)).toEqual(["remove sid 24/0/0"]);
  });

  test("a page's own number, on few pages many times, is not", () => {
    const numbered = times(40, (i) => ({ url: `${site}/${i % 3}?id=${i}`, size: 1000 + 37 * i }));
    expect(mine(numbered, "auto", 3, "ours")).toEqual([]);
  });

  test("a page that echoes its URL in each link is not another page", () => {
    const length = (v: number) => "?view=".length + 5 + 3 * v;
    const echoing = times(4, (p) => [
      { url: `${site}/p${p}`, size: 9000 + 100 * p },
      ...times(3, (v) => ({
        url: `${site}/p${p}?view=${"x".repeat(5 + 3 * v)}`,
        size: 9000 + 100 * p + 12 * length(v),
      })),
    ]).flat();
    expect(mine(echoing)).toEqual([]);
    expect(mine(echoing, "auto", 3, "ours").map(short)).toEqual(["remove view 12/0/12"]);
  });
});
