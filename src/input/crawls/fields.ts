/**
 * Which field of a table or an object means what: one table of synonyms for CSV, JSONL and Parquet. Names are compared
 * without regard to case, spaces and punctuation, so that "Status Code", "status_code" and "statusCode" are the same
 * name.
 */

import { hash } from "node:crypto";
import { type PageContent, readHtml, readText } from "../../http/page-content.js";
import { NO_WEB_URL, type RowOutcome } from "../../http/row-outcome.js";
import {
  absoluteUrl,
  isWebUrl,
  parseDigest,
  parseMediaType,
  parseSize,
  parseStatus,
  parseTime,
  resolveUrl,
} from "../../http/values.js";
import { utf8Html } from "../../sketch/charset.js";
import { decodeSketch, isSketch } from "../../sketch/sketch.js";

/** What a row can say. Of several synonyms in one row, the first in this table wins. */
const fieldSynonyms = {
  url: [
    "url",
    "address",
    "uri",
    "originalurl",
    "pageurl",
    "fullurl",
    "requesturl",
    "loc",
    "link",
    "href",
    "page",
    "adresse",
    "direccion",
    "indirizzo",
  ],
  status: [
    "statuscode",
    "fetchstatus",
    "httpstatus",
    "httpstatuscode",
    "responsecode",
    "httpcode",
    "responsestatus",
    // After the others: Screaming Frog has "OK" in it.
    "status",
  ],
  // Not warc_record_length or a CDXJ's length: those count the compressed record with its headers.
  bodyBytes: ["sizebytes", "size", "bodybytes", "bodysize", "contentlength", "contentsize", "bytes", "pagesize"],
  digest: ["contentdigest", "digest", "payloaddigest", "hash", "contenthash", "sha1", "sha256", "md5", "checksum"],
  mediaType: [
    "contentmimedetected",
    "contenttype",
    "mediatype",
    "mimetype",
    "contentmimetype",
    "mime",
    "ctype",
    "content",
  ],
  timeMs: [
    "fetchtime",
    "crawltimestamp",
    "timestamp",
    "fetchedat",
    "crawledat",
    "crawltime",
    "loadedtime",
    "crawldate",
    "time",
    "date",
  ],
  redirectTo: [
    "redirecturl",
    "redirecturi",
    "redirectto",
    "redirect",
    "fetchredirect",
    "location",
    "loadedurl",
    "finalurl",
  ],
  canonical: ["canonicallinkelement1", "canonicallinkelement", "canonicalurl", "canonicallink", "canonical"],
  title: ["title1", "title", "pagetitle"],
  // The server's. Not "ip" or "remote address": in logs, which come as tables too, those are visitors'. "address" is
  // last: in most tables that is the URL, which does not look like an address.
  address: ["serverip", "serveripaddress", "serveraddress", "hostip", "warcipaddress", "address"],
  method: ["method", "requestmethod", "httpmethod", "httprequestmethod", "verb"],
  text: ["text", "bodytext", "plaintext", "pagetext"],
  html: ["html", "rawhtml", "body", "responsebody"],
  links: ["links", "outlinks", "outgoinglinks"],
  // Of files that `dustpan sketch` wrote.
  shingles: ["shingles"],
  sketch: ["sketch"],
} as const;

export type FieldName = keyof typeof fieldSynonyms;

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, "");

/** The column of each field, where there is one. `urlColumn`: the user says which holds the URL. */
export function mapColumns(names: readonly string[], urlColumn?: string): Map<FieldName, number> {
  const positions = new Map<string, number>();
  names.forEach((name, i) => {
    const key = folded(name);
    if (!positions.has(key)) positions.set(key, i);
  });
  const columns = new Map<FieldName, number>();
  for (const [field, synonyms] of Object.entries(fieldSynonyms)) {
    const name = synonyms.find((synonym) => positions.has(synonym));
    if (name !== undefined) columns.set(field as FieldName, positions.get(name)!);
  }
  if (urlColumn === undefined) return columns;
  const named = names.includes(urlColumn) ? names.indexOf(urlColumn) : positions.get(folded(urlColumn));
  // It has no other meaning, whatever it is called.
  for (const [field, at] of columns) if (field === "url" || at === named) columns.delete(field);
  if (named !== undefined) columns.set("url", named);
  return columns;
}

/** A value as CSV, JSON and Parquet give it. */
export type FieldValue = unknown;

const asText = (value: FieldValue): string =>
  typeof value === "string"
    ? value.trim()
    : typeof value === "number" || typeof value === "bigint"
      ? String(value)
      : "";

/** What the rows of a source have in common. */
export interface FieldSource {
  /** For URLs without scheme or origin. */
  readonly base?: string | undefined;
  /** The algorithm of its digests, where they do not name it. */
  readonly digestName?: string | undefined;
}

/** The page that a row describes, or why it does not. A row of a request with another method is of another kind. */
export function pageFromFields(get: (field: FieldName) => FieldValue, from: FieldSource): RowOutcome {
  const method = asText(get("method")).toUpperCase();
  if (method !== "" && method !== "GET" && method !== "HEAD") return undefined;
  const written = asText(get("url"));
  if (written === "") return "no URL";
  const url = absoluteUrl(written, from.base);
  if (url === undefined) return NO_WEB_URL;
  const statusText = asText(get("status"));
  const body = bodyOf(get("html"), get("text"));
  const content = contentOf(body, get, url);
  if (typeof content === "string") return content;
  // There is a page, so a status that was not written can only be 200. An empty body says nothing.
  const unknown = content.text === undefined || body?.length === 0 ? 0 : 200;
  const status = statusText === "" || statusText === "-" ? unknown : parseStatus(statusText);
  if (status === undefined) return "status is not a number";
  const links = resolveLinks(get("links"), url) ?? content.links;
  const title = asText(get("title")) || content.title;
  const redirect = asText(get("redirectTo"));
  const redirectTo = (redirect === "" ? undefined : resolveUrl(redirect, url)) ?? content.refreshTo;
  const canonicalText = asText(get("canonical"));
  const canonical = (canonicalText === "" ? undefined : resolveUrl(canonicalText, url)) ?? content.canonical;
  const digest = parseDigest(asText(get("digest")), from.digestName) ?? (body && digestOf(body));
  const bodyBytes = method === "HEAD" ? undefined : (parseSize(asText(get("bodyBytes"))) ?? body?.length);
  const timeMs = timeOf(get("timeMs"));
  const mediaType = parseMediaType(asText(get("mediaType")));
  const address = asText(get("address"));
  return {
    url,
    status,
    ...(timeMs !== undefined && { timeMs }),
    ...(/^[\da-f.:]{3,45}$/i.test(address) && { address }),
    ...(mediaType !== undefined && { mediaType }),
    ...(bodyBytes !== undefined && { bodyBytes }),
    ...(digest !== undefined && { digest }),
    ...(title && { title }),
    ...(content.text !== undefined && { text: content.text }),
    ...(links !== undefined && { links }),
    ...(content.shingles !== undefined && { shingles: content.shingles }),
    ...(content.sketch !== undefined && { sketch: content.sketch }),
    // Crawlers that give the final URL give it also where nothing redirected.
    ...(redirectTo !== undefined && redirectTo !== url && redirectTo !== resolveUrl(url, url) && { redirectTo }),
    ...(canonical !== undefined && { canonical }),
  };
}

const encoder = new TextEncoder();

/** The page itself, where a row holds it: the bytes that were received, or its characters in UTF-8. */
function bodyOf(html: FieldValue, text: FieldValue): Uint8Array | undefined {
  const bytes = typeof html === "string" ? encoder.encode(html) : html;
  return bytes instanceof Uint8Array && isBody(bytes, text) ? bytes : undefined;
}

/** The digest of a body, in the form that archives use. */
const digestOf = (body: Uint8Array): string => `sha1:${hash("sha1", body, "hex")}`;

/** Of a page's body, or else of the text that the crawler made of it, or of its sketches; a string says what is wrong. */
function contentOf(
  body: Uint8Array | undefined,
  get: (field: FieldName) => FieldValue,
  url: string,
): Partial<PageContent> | string {
  // A string is decoded already, whatever charset the page declares.
  if (body !== undefined) return readHtml(typeof get("html") === "string" ? body : utf8Html(body), url, body);
  const text = get("text");
  return typeof text === "string" ? readText(text) : sketchedContent(get("shingles"), get("sketch"));
}

const LESS_THAN = 0x3c;
const SPACE = 0x20;

/**
 * Markup or words; a name or a code for a body that is elsewhere has neither. An empty body counts too, unless its text
 * is given.
 */
function isBody(bytes: Uint8Array, text: FieldValue): boolean {
  return bytes.length === 0 ? asText(text) === "" : bytes.includes(LESS_THAN) || bytes.includes(SPACE);
}

/** Made from a page that is not here itself. */
function sketchedContent(shingles: FieldValue, sketch: FieldValue): Partial<PageContent> | string {
  const isSketched = sketch instanceof Uint8Array;
  if (isSketched && !isSketch(sketch)) return "not a sketch of format 1";
  return {
    ...(shingles instanceof Uint8Array && { shingles: new BigUint64Array(Uint8Array.from(shingles).buffer) }),
    ...(isSketched && { sketch: decodeSketch(sketch) }),
  };
}

function timeOf(value: FieldValue): number | undefined {
  return value instanceof Date ? value.getTime() : parseTime(asText(value));
}

/** A list of URLs, or of objects with one; in a table's cell, URLs between white space. A number of links is not a list. */
function resolveLinks(value: FieldValue, url: string): string[] | undefined {
  if (typeof value === "string") {
    const listed = value.split(/\s+/).filter(isWebUrl);
    return listed.length === 0 ? undefined : resolveLinks(listed, url);
  }
  if (!Array.isArray(value)) return undefined;
  const links = new Set<string>();
  for (const item of value as readonly FieldValue[]) {
    const object = typeof item === "object" && item !== null ? (item as Record<string, FieldValue>) : undefined;
    const reference = object === undefined ? item : (object.url ?? object.href);
    const link = typeof reference === "string" && reference !== "" ? resolveUrl(reference, url) : undefined;
    if (link !== undefined) links.add(link);
  }
  return [...links];
}

/** The algorithm that a digest column's name reveals. */
export function digestNameOf(columnName: string | undefined): string | undefined {
  const name = folded(columnName ?? "");
  return name === "sha1" || name === "sha256" || name === "md5" ? name : undefined;
}
