/**
 * Connections that go only to addresses that `Access` has checked. undici is given a connect function of ours, since
 * its `lookup` hook is not called for IP literals; and the socket is pinned to the checked addresses, so that a name
 * service that changes its answer between check and connect (DNS rebinding) gains nothing.
 */
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { Agent, type buildConnector, type Dispatcher } from "undici";
import type { Access, ResolvedAddress } from "./access.js";
import type { FetchEffects } from "./effects.js";

export interface Connections {
  readonly dispatcher: Dispatcher;
  /** Where the latest connection to this origin went. */
  addressOf(origin: string): string | undefined;
  /** Ends all connections, also those that are not yet made. */
  close(): Promise<void>;
}

export interface ConnectionOptions {
  readonly connectionsPerOrigin: number;
  readonly timeoutMs: number;
}

export function openConnections(
  access: Pick<Access, "resolved">,
  options: ConnectionOptions,
  effects: Pick<FetchEffects, "deadline">,
): Connections {
  const addresses = new Map<string, string>();
  const connecting = new Set<Socket>();

  function connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
    const { hostname, protocol } = target;
    const isTls = protocol === "https:";
    const port = Number(target.port) || (isTls ? 443 : 80);
    const checked = access.resolved(hostname, port);
    if (checked === undefined) {
      callback(new Error(`no checked address for ${hostname}`), null);
      return;
    }
    const where = { host: hostname, port, lookup: pinned(checked), autoSelectFamily: true };
    const socket = isTls
      ? connectTls({ ...where, servername: isIP(hostname) ? "" : hostname, ALPNProtocols: ["http/1.1"] })
      : connectTcp(where);
    connecting.add(socket);
    const cancelDeadline = effects.deadline(options.timeoutMs, () => {
      socket.destroy(Object.assign(new Error("connect timed out"), { code: "ETIMEDOUT" }));
    });
    const settle = (error?: Error) => {
      if (!connecting.delete(socket)) return;
      cancelDeadline();
      if (error) callback(error, null);
      else callback(null, socket);
    };
    socket.setNoDelay(true);
    socket.once(isTls ? "secureConnect" : "connect", () => {
      const origin = `${protocol}//${target.host ?? hostname}`;
      if (socket.remoteAddress !== undefined) addresses.set(origin, socket.remoteAddress);
      settle();
    });
    // Kept on: a socket without a listener throws its error at the process.
    socket.on("error", settle);
    socket.once("close", () => settle(new Error("connection closed before it was made")));
  }

  const agent = new Agent({
    connect,
    connections: options.connectionsPerOrigin,
    pipelining: 1,
    // The fetcher has one time limit for the whole request, on its own clock.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    dispatcher: agent,
    addressOf: (origin) => addresses.get(origin),
    close: async () => {
      const ended = agent.destroy();
      for (const socket of connecting) socket.destroy();
      await ended;
    },
  };
}

/** Node calls it with `all` where it tries several addresses, and without where it does not. */
function pinned(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    const first = addresses[0]!;
    if (all) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}
