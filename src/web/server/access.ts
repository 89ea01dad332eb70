import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Who may ask: the person who started the server, from its own pages. */
export interface Access {
  readonly token: string;
  /** Values of the Host header under which the server is reached, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Cookies do not tell ports apart, so the name does. */
  readonly cookie: string;
}

export type Refusal = { readonly status: 401 | 403 | 421; readonly message: string };

/**
 * Why the request is refused. A page of another site can make a browser ask us (by name after DNS rebinding, by form,
 * by fetch): its Host, its Origin or its Sec-Fetch-Site give it away, and it has no token.
 */
export function refusal(request: IncomingMessage, access: Access): Refusal | undefined {
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
  const given = bearer(request) ?? cookieOf(request, access.cookie);
  if (given === undefined || !sameToken(given, access.token)) {
    return { status: 401, message: "open the address that dustpan serve printed: it carries the key to this page" };
  }
  return undefined;
}

export function sameToken(given: string, token: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(token);
  return a.length === b.length && timingSafeEqual(a, b);
}

function bearer(request: IncomingMessage): string | undefined {
  return /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1];
}

function cookieOf(request: IncomingMessage, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? "").split(";")) {
    const [key, value] = pair.trim().split("=", 2);
    if (key === name) return value;
  }
  return undefined;
}
