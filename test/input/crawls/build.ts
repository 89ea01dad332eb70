/** Builds WARC bytes, and feeds bytes and inputs to readers. */

import { crawlFormats } from "#src/input/crawls/formats.js";
import { readWarcRecords } from "#src/input/crawls/warc-reader.js";
import type { WarcDamage } from "#src/input/crawls/warc-records.js";
import { DamageReport } from "#src/input/damage.js";
import type { CrawlFormat, CrawlSink } from "#src/input/format.js";
import { chooseFormat, sampleOf } from "#src/input/format.js";
import { openInput } from "#src/input/open.js";
import { type Sightings, SightingTable } from "#src/input/sightings.js";
import type { PageRecord } from "#src/model.js";

export interface RecordParts {
  type?: string;
  url?: string;
  headers?: Readonly<Record<string, string>>;
  block?: string | Uint8Array;
  version?: string;
}

export function warcRecord({
  type = "response",
  url,
  headers = {},
  block = "",
  version = "WARC/1.1",
}: RecordParts): Buffer {
  const body = Buffer.from(block);
  const lines = [
    version,
    `WARC-Type: ${type}`,
    ...(url === undefined ? [] : [`WARC-Target-URI: ${url}`]),
    "WARC-Date: 2024-05-01T12:00:00Z",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...("Content-Length" in headers ? [] : [`Content-Length: ${body.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), body, Buffer.from("\r\n\r\n")]);
}

export function httpResponse(
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Buffer {
  const lines = [`HTTP/1.1 ${status} Whatever`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), Buffer.from(body)]);
}

/** The page without its sketches, whose values are the sketch tests' matter. */
export function withoutSketches({ sketch: _, shingles: __, ...page }: PageRecord): PageRecord {
  return page;
}

export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  // Copies, so that a reader that keeps a view of an old chunk is found out.
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

export interface ReadRecord {
  offset: number;
  type: string;
  head: string;
  block: Buffer;
}

export async function readAll(
  bytes: Uint8Array,
  chunkSize = 64 << 10,
): Promise<{ records: ReadRecord[]; damage: WarcDamage[] }> {
  const records: ReadRecord[] = [];
  const damage: WarcDamage[] = [];
  for await (const { offset, type, head, block } of readWarcRecords(inChunks(bytes, chunkSize), (one) =>
    damage.push(one),
  )) {
    records.push({ offset, type, head: Buffer.from(head).toString("latin1"), block: Buffer.from(block) });
  }
  return { records, damage };
}

export interface Added {
  format: string;
  records: number;
  sightings: Sightings;
  urls: string[];
  pages: PageRecord[];
  skipped: Record<string, number>;
  damage: DamageReport;
}

/** What adding the input finds. With a string or bytes it comes from standard input. */
export async function addInput(
  input: { path: string } | string | Uint8Array,
  options: { format?: string; base?: string; strict?: boolean; formats?: readonly CrawlFormat[] } = {},
): Promise<Added> {
  const isPath = typeof input === "object" && "path" in input;
  const opened = isPath ? await openInput(input.path) : await openInput("-", inChunks(Buffer.from(input), 1000));
  const format = chooseFormat(options.formats ?? crawlFormats, sampleOf(opened, true), options.format);
  if (format.kind !== "crawl") throw new TypeError(format.name);
  const damage = new DamageReport("input", options.strict ?? false);
  const skipped: Record<string, number> = {};
  const pages: PageRecord[] = [];
  let records = 0;
  const sink: CrawlSink = {
    table: new SightingTable(),
    damage,
    base: options.base,
    column: undefined,
    record: () => records++,
    skip: (reason) => {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
    },
    pages: async (batch) => {
      pages.push(...batch);
    },
    checkpoint: () => {},
  };
  await format.read(opened, sink);
  const sightings = sink.table.finish();
  const { urls: column } = sightings;
  const urls = Array.from({ length: column.count }, (_, i) =>
    Buffer.from(column.bytes.subarray(column.offsets[i]!, column.offsets[i + 1]!)).toString(),
  );
  return { format: format.name, records, sightings, urls, pages, skipped, damage };
}

/** A file of a tar archive: header and padded content. */
export function tarMember(name: string, content: Uint8Array | string, type = "0"): Buffer {
  const bytes = Buffer.from(content);
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${bytes.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}
