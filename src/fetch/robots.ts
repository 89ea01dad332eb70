/**
 * robots.txt as RFC 9309 reads it, with Crawl-delay, which the RFC does not know and many sites use.
 */

/** The product token that a group of robots.txt names us by (RFC 9309, 2.2.1). */
export const PRODUCT_TOKEN = "dustpan";

/** What is beyond is not read (RFC 9309, 2.5: at least 500 kibibytes must be). */
export const ROBOTS_MAX_BYTES = 500 * 1024;

export interface RobotsRule {
  readonly allow: boolean;
  /** Normalized as `normalizeForMatch` does it; "*" is a wildcard, a final "$" the end. */
  readonly pattern: string;
}

/** What robots.txt says to us: the rules of our group, else those of "*". */
export interface RobotsRules {
  readonly rules: readonly RobotsRule[];
  readonly crawlDelayMs?: number;
  /** Sitemaps that it names, for all robots (RFC 9309, 2.2.4). */
  readonly sitemaps?: readonly string[];
}

interface Group {
  readonly rules: RobotsRule[];
  crawlDelayMs?: number;
}

type Key = "user-agent" | "allow" | "disallow" | "crawl-delay" | "sitemap";

/** Spellings that site owners get wrong often enough; the meaning is not in doubt. */
const keyNames = new Map<string, Key>([
  ["user-agent", "user-agent"],
  ["useragent", "user-agent"],
  ["user agent", "user-agent"],
  ["allow", "allow"],
  ["disallow", "disallow"],
  ["dissallow", "disallow"],
  ["dissalow", "disallow"],
  ["disalow", "disallow"],
  ["diasllow", "disallow"],
  ["disallaw", "disallow"],
  ["crawl-delay", "crawl-delay"],
  ["crawldelay", "crawl-delay"],
  ["sitemap", "sitemap"],
]);

export function parseRobots(body: Uint8Array, productToken: string = PRODUCT_TOKEN): RobotsRules {
  const token = productToken.toLowerCase();
  const ours: Group = { rules: [] };
  const everyone: Group = { rules: [] };
  let isOurs = false;
  let isEveryones = false;
  let oursFound = false;
  // User-agent lines in a row make one group; after a rule, the next one opens another.
  let inAgents = false;
  const sitemaps: string[] = [];
  for (const { key, value } of readLines(body)) {
    if (key === "sitemap") {
      sitemaps.push(value);
      continue;
    }
    if (key === "user-agent") {
      if (!inAgents) isOurs = isEveryones = false;
      inAgents = true;
      if (/^\*(?:\s|$)/.test(value)) isEveryones = true;
      // "Dustpan/2.1 (old)" names the product Dustpan.
      else if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === token) isOurs = oursFound = true;
      continue;
    }
    const groups = [...(isOurs ? [ours] : []), ...(isEveryones ? [everyone] : [])];
    if (key === "crawl-delay") {
      // Not a line of the RFC's grammar: it must not end the list of agents (2.2.4).
      const seconds = /^\d*\.?\d+$/.test(value) ? Number(value) : Number.NaN;
      if (Number.isFinite(seconds)) for (const group of groups) group.crawlDelayMs = Math.round(seconds * 1000);
      continue;
    }
    inAgents = false;
    if (value === "") continue;
    const rule = { allow: key === "allow", pattern: normalizePattern(value) };
    for (const group of groups) group.rules.push(rule);
  }
  const group = oursFound ? ours : everyone;
  return sitemaps.length === 0 ? group : { ...group, sitemaps };
}

/** May this be asked for? `target` is path and query, beginning with "/". The longest match decides, Allow at a tie. */
export function isAllowed(robots: RobotsRules, target: string): boolean {
  const path = normalizeForMatch(target, true);
  if (path === "/robots.txt") return true;
  let longest = -1;
  let allowed = true;
  for (const { allow, pattern } of robots.rules) {
    if (pattern.length < longest || (pattern.length === longest && !allow)) continue;
    if (!matches(pattern, path)) continue;
    longest = pattern.length;
    allowed = allow;
  }
  return allowed;
}

/**
 * Does the pattern match a prefix of the path? The parts between the wildcards are looked for from left to right, each
 * at its first place: if any placing works, this one does, so there is nothing to backtrack.
 */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith("$");
  const parts = (isAnchored ? pattern.slice(0, -1) : pattern).split("*");
  const first = parts[0]!;
  if (!path.startsWith(first)) return false;
  if (parts.length === 1) return !isAnchored || path.length === first.length;
  let at = first.length;
  const last = parts.length - 1;
  for (let i = 1; i < last; i++) {
    const found = path.indexOf(parts[i]!, at);
    if (found < 0) return false;
    at = found + parts[i]!.length;
  }
  const end = parts[last]!;
  if (isAnchored) return path.length - end.length >= at && path.endsWith(end);
  return path.indexOf(end, at) >= 0;
}

/** "$" is special at the end only; anywhere else it is a character like any other. */
function normalizePattern(value: string): string {
  const isAnchored = value.endsWith("$");
  const body = isAnchored ? value.slice(0, -1) : value;
  const normal = body
    .split("*")
    .map((part) => normalizeForMatch(part, false))
    .join("*");
  return isAnchored ? `${normal}$` : normal;
}

/**
 * RFC 9309, 2.2.2: octets beyond ASCII are compared percent-encoded, and an encoded unreserved character as itself.
 * "*" and "$" of a path are encoded, so that only a pattern's "%2A" and "%24" match them.
 */
function normalizeForMatch(text: string, isPath: boolean): string {
  let normal = "";
  for (const [piece] of text.matchAll(/%[0-9a-f]{2}|[^%]+|%/gi)) {
    if (piece.length === 3 && piece.startsWith("%")) {
      const character = String.fromCharCode(Number.parseInt(piece.slice(1), 16));
      normal += /[A-Za-z0-9._~-]/.test(character) ? character : piece.toUpperCase();
    } else {
      normal += piece.replace(/[^A-Za-z0-9._~:/?#[\]@!&'()*+,;=%$-]+/gu, encodeUtf8);
    }
  }
  normal = normal.replaceAll("$", "%24");
  return isPath ? normal.replaceAll("*", "%2A") : normal;
}

function encodeUtf8(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
}

function* readLines(body: Uint8Array): Generator<{ key: Key; value: string }> {
  const isCut = body.length > ROBOTS_MAX_BYTES;
  // The decoder drops a byte order mark.
  const lines = new TextDecoder().decode(body.subarray(0, ROBOTS_MAX_BYTES)).split(/\r\n|\r|\n/);
  // Half a line could say something else than the whole.
  if (isCut) lines.pop();
  for (const line of lines) {
    const content = line.replace(/#.*/, "");
    const colon = content.indexOf(":");
    if (colon < 0) continue;
    const key = keyNames.get(content.slice(0, colon).trim().toLowerCase());
    if (key) yield { key, value: content.slice(colon + 1).trim() };
  }
}
