/** Servers and caches for the tests of exports: started on loopback, asked over raw sockets, ended by their process. */
import { type ChildProcess, spawn } from "node:child_process";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { normalize } from "#src/url/normalize.js";
import { hostOf, parseUrl } from "#src/url/parse.js";
import { type Answer, agreementUrls } from "./agreement.js";
import { randomUrls } from "./random-urls.js";

/** A free port on loopback. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts a program in the foreground, waits until it listens, and ends it with the test. */
export async function startServer(
  command: string,
  args: readonly string[],
  port: number,
  options: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string } = {},
): Promise<ChildProcess> {
  let messages = "";
  const program = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  });
  const exited = new Promise<void>((resolve) => program.once("exit", () => resolve()));
  program.stdout?.on("data", (data) => (messages += data));
  program.stderr?.on("data", (data) => (messages += data));
  program.once("error", (error) => (messages += error));
  // Where the tests are ended before their end.
  const abandon = () => program.kill("SIGKILL");
  process.once("exit", abandon);
  onTestFinished(async () => {
    process.off("exit", abandon);
    program.kill("SIGTERM");
    await Promise.race([exited, sleep(5000).then(() => program.kill("SIGKILL"))]);
    await exited;
  });
  for (let tries = 0; tries < 1800; tries++) {
    if (program.exitCode !== null || program.pid === undefined) break;
    if (await listens(port)) return program;
    await sleep(100);
  }
  throw new Error(`${command} does not listen on port ${port}:\n${messages.slice(-4000)}`);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true) ?? socket.destroy());
    socket.once("error", () => resolve(false));
  });
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface Request {
  /** As it goes into the request line, unchanged. */
  readonly target: string;
  readonly host: string;
  /** Further header lines, each with its line end. */
  readonly headers?: string;
}

/** Sends the requests over a few connections; an answer is undefined where the program closed the connection instead. */
export async function request(
  port: number,
  requests: readonly Request[],
  connections = 8,
): Promise<(HttpAnswer | undefined)[]> {
  const answers: (HttpAnswer | undefined)[] = new Array(requests.length).fill(undefined);
  let next = 0;
  const work = async () => {
    let connection: Connection | undefined;
    for (let i = next++; i < requests.length; i = next++) {
      const isUsed = connection !== undefined;
      connection ??= await Connection.open(port);
      let answer = await connection.ask(requests[i]!);
      if (answer === undefined && isUsed) {
        // Servers may end a connection after any answer: as clients do, it is asked again on a new one.
        connection.close();
        connection = await Connection.open(port);
        answer = await connection.ask(requests[i]!);
      }
      answers[i] = answer;
      if (answer === undefined || connection.isClosed) {
        connection.close();
        connection = undefined;
      }
    }
    connection?.close();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return answers;
}

/** One connection, one request at a time: Node's own client would repair or refuse what we want to send. */
class Connection {
  isClosed = false;
  private received = Buffer.alloc(0);
  private wake: () => void = () => {};

  private constructor(private readonly socket: ReturnType<typeof connect>) {
    socket.on("data", (data) => {
      this.received = Buffer.concat([this.received, data]);
      this.wake();
    });
    for (const event of ["end", "error", "close"]) {
      socket.on(event, () => {
        this.isClosed = true;
        this.wake();
      });
    }
  }

  static async open(port: number): Promise<Connection> {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
    return new Connection(socket);
  }

  close(): void {
    this.socket.destroy();
  }

  async ask({ target, host, headers = "" }: Request): Promise<HttpAnswer | undefined> {
    this.socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: test\r\n${headers}\r\n`);
    for (;;) {
      const answer = this.read();
      if (answer !== undefined) return answer;
      if (this.isClosed) return undefined;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private read(): HttpAnswer | undefined {
    const end = this.received.indexOf("\r\n\r\n");
    if (end < 0) return undefined;
    const [first, ...lines] = this.received.toString("utf8", 0, end).split("\r\n");
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const start = end + 4;
    let body: Buffer | undefined;
    let used = start;
    if (headers.get("transfer-encoding") === "chunked") {
      const chunks: Buffer[] = [];
      for (let at = start; ; ) {
        const lineEnd = this.received.indexOf("\r\n", at);
        if (lineEnd < 0) return undefined;
        const size = Number.parseInt(this.received.toString("latin1", at, lineEnd), 16);
        if (this.received.length < lineEnd + 2 + size + 2) return undefined;
        chunks.push(this.received.subarray(lineEnd + 2, lineEnd + 2 + size));
        at = lineEnd + 2 + size + 2;
        if (size > 0) continue;
        body = Buffer.concat(chunks);
        used = at;
        break;
      }
    } else if (first!.startsWith("HTTP/1.1 204")) {
      body = Buffer.alloc(0);
    } else if (headers.has("content-length")) {
      used = start + Number(headers.get("content-length"));
      if (this.received.length < used) return undefined;
      body = this.received.subarray(start, used);
    } else if (this.isClosed) {
      used = this.received.length;
      body = this.received.subarray(start);
    } else return undefined;
    this.received = this.received.subarray(used);
    if (headers.get("connection")?.toLowerCase() === "close") this.isClosed = true;
    return { status: Number(first!.split(" ")[1]), headers, body: body!.toString("utf8") };
  }
}

/** The request that a client sends for a URL. */
export function requestOf(url: string): Request {
  const parts = parseUrl(url)!;
  return { target: url.slice(parts.pathStart, parts.queryEnd), host: url.slice(parts.hostStart, parts.portEnd) };
}

/** As they reach a server on a plain port: http alone. Each once. */
export function serverUrls(): string[] {
  return [
    ...new Set(
      [...agreementUrls(), ...randomUrls(3000, 21)].map((url) => normalize(url.replace(/^https:/, "http:")).url),
    ),
  ].filter(reachesServer);
}

/** Hosts that servers take as they are (they drop the dot after one), and no white space. */
export function reachesServer(url: string): boolean {
  const parts = parseUrl(url);
  return (
    parts !== undefined &&
    url.startsWith("http://") &&
    parts.hostStart === 7 &&
    /^[a-z0-9.-]*[a-z0-9]$/.test(hostOf(url, parts)) &&
    !/\s/.test(url)
  );
}

/** The canonical URLs that the program answers with, in the body or in a header. Refused: any status but the expected one. */
export async function askServer(
  port: number,
  urls: readonly string[],
  answerOf: (answer: HttpAnswer, url: string) => Answer = ({ status, body }) => (status === 200 ? body : undefined),
  headers = "",
): Promise<Answer[]> {
  const answers = await request(
    port,
    urls.map((url) => ({ ...requestOf(url), headers })),
  );
  return answers.map((answer, i) => (answer === undefined ? undefined : answerOf(answer, urls[i]!)));
}

/**
 * Where the program sends clients: the URL itself where it does not redirect. A client that follows is never sent on: that would
 * be the beginning of a loop. Only where rules leave a dot segment (of "/a/.;jsessionid=1") the client itself resolves it
 * before it follows, and so comes with another URL, which may be sent on once.
 */
export async function askRedirects(port: number, urls: readonly string[]): Promise<Answer[]> {
  const targetOf = ({ status, headers }: HttpAnswer, url: string): Answer => {
    if (status === 301) return headers.get("location");
    return status === 200 || status === 204 ? url : undefined;
  };
  const targets = await askServer(port, urls, targetOf);
  const reached = [...new Set(targets.filter((target) => target !== undefined))];
  const again = await askServer(port, reached, targetOf);
  expect(again.map((target, i) => target ?? reached[i]!)).toEqual(reached);
  return targets;
}

/** A server behind the one that is tested: answers every request with the URL that it was asked for, and counts. */
export async function urlServer(): Promise<{ readonly port: number; readonly counts: { requests: number } }> {
  const counts = { requests: 0 };
  const server = createHttpServer({ maxHeaderSize: 1 << 20 }, (incoming, outgoing) => {
    counts.requests++;
    const { url = "", headers } = incoming;
    outgoing.setHeader("content-type", "text/plain");
    outgoing.setHeader("cache-control", "max-age=600");
    // Node reads what it is asked for as latin1.
    outgoing.end(Buffer.from(url.startsWith("/") ? `http://${headers.host}${url}` : url, "latin1"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, counts };
}
