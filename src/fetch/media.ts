/** What a page shows besides text: pictures, films, frames, drawings, files to download, links elsewhere, fields of forms. */
import { hash } from "node:crypto";

const ELEMENTS = /<(img|i?frame|embed|video|audio|source|track|object|input|a)\b/gi;
/** Up to the value of the next attribute, or with it where it is in quotation marks. */
const NEXT_VALUE = /[^>=]*=\s*(?:"[^"]*"|'[^']*')?/y;
const ATTRIBUTES = /(?<![a-z-])([a-z][a-z-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
/** Pictures that are loaded once they are scrolled to are named beside the one for all that stands there until then. */
const REFERENCES = /^(?:src|srcset|data|poster|data-(?:[a-z-]*src|[a-z-]*srcset|original|lazy|image|bg|background))$/;
/** In a style, of an element or of the page. */
const STYLED = /\burl\(([^()]*)\)/gi;
const QUOTED = /^(["']|&quot;|&#39;)(.*)\1$/s;
/** What is a file whatever its query says. */
const FILE =
  /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|ico|mp4|webm|mp3|ogg|wav|swf|pdf|epub|docx?|xlsx?|pptx?|od[pst]|rtf|csv|ics|apk|deb|dmg|exe|iso|jar|msi|rpm|rar|torrent|zip|7z|tar|t?gz|bz2|xz|zst)$/i;
/** Fields whose content readers see. */
const FIELDS = /^(?:|text|search|number|range|date|time|month|week|datetime-local|email|tel|url|color)$/i;
/** More than a page is known by. */
const MOST_MEDIA = 300;
const MOST_CHARACTERS = 300;

/**
 * Names of all that, once each. Hosts are left out, since one file comes from several, and so is what says from where: "../".
 * The query of a script's picture counts, but for what it says of the page's own URL. A link elsewhere keeps its host, and
 * is left out where it says from where it comes.
 */
export function mediaOf(url: string, html: string): string[] {
  const page = URL.canParse(url) ? new URL(url) : undefined;
  const own = new Set(page?.searchParams.values());
  const names = new Set<string>();
  const add = (name: string) => {
    // Names have no white space: they are stored one a line, and lines with spaces are data.
    if (name !== "" && names.size < MOST_MEDIA) names.add(name.replace(/\s+/g, "+"));
  };
  for (const { element, text } of elementsOf(html)) {
    const attributes = attributesOf(text);
    if (/^a$/i.test(element)) {
      const href = attributes.get("href") ?? "";
      if (FILE.test(pathOf(href))) add(nameOf(href, own));
      else if (page !== undefined) add(elsewhere(href, page, own));
      continue;
    }
    const value = attributes.get("value") ?? "";
    if (/^input$/i.test(element) && value !== "" && !own.has(value) && FIELDS.test(attributes.get("type") ?? "")) {
      add(`field:${attributes.get("name") ?? ""}=${digestOf(value)}`);
    }
    for (const [name, reference] of attributes) {
      if (REFERENCES.test(name)) add(nameOf(name.endsWith("srcset") ? firstOf(reference) : reference, own));
    }
  }
  for (const [, text = ""] of html.matchAll(STYLED)) {
    const reference = text.trim();
    add(nameOf(QUOTED.exec(reference)?.[2] ?? reference, own));
  }
  for (const drawing of drawingsOf(html)) add(`svg:${digestOf(drawing)}`);
  return [...names];
}

/** With the text of their attributes, which ends at the first ">" that is not in quotation marks. */
function* elementsOf(html: string): Generator<{ readonly element: string; readonly text: string }> {
  const opening = new RegExp(ELEMENTS);
  const value = new RegExp(NEXT_VALUE);
  for (let open = opening.exec(html); open !== null; open = opening.exec(html)) {
    const start = opening.lastIndex;
    let at = start;
    for (value.lastIndex = at; value.test(html); ) at = value.lastIndex;
    const end = html.indexOf(">", at);
    opening.lastIndex = end < 0 ? html.length : end;
    yield { element: open[1]!, text: html.slice(start, opening.lastIndex) };
  }
}

function attributesOf(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single, bare] of text.matchAll(ATTRIBUTES)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, (double ?? single ?? bare ?? "").trim());
  }
  return attributes;
}

const digestOf = (text: string) => hash("sha1", text, "hex").slice(0, 16);
const pathOf = (reference: string) => reference.replace(/[?#].*/s, "");
/** Of pictures for screens of several sizes. */
const firstOf = (pictures: string) => pictures.split(/[\s,]/, 1)[0]!;

function nameOf(reference: string, own: ReadonlySet<string>): string {
  // A picture in the page itself: whatever it is, two looks tell.
  if (/^data:/i.test(reference)) return `data:${digestOf(reference)}`;
  if (/^(?:about|javascript|blob):/i.test(reference)) return "";
  const [location = "", query = ""] = reference.replaceAll("&amp;", "&").replace(/#.*/s, "").split("?", 2);
  const path = location.replace(/^(?:[a-z]+:)?\/\/[^/]*/i, "").replace(/^[./]+/, "");
  const parameters = FILE.test(path) ? [] : [...new URLSearchParams(query)];
  return `${path}${said(parameters, own)}`.slice(0, MOST_CHARACTERS);
}

/** What a query says that is no place and not said by the page's own URL. */
function said(parameters: readonly (readonly [string, string])[], own: ReadonlySet<string>): string {
  const kept = parameters.filter(([, value]) => !own.has(value) && !value.includes("/"));
  return kept.map(([name, value]) => `?${name}=${value}`).join("");
}

/** Where a link leads to another host than the page's; nothing where it takes the page's address along, to be shared or checked. */
function elsewhere(href: string, page: URL, own: ReadonlySet<string>): string {
  const reference = href.replaceAll("&amp;", "&");
  if (!/^(?:https?:)?\/\//i.test(reference) || !URL.canParse(reference, page.href)) return "";
  const { host, pathname, search, searchParams } = new URL(reference, page.href);
  if (host === page.host || `${pathname}${search}`.includes(page.hostname)) return "";
  return `//${host}${pathname}${said([...searchParams], own)}`.slice(0, MOST_CHARACTERS);
}

function* drawingsOf(html: string): Generator<string> {
  const opening = /<svg/gi;
  const closing = /<\/svg/gi;
  for (let open = opening.exec(html); open !== null; open = opening.exec(html)) {
    closing.lastIndex = open.index;
    const end = closing.exec(html)?.index;
    if (end === undefined) return;
    yield html.slice(open.index, end);
    opening.lastIndex = end;
  }
}
