/** tar archives (POSIX ustar, GNU): every crawl file in one is read as if it had been given by itself. */
import { UserError } from "../../errors.js";
import { DamageReport } from "../damage.js";
import { ByteQueue } from "../decompress/byte-queue.js";
import { type CrawlFormat, type CrawlSink, chooseFormat, sampleOf } from "../format.js";
import { type Input, openInput, SAMPLE_BYTES } from "../open.js";

const BLOCK = 512;

interface Member {
  readonly name: string;
  readonly bytes: number;
  readonly isFile: boolean;
}

/** The member that a header block announces; undefined if the block is no header. */
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

/** Octal digits, or for what they cannot hold a big-endian number marked by its highest bit. */
function sizeOf(field: Uint8Array): number {
  if (field[0]! < 0x80)
    return Number.parseInt(Buffer.from(field).toString("latin1").replace(/\0.*$/s, "").trim() || "0", 8);
  return field.subarray(1).reduce((size, byte) => size * 256 + byte, 0);
}

export async function readTar(input: Input, sink: CrawlSink, formats: readonly CrawlFormat[]): Promise<void> {
  const queue = new ByteQueue(input.chunks((reason, offset) => sink.damage.add(reason, { offset }, "")));
  let offset = 0;
  let lost = false;
  while (await queue.has(BLOCK)) {
    const block = queue.take(BLOCK);
    const member = tarMember(block);
    if (member === undefined) {
      // The archive ends in blocks of zeros; anything else is damage, once for each stretch of it.
      const damaged = block.some((byte) => byte !== 0);
      if (damaged && !lost) sink.damage.add("no tar header", { offset }, "");
      lost = damaged;
      offset += BLOCK;
      continue;
    }
    lost = false;
    const rest = memberBytes(queue, member.bytes);
    if (member.isFile && member.bytes > 0) await readMember(`${input.name}/${member.name}`, rest, sink, formats);
    for await (const _ of rest) {
      // What the reader left over, or a member that is no file.
    }
    const padding = (BLOCK - (member.bytes % BLOCK)) % BLOCK;
    offset += BLOCK + member.bytes + padding;
    if (!(await queue.has(padding))) break;
    queue.take(padding);
  }
}

/** An iterable that can be gone on with after somebody stopped reading it. */
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

async function readMember(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  sink: CrawlSink,
  formats: readonly CrawlFormat[],
): Promise<void> {
  const member = { ...(await openInput("-", bytes)), name };
  let format: CrawlFormat;
  try {
    const chosen = chooseFormat(formats, sampleOf(member, member.sample.length < SAMPLE_BYTES), undefined);
    if (chosen.kind !== "crawl") return;
    format = chosen;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    sink.skip("file in the tar archive that is no crawl");
    return;
  }
  // A report of its own, so that samples name the member.
  const damage = new DamageReport(name, sink.damage.strict);
  await format.read(member, { ...sink, damage });
  sink.damage.merge(damage.entries(), 0);
}
