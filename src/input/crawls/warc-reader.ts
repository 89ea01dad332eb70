/** Records of a whole WARC file, plain or with gzip members, with damage reported and stepped over. */
import { ByteWindow } from "./byte-window.js";
import { findMember, type GzipPiece, readGzipMembers } from "./gzip-members.js";
import { RecordSplitter, type WarcDamage, type WarcRecord } from "./warc-records.js";

const PEEK_BYTES = 64 << 10;
const ALTERED = "checksum of the gzip member does not match";

/**
 * Reads the bytes of a WARC file as it is on disk (gzip is recognised by its first bytes and read member by member, so
 * do not inflate it first). Memory is bounded by the largest record that is held, 32 MB.
 */
export async function* readWarcRecords(
  chunks: AsyncIterable<Uint8Array>,
  onDamage: (damage: WarcDamage) => void,
): AsyncGenerator<WarcRecord> {
  const { gzip, all } = await peek(chunks);
  const splitter = new RecordSplitter(onDamage);
  if (gzip) {
    for await (const piece of readGzipMembers(all)) {
      feed(splitter, piece, onDamage);
      yield* drain(splitter);
    }
  } else {
    for await (const chunk of all) {
      splitter.push(chunk);
      yield* drain(splitter);
    }
  }
  splitter.end();
  yield* drain(splitter);
}

function* drain(splitter: RecordSplitter): Generator<WarcRecord> {
  for (let record = splitter.next(); record !== undefined; record = splitter.next()) yield record;
}

function feed(splitter: RecordSplitter, piece: GzipPiece, onDamage: (damage: WarcDamage) => void): void {
  if (piece.kind === "gap") {
    splitter.gap(piece.offset, piece.reason);
    return;
  }
  if (piece.altered) {
    // A single record is the damaged one; of many it is not known which one is, and most are sound.
    if (piece.first && countRecords(piece.bytes) <= 1) {
      splitter.gap(piece.offset, ALTERED);
      return;
    }
    onDamage({ offset: piece.offset, reason: `${ALTERED}: it holds several records, all of them kept` });
  }
  if (piece.first) splitter.startMember(piece.offset, piece.bytes);
  splitter.push(piece.bytes);
  if (piece.last) splitter.endMember();
}

function countRecords(bytes: Uint8Array): number {
  const splitter = new RecordSplitter(() => {});
  splitter.push(bytes);
  splitter.end();
  let count = 0;
  while (splitter.next() !== undefined) count++;
  return count;
}

async function peek(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ gzip: boolean; all: AsyncGenerator<Uint8Array, void> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const head = new ByteWindow();
  while (head.length < PEEK_BYTES) {
    const { value, done } = await iterator.next();
    if (done) break;
    head.append(value);
  }
  const start = Buffer.from(head.bytes);
  async function* all(): AsyncGenerator<Uint8Array, void> {
    try {
      if (start.length > 0) yield start;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { gzip: looksLikeGzip(start), all: all() };
}

/** By its first bytes; or, where those are damaged, by a later member in bytes that cannot be plain WARC. */
function looksLikeGzip(bytes: Buffer): boolean {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return true;
  return !bytes.includes("WARC/", 0, "latin1") && findMember(bytes, 0) >= 0;
}
