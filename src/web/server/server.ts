import { randomBytes } from "node:crypto";
import { createReadStream, existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { DataError, EngineError, FAULT_HINT, faultOf, UserError } from "../../errors.js";
import { MissingWorkspaceError } from "../../store/workspace.js";
import { maskDocument } from "../../url/mask.js";
import { type Access, refusal, Tickets } from "./access.js";
import { apiRoutes } from "./api.js";
import { App, type AppOptions } from "./app.js";
import { type Answer, matchRoute } from "./routes.js";

export interface ServerOptions extends AppOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** What proves that a request is ours; random where absent. */
  readonly token?: string;
}

export interface RunningServer {
  /** The address to open, with its token. */
  readonly url: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

const MAX_BODY_BYTES = 1 << 20;
const CLIENT_FOLDER = fileURLToPath(new URL("../client/", import.meta.url));

/** Nothing inline, nothing from elsewhere, no frame around us. */
const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const token = options.token ?? randomBytes(18).toString("base64url");
  const app = new App({ takesPaths: isLoopback(options.host), ...options });
  const tickets = new Tickets();
  let access: Access = { token, hosts: new Set(), tickets };
  const server = createServer((request, response) => {
    answer(request, response, app, access).catch((error: unknown) => {
      // The browser closed the page or broke off a file: it does not want an answer any more.
      if (request.destroyed && !request.complete) response.destroy();
      else fail(response, error);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const name = options.host.includes(":") ? `[${options.host}]` : options.host;
  const names = ["127.0.0.1", "localhost", "[::1]", name.toLowerCase()];
  access = { token, hosts: new Set(names.map((host) => `${host}:${port}`)), tickets };
  return {
    // A fragment is sent to nobody, and appears in no server's log.
    url: `http://${name}:${port}/#token=${token}`,
    port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await app.jobs.close();
      app.uploads.close();
      await closed;
    },
  };
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

async function answer(request: IncomingMessage, response: ServerResponse, app: App, access: Access): Promise<void> {
  response.setHeader("Content-Security-Policy", CONTENT_POLICY);
  response.setHeader("X-Content-Type-Options", "nosniff");
  response.setHeader("Referrer-Policy", "no-referrer");
  response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
  response.setHeader("Cache-Control", "no-store");
  const asked = request.url ?? "/";
  const target = `http://server${asked}`;
  // An address that begins with "//" names a host wherever it is resolved: none of our links does.
  if (!/^\/(?!\/)/.test(asked) || !URL.canParse(target)) {
    sendJson(response, 400, { error: "this is not an address" });
    return;
  }
  const url = new URL(target);
  const refused = refusal(request, url, access);
  if (refused !== undefined) {
    sendJson(response, refused.status, { error: refused.message });
    return;
  }
  if (!url.pathname.startsWith("/api/")) {
    sendClient(request, response, url.pathname);
    return;
  }
  if (url.pathname === "/api/tickets" && request.method === "POST") {
    const ticket = access.tickets.issue(addressIn(await readJson(request)));
    sendJson(response, 200, { format: "dustpan-ticket", version: 1, ticket });
    return;
  }
  const found = matchRoute(apiRoutes, request.method ?? "GET", url.pathname);
  if (found === undefined || found === "other method") {
    const [status, error] = found === undefined ? [404, "there is nothing here"] : [405, "not with this method"];
    sendJson(response, status, { error });
    return;
  }
  const { route, params } = found;
  const body = route.method !== "POST" ? undefined : route.takes === "bytes" ? request : await readJson(request);
  const result = await route.handle({ app, params, query: url.searchParams, body });
  await send(response, result, app.options.unmask || url.searchParams.has("unmask"));
}

function addressIn(body: unknown): string {
  const address = typeof body === "object" && body !== null && "address" in body ? body.address : undefined;
  if (typeof address !== "string" || !address.startsWith("/api/")) {
    throw new UserError('expected {"address": "/api/..."}');
  }
  return address;
}

async function send(response: ServerResponse, result: Answer, unmask: boolean): Promise<void> {
  if ("document" in result) {
    sendJson(response, result.status ?? 200, unmask ? result.document : maskDocument(result.document));
    return;
  }
  const attachment = (name: string) => ({ "Content-Disposition": `attachment; filename="${name}"` });
  if ("text" in result) {
    const drawing = result.type === "image/svg+xml";
    response.writeHead(200, {
      "Content-Type": `${result.type}; charset=utf-8`,
      // A figure has its colours in style attributes; it still loads and runs nothing.
      ...(drawing && { "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'" }),
      ...(result.name !== undefined && attachment(result.name)),
    });
    response.end(result.text);
    return;
  }
  const { file, name, type } = result.download;
  try {
    response.writeHead(200, { "Content-Type": type, "Content-Length": statSync(file).size, ...attachment(name) });
    await pipeline(createReadStream(file), response);
  } finally {
    rmSync(path.dirname(file), { recursive: true, force: true });
  }
}

function sendJson(response: ServerResponse, status: number, document: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" });
  response.end(JSON.stringify(document));
}

function fail(response: ServerResponse, error: unknown): void {
  const expected = error instanceof UserError || error instanceof DataError || error instanceof EngineError;
  const message = error instanceof Error ? error.message : String(error);
  // A browser that closes a page in the middle of an answer does not want it any more.
  if (response.destroyed || response.closed) return;
  if (error instanceof MissingWorkspaceError)
    sendJson(response, 202, { format: "dustpan-nothing", version: 1, message });
  else if (response.headersSent) response.destroy();
  else sendJson(response, error instanceof UserError || error instanceof DataError ? 400 : 500, { error: message });
  if (!expected) process.stderr.write(`dustpan: ${error instanceof Error ? faultOf(error) : message}${FAULT_HINT}\n`);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
    throw new UserError("expected a body of type application/json");
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new UserError(`the body is longer than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new UserError("the body is not JSON");
  }
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The built client; every address that is not a file is a view of it. */
function sendClient(request: IncomingMessage, response: ServerResponse, pathname: string): void {
  if (request.method !== "GET" && request.method !== "HEAD") {
    sendJson(response, 405, { error: "not with this method" });
    return;
  }
  const asset = /^\/assets\/([\w.-]+)$/.exec(pathname)?.[1];
  const file = path.join(CLIENT_FOLDER, asset === undefined ? "index.html" : path.join("assets", asset));
  if (!existsSync(file)) {
    sendJson(response, 404, {
      error: asset === undefined ? "the web app is not built: npm run build" : "no such file",
    });
    return;
  }
  response.writeHead(200, {
    "Content-Type": types[path.extname(file)] ?? "application/octet-stream",
    // Names of assets change with their content.
    ...(asset !== undefined && { "Cache-Control": "private, max-age=31536000, immutable" }),
  });
  response.end(readFileSync(file));
}
