import { gunzipSync } from "node:zlib";
import { SitemapScanner } from "./sitemap.js";

/** The protocol's limits (sitemaps.org): a sitemap has at most 50,000 entries and 50 MB. */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_ROOT_CHARS = 100;

/**
 * The pages that a sitemap names, or the sitemaps that an index names, each once; undefined for anything else.
 * Recognised by its root element: servers give sitemaps any type, and "gzip" to those that were packed before they were
 * put there.
 */
export function sitemapLinks(bytes: Uint8Array): string[] | undefined {
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpack(bytes) : bytes;
  if (plain === undefined) return undefined;
  const text = new TextDecoder().decode(plain.subarray(0, MAX_BYTES));
  if (!/^<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/.test(rootOf(text))) return undefined;
  const links = new Set<string>();
  for (const { outcome } of new SitemapScanner().push(text)) {
    if (typeof outcome === "object") links.add(outcome.url);
    if (links.size === MAX_ENTRIES) break;
  }
  return [...links];
}

/** How the root element begins: after white space, comments and instructions. */
function rootOf(text: string): string {
  for (let at = 0; ; ) {
    while (at < text.length && /\s/.test(text[at]!)) at++;
    const end = text.startsWith("<!--", at) ? "-->" : text.startsWith("<?", at) ? ">" : undefined;
    if (end === undefined) return text.slice(at, at + MAX_ROOT_CHARS);
    const close = text.indexOf(end, at);
    if (close < 0) return "";
    at = close + end.length;
  }
}

function unpack(bytes: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch {
    // Damaged, or larger than a sitemap may be.
    return undefined;
  }
}
