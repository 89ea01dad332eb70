/** Heads of messages: HTTP answers and the records of archives are written alike. */

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Headers by lower-case name; the first of repeated ones, but repeated links are joined to one list. Values that
 * continue on the next line (RFC 2616) are joined.
 */
export function parseHeaders(lines: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  let last = "";
  for (const line of lines) {
    const first = line.charCodeAt(0);
    if (first === 32 || first === 9) {
      if (last !== "") headers.set(last, `${headers.get(last)} ${line.trim()}`);
      continue;
    }
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const known = headers.get(name);
    last = known === undefined || name === "link" ? name : "";
    if (last !== "") headers.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return headers;
}

/**
 * Where the head that starts at `from` ends (after its empty line); -1 if that is not among the bytes. Lines of
 * heads end with CR LF, by the standard, or with LF alone, as some writers have it; so do those of HTTP heads.
 */
export function headEnd(bytes: Buffer, from: number, maxBytes: number): number {
  let feed = bytes.indexOf(LINE_FEED, from);
  while (feed >= 0 && feed - from <= maxBytes) {
    if (bytes[feed + 1] === LINE_FEED) return feed + 2;
    if (bytes[feed + 1] === CARRIAGE_RETURN && bytes[feed + 2] === LINE_FEED) return feed + 3;
    feed = bytes.indexOf(LINE_FEED, feed + 1);
  }
  return -1;
}
