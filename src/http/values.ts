/** Values that crawls write in many ways, converted to the one way that PageRecord has. */

/** Undefined where a number is not an HTTP status. Some tools write 0 or -1 for "no answer". */
export function parseStatus(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^-?\d{1,5}(?:\.0+)?$/.test(trimmed)) return undefined;
  const status = Number(trimmed);
  // Heritrix has its own codes for fetches without an answer: negative ones, and 1 (dns), 9998, 5000 to 5004 ...
  if (status >= 100 && status <= 999) return status;
  return 0;
}

/** Bytes, optionally with grouped digits ("12,345") as spreadsheets write them. */
export function parseSize(text: string): number | undefined {
  const digits = text.trim().replace(/[,\u00a0\u202f' ](?=\d{3}\b)/g, "");
  return /^\d{1,15}(?:\.0+)?$/.test(digits) ? Number(digits) : undefined;
}

/** Milliseconds since 1970. 14 digits (CDX, Heritrix; UTC, also 17 with milliseconds), ISO 8601, seconds, milliseconds. */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim();
  const digits = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})?$/.exec(trimmed);
  if (digits !== null) {
    const [, year, month, day, hour, minute, second, milli] = digits.map(Number);
    return Date.UTC(year!, month! - 1, day!, hour!, minute!, second!, milli || 0);
  }
  if (/^\d{8,16}(?:\.\d+)?$/.test(trimmed)) {
    const number = Number(trimmed);
    // Ten digits of seconds reach the year 2286; more are milli- or microseconds.
    return number < 1e10 ? number * 1000 : number < 1e14 ? number : number / 1000;
  }
  if (!/^\d{4}-\d\d/.test(trimmed)) return undefined;
  // "2024-03-03 20:06:24" has no zone: crawls write UTC, and the reader's own zone would be a guess.
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(trimmed) || /^\d{4}-\d\d(?:-\d\d)?$/.test(trimmed);
  const ms = Date.parse(zoned ? trimmed.replace(" ", "T") : `${trimmed.replace(/ UTC$/, "").replace(" ", "T")}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** "text/html; charset=utf-8" -> "text/html"; undefined where there is none. */
export function parseMediaType(text: string): string | undefined {
  const type = text.split(";", 1)[0]!.trim().toLowerCase();
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : undefined;
}

const hexNames: Readonly<Record<number, string>> = {
  32: "md5",
  40: "sha1",
  56: "sha224",
  64: "sha256",
  96: "sha384",
  128: "sha512",
};
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * A digest as "name:hex". Archives write SHA-1 in base 32, with or without its name; others write hex, whose length names
 * the algorithm unless `name` does. Undefined for anything else.
 */
export function parseDigest(text: string, name?: string): string | undefined {
  const named = /^\s*(?:([A-Za-z][\w-]{1,15})[:=])?([A-Za-z0-9+/]{16,128}={0,2})\s*$/.exec(text);
  if (named === null) return undefined;
  const algorithm = (named[1] ?? name)?.toLowerCase().replace("sha-", "sha");
  const value = named[2]!;
  if (/^[0-9a-f]+$/i.test(value) && !/^[A-F2-7]{32}$/.test(value)) {
    // Screaming Frog writes MD5 as a number, without leading zeros: one in sixteen is shorter.
    if (algorithm === undefined && value.length > 26 && value.length < 32)
      return `md5:${value.toLowerCase().padStart(32, "0")}`;
    const hexName = algorithm ?? hexNames[value.length];
    return hexName === undefined ? undefined : `${hexName}:${value.toLowerCase()}`;
  }
  if (!/^[A-Z2-7]+$/i.test(value)) return algorithm === undefined ? undefined : `${algorithm}:${value}`;
  const hex = base32ToHex(value.toUpperCase());
  const base32Name = algorithm ?? hexNames[hex.length];
  return base32Name === undefined ? undefined : `${base32Name}:${hex}`;
}

function base32ToHex(text: string): string {
  let hex = "";
  let bits = 0;
  let pending = 0;
  for (const letter of text) {
    pending = (pending << 5) | BASE32.indexOf(letter);
    bits += 5;
    while (bits >= 4) {
      bits -= 4;
      hex += ((pending >> bits) & 15).toString(16);
    }
    pending &= (1 << bits) - 1;
  }
  return hex;
}

/** Whether dustpan can do something with the URL. */
export function isWebUrl(url: string): boolean {
  return /^https?:\/\/[^/?#\s]/i.test(url);
}

/**
 * The URL as it is written, where it is absolute; with `base`, also one that lacks its scheme or its origin
 * ("//a.test/b", "a.test/b", "/b"). Undefined where this makes no http(s) URL.
 */
export function absoluteUrl(text: string, base: string | undefined): string | undefined {
  if (isWebUrl(text)) return text;
  if (base === undefined || !URL.canParse(base)) return undefined;
  const { origin, protocol } = new URL(base);
  if (text.startsWith("//")) return isWebUrl(protocol + text) ? protocol + text : undefined;
  if (text.startsWith("/")) return origin + text;
  return /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(text) ? `${protocol}//${text}` : undefined;
}

/** Checking first whether a reference can be parsed would parse each twice, and nearly all can. */
function parsedUrl(reference: string, base: string): URL | undefined {
  try {
    return new URL(reference, base);
  } catch {
    return undefined;
  }
}

/** An absolute http(s) URL without fragment and credentials; undefined where the reference does not give one. */
export function resolveUrl(reference: string, base: string): string | undefined {
  const url = parsedUrl(reference, base);
  if (url === undefined) return undefined;
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (url.username !== "") url.username = "";
  if (url.password !== "") url.password = "";
  const { href } = url;
  const hash = href.indexOf("#");
  return hash < 0 ? href : href.slice(0, hash);
}
