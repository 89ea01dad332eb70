/** What a WARC record says about a page. A pure function, so that worker threads can run it. */
import { hash } from "node:crypto";
import { canonicalOf } from "../../http/link-header.js";
import { decodeBody, type HttpMessage, parseHttpMessage } from "../../http/message.js";
import { readContent } from "../../http/page-content.js";
import { isWebUrl, parseDigest, parseMediaType, parseTime, resolveUrl } from "../../http/values.js";
import type { PageRecord } from "../../model.js";
import { parseWarcHead, type WarcRecord } from "./warc-records.js";

export type WarcOutcome =
  /** `doubt`: a reason to report although the page is kept. */
  | { readonly kind: "page"; readonly page: PageRecord; readonly doubt?: string }
  /** A sound record that is not a page: a request, metadata, a DNS answer, ... */
  | { readonly kind: "other"; readonly what: string }
  | { readonly kind: "damaged"; readonly reason: string };

/** Decoded bytes of a body that are read; the rest is cut. */
export const MAX_BODY_BYTES = 8 << 20;

const BODY_CUT = `body breaks off or is longer than ${MAX_BODY_BYTES >> 20} MB, its beginning is kept`;

const declaredCut = ["warc-truncated", "warc-segment-number"];

const pageTypes: ReadonlySet<string> = new Set(["response", "resource", "conversion", "revisit"]);

/** Whether records of this type can be pages: the others need not be sent to `pageFromRecord`. */
export function mayBePage(record: WarcRecord): boolean {
  return pageTypes.has(record.type);
}

export function pageFromRecord(record: WarcRecord): WarcOutcome {
  if (!mayBePage(record)) return { kind: "other", what: `${record.type} record` };
  const headers = parseWarcHead(record.head);
  // Some versions of wget write the URL in angle brackets.
  const url = headers.get("warc-target-uri")?.replace(/^<(.*)>$/, "$1");
  if (url === undefined || url === "") return { kind: "damaged", reason: `${record.type} without WARC-Target-URI` };
  if (!isWebUrl(url)) {
    const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0];
    if (scheme === undefined) return { kind: "damaged", reason: "WARC-Target-URI is not a URL" };
    return { kind: "other", what: `${scheme.toLowerCase()} record` };
  }
  if (isAltered(record, headers)) return { kind: "damaged", reason: "WARC-Block-Digest does not match" };

  let message: HttpMessage;
  if (record.type === "response" || record.type === "revisit") {
    const parsed = parseHttpMessage(record.block);
    if (parsed !== undefined) message = parsed;
    // A revisit may leave the head out. It says the same as a 304: unchanged.
    else if (record.type === "revisit") message = withoutHead(304, headers, new Uint8Array(0));
    else return { kind: "damaged", reason: "response does not begin with an HTTP status line" };
  } else {
    message = withoutHead(200, headers, record.block);
  }
  const declared = parseDigest(headers.get("warc-payload-digest") ?? "");
  const doubted = record.type === "response" && isDoubtful(record, headers, message, declared);
  const page = pageOf(url, record, headers, message, doubted ? undefined : declared);
  if (doubted) return { kind: "page", page, doubt: "WARC-Payload-Digest does not match, page kept" };
  // A record that the archive itself calls truncated is not damaged.
  const isCutHere = page.cut && page.text !== undefined && !declaredCut.some((name) => headers.has(name));
  return { kind: "page", page, ...(isCutHere && { doubt: BODY_CUT }) };
}

function withoutHead(status: number, headers: ReadonlyMap<string, string>, payload: Uint8Array): HttpMessage {
  const contentType = headers.get("content-type");
  return { status, headers: new Map(contentType === undefined ? [] : [["content-type", contentType]]), payload };
}

/** All writers agree on what a block is: a wrong digest is a damaged record. */
function isAltered(record: WarcRecord, headers: ReadonlyMap<string, string>): boolean {
  const declared = parseDigest(headers.get("warc-block-digest") ?? "");
  return record.block.length === record.blockBytes && contradicts(record.block, declared);
}

/**
 * The payload digest is the only guard that most plain WARC files have. Writers disagree on the payload of bodies with
 * a transfer coding (some even renamed those headers), so only other bodies are checked, and the page is kept.
 */
function isDoubtful(
  record: WarcRecord,
  headers: ReadonlyMap<string, string>,
  message: HttpMessage,
  declared: string | undefined,
): boolean {
  if (record.block.length < record.blockBytes || headers.has("warc-truncated")) return false;
  for (const name of message.headers.keys()) if (/(?:content|transfer)-encoding$/.test(name)) return false;
  return contradicts(message.payload, declared);
}

function contradicts(bytes: Uint8Array, digest: string | undefined): boolean {
  const [name, hex] = digest?.split(":") ?? [];
  if (name !== "sha1" && name !== "sha256" && name !== "md5") return false;
  return hash(name, bytes, "hex") !== hex;
}

function pageOf(
  url: string,
  record: WarcRecord,
  headers: ReadonlyMap<string, string>,
  message: HttpMessage,
  declaredDigest: string | undefined,
): PageRecord {
  const revisit = record.type === "revisit";
  const contentType = message.headers.get("content-type");
  const mediaType =
    parseMediaType(contentType ?? "") ?? parseMediaType(headers.get("warc-identified-payload-type") ?? "");
  const timeMs = parseTime(headers.get("warc-date") ?? "");
  const address = headers.get("warc-ip-address");
  const body = revisit ? undefined : decodeBody(message, MAX_BODY_BYTES);
  const incomplete = record.block.length < record.blockBytes || declaredCut.some((name) => headers.has(name));
  const cut = !revisit && (incomplete || (body?.cut ?? false));
  const digest = declaredDigest ?? (body !== undefined && !cut ? `sha1:${hash("sha1", body.bytes, "hex")}` : undefined);
  const content = body === undefined ? undefined : readContent(url, contentType ?? mediaType, body.bytes);
  const location = message.headers.get("location");
  const redirectTo =
    location !== undefined && message.status >= 300 && message.status < 400
      ? resolveUrl(location, url)
      : content?.refreshTo;
  const canonical = content?.canonical ?? canonicalOf(message.headers.get("link") ?? "", url);
  const refersToMs = parseTime(headers.get("warc-refers-to-date") ?? "");
  const refersTo = headers.get("warc-refers-to-target-uri");
  return {
    url,
    status: message.status,
    ...(timeMs !== undefined && { timeMs }),
    ...(address !== undefined && { address }),
    ...(mediaType !== undefined && { mediaType }),
    ...(body !== undefined && !cut && { bodyBytes: body.bytes.length }),
    ...(digest !== undefined && { digest }),
    ...(content?.title && { title: content.title }),
    ...(content?.text !== undefined && { text: content.text }),
    ...(content?.links !== undefined && { links: content.links }),
    ...(content?.shingles !== undefined && { shingles: content.shingles }),
    ...(content?.sketch !== undefined && { sketch: content.sketch }),
    ...(redirectTo !== undefined && { redirectTo }),
    ...(canonical !== undefined && { canonical }),
    ...(cut && { cut }),
    ...(revisit && {
      revisitOf: {
        ...(refersTo !== undefined && { url: refersTo }),
        ...(refersToMs !== undefined && { timeMs: refersToMs }),
      },
    }),
  };
}
