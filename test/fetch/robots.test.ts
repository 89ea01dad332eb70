import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFetcher, type FetcherOptions } from "#src/fetch/fetcher.js";
import { isAllowed, parseRobots, ROBOTS_MAX_BYTES } from "#src/fetch/robots.js";
import { FakeClock, type Handler, openSite, type TestSite } from "./site.js";

const parse = (text: string, token = "dustpan") => parseRobots(Buffer.from(text), token);
const allowed = (text: string, target: string, token = "dustpan") => isAllowed(parse(text, token), target);

describe("groups", () => {
  const simple = "user-agent: FooBot\ndisallow: /\n";

  test("the product token is compared whole and in any letter case", () => {
    for (const token of ["foobot", "FooBot", "FOOBOT"]) expect(allowed(simple, "/x", token)).toBe(false);
    for (const token of ["foo", "foobots", "barbot"]) expect(allowed(simple, "/x", token)).toBe(true);
    expect(allowed("user-agent: FooBot/2.1 (old)\ndisallow: /", "/x", "foobot")).toBe(false);
  });

  test("ours wins over *, wherever it stands, and is not added to it", () => {
    const text = "user-agent: *\ndisallow: /a\n\nuser-agent: dustpan\ndisallow: /b\n\nuser-agent: *\ndisallow: /c\n";
    expect(["/a", "/b", "/c"].map((path) => allowed(text, path))).toEqual([true, false, true]);
    expect(["/a", "/b", "/c"].map((path) => allowed(text, path, "other"))).toEqual([false, true, false]);
  });

  test("several groups of one agent are one (RFC 9309, 2.2.1)", () => {
    const text = "user-agent: dustpan\ndisallow: /a\nuser-agent: x\ndisallow: /\nuser-agent: dustpan\ndisallow: /b";
    expect(["/a", "/b", "/c"].map((path) => allowed(text, path))).toEqual([false, false, true]);
  });

  test("several agents share the rules that follow", () => {
    const text = "user-agent: x\nuser-agent: dustpan\n\ndisallow: /a\nallow: /a/b\nuser-agent: y\ndisallow: /c";
    expect(["/a", "/a/b", "/c"].map((path) => allowed(text, path))).toEqual([false, true, true]);
  });

  test("a group of ours that disallows nothing opens everything; one without a rule shares the next", () => {
    expect(allowed("user-agent: dustpan\n\nuser-agent: *\ndisallow: /", "/x")).toBe(false);
    expect(allowed("user-agent: dustpan\ndisallow:\n\nuser-agent: *\ndisallow: /", "/x")).toBe(true);
  });

  test("rules before the first agent belong to nobody", () => {
    expect(allowed("disallow: /\nuser-agent: x\ndisallow: /", "/x")).toBe(true);
  });

  test("other lines do not end a group (RFC 9309, 2.2.4)", () => {
    const text = "user-agent: dustpan\nsitemap: /map.xml\ncrawl-delay: 3\nhost: x\nuser-agent: y\ndisallow: /a";
    expect(allowed(text, "/a")).toBe(false);
    expect(parse(text).crawlDelayMs).toBe(3000);
  });

  test.each(["* ", "*\t# all", "*"])("user-agent: %j is everyone", (agent) => {
    expect(allowed(`user-agent: ${agent}\ndisallow: /`, "/x")).toBe(false);
  });

  test("user-agent: *x is nobody we know", () => {
    expect(allowed("user-agent: *x\ndisallow: /", "/x")).toBe(true);
  });
});

describe("lines", () => {
  test.each([
    ["a byte order mark", "\ufeffuser-agent: dustpan\ndisallow: /a"],
    ["carriage returns", "user-agent: dustpan\rdisallow: /a\r"],
    ["both line ends", "user-agent: dustpan\r\ndisallow: /a\r\n"],
    ["comments", "# x\nuser-agent: dustpan # y\ndisallow: /a # z\n"],
    ["white space", "  user-agent  :  dustpan  \n\tdisallow\t:\t/a\t"],
    ["letter case", "USER-AGENT: dustpan\nDISALLOW: /a"],
    ["frequent misspellings", "useragent: dustpan\ndissallow: /a"],
    ["rubbish around", "\u0000\u0001<html>\nuser-agent: dustpan\nx\n:\ndisallow: /a\n\u00ff"],
  ])("%s", (_, text) => {
    expect([allowed(text, "/a"), allowed(text, "/b")]).toEqual([false, true]);
  });

  test("only the first 500 KiB are read, and no half line", () => {
    const start = "user-agent: *\ndisallow: /a\n";
    const cut = "disallow: /bcd";
    const filler = `#${"x".repeat(ROBOTS_MAX_BYTES - start.length - cut.length + 2)}\n`;
    const text = `${start}${filler}${cut}`;
    expect(text.length).toBeGreaterThan(ROBOTS_MAX_BYTES);
    expect(["/a", "/bcd", "/b"].map((path) => allowed(text, path))).toEqual([false, true, true]);
  });

  test("crawl-delay takes numbers only", () => {
    const delay = (value: string) => parse(`user-agent: *\ncrawl-delay: ${value}`).crawlDelayMs;
    expect(["10", "0.5", ".5", "0"].map(delay)).toEqual([10_000, 500, 500, 0]);
    expect(["", "-1", "1e9", "ten", "1s"].map(delay)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});

describe("matching", () => {
  test.each([
    // RFC 9309, 2.2.2: the longest match; allow at a tie.
    ["disallow: /\nallow: /x/", "/x/y", true],
    ["allow: /x/page\ndisallow: /x/page.html", "/x/page.html", false],
    ["disallow: /x/page\nallow: /x/page", "/x/page", true],
    ["allow: /page\ndisallow: /*.html", "/page.html", false],
    ["allow: /page\ndisallow: /*.ph", "/page.php5", true],
    ["allow: /$\ndisallow: /", "/", true],
    ["allow: /$\ndisallow: /", "/page.htm", false],
    // Prefixes, and letter case.
    ["disallow: /fish", "/fish.html", false],
    ["disallow: /fish", "/fishheads/yummy.html", false],
    ["disallow: /fish", "/fish?id=1", false],
    ["disallow: /fish", "/Fish.asp", true],
    ["disallow: /fish", "/catfish", true],
    ["disallow: /fish/", "/fish", true],
    ["disallow: /fish*", "/fishheads", false],
    // Wildcards and the end.
    ["disallow: /*.php", "/folder/any.php.file.html", false],
    ["disallow: /*.php", "/windows.PHP", true],
    ["disallow: /*.php$", "/filename.php", false],
    ["disallow: /*.php$", "/filename.php?parameters", true],
    ["disallow: /*.php$", "/x.php.php", false],
    ["disallow: /fish*.php", "/fishheads/catfish.php?parameters", false],
    ["disallow: /a*b*c$", "/a-b-b-c-c", false],
    ["disallow: /a*b*c$", "/a-c-b", true],
    ["disallow: /a**b", "/axb", false],
    ["disallow: *", "/x", false],
    ["disallow: /x$y", "/x$y", false],
    ["disallow: /x*$", "/xyz", false],
    ["disallow: /aa*aa$", "/aaa", true],
    ["disallow: /*?sid=", "/story?sid=1", false],
    ["disallow: /*?sid=", "/story?id=2&sid=1", true],
    // RFC 9309, 2.2.2: comparison of percent-encoding.
    ["disallow: /foo/bar?baz=quz", "/foo/bar?baz=quz", false],
    ["disallow: /foo/bar?baz=http://foo.bar", "/foo/bar?baz=http%3A%2F%2Ffoo.bar", true],
    ["disallow: /foo/bar/\u30c4", "/foo/bar/%E3%83%84", false],
    ["disallow: /foo/bar/%e3%83%84", "/foo/bar/%E3%83%84", false],
    ["disallow: /foo/bar/%62%61%7A", "/foo/bar/baz", false],
    ["disallow: /foo/bar/baz", "/foo/bar/%62%61%7A", false],
    ["disallow: /a%2Fb", "/a/b", true],
    ["disallow: /a%2fb", "/a%2Fb", false],
    // RFC 9309, 2.2.3: special characters as themselves.
    ["disallow: /path/file-with-a-%2A.html", "/path/file-with-a-*.html", false],
    ["disallow: /path/file-with-a-%2A.html", "/path/file-with-a-b.html", true],
    ["disallow: /path/foo-%24", "/path/foo-$", false],
    ["disallow: /path/foo-%24", "/path/foo-", true],
    // What cannot match, does not.
    ["disallow: fish", "/fish", true],
    ["disallow:", "/x", true],
    ["disallow: /", "/robots.txt", true],
  ])("%j on %s: %s", (rules, target, expected) => {
    expect(allowed(`user-agent: *\n${rules}`, target)).toBe(expected);
  });

  test("equals a regular expression on random patterns", () => {
    const letters = fc.array(fc.constantFrom("a", "b", "/", "*", "$"), { maxLength: 8 }).map((parts) => parts.join(""));
    const paths = fc.array(fc.constantFrom("a", "b", "/"), { maxLength: 10 }).map((parts) => `/${parts.join("")}`);
    let matched = 0;
    fc.assert(
      fc.property(letters, paths, (pattern, path) => {
        const isAnchored = pattern.endsWith("$");
        const body = (isAnchored ? pattern.slice(0, -1) : pattern).replaceAll("$", "\\$").replaceAll("*", ".*");
        const expected = new RegExp(`^/${body}${isAnchored ? "$" : ""}`).test(path);
        if (expected) matched++;
        expect(allowed(`user-agent: *\ndisallow: /${pattern}`, path)).toBe(!expected);
      }),
      { numRuns: 3000 },
    );
    expect(matched).toBeGreaterThan(200);
  });

  test("takes no longer for hostile patterns", () => {
    const pattern = `/${"*a".repeat(2000)}b$`;
    expect(allowed(`user-agent: *\ndisallow: ${pattern}`, `/${"a".repeat(50_000)}`)).toBe(true);
  });
});

describe("robots.txt of a site", () => {
  let clock: FakeClock;
  const toClose: { close(): Promise<void> }[] = [];
  beforeEach(() => {
    clock = new FakeClock();
  });
  afterEach(async () => {
    for (const it of toClose.splice(0).reverse()) await it.close();
  });

  async function siteWith(robots: Handler, options: Partial<FetcherOptions> = {}) {
    const target = await openSite(
      clock,
      (request, response) => (request.url?.includes("robots") ? robots(request, response) : response.end("page")),
      { ownRobots: true },
    );
    const fetcher = createFetcher({ sites: [target.origin], delayMs: 0, ...options }, clock);
    toClose.push(target, fetcher);
    return { target, fetch: (path: string) => fetcher.fetch(target.origin + path), fetcher };
  }
  const robotsRequests = ({ requests }: TestSite) => requests.filter(({ target }) => target.includes("robots")).length;

  test.each([400, 401, 403, 404, 410, 418])("%i opens the site", async (status) => {
    const { fetch } = await siteWith((_, response) => response.writeHead(status).end("user-agent: *\ndisallow: /"));
    expect(await fetch("/a")).toMatchObject({ kind: "ok" });
  });

  test.each([
    [500, "robots.txt answered 500, so the site is closed"],
    [503, "robots.txt was throttled, so the site is closed"],
    [429, "robots.txt was throttled, so the site is closed"],
  ])("%i closes it, after the usual tries", async (status, reason) => {
    const { fetch, target } = await siteWith((_, response) => response.writeHead(status).end());
    expect(await fetch("/a")).toMatchObject({ kind: "disallowed", reason, requests: 0 });
    expect(await fetch("/b")).toMatchObject({ kind: "disallowed" });
    expect(target.targets()).toEqual(["/robots.txt", "/robots.txt", "/robots.txt"]);
  });

  test("a time-out closes it", async () => {
    const { fetch, target } = await siteWith(() => {
      for (const { onElapsed } of [...clock.deadlines.values()]) onElapsed();
    });
    expect(await fetch("/a")).toMatchObject({ kind: "disallowed", reason: expect.stringContaining("timed out") });
    expect(target.requests).toHaveLength(1);
  });

  test("a broken connection closes it", async () => {
    const { fetch } = await siteWith((request) => request.socket.destroy());
    expect(await fetch("/a")).toMatchObject({
      kind: "disallowed",
      reason: expect.stringContaining("connection broken"),
    });
  });

  test("a closed site is asked again after ten minutes, an open one after a day", async () => {
    let status = 500;
    const { fetch, target } = await siteWith((_, response) => response.writeHead(status).end());
    expect(await fetch("/a")).toMatchObject({ kind: "disallowed" });
    status = 404;
    clock.nowMs += 10 * 60_000;
    expect(await fetch("/a")).toMatchObject({ kind: "ok" });
    clock.nowMs += 23 * 3_600_000;
    await fetch("/b");
    expect(robotsRequests(target)).toBe(4);
    clock.nowMs += 3_600_000;
    await Promise.all([fetch("/c"), fetch("/d")]);
    expect(robotsRequests(target)).toBe(5);
  });

  test("is fetched once for all who ask at the same time", async () => {
    const { fetch, target } = await siteWith((_, response) => response.end("user-agent: *\ndisallow: /b"));
    const outcomes = await Promise.all([fetch("/a"), fetch("/b"), fetch("/c")]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["ok", "disallowed", "ok"]);
    expect(robotsRequests(target)).toBe(1);
  });

  test("five redirects are followed, a sixth opens the site", async () => {
    for (const [hops, kind] of [
      [5, "disallowed"],
      [6, "ok"],
    ] as const) {
      const { fetch } = await siteWith((request, response) => {
        const n = Number(/\d+$/.exec(request.url ?? "")?.[0] ?? 0);
        if (n === hops) response.end("user-agent: *\ndisallow: /");
        else response.writeHead(301, { location: `/robots${n + 1}` }).end();
      });
      expect(await fetch("/a")).toMatchObject({ kind });
    }
  });

  test("a redirect to a host that is not ours to ask closes the site", async () => {
    const { fetch } = await siteWith((_, response) =>
      response.writeHead(301, { location: "http://other.test/" }).end(),
    );
    expect(await fetch("/a")).toMatchObject({ kind: "disallowed", reason: expect.stringContaining("other.test") });
  });

  test("a huge one is read to its limit, not refused", async () => {
    const text = `user-agent: *\ndisallow: /a\n${"#".repeat(2_000_000)}`;
    const { fetch } = await siteWith((_, response) => response.end(text), { maxBytes: 1000 });
    expect((await fetch("/a")).kind).toBe("disallowed");
    expect((await fetch("/b")).kind).toBe("ok");
  });

  test("can be asked for itself", async () => {
    const { fetch, target } = await siteWith((_, response) => response.end("user-agent: *\ndisallow: /"));
    expect(await fetch("/robots.txt")).toMatchObject({ kind: "ok" });
    expect(target.requests).toHaveLength(1);
  });
});

test("names sitemaps outside of groups, which they do not end", () => {
  const robots = parse(
    "Sitemap: http://a.test/1.xml\nUser-agent: dustpan\nsitemap:http://a.test/2.xml\nUser-agent: x\nDisallow: /",
  );
  expect(robots.sitemaps).toEqual(["http://a.test/1.xml", "http://a.test/2.xml"]);
  expect(isAllowed(robots, "/")).toBe(false);
  expect(parse("User-agent: *").sitemaps).toBeUndefined();
});
