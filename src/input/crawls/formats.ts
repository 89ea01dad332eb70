/** The crawl formats for the format table, and how each is recognised. */

import { isSitemap } from "../../http/sitemap.js";
import type { CrawlFormat, Sample } from "../format.js";
import { isArcHeader } from "./arc-records.js";
import { isCdxHeader, isCdxjLine, isCdxLine } from "./cdx.js";
import { isCrawlLogLine } from "./crawl-log.js";
import { headerAbove, headerOf, headerOfRows } from "./csv.js";
import { beginsJsonlLine, isJsonlLine } from "./jsonl.js";
import {
  readArc,
  readCdx,
  readCdxj,
  readCrawlLog,
  readCsv,
  readJsonl,
  readParquetFile,
  readSitemap,
  readUrlList,
  readWarc,
} from "./readers.js";
import { readTar, tarMember } from "./tar.js";
import { isUrlLine, isUrlOrPathLine } from "./url-list.js";

const LINES_LOOKED_AT = 500;

/** The share of the first lines that pass. Comments and empty lines do not count. */
function share(lines: readonly string[], test: (line: string) => boolean): number {
  const looked = lines.filter((line) => line.trim() !== "" && !line.startsWith("#")).slice(0, LINES_LOOKED_AT);
  return looked.length === 0 ? 0 : looked.filter(test).length / looked.length;
}

const startsWith = (sample: Sample, magic: string): boolean =>
  Buffer.from(sample.bytes.subarray(0, magic.length)).toString("latin1") === magic;

const textOf = ({ bytes }: Sample): string => new TextDecoder().decode(bytes);

function detectWarc(sample: Sample): number {
  if (startsWith(sample, "WARC/")) return 1;
  // The first record may be the damaged one.
  const inside = sample.lines.some((line) => /^WARC\/\d\.\d+$/.test(line));
  const named = /\.warc(?:\.|$)/i.test(sample.name);
  return inside && named ? 0.95 : inside ? 0.6 : named ? 0.4 : 0;
}

function detectArc(sample: Sample): number {
  if (startsWith(sample, "filedesc:")) return 1;
  const named = /\.arc(?:\.|$)/i.test(sample.name);
  return isArcHeader((sample.lines[0] ?? "").trimEnd()) ? (named ? 0.95 : 0.7) : named ? 0.4 : 0;
}

function detectCsv(sample: Sample): number {
  const { column } = sample;
  const lines = textOf(sample).split(/\r?\n/, 7);
  const at = lines
    .slice(0, 5)
    .findIndex((line) => !isUrlLine(line) && !line.startsWith("{") && headerOf(line, column) !== undefined);
  if (at < 0) return detectRows(lines, column);
  const header = headerOf(lines[at]!, column)!;
  if (column !== undefined) return 0.99;
  // One column is a list with a title; then only a URL below it distinguishes a table from prose.
  if (header.count === 1) return isUrlLine((lines[at + 1] ?? "").replaceAll('"', "")) ? 0.9 : 0;
  // A column may stand for two fields: "address" is a URL in some tables and a server's address in others.
  const known = new Set(header.columns.values()).size;
  return lines.slice(at + 1).some((line) => /https?:\/\//i.test(line)) ? 0.95 : known >= 2 ? 0.5 : 0;
}

/**
 * A table without a header. Commas and semicolons may be in URLs: rows that begin with a URL belong to a table only
 * where something else says so: a status next to it, a quotation mark, or the user.
 */
function detectRows(lines: readonly string[], column: string | undefined): number {
  const header = headerOfRows(lines[0] ?? "", lines[1] ?? "", column);
  if (header === undefined) return column === undefined ? detectHeaderAbove(lines) : 0;
  const isTold = column !== undefined || header.columns.has("status") || lines[0]!.includes('"');
  return isTold || !isUrlLine(lines[0]!) ? 0.93 : 0;
}

/** Every row of the sample has its URL in the same column as the first row. */
function detectHeaderAbove(lines: readonly string[]): number {
  const [first = "", ...below] = lines.filter((line) => line.trim() !== "");
  // The last one may be cut off.
  const rows = below.length > 1 ? below.slice(0, -1) : below;
  const headers = rows.map((row) => headerAbove(first, row));
  const column = headers[0]?.columns.get("url");
  const isTable = column !== undefined && headers.every((header) => header?.columns.get("url") === column);
  return isTable ? 0.92 : 0;
}

export const crawlFormats: readonly CrawlFormat[] = [
  { kind: "crawl", name: "warc", title: "WARC archive", detect: detectWarc, read: readWarc },
  { kind: "crawl", name: "arc", title: "ARC archive", detect: detectArc, read: readArc },
  {
    kind: "crawl",
    name: "parquet",
    title: "Parquet table, such as Common Crawl's index",
    detect: (sample) => (startsWith(sample, "PAR1") ? 1 : 0),
    read: readParquetFile,
  },
  {
    kind: "crawl",
    name: "tar",
    title: "tar archive of any of the other crawl formats",
    detect: ({ bytes }) => (tarMember(bytes) === undefined ? 0 : 1),
    read: (input, sink) =>
      readTar(
        input,
        sink,
        crawlFormats.filter(({ name }) => name !== "tar" && name !== "parquet"),
      ),
  },
  {
    kind: "crawl",
    name: "sitemap",
    title: "sitemap",
    detect: (sample) => (isSitemap(textOf(sample)) ? 0.98 : 0),
    read: readSitemap,
  },
  {
    kind: "crawl",
    name: "cdx",
    title: "CDX index of an archive",
    detect: ({ lines }) => (isCdxHeader(lines[0] ?? "") ? 1 : 0.95 * share(lines, isCdxLine)),
    read: readCdx,
  },
  {
    kind: "crawl",
    name: "cdxj",
    title: "CDXJ index of an archive",
    detect: ({ lines }) =>
      0.95 *
      share(
        lines.filter((line) => !line.startsWith("!")),
        isCdxjLine,
      ),
    read: readCdxj,
  },
  {
    kind: "crawl",
    name: "heritrix",
    title: "Heritrix crawl.log",
    detect: ({ lines }) => 0.95 * share(lines, isCrawlLogLine),
    read: readCrawlLog,
  },
  {
    kind: "crawl",
    name: "csv",
    title: "table (CSV, TSV; Screaming Frog)",
    detect: detectCsv,
    read: readCsv,
  },
  {
    kind: "crawl",
    name: "jsonl",
    title: "JSON objects, one a line (Scrapy, Crawlee)",
    detect: ({ lines, bytes, column }) =>
      // A line with a whole page in it can be longer than the sample.
      lines.length === 0
        ? 0.9 * Number(beginsJsonlLine(Buffer.from(bytes).toString("latin1"), column))
        : 0.9 * share(lines, (line) => isJsonlLine(line, column)),
    read: readJsonl,
  },
  {
    kind: "crawl",
    name: "urls",
    title: "list of URLs",
    // A user who names a column has a table.
    detect: ({ lines, base, column }) =>
      column !== undefined
        ? 0
        : Math.max(0.9 * share(lines, isUrlLine), base === undefined ? 0 : 0.5 * share(lines, isUrlOrPathLine)),
    read: readUrlList,
  },
];
