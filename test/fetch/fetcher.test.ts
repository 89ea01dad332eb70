import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFetcher, type Fetcher, type FetcherOptions, userAgentOf } from "#src/fetch/fetcher.js";
import { describeOutcome, isAnswered } from "#src/fetch/outcome.js";
import { FakeClock, type Handler, openSite, type TestSite } from "./site.js";

let clock: FakeClock;
const toClose: { close(): Promise<void> }[] = [];

beforeEach(() => {
  clock = new FakeClock();
});

afterEach(async () => {
  for (const it of toClose.splice(0).reverse()) await it.close();
  // Nothing dangles: every limit was called off.
  expect(clock.deadlines.size).toBe(0);
});

async function site(handler: Handler, ownRobots = false): Promise<TestSite> {
  const opened = await openSite(clock, handler, { ownRobots });
  toClose.push(opened);
  return opened;
}

function fetcherFor(target: TestSite, options: Partial<FetcherOptions> = {}): Fetcher {
  const fetcher = createFetcher({ sites: [target.origin], ...options }, clock);
  toClose.push(fetcher);
  return fetcher;
}

const hello: Handler = (_, response) =>
  response.writeHead(200, { "content-type": "text/html; charset=UTF-8" }).end("hello");

describe("an answer", () => {
  test("carries status, type, canonical link, body and address", async () => {
    const target = await site((_, response) =>
      response
        .writeHead(200, {
          "content-type": "Text/HTML; charset=utf-8",
          link: '</b?x=1,2>; rel="next", <c>; rel=canonical',
        })
        .end("hello"),
    );
    const fetcher = fetcherFor(target);
    const outcome = await fetcher.fetch(`${target.origin}/a/b?`);
    expect(outcome).toMatchObject({
      kind: "ok",
      status: 200,
      url: `${target.origin}/a/b?`,
      finalUrl: `${target.origin}/a/b?`,
      mediaType: "text/html",
      contentType: "Text/HTML; charset=utf-8",
      canonical: `${target.origin}/a/c`,
      address: "127.0.0.1",
      redirects: [],
      requests: 1,
      wireBytes: 5,
    });
    expect(isAnswered(outcome) && Buffer.from(outcome.body).toString()).toBe("hello");
    // The empty query is sent as it was written.
    expect(target.targets()).toEqual(["/robots.txt", "/a/b?"]);
    expect(fetcher.stats).toMatchObject({ requests: 2, robotsRequests: 1, outcomes: { ok: 1 }, bodyBytes: 5 });
  });

  test("of any other status is a value too, with its body", async () => {
    const target = await site((_, response) => response.writeHead(404).end("not here"));
    const outcome = await fetcherFor(target).fetch(`${target.origin}/x`);
    expect(outcome).toMatchObject({ kind: "httpError", status: 404, wireBytes: 8 });
    expect(describeOutcome(outcome)).toBe("404");
  });

  test("is asked for with an honest name, by GET, without cookies or credentials", async () => {
    const target = await site((_, response) => response.writeHead(200, { "set-cookie": "a=b" }).end());
    const fetcher = fetcherFor(target, { contact: "mailto:me@forum.test" });
    const withSecret = target.origin.replace("//", "//user:secret@");
    const outcome = await fetcher.fetch(`${withSecret}/x#part`);
    await fetcher.fetch(`${target.origin}/y`);
    expect(outcome.url).toBe(`${target.origin}/x`);
    expect(JSON.stringify(outcome)).not.toContain("secret");
    for (const { method, headers } of target.requests) {
      expect(method).toBe("GET");
      expect(headers.cookie).toBeUndefined();
      expect(headers.authorization).toBeUndefined();
      expect(headers["user-agent"]).toMatch(/^dustpan\/\d+\.\d+\.\d+ \(\+mailto:me@forum\.test\)$/);
    }
    expect(target.requests).toHaveLength(3);
  });

  test("comes over one connection that is kept", async () => {
    const target = await site(hello);
    const fetcher = fetcherFor(target, { delayMs: 0 });
    await Promise.all(["/a", "/b", "/c"].map((path) => fetcher.fetch(target.origin + path)));
    expect(new Set(target.requests.map(({ socket }) => socket)).size).toBe(1);
  });
});

test("text that is not a URL is refused, and its credentials are not printed", async () => {
  const target = await site(hello);
  const outcome = await fetcherFor(target).fetch("http://user:secret@[bad/x");
  expect(outcome).toMatchObject({ kind: "refused", reason: "not an absolute URL" });
  expect(JSON.stringify(outcome)).not.toContain("secret");
});

test("the contact cannot break out of the user agent", () => {
  expect(userAgentOf("a)\r\nx: y é")).toMatch(/^dustpan\/\S+ \(\+ax: y\)$/);
  expect(userAgentOf()).toMatch(/^dustpan\/\S+$/);
});

describe("the host's clock", () => {
  test("leaves a second between requests, robots.txt included, one at a time", async () => {
    let inFlight = 0;
    let most = 0;
    const target = await site((_, response) => {
      most = Math.max(most, ++inFlight);
      setImmediate(() => {
        inFlight--;
        response.end("x");
      });
    });
    const fetcher = fetcherFor(target);
    await Promise.all(["/a", "/b", "/c"].map((path) => fetcher.fetch(target.origin + path)));
    expect(target.targets()).toEqual(["/robots.txt", "/a", "/b", "/c"]);
    expect(gaps(target)).toEqual([1000, 1000, 1000]);
    expect(most).toBe(1);
  });

  test("honours Crawl-delay up to its cap, and does not shorten the delay for it", async () => {
    const robots = [
      "user-agent: *\ncrawl-delay: 2.5",
      "user-agent: *\ncrawl-delay: 9999",
      "user-agent: *\ncrawl-delay: 0",
    ];
    const seen: number[][] = [];
    for (const text of robots) {
      const target = await site((request, response) => response.end(request.url === "/robots.txt" ? text : "x"), true);
      const fetcher = fetcherFor(target);
      await fetcher.fetch(`${target.origin}/a`);
      await fetcher.fetch(`${target.origin}/b`);
      seen.push(gaps(target));
    }
    expect(seen).toEqual([
      [2500, 2500],
      [60_000, 60_000],
      [1000, 1000],
    ]);
  });

  test("lets several requests go side by side where that is asked for", async () => {
    let waiting: (() => void)[] = [];
    const target = await site((_, response) => {
      waiting.push(() => response.end("x"));
      if (waiting.length === 3) for (const answer of waiting) answer();
    });
    const fetcher = fetcherFor(target, { delayMs: 0, concurrencyPerHost: 3 });
    await Promise.all(["/a", "/b", "/c"].map((path) => fetcher.fetch(target.origin + path)));
    expect(waiting).toHaveLength(3);
    waiting = [];
  });
});

describe("a server that wants less of us", () => {
  test("is asked again after Retry-After in seconds", async () => {
    const target = await site((request, response) =>
      target.requests.filter(({ target }) => target === request.url).length === 1
        ? response.writeHead(429, { "retry-after": "30" }).end()
        : response.end("x"),
    );
    const fetcher = fetcherFor(target, { delayMs: 0 });
    expect(await fetcher.fetch(`${target.origin}/a`)).toMatchObject({ kind: "ok", requests: 2 });
    expect(gaps(target)).toEqual([0, 30_000]);
    expect(fetcher.stats.retries).toBe(1);
  });

  test("is asked again after Retry-After as a date", async () => {
    const target = await site((request, response) =>
      target.requests.filter(({ target }) => target === request.url).length === 1
        ? response.writeHead(503, { "retry-after": new Date(clock.nowMs + 45_000).toUTCString() }).end()
        : response.end("x"),
    );
    expect(await fetcherFor(target, { delayMs: 0 }).fetch(`${target.origin}/a`)).toMatchObject({ kind: "ok" });
    expect(gaps(target)).toEqual([0, 45_000]);
  });

  test("is backed off from, longer with each refusal, over all its URLs", async () => {
    const target = await site((_, response) => response.writeHead(503).end());
    const fetcher = fetcherFor(target, { delayMs: 0 });
    const first = await fetcher.fetch(`${target.origin}/a`);
    await fetcher.fetch(`${target.origin}/b`);
    expect(first).toMatchObject({ kind: "throttled", status: 503, retryAfterMs: 4000, requests: 3 });
    expect(target.targets().slice(1)).toEqual(["/a", "/a", "/a", "/b", "/b", "/b"]);
    expect(gaps(target).slice(1)).toEqual([1000, 2000, 4000, 8000, 16_000]);
  });

  test("and asks for more patience than we have is given up, without another request", async () => {
    const target = await site((_, response) => response.writeHead(429, { "retry-after": "3600" }).end());
    const fetcher = fetcherFor(target, { delayMs: 0 });
    expect(await fetcher.fetch(`${target.origin}/a`)).toMatchObject({ kind: "throttled", retryAfterMs: 3_600_000 });
    expect(await fetcher.fetch(`${target.origin}/b`)).toMatchObject({ kind: "throttled", requests: 0 });
    expect(target.targets()).toEqual(["/robots.txt", "/a"]);
    expect(clock.sleeps).toEqual([]);
  });

  test("with a broken page (500) is asked three times, and that answer counts", async () => {
    const target = await site((_, response) => response.writeHead(500).end("oops"));
    const outcome = await fetcherFor(target, { delayMs: 0 }).fetch(`${target.origin}/a`);
    expect(outcome).toMatchObject({ kind: "httpError", status: 500, requests: 3 });
    expect(gaps(target)).toEqual([0, 1000, 2000]);
  });

  test("that breaks the connection is asked again, a bounded number of times", async () => {
    const target = await site((request) => request.socket.destroy());
    const outcome = await fetcherFor(target, { delayMs: 0 }).fetch(`${target.origin}/a`);
    expect(outcome).toMatchObject({ kind: "failed", reason: "connection broken", requests: 3 });
  });
});

describe("limits", () => {
  test("the budget is hard: robots.txt, redirects and retries count", async () => {
    const target = await site((request, response) =>
      request.url === "/a" ? response.writeHead(302, { location: "/b" }).end() : response.writeHead(500).end(),
    );
    const fetcher = fetcherFor(target, { delayMs: 0, maxRequests: 4 });
    const outcome = await fetcher.fetch(`${target.origin}/a`);
    expect(outcome).toMatchObject({ kind: "budgetExhausted", maxRequests: 4, finalUrl: `${target.origin}/b` });
    expect(await fetcher.fetch(`${target.origin}/c`)).toMatchObject({ kind: "budgetExhausted", requests: 0 });
    expect(target.targets()).toEqual(["/robots.txt", "/a", "/b", "/b"]);
    expect(fetcher.stats.requests).toBe(4);
  });

  test("no budget, no robots.txt", async () => {
    const target = await site(hello);
    expect(await fetcherFor(target, { maxRequests: 0 }).fetch(`${target.origin}/a`)).toMatchObject({
      kind: "budgetExhausted",
    });
    expect(target.requests).toEqual([]);
  });

  test("a server that never answers times out, and its connection is ended", async () => {
    const closed: Promise<unknown>[] = [];
    const target = await site((request) => {
      closed.push(once(request.socket, "close"));
      for (const { ms, onElapsed } of [...clock.deadlines.values()]) if (ms === 5000) onElapsed();
    });
    const outcome = await fetcherFor(target, { timeoutMs: 5000 }).fetch(`${target.origin}/a`);
    expect(outcome).toMatchObject({ kind: "timedOut", limitMs: 5000, requests: 1 });
    await Promise.all(closed);
  });

  test("a server that stops in the middle of the body times out too", async () => {
    const target = await site((_, response) => {
      response.writeHead(200);
      response.write("a".repeat(100_000), () => {
        for (const { onElapsed } of [...clock.deadlines.values()]) onElapsed();
      });
    });
    expect(await fetcherFor(target).fetch(`${target.origin}/a`)).toMatchObject({ kind: "timedOut" });
  });

  test("a body beyond the limit is too large, by its header or by its bytes", async () => {
    const target = await site((request, response) => {
      response.writeHead(200, request.url === "/header" ? { "content-length": "5000" } : {});
      response.end("x".repeat(5000));
    });
    const fetcher = fetcherFor(target, { delayMs: 0, maxBytes: 1000 });
    const tooLarge = { kind: "tooLarge", status: 200, limitBytes: 1000 };
    expect(await fetcher.fetch(`${target.origin}/header`)).toMatchObject(tooLarge);
    expect(await fetcher.fetch(`${target.origin}/bytes`)).toMatchObject(tooLarge);
  });

  test("a body that ends too early is a failure, not a page", async () => {
    const target = await site((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    expect(await fetcherFor(target, { delayMs: 0 }).fetch(`${target.origin}/a`)).toMatchObject({ kind: "failed" });
  });

  test("nobody there is a failure", async () => {
    const target = await site(hello);
    const fetcher = fetcherFor(target, { delayMs: 0 });
    await target.close();
    const outcome = await fetcher.fetch(`${target.origin}/a`);
    // robots.txt could not be had, which closes the site.
    expect(outcome).toMatchObject({ kind: "disallowed", reason: expect.stringContaining("connection refused") });
  });
});

describe("redirects", () => {
  test("are followed and recorded, and the fragment and credentials of their targets dropped", async () => {
    const target = await site((request, response) => {
      if (request.url === "/a") response.writeHead(301, { location: "b?x=1#top" }).end("moved");
      else if (request.url === "/b?x=1") {
        response.writeHead(302, { location: `${target.origin.replace("//", "//u:p@")}/c` }).end();
      } else response.end("there");
    });
    const outcome = await fetcherFor(target, { delayMs: 0 }).fetch(`${target.origin}/a`);
    expect(outcome).toMatchObject({
      kind: "ok",
      url: `${target.origin}/a`,
      finalUrl: `${target.origin}/c`,
      redirects: [
        { from: `${target.origin}/a`, status: 301, to: `${target.origin}/b?x=1` },
        { from: `${target.origin}/b?x=1`, status: 302, to: `${target.origin}/c` },
      ],
      requests: 3,
    });
    for (const { headers } of target.requests) expect(headers.authorization).toBeUndefined();
  });

  test("in a circle, and too many, are failures", async () => {
    const target = await site((request, response) => {
      const n = Number(request.url?.slice(2));
      response.writeHead(302, { location: request.url === "/a" ? "/a" : `/n${n + 1}` }).end();
    });
    const fetcher = fetcherFor(target, { delayMs: 0 });
    expect(await fetcher.fetch(`${target.origin}/a`)).toMatchObject({
      kind: "failed",
      reason: "redirects in a circle",
    });
    expect(await fetcher.fetch(`${target.origin}/n0`)).toMatchObject({
      kind: "failed",
      reason: "more than 10 redirects",
      requests: 11,
    });
  });

  test.each([
    ["http://other.test/x", "refused", "host other.test is not among the sites"],
    ["http://127.0.0.1:1/x", "refused", "port 1 of 127.0.0.1 is not among the sites"],
    ["http://2130706433:22/", "refused", "port 22 of 127.0.0.1 is not among the sites"],
    ["ftp://127.0.0.1/x", "refused", 'scheme "ftp:" is not http or https'],
    ["file:///etc/passwd", "refused", 'scheme "file:" is not http or https'],
    ["/user/logout", "skipped", 'looks like an action: "logout" in the path'],
    ["/secret/x", "disallowed", "robots.txt disallows it"],
  ])("to %s are not followed", async (location, kind, reason) => {
    const target = await site((request, response) => {
      if (request.url === "/robots.txt") response.end("user-agent: dustpan\ndisallow: /secret");
      else response.writeHead(307, { location }).end();
    }, true);
    const outcome = await fetcherFor(target, { delayMs: 0 }).fetch(`${target.origin}/a`);
    expect(outcome).toMatchObject({ kind, reason, requests: 1 });
    expect(outcome.redirects).toHaveLength(1);
    expect(target.targets()).toEqual(["/robots.txt", "/a"]);
  });

  test("are followed without reading what they say at length", async () => {
    const target = await site((request, response) => {
      if (request.url === "/c") response.end("there");
      else {
        response.writeHead(302, { location: "/c", ...(request.url === "/a" ? { "content-length": "5000000" } : {}) });
        response.end("x".repeat(5_000_000));
      }
    });
    const fetcher = fetcherFor(target, { delayMs: 0 });
    for (const path of ["/a", "/b"]) {
      expect(await fetcher.fetch(target.origin + path)).toMatchObject({ kind: "ok", finalUrl: `${target.origin}/c` });
    }
  });

  test("without a target are answers", async () => {
    const target = await site((_, response) => response.writeHead(302).end("nowhere"));
    expect(await fetcherFor(target).fetch(`${target.origin}/a`)).toMatchObject({ kind: "httpError", status: 302 });
  });
});

describe("an abort", () => {
  test("interrupts what is under way, in the queue and to come, and leaves nothing behind", async () => {
    const abort = new AbortController();
    const closed: Promise<unknown>[] = [];
    const target = await site((request) => {
      closed.push(once(request.socket, "close"));
      abort.abort();
    });
    const fetcher = fetcherFor(target, { delayMs: 0, signal: abort.signal });
    const outcomes = await Promise.all(["/a", "/b", "/c"].map((path) => fetcher.fetch(target.origin + path)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(["interrupted", "interrupted", "interrupted"]);
    expect(await fetcher.fetch(`${target.origin}/d`)).toMatchObject({ kind: "interrupted" });
    expect(target.targets()).toEqual(["/robots.txt", "/a"]);
    await Promise.all(closed);
  });

  test("ends a wait at once", async () => {
    const abort = new AbortController();
    const target = await site(hello);
    const fetcher = createFetcher(
      { sites: [target.origin], signal: abort.signal },
      {
        ...clock,
        now: clock.now,
        deadline: clock.deadline,
        sleep: (_, signal) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve());
            abort.abort();
          }),
      },
    );
    toClose.push(fetcher);
    expect(await fetcher.fetch(`${target.origin}/a`)).toMatchObject({ kind: "interrupted" });
    expect(target.targets()).toEqual(["/robots.txt"]);
  });

  test("closing is one too, and ends kept connections", async () => {
    const target = await site(hello);
    const connected = once(target.server, "connection");
    const fetcher = fetcherFor(target, { delayMs: 0 });
    await fetcher.fetch(`${target.origin}/a`);
    const [socket] = await connected;
    const ended = once(socket, "close");
    await fetcher.close();
    await ended;
    expect(await fetcher.fetch(`${target.origin}/b`)).toMatchObject({ kind: "interrupted" });
  });
});

describe("a connection that is never made (a server that does not shake hands)", () => {
  async function silentServer() {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const accepted = once(server, "connection") as Promise<[Socket]>;
    toClose.push({ close: () => new Promise((resolve) => server.close(() => resolve())) });
    return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, accepted };
  }

  test("is ended by closing", async () => {
    const { origin, accepted } = await silentServer();
    const fetcher = createFetcher({ sites: [origin] }, clock);
    const fetching = fetcher.fetch(`${origin}/a`);
    const [socket] = await accepted;
    const ended = once(socket.resume(), "close");
    await fetcher.close();
    await ended;
    expect(await fetching).toMatchObject({ kind: "interrupted" });
  });

  test("times out", async () => {
    const { origin, accepted } = await silentServer();
    const fetcher = createFetcher({ sites: [origin] }, clock);
    toClose.push(fetcher);
    const fetching = fetcher.fetch(`${origin}/a`);
    const [socket] = await accepted;
    const ended = once(socket.resume(), "close");
    for (const { onElapsed } of [...clock.deadlines.values()]) onElapsed();
    await ended;
    expect(await fetching).toMatchObject({ kind: "disallowed", reason: expect.stringContaining("timed out") });
  });
});

test("a plan says what would be asked for, without asking", async () => {
  const target = await site(hello);
  const fetcher = fetcherFor(target, { maxRequests: 500 });
  const plan = fetcher.plan([
    `${target.origin}/a`,
    `${target.origin}/a`,
    `${target.origin}/b`,
    `${target.origin}/cart`,
    "http://u:p@other.test/",
    "nonsense",
  ]);
  expect(plan).toEqual({
    hosts: [{ host: "127.0.0.1", urls: 2, leastMs: 2000 }],
    requests: 3,
    maxRequests: 500,
    leastMs: 2000,
    skipped: [{ url: `${target.origin}/cart`, reason: 'looks like an action: "cart" in the path' }],
    refused: [
      { url: "http://other.test/", reason: "host other.test is not among the sites" },
      { url: "nonsense", reason: "not an absolute URL" },
    ],
  });
  expect(target.requests).toEqual([]);
});

/** Between the requests that a site saw, in milliseconds. */
function gaps({ requests }: TestSite): number[] {
  return requests.slice(1).map(({ atMs }, i) => atMs - requests[i]!.atMs);
}
