/**
 * Sitemaps (sitemaps.org), read as a stream of text. No XML parser: a sitemap needs two elements, and without entity
 * definitions a hostile file cannot make its text grow.
 */
import { NO_WEB_URL, type RowOutcome } from "./row-outcome.js";
import { isWebUrl, parseTime } from "./values.js";
import { elementText, withoutComments } from "./xml-text.js";

export interface SitemapEntry {
  /** 1-based line where the entry starts. */
  readonly line: number;
  readonly outcome: RowOutcome;
  /** An entry of a sitemap index: the URL is of a sitemap, not of a page. */
  readonly sitemap: boolean;
}

/** A longer entry is not valid: the protocol allows URLs of 2,048 characters. */
const MAX_ENTRY_CHARS = 1 << 18;
const MAX_TAG_CHARS = 4096;
const LINE_FEED = 10;
/** The start of a comment, or the start or end of an entry with any namespace prefix. */
const TOKEN = /<!--|<(\/?)(?:[\w-]+:)?(url|sitemap)(?:\s[^<>]*)?>/g;

interface OpenEntry {
  /** Indices into the text: of the tag, and of what follows it. */
  readonly start: number;
  readonly bodyStart: number;
  readonly line: number;
  readonly sitemap: boolean;
}

/**
 * Reads every character once, whatever the file holds: entries that never end must not make it search for their end
 * again and again.
 */
export class SitemapScanner {
  #text = "";
  /** The text before this index has been read. */
  #at = 0;
  #line = 1;
  #open: OpenEntry | undefined;
  #inComment = false;

  *push(chunk: string): Generator<SitemapEntry> {
    this.#append(chunk);
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
      TOKEN.lastIndex = this.#at;
      const token = TOKEN.exec(this.#text);
      if (token === null) {
        // The rest may end in the beginning of a tag.
        const tag = this.#text.lastIndexOf("<");
        const isKept = tag >= this.#at && this.#text.length - tag < MAX_TAG_CHARS;
        this.#advance(isKept ? tag : this.#text.length);
        if (this.#open !== undefined && this.#at - this.#open.start > MAX_ENTRY_CHARS) yield this.#unended();
        return;
      }
      const [tag, slash, name] = token;
      this.#advance(token.index);
      if (name === undefined) {
        this.#inComment = true;
      } else if (slash === "/") {
        const open = this.#open;
        this.#open = undefined;
        if (open !== undefined) {
          const outcome = entryOf(withoutComments(this.#text.slice(open.bodyStart, token.index)));
          yield { line: open.line, outcome, sitemap: open.sitemap };
        }
      } else {
        // An entry that does not end before the next one begins is damaged; the next one is not.
        if (this.#open !== undefined) yield this.#unended();
        const bodyStart = token.index + tag.length;
        this.#open = { start: token.index, bodyStart, line: this.#line, sitemap: name === "sitemap" };
      }
      this.#advance(token.index + tag.length);
    }
  }

  *end(): Generator<SitemapEntry> {
    if (this.#open === undefined) return;
    const { line, sitemap } = this.#open;
    yield { line, outcome: "entry is cut off by the end of the file", sitemap };
  }

  #unended(): SitemapEntry {
    const { line, sitemap } = this.#open!;
    this.#open = undefined;
    return { line, outcome: UNENDED, sitemap };
  }

  /** Drops what has been read and is part of no open entry. */
  #append(chunk: string): void {
    const from = this.#open?.start ?? this.#at;
    this.#text = this.#text.slice(from) + chunk;
    this.#at -= from;
    const open = this.#open;
    if (open !== undefined) this.#open = { ...open, start: 0, bodyStart: open.bodyStart - from };
  }

  #advance(to: number): void {
    // Not by indexOf, which would look for the next line beyond `to` again and again.
    for (let at = this.#at; at < to; at++) if (this.#text.charCodeAt(at) === LINE_FEED) this.#line++;
    this.#at = to;
  }
}

const UNENDED = "entry does not end";

function entryOf(body: string): RowOutcome {
  const url = elementText(body, LOC)?.trim();
  if (url === undefined || url === "") return "entry without loc";
  if (!isWebUrl(url)) return NO_WEB_URL;
  const timeMs = parseTime(elementText(body, LASTMOD)?.trim() ?? "");
  return { url, status: 0, ...(timeMs !== undefined && { timeMs }) };
}

/** Only the entry's own: image:loc and the like are parts of the page. */
const LOC = /<(?:(?!image:|video:|news:)[\w-]+:)?loc(?:\s[^<>]*)?>/;
const LASTMOD = /<(?:(?!image:|video:|news:)[\w-]+:)?lastmod(?:\s[^<>]*)?>/;

/** Whether a text begins as XML does and has a sitemap's root element near its start. */
export function isSitemap(start: string): boolean {
  return /^\ufeff?\s*</.test(start) && /<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/.test(start.slice(0, 1 << 14));
}
