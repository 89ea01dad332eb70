/** Which requests are answered: those of the person who started the server, from its own pages. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Who may ask: the person who started the server, from its own pages. */
export interface Access {
  readonly token: string;
  /** Values of the Host header under which the server is reached, in lower case. */
  readonly hosts: ReadonlySet<string>;
  readonly tickets: Tickets;
}

/**
 * A browser sends no header for a picture or a download. A ticket stands for the token there: for one address, once, within
 * a minute. A cookie would do, and be sent to every other server on this machine too: cookies do not tell ports apart.
 */
export class Tickets {
  readonly #issued = new Map<string, { readonly address: string; readonly untilMs: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  issue(address: string): string {
    for (const [ticket, { untilMs }] of this.#issued) if (untilMs < this.#now()) this.#issued.delete(ticket);
    const ticket = randomBytes(18).toString("base64url");
    this.#issued.set(ticket, { address, untilMs: this.#now() + TICKET_MS });
    return ticket;
  }

  /** Is it one for this address? From now on it is none. */
  take(ticket: string, address: string): boolean {
    const issued = this.#issued.get(ticket);
    this.#issued.delete(ticket);
    return issued !== undefined && issued.address === address && issued.untilMs >= this.#now();
  }
}

const TICKET_MS = 60_000;

export type Refusal = { readonly status: 401 | 403 | 421; readonly message: string };

/**
 * Why the request is refused. A page of another site can make a browser ask us (by name after DNS rebinding, by form,
 * by fetch): its Host, its Origin or its Sec-Fetch-Site give it away, and it has no token.
 */
export function refusal(request: IncomingMessage, url: URL, access: Access): Refusal | undefined {
  const host = request.headers.host?.toLowerCase() ?? "";
  if (!access.hosts.has(host)) return { status: 421, message: `this server does not answer for the host "${host}"` };
  const { origin } = request.headers;
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`) {
    return { status: 403, message: "requests from other origins are refused" };
  }
  const site = request.headers["sec-fetch-site"];
  const isNavigation = request.headers["sec-fetch-mode"] === "navigate" && request.method === "GET";
  if (site !== undefined && site !== "same-origin" && site !== "none" && !isNavigation) {
    return { status: 403, message: "requests from other sites are refused" };
  }
  // The app's own files hold nothing of the workspace.
  if (!url.pathname.startsWith("/api/")) return undefined;
  const given = bearer(request);
  if (!(given === undefined ? hasTicket(request, url, access) : sameToken(given, access.token))) {
    return { status: 401, message: "open the address that dustpan serve printed: it carries the key to this page" };
  }
  return undefined;
}

function sameToken(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

function bearer(request: IncomingMessage): string | undefined {
  return /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
}

function hasTicket(request: IncomingMessage, url: URL, { tickets }: Access): boolean {
  const ticket = url.searchParams.get("ticket");
  if (ticket === null || request.method !== "GET") return false;
  url.searchParams.delete("ticket");
  return tickets.take(ticket, url.pathname + url.search);
}
