/**
 * Sitemaps (sitemaps.org), read as a stream of text. No XML parser: a sitemap needs two elements, and without entity
 * definitions there is nothing that a hostile file could make grow.
 */
import { NO_WEB_URL, type RowOutcome } from "./row-outcome.js";
import { isWebUrl, parseTime } from "./values.js";

export interface SitemapEntry {
  /** 1-based line where the entry starts. */
  readonly line: number;
  readonly outcome: RowOutcome;
  /** An entry of a sitemap index: the URL is of a sitemap, not of a page. */
  readonly sitemap: boolean;
}

/** A longer entry is not one: the protocol allows URLs of 2,048 characters. */
const MAX_ENTRY_CHARS = 1 << 18;
const MAX_TAG_CHARS = 4096;
/** The start of a comment, or of an entry with any namespace prefix. */
const TOKEN = /<!--|<(?:[\w-]+:)?(url|sitemap)(?:\s[^<>]*)?>/g;
const CLOSE = /<\/(?:[\w-]+:)?(?:url|sitemap)\s*>/g;

function find(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

export class SitemapScanner {
  #text = "";
  #at = 0;
  #line = 1;
  #inComment = false;

  *push(chunk: string): Generator<SitemapEntry> {
    this.#text = this.#text.slice(this.#at) + chunk;
    this.#at = 0;
    for (;;) {
      if (this.#inComment) {
        const end = this.#text.indexOf("-->", this.#at);
        if (end < 0) {
          this.#advance(Math.max(this.#at, this.#text.length - 2));
          return;
        }
        this.#advance(end + 3);
        this.#inComment = false;
      }
      const start = find(TOKEN, this.#text, this.#at);
      if (start === null) {
        // The rest may end in the beginning of a tag.
        const open = this.#text.lastIndexOf("<");
        const keep = open >= this.#at && this.#text.length - open < MAX_TAG_CHARS;
        this.#advance(keep ? open : this.#text.length);
        return;
      }
      this.#advance(start.index);
      if (start[1] === undefined) {
        this.#inComment = true;
        this.#advance(start.index + 4);
        continue;
      }
      const sitemap = start[1] === "sitemap";
      const bodyStart = start.index + start[0].length;
      const close = find(CLOSE, this.#text, bodyStart);
      // An entry that does not end before the next one begins is damaged, and the next one is not.
      let next = find(TOKEN, this.#text, bodyStart);
      while (next !== null && next[1] === undefined) next = find(TOKEN, this.#text, next.index + 4);
      if (next !== null && (close === null || next.index < close.index)) {
        yield { line: this.#line, outcome: UNENDED, sitemap };
        this.#advance(next.index);
      } else if (close !== null) {
        yield { line: this.#line, outcome: entryOf(this.#text.slice(bodyStart, close.index)), sitemap };
        this.#advance(close.index + close[0].length);
      } else if (this.#text.length - start.index > MAX_ENTRY_CHARS) {
        yield { line: this.#line, outcome: UNENDED, sitemap };
        this.#advance(bodyStart);
      } else {
        return;
      }
    }
  }

  *end(): Generator<SitemapEntry> {
    const start = find(TOKEN, this.#text, this.#at);
    if (start?.[1] !== undefined) {
      yield { line: this.#line, outcome: "entry is cut off by the end of the file", sitemap: start[1] === "sitemap" };
    }
  }

  #advance(to: number): void {
    for (
      let feed = this.#text.indexOf("\n", this.#at);
      feed >= 0 && feed < to;
      feed = this.#text.indexOf("\n", feed + 1)
    ) {
      this.#line++;
    }
    this.#at = to;
  }
}

const UNENDED = "entry does not end";

function entryOf(body: string): RowOutcome {
  const url = elementText(body, LOC);
  if (url === undefined || url === "") return "entry without loc";
  if (!isWebUrl(url)) return NO_WEB_URL;
  const timeMs = parseTime(elementText(body, LASTMOD) ?? "");
  return { url, status: 0, ...(timeMs !== undefined && { timeMs }) };
}

/** Only the entry's own: image:loc and the like are parts of the page. */
const LOC = /<(?:(?!image:|video:|news:)[\w-]+:)?loc(?:\s[^<>]*)?>/;
const LASTMOD = /<(?:(?!image:|video:|news:)[\w-]+:)?lastmod(?:\s[^<>]*)?>/;

function elementText(body: string, tag: RegExp): string | undefined {
  const start = tag.exec(body);
  if (start === null) return undefined;
  const from = start.index + start[0].length;
  const cdata = /^\s*<!\[CDATA\[/.exec(body.slice(from, from + 64));
  if (cdata !== null) {
    const end = body.indexOf("]]>", from);
    return end < 0 ? undefined : body.slice(from + cdata[0].length, end).trim();
  }
  const end = body.indexOf("</", from);
  return end < 0 ? undefined : decodeReferences(body.slice(from, end)).trim();
}

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The five entities of XML and numeric references; anything else stays as it is written. */
function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return NAMED[(name as string).toLowerCase()]!;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex as string, 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}

/** Whether a text begins as XML does and has a sitemap's root element near its start. */
export function isSitemap(start: string): boolean {
  return /^\ufeff?\s*</.test(start) && /<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/.test(start.slice(0, 1 << 14));
}
