/** tar archives (POSIX ustar, GNU): every crawl file in one is read as if it had been given by itself. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { UserError } from "../../errors.js";
import { type Damage, DamageReport } from "../damage.js";
import { ByteQueue } from "../decompress/byte-queue.js";
import { byName } from "../expand.js";
import { type CrawlFormat, type CrawlSink, chooseFormat, type Format, sampleOf } from "../format.js";
import { type Input, openInput, SAMPLE_BYTES } from "../open.js";

const BLOCK = 512;

interface Member {
  readonly name: string;
  readonly bytes: number;
  readonly isFile: boolean;
}

/** The member that a header block announces; undefined if the block is not a header. */
export function tarMember(block: Uint8Array): Member | undefined {
  if (block.length < BLOCK) return undefined;
  // The checksum is the sum of all bytes, its own field counted as spaces.
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 32 : block[i]!;
  const text = (from: number, length: number): string =>
    Buffer.from(block.subarray(from, from + length))
      .toString("utf8")
      .replace(/\0.*$/s, "");
  const checksum = text(148, 8).trim();
  if (!/^[0-7]+$/.test(checksum) || Number.parseInt(checksum, 8) !== sum) return undefined;
  const prefix = text(257, 5) === "ustar" ? text(345, 155) : "";
  const type = String.fromCharCode(block[156]!);
  return {
    name: prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    bytes: sizeOf(block.subarray(124, 136)),
    isFile: type === "0" || type === "\0",
  };
}

/** Octal digits, or, for larger sizes, a big-endian number marked by its highest bit. */
function sizeOf(field: Uint8Array): number {
  if (field[0]! < 0x80)
    return Number.parseInt(Buffer.from(field).toString("latin1").replace(/\0.*$/s, "").trim() || "0", 8);
  return field.subarray(1).reduce((size, byte) => size * 256 + byte, 0);
}

/** Each file in the archive. Its bytes can be read until the next one is asked for. */
async function* filesOf(input: Input, damage: DamageReport): AsyncGenerator<Input> {
  const queue = new ByteQueue(input.chunks((reason, offset) => damage.add(reason, { offset }, "")));
  let offset = 0;
  let lost = false;
  while (await queue.has(BLOCK)) {
    const block = queue.take(BLOCK);
    const member = tarMember(block);
    if (member === undefined) {
      // The archive ends in blocks of zeros; anything else is damage, reported once for each stretch of it.
      const damaged = block.some((byte) => byte !== 0);
      if (damaged && !lost) damage.add("no tar header", { offset }, "");
      lost = damaged;
      offset += BLOCK;
      continue;
    }
    lost = false;
    const rest = memberBytes(queue, member.bytes);
    if (member.isFile && member.bytes > 0) {
      yield { ...(await openInput("-", rest)), name: `${input.name}/${member.name}` };
    }
    for await (const _ of rest) {
      // What the reader did not read, or a member that is not a file.
    }
    const padding = (BLOCK - (member.bytes % BLOCK)) % BLOCK;
    offset += BLOCK + member.bytes + padding;
    if (!(await queue.has(padding))) break;
    queue.take(padding);
  }
}

/** An iterable that can be continued after a reader stopped. */
function memberBytes(queue: ByteQueue, bytes: number): AsyncIterable<Uint8Array> {
  let left = bytes;
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    if (left === 0 || !(await queue.has(1))) return { done: true, value: undefined };
    const value = queue.take(Math.min(left, queue.length));
    left -= value.length;
    return { done: false, value };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

export async function readTar(input: Input, sink: CrawlSink, formats: readonly CrawlFormat[]): Promise<void> {
  for await (const member of filesOf(input, sink.damage)) {
    const format = formatOf(member, formats);
    if (format === undefined) sink.skip(NO_CRAWL);
    if (format?.kind !== "crawl") continue;
    // A report of its own, so that samples name the member.
    const damage = new DamageReport(member.name, sink.damage.strict);
    await format.read(member, { ...sink, damage });
    sink.damage.merge(damage.entries(), 0);
  }
}

const NO_CRAWL = "file in the tar archive that is not a crawl";

function formatOf(member: Input, formats: readonly Format[]): Format | undefined {
  try {
    return chooseFormat(formats, sampleOf(member, member.sample.length < SAMPLE_BYTES), undefined);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** What was in an archive, as files. */
export interface UnpackedTar {
  /** In the order of their names, which may differ from the archive's order. */
  readonly files: readonly { readonly name: string; readonly path: string }[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly damage: readonly Damage[];
}

/** Puts the files of an archive that have one of these formats into `folder`; undefined if it is not an archive. */
export async function unpackTar(
  name: string,
  folder: string,
  formats: readonly Format[],
  strict: boolean,
): Promise<UnpackedTar | undefined> {
  const input = await openInput(name);
  if (tarMember(input.sample) === undefined) return undefined;
  const damage = new DamageReport(name, strict);
  const files: { readonly name: string; readonly path: string }[] = [];
  let others = 0;
  for await (const member of filesOf(input, damage)) {
    if (formatOf(member, formats) === undefined) others++;
    else {
      const file = path.join(folder, String(files.length));
      await writeFile(file, member.raw());
      files.push({ name: member.name, path: file });
    }
  }
  files.sort((a, b) => byName(a.name, b.name));
  return { files, skipped: others === 0 ? {} : { [NO_CRAWL]: others }, damage: damage.entries() };
}
