import { equals } from "./name-table.js";
import { ATTRIBUTES, BLOCK, HIDDEN, NOSCRIPT, PREFORMATTED, type Tag, TEMPLATE, TEXT_ONLY, tagTable } from "./tags.js";
import { TextBuilder, ValueBuilder } from "./text-builder.js";

/** What dustpan needs from a page. */
export interface HtmlDocument {
  /** Of the first title element, on one line; "" where there is none. */
  readonly title: string;
  /** The page's text, the title included: one line per block element, white space collapsed, letter case kept. */
  readonly text: string;
  /**
   * href of a and area, src of frame and iframe, in document order: references decoded, white space at the ends and
   * newlines removed, not yet resolved. Empty ones are left out.
   */
  readonly links: readonly string[];
  /** href of the first base element, unresolved. */
  readonly base?: string;
  /** href of the first link with rel=canonical, unresolved. */
  readonly canonical?: string;
  /** lang of the html element, in lower case. */
  readonly language?: string;
  /** The page in other languages, and in its own: links with rel=alternate and hreflang, unresolved. */
  readonly alternates?: readonly LanguageLink[];
  /** The first meta refresh that names a target, unresolved. */
  readonly refresh?: { readonly delaySeconds: number; readonly url: string };
  /** content of the meta elements named robots, joined by ", ". */
  readonly robots?: string;
}

export interface LanguageLink {
  /** In lower case; "x-default" where no language fits. */
  readonly language: string;
  readonly url: string;
}

/**
 * Reads a page in one pass and linear time, as the tokenizer of WHATWG HTML 13.2.5 would, without building a tree. Two
 * liberties: CDATA sections are text everywhere, and a script ends at the first </script whatever comments it holds.
 * Bytes are UTF-8 (utf8Html in charset.ts makes them so): markup is ASCII, and an array of bytes is read twice as fast
 * as a string, where everything but the text would be decoded for nothing.
 */
export function parseHtml(html: string | Uint8Array): HtmlDocument {
  const parser = new Parser(typeof html === "string" ? new TextEncoder().encode(html) : html);
  parser.run();
  const { title, base, canonical, language, alternates, refresh, robots } = parser;
  return {
    title: title ?? "",
    text: parser.text.toString(),
    links: parser.links.toArray(),
    ...(base !== undefined && { base }),
    ...(canonical !== undefined && { canonical }),
    ...(language !== undefined && { language }),
    ...(alternates.length > 0 && { alternates }),
    ...(refresh !== undefined && { refresh }),
    ...(robots !== undefined && { robots }),
  };
}

const TAB = 0x09;
const DASH = 0x2d;
const SLASH = 0x2f;
const LESS = 0x3c;
const EQUALS = 0x3d;
const GREATER = 0x3e;

const ascii = (text: string) => new TextEncoder().encode(text);
const commentBytes = ascii("--");
const cdataBytes = ascii("[CDATA[");
const hrefBytes = ascii("href");
const srcBytes = ascii("src");
const relBytes = ascii("rel");
const langBytes = ascii("lang");
const hreflangBytes = ascii("hreflang");
const nameBytes = ascii("name");
const contentBytes = ascii("content");
const httpEquivBytes = ascii("http-equiv");
const shadowRootBytes = ascii("shadowrootmode");

const flowText = { references: true, lines: false, tags: true };
const preText = { references: true, lines: true, tags: true };

/** One page is parsed at a time, so all pages share the memory in which text and links are collected. */
let sharedRoom = new Uint8Array(1 << 20);

function roomFor(bytes: number): Uint8Array {
  if (bytes > sharedRoom.length) {
    const room = new Uint8Array(bytes);
    if (bytes > MAX_SHARED_ROOM) return room;
    sharedRoom = room;
  }
  return sharedRoom;
}
const MAX_SHARED_ROOM = 16 << 20;

/** More languages than any page has. */
const MOST_ALTERNATES = 500;

class Parser {
  readonly text: TextBuilder;
  readonly links: ValueBuilder;
  title: string | undefined;
  base: string | undefined;
  canonical: string | undefined;
  language: string | undefined;
  readonly alternates: LanguageLink[] = [];
  refresh: { readonly delaySeconds: number; readonly url: string } | undefined;
  robots: string | undefined;

  #preformatted = 0;
  #noscript = 0;
  #template = 0;
  /** No "]]>" follows: remembered, so that a page full of "<![CDATA[" is searched once. */
  #noMoreCdataEnds = false;
  /** For the tag that scanAttributes read, four numbers per attribute: start and end of the name and of the value. */
  readonly #attributes: number[] = [];
  readonly #html: Uint8Array;

  constructor(html: Uint8Array) {
    this.#html = html;
    const room = roomFor(html.length * 2);
    this.text = new TextBuilder(room.subarray(0, html.length));
    this.links = new ValueBuilder(room.subarray(html.length));
  }

  run(): void {
    const { text } = this;
    const html = this.#html;
    for (let at = 0; at < html.length; ) {
      if (html[at] === LESS) at = this.#readMarkup(at);
      else if (this.#template > 0) at = this.#find(LESS, at);
      else at = text.add(html, at, html.length, this.#preformatted > 0 ? preText : flowText);
    }
  }

  /** Adds text that holds no tags. */
  #addText(start: number, end: number, references: boolean, lines = this.#preformatted > 0): void {
    if (this.#template === 0) this.text.add(this.#html, start, end, { references, lines, tags: false });
  }

  /** Reads what starts with the "<" at `open`; returns the index after it. */
  #readMarkup(open: number): number {
    const html = this.#html;
    const byte = html[open + 1];
    if (isLetter(byte)) return this.#readStartTag(open + 1);
    if (byte === SLASH) {
      if (isLetter(html[open + 2])) return this.#readEndTag(open + 2);
      // "</" before the end of the page is text, "</>" nothing, anything else a comment.
      if (open + 2 < html.length) return this.#skipTag(open + 2);
    } else if (byte === 0x21 /* ! */) {
      return this.#readDeclaration(open);
    } else if (byte === 0x3f /* ? */) {
      return this.#skipTag(open + 2);
    }
    this.#addText(open, open + 1, false);
    return open + 1;
  }

  #readStartTag(start: number): number {
    const nameEnd = this.#endOfName(start);
    const tag = tagTable.find(this.#html, start, nameEnd);
    const bits = tag === undefined ? 0 : tag.bits;
    const end = this.#scanAttributes(nameEnd, (bits & ATTRIBUTES) !== 0);
    // A tag that the page's end cuts off is dropped.
    if (end < 0) return this.#html.length;
    this.#separate(bits);
    if (tag === undefined) return end;
    if (bits & ATTRIBUTES && this.#template === 0) this.#readAttributes(tag.name);
    if (bits & TEMPLATE && (this.#template > 0 || this.#findAttribute(shadowRootBytes) < 0)) this.#template++;
    if (bits & NOSCRIPT) this.#noscript++;
    if (bits & (HIDDEN | TEXT_ONLY)) return this.#readRaw(tag, end);
    if (bits & PREFORMATTED) this.#preformatted++;
    return end;
  }

  #readEndTag(start: number): number {
    const nameEnd = this.#endOfName(start);
    const tag = tagTable.find(this.#html, start, nameEnd);
    const bits = tag === undefined ? 0 : tag.bits;
    const end = this.#scanAttributes(nameEnd, false);
    if (end < 0) return this.#html.length;
    this.#separate(bits);
    if (bits & PREFORMATTED && this.#preformatted > 0) this.#preformatted--;
    if (bits & NOSCRIPT && this.#noscript > 0) this.#noscript--;
    if (bits & TEMPLATE && this.#template > 0) this.#template--;
    return end;
  }

  #separate(bits: number): void {
    if (bits & BLOCK) this.text.endLine();
    else this.text.space();
  }

  /** Reads the content of an element in which only its own end tag counts; returns the index of that end tag. */
  #readRaw(tag: Tag, start: number): number {
    const end = this.#findEndTag(tag.nameBytes, start);
    if (tag.bits & TEXT_ONLY) {
      if (tag.name === "title" && this.title === undefined && this.#template === 0) {
        const title = new TextBuilder(new Uint8Array(end - start));
        title.add(this.#html, start, end, { references: true, lines: false, tags: false });
        this.title = title.toString();
      }
      this.#addText(start, end, tag.name !== "xmp", (tag.bits & PREFORMATTED) !== 0);
    }
    return end;
  }

  #findEndTag(name: Uint8Array, start: number): number {
    const html = this.#html;
    for (let at = this.#find(LESS, start); at < html.length; at = this.#find(LESS, at + 1)) {
      const end = at + 2 + name.length;
      if (html[at + 1] === SLASH && equals(html, at + 2, end, name, true) && endsName(html[end])) return at;
    }
    return html.length;
  }

  /** A comment, a CDATA section, a document type. */
  #readDeclaration(open: number): number {
    const html = this.#html;
    this.text.space();
    if (this.#startsWith(commentBytes, open + 2)) return this.#skipComment(open + 4);
    if (this.#startsWith(cdataBytes, open + 2) && !this.#noMoreCdataEnds) {
      for (let at = this.#find(GREATER, open + 9); at < html.length; at = this.#find(GREATER, at + 1)) {
        if (html[at - 1] !== 0x5d || html[at - 2] !== 0x5d || at - 2 < open + 9) continue;
        this.#addText(open + 9, at - 2, false);
        this.text.space();
        return at + 1;
      }
      this.#noMoreCdataEnds = true;
    }
    return this.#skipTag(open + 2);
  }

  /** A comment ends with "-->" or "--!>", and may do so at once: "<!-->" and "<!--->" are whole. */
  #skipComment(start: number): number {
    const html = this.#html;
    for (let at = this.#find(GREATER, start); at < html.length; at = this.#find(GREATER, at + 1)) {
      if (at === start || (at === start + 1 && html[start] === DASH)) return at + 1;
      const dash = html[at - 1] === 0x21 ? at - 2 : at - 1;
      if (dash - 1 >= start && html[dash] === DASH && html[dash - 1] === DASH) return at + 1;
    }
    return html.length;
  }

  #skipTag(start: number): number {
    this.text.space();
    return Math.min(this.#find(GREATER, start) + 1, this.#html.length);
  }

  /** The next index of the byte from `start` on, or that of the page's end. */
  #find(byte: number, start: number): number {
    const at = this.#html.indexOf(byte, start);
    return at < 0 ? this.#html.length : at;
  }

  #startsWith(word: Uint8Array, at: number): boolean {
    return equals(this.#html, at, Math.min(at + word.length, this.#html.length), word, false);
  }

  #endOfName(start: number): number {
    const html = this.#html;
    let at = start + 1;
    while (at < html.length && !endsName(html[at])) at++;
    return at;
  }

  /** Reads attributes up to the tag's ">"; returns the index after it, or -1 where the page ends first. */
  #scanAttributes(start: number, keep: boolean): number {
    const html = this.#html;
    const attributes = this.#attributes;
    const { length } = html;
    if (keep) attributes.length = 0;
    let at = start;
    while (at < length) {
      const byte = html[at]!;
      if (byte === GREATER) return at + 1;
      if (isSpace(byte) || byte === SLASH) {
        at++;
        continue;
      }
      const nameStart = at;
      // "=" may begin a name, but not continue one.
      at++;
      while (at < length && html[at] !== EQUALS && !endsName(html[at])) at++;
      const nameEnd = at;
      while (at < length && isSpace(html[at])) at++;
      let valueStart = at;
      let valueEnd = at;
      if (at < length && html[at] === EQUALS) {
        at++;
        while (at < length && isSpace(html[at])) at++;
        const quote = at < length ? html[at]! : 0;
        if (quote === 0x22 || quote === 0x27) {
          valueStart = ++at;
          while (at < length && html[at] !== quote) at++;
          valueEnd = at++;
        } else {
          valueStart = at;
          while (at < length && html[at] !== GREATER && !isSpace(html[at])) at++;
          valueEnd = at;
        }
      }
      if (keep) attributes.push(nameStart, nameEnd, valueStart, valueEnd);
    }
    return -1;
  }

  /** Where in `attributes` the first one of that name is, or -1. */
  #findAttribute(name: Uint8Array): number {
    const html = this.#html;
    const attributes = this.#attributes;
    for (let i = 0; i < attributes.length; i += 4)
      if (equals(html, attributes[i]!, attributes[i + 1]!, name, true)) return i;
    return -1;
  }

  /** Its value; undefined where it is absent or empty. */
  #attribute(name: Uint8Array): string | undefined {
    const i = this.#findAttribute(name);
    if (i < 0) return undefined;
    const [start, end] = [this.#attributes[i + 2]!, this.#attributes[i + 3]!];
    const value = new ValueBuilder(new Uint8Array(end - start + 1));
    value.add(this.#html, start, end);
    return value.toArray()[0];
  }

  #addLink(name: Uint8Array): void {
    const i = this.#findAttribute(name);
    if (i >= 0) this.links.add(this.#html, this.#attributes[i + 2]!, this.#attributes[i + 3]!);
  }

  #readAttributes(tag: string): void {
    switch (tag) {
      case "html":
        this.language ??= this.#attribute(langBytes)?.toLowerCase();
        break;
      case "a":
      case "area":
        this.#addLink(hrefBytes);
        this.#addAlternate();
        break;
      case "frame":
      case "iframe":
        this.#addLink(srcBytes);
        break;
      case "base":
        this.base ??= this.#attribute(hrefBytes);
        break;
      case "link":
        if (this.canonical === undefined && hasWord(this.#attribute(relBytes), "canonical"))
          this.canonical = this.#attribute(hrefBytes);
        this.#addAlternate();
        break;
      case "meta":
        this.#readMeta();
        break;
    }
  }

  #addAlternate(): void {
    if (this.#findAttribute(hreflangBytes) < 0 || this.alternates.length === MOST_ALTERNATES) return;
    const [language, url] = [this.#attribute(hreflangBytes)?.toLowerCase(), this.#attribute(hrefBytes)];
    if (language === undefined || url === undefined || !hasWord(this.#attribute(relBytes), "alternate")) return;
    this.alternates.push({ language, url });
  }

  #readMeta(): void {
    const name = this.#attribute(nameBytes)?.toLowerCase();
    const httpEquiv = this.#attribute(httpEquivBytes)?.toLowerCase();
    if (name !== "robots" && httpEquiv !== "refresh") return;
    const content = this.#attribute(contentBytes);
    if (content === undefined) return;
    if (name === "robots") this.robots = this.robots === undefined ? content : `${this.robots}, ${content}`;
    // <noscript><meta http-equiv=refresh> redirects only readers without scripts: the page itself is not a redirect.
    if (httpEquiv === "refresh" && this.#noscript === 0) this.refresh ??= readRefresh(content);
  }
}

/** "5; url=next.html" and its spellings (WHATWG 4.2.5.3). Undefined where no target is named: the page reloads itself. */
export function readRefresh(content: string): { delaySeconds: number; url: string } | undefined {
  const match = /^\s*(\d*)(?:\.[\d.]*)?\s*[;,\s]\s*(?:url\s*=\s*)?(.+)$/is.exec(content);
  if (match === null) return undefined;
  let url = match[2]!.trim();
  const quote = url[0];
  if (quote === '"' || quote === "'") url = url.slice(1).split(quote)[0]!.trim();
  return url === "" ? undefined : { delaySeconds: Number(match[1]), url };
}

function hasWord(list: string | undefined, word: string): boolean {
  return (list ?? "").toLowerCase().split(/\s+/).includes(word);
}

function isLetter(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Tab, newline, form feed, carriage return, space. */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= TAB && byte <= 0x0d && byte !== 0x0b);
}

function endsName(byte: number | undefined): boolean {
  return byte === GREATER || byte === SLASH || isSpace(byte);
}
