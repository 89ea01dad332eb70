/** The origin of a requested path: scheme and host, from what a log line says. */

/** A host name or address with an optional port. Anything else in a Host header is an attack or an accident. */
const HOST = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_.])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

export function isHost(text: string): boolean {
  return HOST.test(text);
}

/**
 * The origin of a request by its Host header, or the base, or "" where neither is known: then the URL is its path
 * alone. Undefined where the host is not valid.
 */
export function originFor(
  host: string | undefined,
  scheme: string | undefined,
  base: string | undefined,
): string | undefined {
  if (host === undefined) return base === undefined ? "" : base.replace(/\/+$/, "");
  if (!isHost(host)) return undefined;
  return `${scheme ?? schemeOf(base)}://${host}`;
}

/**
 * The origin of a request by the name of the server that answered it, with the port that it listens on. No client wrote
 * that port, so a default one is left out here and not counted as a normalization.
 */
export function originOfServer(name: string, port: string, scheme: string | undefined, base: string | undefined) {
  if (!isHost(name) || !/^\d*$/.test(port)) return undefined;
  const own = /:(\d+)$/.exec(name)?.[1] ?? "";
  const listens = port === "" ? own : port;
  const known = scheme ?? (listens === "443" ? "https" : listens === "80" ? "http" : schemeOf(base));
  const host = own === "" ? name : name.slice(0, -own.length - 1);
  return `${known}://${withoutDefaultPort(listens === "" ? host : `${host}:${listens}`, known)}`;
}

/** S3 logs name the bucket; one with a dot is a site's host name, other buckets have names below Amazon's. */
export function originOfBucket(bucket: string, scheme: string | undefined, base: string | undefined) {
  return originFor(bucket.includes(".") ? bucket : `${bucket}.s3.amazonaws.com`, scheme, base);
}

export function withoutDefaultPort(host: string, scheme: string): string {
  return host.replace(scheme.toLowerCase() === "https" ? /:443$/ : /:80$/, "");
}

function schemeOf(base: string | undefined): string {
  return base !== undefined && /^https:/i.test(base) ? "https" : "http";
}
