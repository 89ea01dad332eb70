/** A site on loopback that notes every request, and a clock that tests move. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import type { FetchEffects } from "#src/fetch/effects.js";

export interface SeenRequest {
  readonly method: string;
  readonly host: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  /** On the test's clock. */
  readonly atMs: number;
  readonly socket: number;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface TestSite {
  readonly origin: string;
  readonly port: number;
  readonly requests: SeenRequest[];
  readonly targets: () => string[];
  readonly server: Server;
  close(): Promise<void>;
}

/** Answers robots.txt with 404 unless the handler does; the handler answers everything else. */
export async function openSite(
  clock: FakeClock,
  handler: Handler,
  options: { ownRobots?: boolean } = {},
): Promise<TestSite> {
  const requests: SeenRequest[] = [];
  const sockets = new Map<unknown, number>();
  const server = createServer((request, response) => {
    if (!sockets.has(request.socket)) sockets.set(request.socket, sockets.size);
    requests.push({
      method: request.method ?? "",
      host: request.headers.host ?? "",
      target: request.url ?? "",
      headers: request.headers,
      atMs: clock.nowMs,
      socket: sockets.get(request.socket)!,
    });
    if (request.url === "/robots.txt" && !options.ownRobots) response.writeHead(404).end();
    else handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    requests,
    targets: () => requests.map(({ target }) => target),
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sleeping takes no time but moves the clock; limits pass only when a test says so. */
export class FakeClock implements Pick<FetchEffects, "now" | "sleep" | "deadline"> {
  nowMs = 1_700_000_000_000;
  readonly sleeps: number[] = [];
  readonly deadlines = new Map<number, { ms: number; onElapsed: () => void }>();
  /** Called whenever a limit is set. */
  onDeadline: (pass: () => void) => void = () => {};
  #next = 0;

  now = () => this.nowMs;

  sleep = async (ms: number, signal: AbortSignal) => {
    if (signal.aborted) return;
    this.sleeps.push(ms);
    this.nowMs += ms;
  };

  deadline = (ms: number, onElapsed: () => void) => {
    const id = this.#next++;
    this.deadlines.set(id, { ms, onElapsed });
    this.onDeadline(() => {
      if (!this.deadlines.delete(id)) return;
      this.nowMs += ms;
      onElapsed();
    });
    return () => {
      this.deadlines.delete(id);
    };
  };
}
