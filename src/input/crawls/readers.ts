/** For the format table: streams each crawl format into the frame's sink. */
import { UserError } from "../../errors.js";
import type { RowOutcome } from "../../http/row-outcome.js";
import { type SitemapEntry, SitemapScanner } from "../../http/sitemap.js";
import type { CrawlSink } from "../format.js";
import { LineSplitter } from "../lines.js";
import type { Input } from "../open.js";
import { readArcRecords } from "./arc-records.js";
import { CdxParser, parseCdxj } from "./cdx.js";
import { CrawlLogParser } from "./crawl-log.js";
import { CsvParser } from "./csv.js";
import { JsonlParser } from "./jsonl.js";
import { type ParquetDamage, readParquet } from "./parquet.js";
import { PageSink } from "./sink.js";
import { parseUrlLine } from "./url-list.js";
import { mayBePage } from "./warc-page.js";
import { pagesFromRecords } from "./warc-pool.js";
import { readWarcRecords } from "./warc-reader.js";
import type { WarcDamage, WarcRecord } from "./warc-records.js";

/** Lines of JSON may carry a page's whole HTML; the other formats' lines carry little more than URLs. */
const MAX_JSON_LINE_BYTES = 32 << 20;
const MAX_LINE_BYTES = 1 << 20;

/** The input's bytes, with what the decompressor says about damage passed on. */
function chunksOf(input: Input, sink: CrawlSink): AsyncIterable<Uint8Array> {
  return input.chunks((reason, offset) => sink.damage.add(reason, { offset }, ""));
}

interface LineParser {
  parse(line: string): readonly RowOutcome[];
  end(): readonly RowOutcome[];
}

const oneToOne = (parse: (line: string) => RowOutcome): LineParser => ({
  parse: (line) => (line.trim() === "" ? [] : [parse(line)]),
  end: () => [],
});

async function readLines(
  input: Input,
  sink: CrawlSink,
  parser: LineParser,
  skipped: string,
  maxLineBytes = MAX_LINE_BYTES,
): Promise<void> {
  const pages = new PageSink(sink);
  let line = 0;
  const splitter = new LineSplitter(
    maxLineBytes,
    (buffer, start, end) => {
      line++;
      const text = buffer.toString("utf8", start, end);
      for (const outcome of parser.parse(line === 1 ? text.replace(/^\ufeff/, "") : text)) {
        pages.row(outcome, { line }, text, skipped);
      }
    },
    (head) => {
      line++;
      pages.row("line is too long", { line }, head.toString("latin1", 0, 200), skipped);
    },
  );
  for await (const chunk of chunksOf(input, sink)) {
    splitter.push(chunk);
    await pages.flush();
  }
  splitter.end();
  for (const outcome of parser.end()) pages.row(outcome, { line }, "", skipped);
  await pages.flush();
}

export const readUrlList = (input: Input, sink: CrawlSink): Promise<void> =>
  readLines(
    input,
    sink,
    oneToOne((line) => parseUrlLine(line, sink.base)),
    "comment",
  );

export function readJsonl(input: Input, sink: CrawlSink): Promise<void> {
  const parser = new JsonlParser(sink.base, sink.column);
  return readLines(
    input,
    sink,
    oneToOne((line) => parser.parse(line)),
    "neither GET nor HEAD",
    MAX_JSON_LINE_BYTES,
  );
}

export function readCdx(input: Input, sink: CrawlSink): Promise<void> {
  const parser = new CdxParser();
  return readLines(
    input,
    sink,
    oneToOne((line) => parser.parse(line)),
    "header or record of another kind",
  );
}

export const readCdxj = (input: Input, sink: CrawlSink): Promise<void> =>
  readLines(input, sink, oneToOne(parseCdxj), "header or record of another kind");

export function readCrawlLog(input: Input, sink: CrawlSink): Promise<void> {
  return readLines(input, sink, new CrawlLogParser(), "dns: or other fetch");
}

async function* textOf(input: Input, sink: CrawlSink): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(input, sink)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

export async function readCsv(input: Input, sink: CrawlSink): Promise<void> {
  const pages = new PageSink(sink);
  const parser = new CsvParser(sink.base, sink.column);
  const take = (text: string, last: boolean): void => {
    for (const { line, outcome, text: shown } of parser.push(text, last))
      pages.row(outcome, { line }, shown, "empty line, or neither GET nor HEAD");
  };
  for await (const text of textOf(input, sink)) {
    take(text, false);
    await pages.flush();
  }
  take("", true);
  await pages.flush();
}

export async function readSitemap(input: Input, sink: CrawlSink): Promise<void> {
  const pages = new PageSink(sink);
  const scanner = new SitemapScanner();
  for await (const text of textOf(input, sink)) {
    for (const entry of scanner.push(text)) takeEntry(entry);
    await pages.flush();
  }
  for (const entry of scanner.end()) takeEntry(entry);
  await pages.flush();

  function takeEntry({ line, outcome, sitemap }: SitemapEntry): void {
    // An index names sitemaps. They are not pages, and nothing is fetched here: people add the files it names.
    const named = sitemap && typeof outcome === "object";
    pages.row(named ? undefined : outcome, { line }, "", "sitemap named by an index (add that file too)");
  }
}

// gzip is read member by member in archives; a general gunzip would end at the first damaged one.
const archivedBytes = (input: Input, sink: CrawlSink): AsyncIterable<Uint8Array> =>
  input.compression === "gzip" ? input.raw() : chunksOf(input, sink);

export const readWarc = (input: Input, sink: CrawlSink): Promise<void> =>
  readArchive(sink, (damaged) => readWarcRecords(archivedBytes(input, sink), damaged));

export const readArc = (input: Input, sink: CrawlSink): Promise<void> =>
  readArchive(sink, (damaged) => readArcRecords(archivedBytes(input, sink), input.compression === "gzip", damaged));

async function readArchive(
  sink: CrawlSink,
  records: (onDamage: (damage: WarcDamage) => void) => AsyncIterable<WarcRecord>,
): Promise<void> {
  const pages = new PageSink(sink);
  const damaged = (offset: number, reason: string): void => sink.damage.add(reason, { offset }, "");
  async function* possiblePages(): AsyncGenerator<WarcRecord> {
    for await (const record of records(({ offset, reason }) => damaged(offset, reason))) {
      sink.record();
      if (mayBePage(record)) yield record;
      else sink.skip(`${record.type} record`);
    }
  }
  for await (const { offset, outcome } of pagesFromRecords(possiblePages())) {
    if (outcome.kind === "page") {
      pages.page(outcome.page);
      if (outcome.doubt !== undefined) damaged(offset, outcome.doubt);
    } else if (outcome.kind === "other") sink.skip(outcome.what);
    else damaged(offset, outcome.reason);
    if (pages.isFull) await pages.flush();
  }
  await pages.flush();
}

export async function readParquetFile(input: Input, sink: CrawlSink): Promise<void> {
  if (input.path === undefined || input.compression !== "none") {
    throw new UserError(`${input.name}: Parquet is read from a plain file, since its index is at its end`);
  }
  const pages = new PageSink(sink);
  const damaged = ({ offset, reason, text }: ParquetDamage): void => sink.damage.add(reason, { offset }, text);
  for await (const rows of readParquet(input.path, sink, damaged)) {
    for (const { row, outcome } of rows) pages.row(outcome, { line: row }, "", "neither GET nor HEAD");
    await pages.flush();
  }
  await pages.flush();
}
