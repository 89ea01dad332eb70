/** CDX and CDXJ: the index lines that archives keep next to their WARC files. */

import { NO_WEB_URL, type RowOutcome } from "../../http/row-outcome.js";
import { isWebUrl, parseDigest, parseMediaType, parseStatus, parseTime, resolveUrl } from "../../http/values.js";
import type { PageRecord } from "../../model.js";
import { mapColumns } from "./fields.js";

/** The first six fields of every common layout, with 9 or 11 fields or from a CDX server. */
const COMMON_FIELDS = "N b a m s k";
const HEADER = /^(\s?)CDX((?:\s\S)+)\s*$/;

/** Whether the URL of an index line names something that is not a page: a DNS answer, the archive itself. */
const isOtherKind = (url: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(url);
/** Indexers that list every record mark those that are not answers of a server. */
const isOtherRecord = (mime: string): boolean => /^warc(?:\/(?!revisit)|-info)/.test(mime);

/** CDX (archive.org/web/researcher/cdx_legend.php): a header line gives the order of the one-letter fields. */
export class CdxParser {
  #delimiter = " ";
  #fields = COMMON_FIELDS.split(" ");
  #exact = false;

  parse(line: string): RowOutcome {
    const header = HEADER.exec(line);
    if (header !== null) {
      // The line's first character is the delimiter; files that lost it are read anyway.
      this.#delimiter = header[2]![0] ?? " ";
      this.#fields = header[2]!.trim().split(this.#delimiter);
      this.#exact = true;
      return undefined;
    }
    if (line.trim() === "") return undefined;
    const values = line.split(this.#delimiter);
    if (this.#exact ? values.length !== this.#fields.length : values.length < this.#fields.length) {
      return "number of fields is not the header's";
    }
    const field = (letter: string): string => {
      const value = values[this.#fields.indexOf(letter)];
      return value === undefined || value === "-" ? "" : value;
    };
    return pageFromIndex({
      url: field("a"),
      date: field("b"),
      mime: field("m"),
      status: field("s"),
      digest: field("k") || field("c"),
      redirect: field("r"),
      address: field("e"),
    });
  }
}

/** CDXJ (pywb, Common Crawl): sort key, 14-digit date, and a JSON object. */
export function parseCdxj(line: string): RowOutcome {
  if (line.trim() === "" || line.startsWith("!")) return undefined;
  const match = /^(\S+) (\d{4,17}) (\{.*\})\s*$/.exec(line);
  if (match === null) return "not a CDXJ line";
  let object: Record<string, unknown>;
  try {
    object = JSON.parse(match[3]!) as Record<string, unknown>;
  } catch {
    return "not valid JSON";
  }
  const names = Object.keys(object);
  const columns = mapColumns(names);
  const text = (value: unknown): string =>
    typeof value === "string" || typeof value === "number" ? String(value) : "";
  const field = (name: Parameters<typeof columns.get>[0]): string => text(object[names[columns.get(name) ?? -1] ?? ""]);
  return pageFromIndex({
    url: field("url"),
    date: match[2]!,
    // Common Crawl has the server's type in "mime" and its own finding in "mime-detected".
    mime: text(object.mime) || field("mediaType"),
    status: field("status"),
    digest: field("digest"),
    redirect: field("redirectTo"),
    address: field("address"),
  });
}

function pageFromIndex(
  row: Record<"url" | "date" | "mime" | "status" | "digest" | "redirect" | "address", string>,
): RowOutcome {
  if (row.url === "") return "no URL";
  if (isOtherRecord(row.mime)) return undefined;
  if (!isWebUrl(row.url)) return isOtherKind(row.url) ? undefined : NO_WEB_URL;
  const timeMs = parseTime(row.date);
  if (timeMs === undefined) return "date is not one";
  const revisit = row.mime === "warc/revisit";
  // A 304 and a revisit say the same: unchanged.
  const status = row.status !== "" ? parseStatus(row.status) : revisit ? 304 : 0;
  if (status === undefined) return "status is not a number";
  const mediaType = revisit ? undefined : parseMediaType(row.mime);
  const digest = parseDigest(row.digest);
  const redirectTo = row.redirect === "" ? undefined : resolveUrl(row.redirect, row.url);
  const page: PageRecord = {
    url: row.url,
    status,
    timeMs,
    ...(row.address !== "" && { address: row.address }),
    ...(mediaType !== undefined && { mediaType }),
    ...(digest !== undefined && { digest }),
    ...(redirectTo !== undefined && { redirectTo }),
    ...(revisit && { revisitOf: { url: row.url } }),
  };
  return page;
}

export const isCdxHeader = (line: string): boolean => HEADER.test(line);

/** A line of a CDX without header: sort key, date, URL, media type, status, checksum. */
export const isCdxLine = (line: string): boolean =>
  /^\S+ \d{14} [a-z][a-z0-9+.-]*:\S* \S+ (?:\d{3}|-) [A-Z2-7]{32}(?: \S+)*\s*$/i.test(line);

export const isCdxjLine = (line: string): boolean => /^\S+ \d{14,17} \{".*\}\s*$/.test(line);
