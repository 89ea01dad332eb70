/** What keys and redirects must never do, however a request is written: sent over raw sockets to the real servers. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { type Exported, exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { RULES } from "./agreement.js";

const DUST = "/story?id=7&sid=1";

/** Would be sent to another host, or end a header, if a server took them as they are or decoded them. */
const hostileTargets = [
  ...[
    "//evil.test/?sid=1",
    "///evil.test/?sid=1",
    "//evil.test/%2e%2e?sid=1",
    "/\\evil.test/?sid=1",
    "/%5Cevil.test?sid=1",
  ],
  ...["@evil.test/?sid=1", ".evil.test/?sid=1", ":80@evil.test/?sid=1", "/@evil.test/?sid=1", "/.//evil.test/?sid=1"],
  ...[
    "/%0d%0aSet-Cookie:%20a=b?sid=1",
    "/%0D%0ALocation:%20http://evil.test/?sid=1",
    "/x?sid=1&y=%0d%0aSet-Cookie:a=b",
  ],
  // Absolute ones, which name a host of their own.
  ...["http://evil.test/story?id=7&sid=1", "https://evil.test/?sid=1", "http://forum.test@evil.test/?sid=1", "*"],
  ...["/x?sid=1&y=%E5%98%8A%E5%98%8DSet-Cookie:a=b", "/x\u0000?sid=1", "/x?sid=1\u000bSet-Cookie:a=b", "/%00?sid=1"],
];
const hostileHosts = [
  "forum.test@evil.test",
  "evil.test/x",
  "evil.test#",
  "evil.test?",
  "forum.test, evil.test",
  "[evil]",
  "",
];

interface RawAnswer {
  /** 0 where the connection was closed without an answer. */
  readonly status: number;
  readonly location: string | undefined;
  readonly head: string;
  readonly body: string;
}

async function ask(port: number, method: string, target: string, host: string, headers = ""): Promise<RawAnswer> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const body = /^(?:GET|HEAD)$/.test(method) ? "" : "a=1&b=2";
  const length = body === "" ? "" : `Content-Length: ${body.length}\r\n`;
  socket.write(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${length}${headers}Connection: close\r\n\r\n${body}`);
  let text = "";
  socket.setEncoding("latin1").on("data", (data) => (text += data));
  socket.on("error", () => {});
  await once(socket, "close");
  const head = text.split("\r\n\r\n", 1)[0]!;
  return {
    status: Number(/^HTTP\S+ (\d+)/.exec(head)?.[1] ?? 0),
    location: /^location: *(.*)$/im.exec(head)?.[1]?.trim(),
    head,
    body: text.slice(head.length + 4),
  };
}

/** `start` gives the port of the program with the exported file, which answers with its key, in the body or as X-Canonical-URL. */
export function keysAreOwn(target: string, start: (exported: Exported) => Promise<number>): void {
  it(`${target} gives no request the key of a URL that it did not ask for`, async () => {
    const port = await start(exportRules(RULES, findTarget(target)));
    const keyOf = async (asked: string, host: string) => {
      const { status, head, body } = await ask(port, "GET", asked, host);
      return status < 300 ? (/^x-canonical-url: *(.*)$/im.exec(head)?.[1]?.trim() ?? body) : undefined;
    };
    const story = await keyOf(DUST, "forum.test");
    expect(story).toContain("http://forum.test/story_7");
    const others = [
      ...[
        ["/?id=7", "forum.test/story"],
        ["/", "forum.test/story_7?sid="],
        ["/story_7", "x@forum.test"],
      ],
      ...[
        ["/story_7", "forum.test#"],
        ["/", "forum.test/story_7#"],
        ["test/story_7", "forum."],
        ["/story_7", "forum.test\\"],
      ],
    ] as const;
    for (const [asked, host] of others)
      expect([asked, host, await keyOf(asked!, host!)]).not.toEqual([asked, host, story]);
  });
}

/** `start` gives the port of the program with the exported file, which answers 200 or 204 where it does not redirect. */
export function redirectsAreSafe(target: string, start: (exported: Exported) => Promise<number>): void {
  it(`${target} redirects what is read and nothing else, and nobody to where a request says`, async () => {
    const port = await start(exportRules(RULES, findTarget(target), { use: "redirect" }));
    for (const method of ["GET", "HEAD"]) {
      const { status, location } = await ask(port, method, DUST, "forum.test");
      expect([method, status, location]).toEqual([method, 301, "http://forum.test/story_7"]);
    }
    // Of a part of a page, of a page that is known, and with what proxies add: the same redirect, whole, to the same place.
    for (const headers of [
      "Range: bytes=0-5",
      "If-None-Match: *",
      "X-Forwarded-Host: evil.test",
      "Forwarded: host=evil.test",
    ]) {
      const { status, location } = await ask(port, "GET", DUST, "forum.test", `${headers}\r\n`);
      expect([headers, status, location]).toEqual([headers, 301, "http://forum.test/story_7"]);
    }
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const { status, location } = await ask(port, method, DUST, "forum.test");
      expect([method, location, status < 300 || status >= 400]).toEqual([method, undefined, true]);
    }
    let redirected = 0;
    const requests = [
      ...hostileTargets.map((each) => [each, "forum.test"] as const),
      ...hostileHosts.map((host) => [DUST, host] as const),
    ];
    for (const [asked, host] of requests) {
      const { location, head } = await ask(port, "GET", asked, host);
      expect([asked, host, /^set-cookie:/im.test(head)]).toEqual([asked, host, false]);
      if (location === undefined) continue;
      // Who asks for a URL of another host by naming it stays there: it is not this one's doing.
      const [, named] = /^https?:[/][/]([a-z.]+)[/]/.exec(asked) ?? [];
      const isOnHost = ["forum.test", named].some((own) => location.startsWith(`http://${own}/`));
      expect([asked, host, location, isOnHost]).toEqual([asked, host, location, true]);
      redirected++;
    }
    expect(redirected).toBeGreaterThan(3);
  });
}
