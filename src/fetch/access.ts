/**
 * Where requests may go: to the hosts that `sites` names and nowhere else, over http and https, and never to a private
 * address unless the user named it. The checks are made on the URL as the URL standard reads it, since that is what is
 * sent: its parser has already turned "2130706433", "0x7f.1" and "①27.0.0.1" into 127.0.0.1.
 */
import { isIP } from "node:net";
import { UserError } from "../errors.js";
import { requestUrl } from "../url/request-url.js";
import { addressKind, bareAddress } from "./address.js";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a host name; rejects where there are none. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface AccessOptions {
  /**
   * The hosts that may be asked: "https://forum.test" (both schemes at their default ports), "http://127.0.0.1:8080"
   * (that port only), "forum.test" (that host and those of `hosts` below it), "*.forum.test" (that host and every host
   * below it).
   */
  readonly sites: readonly string[];
  /** The hosts that the input names. */
  readonly hosts?: readonly string[];
  /** Private, loopback and link-local addresses may be asked too. */
  readonly allowPrivate?: boolean;
  /** "HOST:ADDRESS" or, as in curl, "HOST:PORT:ADDRESS": addresses that DNS is not asked for. */
  readonly resolve?: readonly string[];
}

export type Resolution =
  | { readonly kind: "resolved"; readonly addresses: readonly ResolvedAddress[] }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

export interface Access {
  /** Why this URL must not be asked for, as far as the URL alone tells. */
  refusal(url: URL): string | undefined;
  /** The checked addresses of a URL's host. The connection must go to one of these, not to a second lookup's. */
  resolve(url: URL): Promise<Resolution>;
  /** What `resolve` last found for this host and port. */
  resolved(hostname: string, port: number): readonly ResolvedAddress[] | undefined;
  /** Ask DNS again for this URL's host: connections to what it said failed. */
  forget(url: URL): void;
}

interface Site {
  /** Lower case, IPv6 with brackets, without "*." and without a final dot. */
  readonly host: string;
  /** Which hosts below it belong to it: none, those that the input names, or all. */
  readonly below: "none" | "named" | "all";
  /** Absent: the default port of the URL's scheme. */
  readonly port?: number;
}

/** Names for your own machines and networks (RFC 6761, 6762, 8375, and ICANN's .internal). */
const privateSuffixes = ["localhost", "localdomain", "local", "internal", "home.arpa"];

/** A host that the user named may be inside; DNS alone must not lead to what no name is for. */
const neverByDns = new Set(["linkLocal", "multicast", "unspecified", "reserved"]);

/** A name that had no address this many times, and never had one, is taken to have none for this run. */
const LOOKUPS_ENOUGH = 3;

export function createAccess(options: AccessOptions, lookup: Lookup): Access {
  const sites = options.sites.map(parseSite);
  const fixed = new Map(options.resolve?.map(parseResolve));
  const inputHosts = new Set(options.hosts);
  const found = new Map<string, readonly ResolvedAddress[]>();
  const pending = new Map<string, Promise<Resolution>>();
  /** Lookups of names that never had an address. */
  const failures = new Map<string, number>();
  /** Hosts that DNS once placed outside: an answer that later points inside is an attack (DNS rebinding). */
  const outside = new Set<string>();

  /** Named by the user: an input may be anybody's, and its hosts may not lead inside. */
  const isNamed = (host: string) => sites.some((site) => site.below !== "all" && site.host === host);

  const isOfSite = (host: string, site: Site) =>
    host === site.host ||
    (host.endsWith(`.${site.host}`) && (site.below === "all" || (site.below === "named" && inputHosts.has(host))));

  function refusal(url: URL): string | undefined {
    if (url.protocol !== "http:" && url.protocol !== "https:") return `scheme "${url.protocol}" is not http or https`;
    const host = siteHost(url);
    const named = sites.filter((site) => isOfSite(host, site));
    if (named.length === 0) return `host ${host}${url.port && `:${url.port}`} is not among the sites`;
    const port = portOf(url);
    if (!named.some((site) => (site.port ?? defaultPort(url)) === port)) {
      return `port ${port} of ${host} is not among the sites`;
    }
    if (options.allowPrivate || isNamed(host)) return undefined;
    const bare = bareAddress(host);
    if (isIP(bare)) {
      const kind = addressKind(bare);
      return kind === "public" ? undefined : `address ${bare} is ${describeKind(kind)}`;
    }
    if (fixed.has(host) || fixed.has(`${host}:${port}`)) return undefined;
    return isPrivateName(host) ? `host ${host} is a private name` : undefined;
  }

  async function resolveNow(url: URL): Promise<Resolution> {
    const host = siteHost(url);
    const bare = bareAddress(host);
    const family = isIP(bare);
    // `refusal` has already judged literals.
    if (family !== 0) return { kind: "resolved", addresses: [{ address: bare, family }] };
    const given = fixed.get(`${host}:${portOf(url)}`) ?? fixed.get(host);
    if (given) return { kind: "resolved", addresses: [given] };

    let addresses: readonly ResolvedAddress[];
    try {
      addresses = await lookup(host);
    } catch (error) {
      return { kind: "failed", reason: `host ${host} has no address (${errorCode(error)})` };
    }
    if (addresses.length === 0) return { kind: "failed", reason: `host ${host} has no address` };
    // One bad address among good ones refuses them all: honest zones never mix them.
    for (const { address } of addresses) {
      const kind = addressKind(address);
      if (kind === "public" || options.allowPrivate) continue;
      if (isNamed(host) && !outside.has(host) && !neverByDns.has(kind)) continue;
      return { kind: "refused", reason: `host ${host} has address ${address}, which is ${describeKind(kind)}` };
    }
    if (addresses.every(({ address }) => addressKind(address) === "public")) outside.add(host);
    return { kind: "resolved", addresses };
  }

  function resolve(url: URL): Promise<Resolution> {
    const key = addressKey(bareAddress(siteHost(url)), portOf(url));
    const known = pending.get(key);
    if (known) return known;
    const resolution = resolveNow(url).then((result) => {
      if (result.kind === "resolved") found.set(key, result.addresses);
      if (result.kind === "failed") failures.set(key, (failures.get(key) ?? 0) + 1);
      // A mistyped site, or no network at all: the same question for each of a million URLs would never end.
      const isHopeless = result.kind === "failed" && !found.has(key) && failures.get(key)! >= LOOKUPS_ENOUGH;
      if (result.kind !== "resolved" && !isHopeless) pending.delete(key);
      return result;
    });
    pending.set(key, resolution);
    return resolution;
  }

  return {
    refusal,
    resolve,
    resolved: (hostname, port) => found.get(addressKey(hostname.replace(/\.$/, ""), port)),
    forget: (url) => {
      pending.delete(addressKey(bareAddress(siteHost(url)), portOf(url)));
    },
  };
}

/** Path and query as they go onto the request line; `pathname + search` would lose the "?" of an empty query. */
export function requestTarget(url: URL): string {
  return url.href.slice(`${url.protocol}//${url.host}`.length);
}

export function portOf(url: URL): number {
  return url.port === "" ? defaultPort(url) : Number(url.port);
}

function defaultPort(url: URL): number {
  return url.protocol === "https:" ? 443 : 80;
}

function addressKey(hostname: string, port: number): string {
  return `${hostname} ${port}`;
}

/** The host without the final dot of a fully qualified name: "localhost." is localhost. */
function siteHost(url: URL): string {
  return url.hostname.replace(/\.$/, "");
}

function isPrivateName(host: string): boolean {
  return !host.includes(".") || privateSuffixes.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
}

function describeKind(kind: string): string {
  return kind === "linkLocal" ? "link-local" : kind;
}

function errorCode(error: unknown): string {
  return error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
}

function parseSite(text: string): Site {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const withScheme = hasScheme ? text : `http://${text}`;
  const below = /^https?:\/\/\*\./i.test(withScheme) ? "all" : hasScheme ? "none" : "named";
  const url = requestUrl(withScheme.replace("://*.", "://"));
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.hostname === "" ||
    url.hostname.includes("*") ||
    requestTarget(url) !== "/"
  ) {
    throw new UserError(
      `site "${text}" is not an origin: expected a host or an origin such as https://forum.test, or *.forum.test for all hosts below one`,
    );
  }
  // The URL standard drops a default port, but "http://forum.test:80" means port 80 alone.
  const port = /:(\d+)\/?$/.exec(withScheme)?.[1];
  return { host: siteHost(url), below, ...(port === undefined ? {} : { port: Number(port) }) };
}

function parseResolve(text: string): readonly [string, ResolvedAddress] {
  const [, host = "", rest = ""] = /^([^:[\]]+):(.+)$/.exec(text) ?? [];
  const [, port, after = rest] = isIP(bareAddress(rest)) ? [] : (/^(\d{1,5}):(.+)$/.exec(rest) ?? []);
  const address = bareAddress(after);
  const url = requestUrl(`http://${host}`);
  if (url === undefined || url.hostname === "" || isIP(url.hostname) || !isIP(address) || after.includes("%")) {
    throw new UserError(
      `resolve "${text}" is not HOST:ADDRESS or HOST:PORT:ADDRESS with a host name and an IP address`,
    );
  }
  const name = siteHost(url);
  return [port === undefined ? name : `${name}:${Number(port)}`, { address, family: isIP(address) }];
}
