import { createWriteStream } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { type Answer, answer, forumOf } from "./pages.js";

/** The example site, listening on loopback, and the access log it writes. */
export interface DemoSite {
  readonly port: number;
  readonly requests: () => number;
  /** Resolves when every request so far is in the log file. */
  readonly logWritten: () => Promise<void>;
  readonly close: () => Promise<void>;
}

// All of the same length, as banners are: then sizes in the log distinguish stories, not advertisements.
const advertisements = [
  "Advertisement: popcorn at half price tonight.",
  "Advertisement: learn to sail in three months.",
  "Advertisement: old maps bought and sold here.",
  "Advertisement: the best seats are still free.",
];

export interface DemoSiteOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The access log is appended here, in Apache's vhost_combined format; no log if absent. */
  readonly logFile?: string;
  readonly now?: () => Date;
}

export async function startDemoSite({ port, logFile, now = () => new Date() }: DemoSiteOptions): Promise<DemoSite> {
  const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: "a" });
  const views = new Map<string, number>();
  let requests = 0;

  const server = createServer((request, response) => {
    requests++;
    const [host = "", path = "/"] = [request.headers.host?.replace(/:\d+$/, ""), request.url];
    const url = new URL(path, `http://${host || "unknown"}`);
    const seen = (views.get(url.pathname) ?? 0) + 1;
    views.set(url.pathname, seen);
    const volatile = { advertisement: advertisements[requests % advertisements.length]!, views: seen };
    const forum = forumOf(host);
    const found: Answer =
      forum === undefined ? { kind: "missing" } : answer(forum, url.pathname, url.searchParams, volatile);
    const { status, bytes } = respond(request, response, found);
    log?.write(`${logLine(request, host, server.address() as AddressInfo, status, bytes, now())}\n`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    requests: () => requests,
    logWritten: () => new Promise<void>((resolve) => (log === undefined ? resolve() : log.write("", () => resolve()))),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await new Promise<void>((resolve) => (log === undefined ? resolve() : log.end(resolve)));
    },
  };
}

function respond(request: IncomingMessage, response: ServerResponse, found: Answer): { status: number; bytes: number } {
  const send = (status: number, headers: Record<string, string>, body: string | Uint8Array) => {
    const plain = Buffer.from(body);
    const packed =
      /\bgzip\b/.test(String(request.headers["accept-encoding"])) && headers["content-type"]?.startsWith("text/");
    const sent = packed ? gzipSync(plain) : plain;
    response.writeHead(status, {
      ...headers,
      ...(packed ? { "content-encoding": "gzip" } : {}),
      "content-length": sent.length,
    });
    response.end(request.method === "HEAD" ? undefined : sent);
    // The size that Apache logs for a page before mod_deflate: sizes stay comparable whatever the client accepts.
    return { status, bytes: request.method === "HEAD" ? 0 : plain.length };
  };
  const html = { "content-type": "text/html; charset=utf-8" };
  switch (found.kind) {
    case "page":
      return send(
        200,
        found.canonical === undefined ? html : { ...html, link: `<${found.canonical}>; rel="canonical"` },
        found.html,
      );
    case "softError":
      return send(200, html, found.html);
    case "image":
      return send(200, { "content-type": "image/gif" }, found.bytes);
    case "text":
      return send(200, { "content-type": "text/plain; charset=utf-8" }, found.text);
    case "redirect":
      return send(301, { ...html, location: found.location }, `<p>Moved to <a href="${found.location}">here</a>.</p>`);
    case "missing":
      return send(404, html, "<p>404 Not Found</p>");
  }
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function logLine(
  request: IncomingMessage,
  host: string,
  address: AddressInfo,
  status: number,
  bytes: number,
  when: Date,
): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const time = `${two(when.getUTCDate())}/${months[when.getUTCMonth()]}/${when.getUTCFullYear()}:${two(when.getUTCHours())}:${two(when.getUTCMinutes())}:${two(when.getUTCSeconds())} +0000`;
  const quoted = (text: string | undefined) => (text ?? "-").replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return `${host}:${address.port} 127.0.0.1 - - [${time}] "${request.method} ${quoted(request.url)} HTTP/1.1" ${status} ${bytes} "-" "${quoted(request.headers["user-agent"])}"`;
}
