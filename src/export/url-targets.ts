/** Files made of a site's URLs and not of rules alone: a sitemap of canonical URLs, and the canonical URL of each page. */
import { xmlComment, xmlText } from "./java-regex.js";
import { hex } from "./source-file.js";
import { oneLine } from "./target.js";

export interface UrlTarget {
  /** What --to takes. */
  readonly name: string;
  readonly title: string;
  readonly expresses: string;
  /** What the file is called where people put it. */
  readonly file: string;
  /** Is it about one host, as a file in a host's root is? */
  readonly isOfOneHost: boolean;
  /** Does it name URLs as visitors asked for them, with what they carried? Then it is for its owner's eyes. */
  readonly isPrivate: boolean;
  /** The first is called `file`; others lie beside it. Each piece has its line end. */
  readonly files: (urls: UrlsToWrite, file: string) => readonly UrlFile[];
}

export interface UrlsToWrite {
  /** Each with its canonical URL. */
  readonly pairs: () => Iterable<readonly [url: string, canonical: string]>;
  readonly notes: readonly string[];
}

export interface UrlFile {
  readonly name: string;
  readonly pieces: Iterable<string>;
}

/** What the protocol allows a file to hold, and a <loc>. */
const SITEMAP_URLS = 50_000;
const SITEMAP_BYTES = 50 * 1024 * 1024;
const LOC_CHARS = 2047;

const sitemap: UrlTarget = {
  name: "sitemap",
  title: "a sitemap of canonical URLs alone (XML)",
  expresses: "every rule, for the URLs of one host in the workspace or in INPUT; several files where they are many",
  file: "sitemap.xml",
  isOfOneHost: true,
  isPrivate: false,
  files: ({ pairs, notes }, file) => {
    const comment = `${xmlComment(notes.map(oneLine))}\n`;
    const locs = new Set<string>();
    for (const [, canonical] of pairs()) {
      const loc = encoded(canonical);
      if (loc.length <= LOC_CHARS) locs.add(loc);
    }
    const parts = divide([...locs].sort().map((loc) => `<url><loc>${xmlText(loc)}</loc></url>\n`));
    const document = (root: string, pieces: readonly string[]) => [
      `<?xml version="1.0" encoding="UTF-8"?>\n${comment}<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`,
      ...pieces,
      `</${root}>\n`,
    ];
    if (parts.length <= 1) return [{ name: file, pieces: document("urlset", parts[0] ?? []) }];
    const [origin] = /^https?:\/\/[^/?#]*/.exec([...locs][0]!)!;
    const named = parts.map((pieces, i) => ({
      name: file.replace(/(?:\.xml)?$/, `-${i + 1}.xml`),
      pieces: document("urlset", pieces),
    }));
    const entries = named.map(({ name }) => `<sitemap><loc>${xmlText(`${origin}/${name}`)}</loc></sitemap>\n`);
    return [{ name: file, pieces: document("sitemapindex", entries) }, ...named];
  },
};

/** As a URL is written where only ASCII may be. */
function encoded(url: string): string {
  return url.replace(/[^!-~]+/g, (text) =>
    [...Buffer.from(text)].map((byte) => `%${hex(byte, 2).toUpperCase()}`).join(""),
  );
}

function divide(entries: readonly string[]): string[][] {
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    // Room for the head and the end.
    if (bytes + entry.length > SITEMAP_BYTES - 10_000 || parts.at(-1)!.length === SITEMAP_URLS) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(entry);
    bytes += entry.length;
  }
  return parts;
}

const canonicalLinks: UrlTarget = {
  name: "canonical-links",
  title: "URL and rel=canonical: the element for each page that has another canonical URL (tab-separated)",
  expresses: "every rule, for the URLs of the workspace or of INPUT",
  file: "canonical-links.tsv",
  isOfOneHost: false,
  isPrivate: true,
  files: ({ pairs, notes }, file) => [{ name: file, pieces: linkLines(pairs, notes) }],
};

function* linkLines(pairs: UrlsToWrite["pairs"], notes: readonly string[]): Generator<string> {
  for (const note of notes) yield `# ${oneLine(note)}\n`;
  for (const [url, canonical] of pairs()) {
    if (canonical !== url && !/\s/.test(url)) {
      yield `${url}\t<link rel="canonical" href="${xmlText(encoded(canonical))}">\n`;
    }
  }
}

/** In the order of --list. */
export const urlTargets: readonly UrlTarget[] = [sitemap, canonicalLinks];
