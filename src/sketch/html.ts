import { decodeAttribute } from "./entities.js";
import {
  ATTRIBUTES,
  BLOCK,
  findTag,
  HIDDEN,
  isName,
  NOSCRIPT,
  PREFORMATTED,
  type Tag,
  TEMPLATE,
  TEXT_ONLY,
} from "./tags.js";
import { TextBuilder } from "./text-builder.js";

/** What dustpan wants of a page. */
export interface HtmlDocument {
  /** Of the first title element, on one line; "" where there is none. */
  readonly title: string;
  /** The page's text, the title included: one line per block element, white space collapsed, letter case kept. */
  readonly text: string;
  /**
   * href of a and area, src of frame and iframe, in document order: references decoded, white space at the ends removed,
   * not yet resolved. Empty ones are left out. (V8 may keep the page's string alive as long as one of them lives.)
   */
  readonly links: readonly string[];
  /** href of the first base element, unresolved. */
  readonly base?: string;
  /** href of the first link with rel=canonical, unresolved. */
  readonly canonical?: string;
  /** The first meta refresh that names a target, unresolved. */
  readonly refresh?: { readonly delaySeconds: number; readonly url: string };
  /** content of the meta elements named robots, joined by ", ". */
  readonly robots?: string;
}

/**
 * Reads a page in one pass and linear time, as the tokenizer of WHATWG HTML 13.2.5 would, without building a tree. Two
 * liberties: CDATA sections are text everywhere, and a script ends at the first </script whatever comments it holds.
 */
export function parseHtml(html: string): HtmlDocument {
  const parser = new Parser(html);
  parser.run();
  const { title, base, canonical, refresh, robots } = parser;
  return {
    title: title ?? "",
    text: parser.text.toString(),
    links: parser.links,
    ...(base !== undefined && { base }),
    ...(canonical !== undefined && { canonical }),
    ...(refresh !== undefined && { refresh }),
    ...(robots !== undefined && { robots }),
  };
}

const TAB = 0x09;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;

class Parser {
  readonly text = new TextBuilder();
  readonly links: string[] = [];
  title: string | undefined;
  base: string | undefined;
  canonical: string | undefined;
  refresh: { readonly delaySeconds: number; readonly url: string } | undefined;
  robots: string | undefined;

  private preformatted = 0;
  private noscript = 0;
  private template = 0;
  /** No "]]>" follows: known once, so that a page full of "<![CDATA[" is searched once. */
  private noMoreCdataEnds = false;
  /** name, value, name, value, ... of the tag that scanAttributes read. */
  private readonly attributes: string[] = [];

  constructor(private readonly html: string) {}

  run(): void {
    const { html } = this;
    let at = 0;
    while (at < html.length) {
      const open = html.indexOf("<", at);
      const end = open < 0 ? html.length : open;
      if (end > at) this.addText(at, end, true);
      if (open < 0) return;
      at = this.readMarkup(open);
    }
  }

  private addText(start: number, end: number, references: boolean): void {
    if (this.template === 0) this.text.add(this.html, start, end, references, this.preformatted > 0);
  }

  /** Reads what starts with the "<" at `open`; the index after it. */
  private readMarkup(open: number): number {
    const { html } = this;
    const code = html.charCodeAt(open + 1);
    if (isLetter(code)) return this.readStartTag(open + 1);
    if (code === SLASH) {
      if (isLetter(html.charCodeAt(open + 2))) return this.readEndTag(open + 2);
      // "</" before the end of the page is text, "</>" nothing, anything else a comment.
      if (open + 2 < html.length) return this.skipTo(GREATER, open + 2);
    } else if (code === 0x21 /* ! */) {
      return this.readDeclaration(open);
    } else if (code === 0x3f /* ? */) {
      return this.skipTo(GREATER, open + 2);
    }
    this.addText(open, open + 1, false);
    return open + 1;
  }

  private readStartTag(start: number): number {
    const nameEnd = this.endOfName(start);
    const tag = findTag(this.html, start, nameEnd);
    const bits = tag?.bits ?? 0;
    const end = this.scanAttributes(nameEnd, (bits & ATTRIBUTES) !== 0);
    // A tag that the page's end cuts off is dropped.
    if (end < 0) return this.html.length;
    this.separate(bits);
    if (tag === undefined) return end;
    if (bits & ATTRIBUTES && this.template === 0) this.readAttributes(tag.name);
    if (bits & TEMPLATE && (this.template > 0 || this.attribute("shadowrootmode") === undefined)) this.template++;
    if (bits & NOSCRIPT) this.noscript++;
    if (bits & (HIDDEN | TEXT_ONLY)) return this.readRaw(tag, end);
    if (bits & PREFORMATTED) this.preformatted++;
    return end;
  }

  private readEndTag(start: number): number {
    const nameEnd = this.endOfName(start);
    const bits = findTag(this.html, start, nameEnd)?.bits ?? 0;
    const end = this.scanAttributes(nameEnd, false);
    if (end < 0) return this.html.length;
    this.separate(bits);
    if (bits & PREFORMATTED && this.preformatted > 0) this.preformatted--;
    if (bits & NOSCRIPT && this.noscript > 0) this.noscript--;
    if (bits & TEMPLATE && this.template > 0) this.template--;
    return end;
  }

  private separate(bits: number): void {
    if (bits & BLOCK) this.text.endLine();
    else this.text.space();
  }

  /** The content of an element in which no tag but its own end tag counts; the index of that end tag. */
  private readRaw(tag: Tag, start: number): number {
    const { html } = this;
    const end = this.findEndTag(tag.name, start);
    if (tag.bits & TEXT_ONLY && this.template === 0) {
      const references = tag.name !== "xmp";
      if (tag.name === "title" && this.title === undefined) {
        const title = new TextBuilder();
        title.add(html, start, end, true, false);
        this.title = title.toString();
      }
      this.text.add(html, start, end, references, (tag.bits & PREFORMATTED) !== 0);
    }
    return end;
  }

  private findEndTag(name: string, start: number): number {
    const { html } = this;
    for (let at = html.indexOf("</", start); at >= 0; at = html.indexOf("</", at + 2)) {
      const end = at + 2 + name.length;
      if (isName(html, at + 2, end, name) && endsName(html.charCodeAt(end))) return at;
    }
    return html.length;
  }

  /** A comment, a CDATA section, a document type. */
  private readDeclaration(open: number): number {
    const { html } = this;
    this.text.space();
    if (html.startsWith("--", open + 2)) return this.skipComment(open + 4);
    if (html.startsWith("[CDATA[", open + 2) && !this.noMoreCdataEnds) {
      const end = html.indexOf("]]>", open + 9);
      if (end >= 0) {
        this.addText(open + 9, end, false);
        this.text.space();
        return end + 3;
      }
      this.noMoreCdataEnds = true;
    }
    return this.skipTo(GREATER, open + 2);
  }

  private skipComment(start: number): number {
    const { html } = this;
    if (html.startsWith(">", start)) return start + 1;
    if (html.startsWith("->", start)) return start + 2;
    for (let at = html.indexOf("--", start); at >= 0; at = html.indexOf("--", at + 1)) {
      if (html.charCodeAt(at + 2) === GREATER) return at + 3;
      if (html.startsWith("!>", at + 2)) return at + 4;
    }
    return html.length;
  }

  private skipTo(code: number, start: number): number {
    this.text.space();
    const at = this.html.indexOf(String.fromCharCode(code), start);
    return at < 0 ? this.html.length : at + 1;
  }

  private endOfName(start: number): number {
    const { html } = this;
    let at = start + 1;
    while (at < html.length && !endsName(html.charCodeAt(at))) at++;
    return at;
  }

  /** Reads attributes up to the tag's ">"; the index after it, or -1 where the page ends first. */
  private scanAttributes(start: number, keep: boolean): number {
    const { html, attributes } = this;
    if (keep) attributes.length = 0;
    const { length } = html;
    let at = start;
    for (;;) {
      let code = html.charCodeAt(at);
      while (isSpace(code) || code === SLASH) code = html.charCodeAt(++at);
      if (code === GREATER) return at + 1;
      if (at >= length) return -1;
      const nameStart = at;
      // "=" may begin a name, not go on with it.
      do code = html.charCodeAt(++at);
      while (at < length && code !== EQUALS && !endsName(code));
      const nameEnd = at;
      while (isSpace(code)) code = html.charCodeAt(++at);
      let valueStart = at;
      let valueEnd = at;
      if (code === EQUALS) {
        do code = html.charCodeAt(++at);
        while (isSpace(code));
        if (code === 0x22 || code === 0x27) {
          valueStart = ++at;
          while (at < length && html.charCodeAt(at) !== code) at++;
          valueEnd = at++;
        } else {
          valueStart = at;
          while (at < length && code !== GREATER && !isSpace(code)) code = html.charCodeAt(++at);
          valueEnd = at;
        }
        if (at >= length) return -1;
      }
      if (keep) attributes.push(html.slice(nameStart, nameEnd).toLowerCase(), html.slice(valueStart, valueEnd));
    }
  }

  /** Of a repeated attribute the first counts. */
  private attribute(name: string): string | undefined {
    const { attributes } = this;
    for (let i = 0; i < attributes.length; i += 2)
      if (attributes[i] === name) return decodeAttribute(attributes[i + 1]!).trim();
    return undefined;
  }

  private readAttributes(tag: string): void {
    switch (tag) {
      case "a":
      case "area":
        this.addLink(this.attribute("href"));
        break;
      case "frame":
      case "iframe":
        this.addLink(this.attribute("src"));
        break;
      case "base":
        this.base ??= this.attribute("href") || undefined;
        break;
      case "link":
        if (this.canonical === undefined && hasWord(this.attribute("rel"), "canonical"))
          this.canonical = this.attribute("href") || undefined;
        break;
      case "meta":
        this.readMeta();
    }
  }

  private addLink(target: string | undefined): void {
    if (target) this.links.push(target);
  }

  private readMeta(): void {
    const content = this.attribute("content");
    if (content === undefined) return;
    if (this.attribute("name")?.toLowerCase() === "robots")
      this.robots = this.robots === undefined ? content : `${this.robots}, ${content}`;
    // <noscript><meta http-equiv=refresh> sends away only who runs no scripts: the page stays what it is.
    if (this.noscript > 0 || this.refresh !== undefined) return;
    if (this.attribute("http-equiv")?.toLowerCase() === "refresh") this.refresh = readRefresh(content);
  }
}

/** "5; url=next.html" and its spellings (WHATWG 4.2.5.3). Undefined where no target is named: the page reloads itself. */
function readRefresh(content: string): { delaySeconds: number; url: string } | undefined {
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

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/** Tab, newline, form feed, carriage return, space. */
function isSpace(code: number): boolean {
  return code === 0x20 || (code >= TAB && code <= 0x0d && code !== 0x0b);
}

function endsName(code: number): boolean {
  return code === GREATER || code === SLASH || isSpace(code);
}
