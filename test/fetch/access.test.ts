import { afterEach, describe, expect, test } from "vitest";
import { createAccess, type Lookup } from "#src/fetch/access.js";
import { openConnections } from "#src/fetch/connections.js";
import { createFetcher } from "#src/fetch/fetcher.js";
import { requestUrl } from "#src/url/request-url.js";
import { FakeClock, openSite } from "./site.js";

const toClose: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const it of toClose.splice(0).reverse()) await it.close();
});

const noLookup: Lookup = () => Promise.reject(new Error("no lookup expected"));
const dns =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

function refusal(sites: string[], url: string, options = {}): string | undefined {
  return createAccess({ sites, ...options }, noLookup).refusal(requestUrl(url)!);
}

describe("sites", () => {
  test.each([
    [["forum.test"], "http://forum.test/x"],
    [["forum.test"], "https://forum.test/x"],
    [["https://forum.test/"], "http://FORUM.test:80/x"],
    [["forum.test"], "http://forum.test./x"],
    [["http://forum.test:8080"], "http://forum.test:8080/"],
    [["forum.test:80"], "http://forum.test/"],
    [["*.forum.test"], "http://a.b.forum.test/"],
    [["*.forum.test"], "http://forum.test/"],
    [["[::1]:8080"], "http://[0:0::1]:8080/"],
    [["bücher.test"], "http://xn--bcher-kva.test/"],
    [["http://localhost:3000"], "http://localhost:3000/"],
    [["127.0.0.1"], "http://2130706433/"],
  ])("%j allow %s", (sites, url) => {
    expect(refusal(sites, url)).toBeUndefined();
  });

  test("a bare host takes in the hosts below it that the input names, and not where they lead inside", async () => {
    const sites = ["forum.test"];
    const hosts = ["www.forum.test", "evil.test", "forum.test.evil.test"];
    expect(refusal(sites, "https://www.forum.test/", { hosts })).toBeUndefined();
    expect(refusal(["forum.test:81"], "http://www.forum.test:81/", { hosts })).toBeUndefined();
    expect(refusal(sites, "http://www.forum.test:81/", { hosts })).toMatch(/port 81/);
    expect(refusal(["https://forum.test"], "https://www.forum.test/", { hosts })).toMatch(/not among/);
    for (const host of ["m.forum.test", "evil.test", "forum.test.evil.test"]) {
      expect(refusal(sites, `http://${host}/`, { hosts })).toMatch(/not among/);
    }
    const inside = createAccess({ sites, hosts }, async () => [{ address: "10.0.0.1", family: 4 }]);
    expect(await inside.resolve(new URL("http://forum.test/"))).toMatchObject({ kind: "resolved" });
    expect(await inside.resolve(new URL("http://www.forum.test/"))).toMatchObject({ kind: "refused" });
  });

  test.each([
    [["forum.test"], "http://www.forum.test/", /not among the sites/],
    [["forum.test"], "http://evilforum.test/", /not among the sites/],
    [["*.forum.test"], "http://evilforum.test/", /not among the sites/],
    [["forum.test"], "http://forum.test.evil.test/", /not among the sites/],
    [["forum.test"], "http://forum.test@evil.test/", /host evil.test is not among/],
    [["forum.test"], "http://forum.test:8080/", /port 8080/],
    [["http://forum.test:8080"], "http://forum.test/", /port 80 /],
    [["http://localhost:3000"], "http://localhost:22/", /port 22/],
    [["forum.test"], "gopher://forum.test/", /scheme "gopher:"/],
    [["forum.test"], "javascript:alert(1)", /scheme "javascript:"/],
    [["*.localhost"], "http://a.localhost/", /private name/],
    [["*.localhost"], "http://localhost./", /private name/],
    [["*.local"], "http://printer.local/", /private name/],
    [["*.internal"], "http://metadata.google.internal/", /private name/],
    [["*.intranet"], "http://intranet/", /private name/],
    [["*.0.1"], "http://127.0.0.1/", /not among the sites/],
    [[], "http://forum.test/", /not among the sites/],
  ])("%j refuse %s", (sites, url, reason) => {
    expect(refusal(sites, url)).toMatch(reason);
  });

  test("with allowPrivate, names and addresses inside may be asked, on the named hosts still", () => {
    expect(refusal(["*.localhost"], "http://a.localhost/", { allowPrivate: true })).toBeUndefined();
    expect(refusal(["*.localhost"], "http://127.0.0.1/", { allowPrivate: true })).toMatch(/not among/);
  });

  test.each([
    "*",
    "http://a.*.test",
    "",
    "http://",
    "ftp://forum.test",
    "http://forum.test/docs",
    "forum.test?x",
    "a b",
    "http://forum.test:99999",
  ])("%j is not a site", (site) => {
    expect(() => createAccess({ sites: [site] }, noLookup)).toThrow(/is not an origin/);
  });
});

describe("resolve", () => {
  const at = async (resolve: string[], url: string) => {
    const access = createAccess({ sites: ["*.forum.test"], resolve }, noLookup);
    const resolution = await access.resolve(requestUrl(url)!);
    return resolution.kind === "resolved" ? resolution.addresses.map(({ address }) => address) : resolution;
  };

  test.each([
    [["www.forum.test:127.0.0.1"], ["127.0.0.1"]],
    [["www.forum.test:80:127.0.0.1"], ["127.0.0.1"]],
    [["WWW.forum.test:[::1]"], ["::1"]],
    [["www.forum.test:::1"], ["::1"]],
    [["www.forum.test:80:[::1]"], ["::1"]],
    [["www.forum.test:10.0.0.1", "www.forum.test:80:10.0.0.2"], ["10.0.0.2"]],
    [["www.forum.test:10.0.0.1", "www.forum.test:443:10.0.0.2"], ["10.0.0.1"]],
  ])("%j", async (resolve, addresses) => {
    expect(await at(resolve, "http://www.forum.test/")).toEqual(addresses);
  });

  test("other hosts and ports are left to DNS", async () => {
    expect(await at(["www.forum.test:443:127.0.0.1"], "http://www.forum.test/")).toMatchObject({ kind: "failed" });
  });

  test.each([
    "",
    "forum.test",
    "forum.test:80",
    "forum.test:x",
    "forum.test:80:name",
    "127.0.0.1:1.1.1.1",
    "a:fe80::1%eth0",
  ])("%j is none", (text) => {
    expect(() => createAccess({ sites: [], resolve: [text] }, noLookup)).toThrow(/is not HOST:ADDRESS/);
  });
});

describe("DNS", () => {
  const resolution = (sites: string[], lookup: Lookup, options = {}) =>
    createAccess({ sites, ...options }, lookup).resolve(requestUrl("http://www.forum.test/")!);

  test("must not lead inside, unless the site is named itself", async () => {
    for (const address of ["127.0.0.1", "10.1.2.3", "::1", "fd00::1", "::ffff:192.168.0.1", "100.64.0.1"]) {
      expect(await resolution(["*.forum.test"], dns(address))).toMatchObject({ kind: "refused" });
      expect(await resolution(["www.forum.test"], dns(address))).toMatchObject({ kind: "resolved" });
      expect(await resolution(["*.forum.test"], dns(address), { allowPrivate: true })).toMatchObject({
        kind: "resolved",
      });
    }
  });

  test("never leads to link-local, multicast or unspecified addresses", async () => {
    for (const address of ["169.254.169.254", "fe80::1%eth0", "224.0.0.1", "0.0.0.0", "::", "255.255.255.255"]) {
      expect(await resolution(["www.forum.test"], dns(address))).toMatchObject({ kind: "refused" });
    }
  });

  test("one bad address among good ones refuses them all", async () => {
    expect(await resolution(["*.forum.test"], dns("93.184.216.34", "10.0.0.1"))).toMatchObject({
      kind: "refused",
      reason: "host www.forum.test has address 10.0.0.1, which is private",
    });
  });

  test("is asked once, and a host that was outside cannot move inside", async () => {
    const answers = ["93.184.216.34", "127.0.0.1"];
    let asked = 0;
    const access = createAccess({ sites: ["www.forum.test"] }, (host) => dns(answers[asked++]!)(host));
    const url = requestUrl("http://www.forum.test/")!;
    expect(await access.resolve(url)).toMatchObject({ kind: "resolved" });
    expect(await access.resolve(url)).toMatchObject({ kind: "resolved", addresses: [{ address: "93.184.216.34" }] });
    expect(asked).toBe(1);
    access.forget(url);
    expect(await access.resolve(url)).toMatchObject({ kind: "refused" });
  });

  test("failures and empty answers are failures", async () => {
    const notFound: Lookup = () => Promise.reject(Object.assign(new Error("x"), { code: "ENOTFOUND" }));
    expect(await resolution(["www.forum.test"], notFound)).toEqual({
      kind: "failed",
      reason: "host www.forum.test has no address (ENOTFOUND)",
    });
    expect(await resolution(["www.forum.test"], dns())).toMatchObject({ kind: "failed" });
  });

  test.each([
    ["that never had an address is given up", undefined, 3],
    ["that had one is asked for as often as needed", "93.184.216.34", 20],
  ])("a name %s", async (_, address, lookups) => {
    let asked = 0;
    const access = createAccess({ sites: ["www.forum.test"] }, (host) =>
      asked++ === 0 && address !== undefined ? dns(address)(host) : Promise.reject(new Error("no network")),
    );
    const url = requestUrl("http://www.forum.test/")!;
    await access.resolve(url);
    access.forget(url);
    for (let i = 0; i < 19; i++) expect(await access.resolve(url)).toMatchObject({ kind: "failed" });
    expect(asked).toBe(lookups);
  });
});

describe("the connection", () => {
  test("goes to the checked address, though DNS has changed its mind since", async () => {
    const clock = new FakeClock();
    const target = await openSite(clock, (_, response) => response.end("x"));
    toClose.push(target);
    let asked = 0;
    const fetcher = createFetcher(
      { sites: [`http://www.forum.test:${target.port}`], delayMs: 0 },
      // The second answer would be somebody else's machine.
      { ...effectsOf(clock), lookup: (host) => dns(asked++ === 0 ? "127.0.0.1" : "127.0.0.2")(host) },
    );
    toClose.push(fetcher);
    const outcome = await fetcher.fetch(`http://www.forum.test:${target.port}/a`);
    expect(outcome).toMatchObject({ kind: "ok", address: "127.0.0.1" });
    expect(asked).toBe(1);
    expect(target.requests.map(({ host }) => host)).toEqual([
      `www.forum.test:${target.port}`,
      `www.forum.test:${target.port}`,
    ]);
  });

  test("two names for one server, by resolve", async () => {
    const clock = new FakeClock();
    const target = await openSite(clock, (_, response) => response.end("x"));
    toClose.push(target);
    const sites = ["forum.test", "www.forum.test"].map((host) => `http://${host}:${target.port}`);
    const fetcher = createFetcher(
      { sites, resolve: ["forum.test:127.0.0.1", `www.forum.test:${target.port}:127.0.0.1`] },
      { ...effectsOf(clock), lookup: noLookup },
    );
    toClose.push(fetcher);
    for (const site of sites) expect(await fetcher.fetch(`${site}/a`)).toMatchObject({ kind: "ok" });
  });

  test("is not made where DNS leads inside, not even for robots.txt", async () => {
    const clock = new FakeClock();
    const target = await openSite(clock, (_, response) => response.end("x"));
    toClose.push(target);
    const fetcher = createFetcher(
      { sites: [`http://*.forum.test:${target.port}`] },
      { ...effectsOf(clock), lookup: dns("127.0.0.1") },
    );
    toClose.push(fetcher);
    expect(await fetcher.fetch(`http://www.forum.test:${target.port}/a`)).toMatchObject({
      kind: "refused",
      reason: "host www.forum.test has address 127.0.0.1, which is loopback",
    });
    expect(target.requests).toEqual([]);
    expect(fetcher.stats.requests).toBe(0);
  });

  test("is not made to what was not checked, literals included", async () => {
    const clock = new FakeClock();
    const target = await openSite(clock, (_, response) => response.end("x"));
    const connections = openConnections(
      { resolved: () => undefined },
      { connectionsPerOrigin: 1, timeoutMs: 1000 },
      clock,
    );
    toClose.push(target, connections);
    const asking = connections.dispatcher.request({ origin: target.origin, path: "/", method: "GET" });
    await expect(asking).rejects.toThrow("no checked address for 127.0.0.1");
    expect(target.requests).toEqual([]);
  });

  test("a name service that does not answer is given up", async () => {
    const clock = new FakeClock();
    clock.onDeadline = (pass) => pass();
    const fetcher = createFetcher(
      { sites: ["www.forum.test"] },
      { ...effectsOf(clock), lookup: () => new Promise(() => {}) },
    );
    toClose.push(fetcher);
    expect(await fetcher.fetch("http://www.forum.test/a")).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("ETIMEOUT"),
    });
  });

  test("a name service that does not answer does not hold up an abort", async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const fetcher = createFetcher(
      { sites: ["www.forum.test"], signal: abort.signal },
      {
        ...effectsOf(clock),
        lookup: () => {
          abort.abort();
          return new Promise(() => {});
        },
      },
    );
    toClose.push(fetcher);
    expect(await fetcher.fetch("http://www.forum.test/a")).toMatchObject({ kind: "interrupted" });
  });
});

function effectsOf({ now, sleep, deadline }: FakeClock) {
  return { now, sleep, deadline };
}
