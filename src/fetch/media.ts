/**
 * What pages show besides text. The pictures of an album may have the same words around them: pages that say the same but
 * show different things at every look are two.
 */
import type { Comparison } from "../validate/looks/same-page.js";
import { MAX_TEXT_LENGTH } from "./answered-page.js";

const ELEMENTS = /<(?:img|iframe|embed|video|audio|source|object)\b[^>]*/gi;
const REFERENCE = /\b(?:src|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** What is a file whatever its query says. */
const FILE = /\.(?:jpe?g|png|gif|webp|avif|svg|bmp|ico|mp4|webm|mp3|ogg|wav|swf|pdf)$/i;
/** More than it takes to recognise a page. */
const MOST_MEDIA = 300;
const MOST_CHARACTERS = 300;
/** A picture that is drawn at random was another one by then. */
const MOST_LOOKS = 8;

/**
 * Names of the pictures, frames and films of a page, once each. Hosts are left out, since one file comes from several, and so is
 * what says from where: "../". The query of a script's picture counts, but for what it says of the page's own URL.
 */
export function mediaOf(url: string, body: Uint8Array): string[] {
  const html = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1");
  const own = new Set(URL.canParse(url) ? new URL(url).searchParams.values() : []);
  const names = new Set<string>();
  for (const [element] of html.matchAll(ELEMENTS)) {
    const [, double, single, bare] = REFERENCE.exec(element) ?? [];
    const name = nameOf((double ?? single ?? bare ?? "").trim(), own);
    if (name !== "") names.add(name);
    if (names.size === MOST_MEDIA) break;
  }
  return [...names];
}

function nameOf(reference: string, own: ReadonlySet<string>): string {
  // A picture in the page itself: whatever it is, two looks tell.
  if (/^(?:data|about|javascript|blob):/i.test(reference) || /\s/.test(reference)) return "";
  const [location = "", query = ""] = reference.replaceAll("&amp;", "&").replace(/#.*/s, "").split("?", 2);
  const path = location.replace(/^(?:[a-z]+:)?\/\/[^/]*/i, "").replace(/^[./]+/, "");
  const parameters = FILE.test(path) ? [] : [...new URLSearchParams(query)];
  const kept = parameters.filter(([, value]) => !own.has(value) && !value.includes("/"));
  return `${path}${kept.map(([name, value]) => `?${name}=${value}`).join("")}`.slice(0, MOST_CHARACTERS);
}

interface Shown {
  readonly media: readonly string[];
  readonly text: string;
  readonly digest?: string;
}

/** Of longer texts only the beginning is kept. */
const isCut = ({ text }: Shown) => text.length >= MAX_TEXT_LENGTH;

/**
 * Two pages with the same text, by all looks at each: are they one? Where the text was cut, nobody knows. They are two only
 * if each always shows something that the other never does.
 */
export function compareMedia(a: readonly Shown[], b: readonly Shown[]): Comparison {
  if ((a.some(isCut) || b.some(isCut)) && a[0]!.digest !== b[0]!.digest) {
    return { sameness: "not comparable", lookAgain: false };
  }
  const isOwn = hasOwn(a, b) && hasOwn(b, a);
  return isOwn
    ? { sameness: "different", lookAgain: Math.min(a.length, b.length) < MOST_LOOKS }
    : { sameness: "same", lookAgain: false };
}

function hasOwn(looks: readonly Shown[], others: readonly Shown[]): boolean {
  const elsewhere = new Set(others.flatMap(({ media }) => media));
  return looks[0]!.media.some((name) => !elsewhere.has(name) && looks.every(({ media }) => media.includes(name)));
}
