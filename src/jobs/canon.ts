/** `canon`: lists, tables and JSON lines through canonization, nothing else in them changed. */
import { closeSync, createReadStream, openSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Canonizer } from "../canon/compile.js";
import { DataError, InterruptedError } from "../errors.js";
import { lineStart } from "../input/lines.js";
import { openInput, type StandardInput } from "../input/open.js";
import { lineFields, type UrlFields, urlFields } from "../input/url-fields.js";
import type { StringColumn } from "../model.js";
import { LineFinder } from "./canon/kernel.js";
import { type CanonCounts, type CopyOptions, RecordCopier } from "./canon/records.js";
import { type CopiedBlock, CopyThreads, REMAINDER } from "./canon/threads.js";

export interface CanonJobOptions extends CopyOptions {
  /** The column or JSON field with the URL; absent: the input is a list. */
  readonly column?: string;
  readonly signal: AbortSignal;
  readonly standardInput?: StandardInput;
  /** Worker threads for long lists and lines of JSON. Default: one a core. */
  readonly threads?: number;
}

/** Takes output; resolves when its memory may be used again, and more may come. */
export type Write = (output: Uint8Array) => Promise<void>;

export interface CanonJob {
  readonly file: (name: string) => Promise<void>;
  readonly list: (urls: StringColumn) => Promise<void>;
  readonly counts: Readonly<CanonCounts>;
  /** URLs that the rules did not bring to rest: how many, and the first few. */
  readonly unsettled: { readonly count: number; readonly samples: readonly string[] };
}

/** This much is copied on this thread before others are started: that takes longer than a short list. */
const INLINE_BYTES = 8 << 20;
/** Compiling what searches a list takes longer than a shorter one. */
const SHORT_LIST_BYTES = 1 << 18;
const BLOCK_BYTES = 1 << 20;
const LINE_FEED = 10;

/** URLs in, canonical URLs out, in the order of the input. */
export function openCanon(canon: Canonizer, options: CanonJobOptions, write: Write): CanonJob {
  const { signal, column, threads: threadCount = availableParallelism() } = options;
  const copier = new RecordCopier(canon, options);
  const { counts } = copier;
  const elsewhere = { count: 0, samples: [] as string[] };
  let hasFinder = false;
  const needsOrder = options.dedupe || options.describe !== undefined;
  const interrupted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new InterruptedError(REMAINDER)), {
      once: true,
    });
  });
  // Heard where something is waited for; nobody may be waiting.
  interrupted.catch(() => {});

  /** Also where the reader of the output has stopped reading. */
  const put = async (output: Uint8Array): Promise<void> => {
    if (signal.aborted) await interrupted;
    if (output.length > 0) await Promise.race([write(output), interrupted]);
  };

  const take = async (copied: Promise<CopiedBlock>): Promise<CopiedBlock> => {
    const block = await Promise.race([copied, interrupted]);
    const { output, counts: more, unsettled } = block;
    for (const key of Object.keys(more) as (keyof CanonCounts)[]) counts[key] += more[key];
    elsewhere.count += unsettled.count;
    elsewhere.samples.push(...unsettled.samples.slice(0, 3 - elsewhere.samples.length));
    await put(output);
    return block;
  };

  const openThreads = () =>
    new CopyThreads(threadCount, { recipe: canon.recipe, ...(column !== undefined && { column }) }, take, signal);
  const mayDivide = (fields: UrlFields) => fields.areLines && !needsOrder && threadCount > 1;

  /** The threads read whole lines from the file themselves. Returns where they ended: at its end, or before a line too long to be one. */
  async function copyFile(path: string, fields: UrlFields, sizeBytes: number): Promise<number> {
    const file = openSync(path, "r");
    const threads = openThreads();
    let from = 0;
    try {
      for (;;) {
        const last = Math.min(sizeBytes, from + BLOCK_BYTES + fields.maxRecordBytes);
        const to = lineStart(file, from + BLOCK_BYTES, last);
        // The file's last line need not end; another one that does not is too long to be one.
        if (from === sizeBytes || (to === last && last < sizeBytes)) break;
        await threads.send({ file, from, to });
        from = to;
      }
      await threads.drain();
    } finally {
      await threads.stop();
      closeSync(file);
    }
    return from;
  }

  async function copy(chunks: AsyncIterable<Uint8Array>, fields: UrlFields, sizeBytes: number): Promise<void> {
    let inlineBytes = sizeBytes > INLINE_BYTES ? 0 : INLINE_BYTES;
    let threads: CopyThreads | undefined;
    /** memory[0 .. length) is what was read and not copied yet. */
    let memory = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    let length = 0;
    /** In a record that is too long to be one: passed through up to its line end. */
    let isPassing = false;
    let copiedBytes = 0;

    const append = (chunk: Uint8Array): void => {
      if (length + chunk.length > memory.length) {
        const larger = Buffer.allocUnsafeSlow(2 * (length + chunk.length));
        memory.copy(larger, 0, 0, length);
        memory = larger;
      }
      memory.set(chunk, length);
      length += chunk.length;
    };
    const drop = (end: number): void => {
      memory.copyWithin(0, end, length);
      length -= end;
    };
    /** Whole lines go to a thread with their memory; what follows the last line end stays. */
    const sendLines = async (): Promise<void> => {
      if (threads === undefined) {
        threads = openThreads();
        threads.onIdle = sendWaiting;
      }
      const end = memory.subarray(0, length).lastIndexOf(LINE_FEED) + 1;
      if (end === 0) return;
      const bytes = memory.subarray(0, end);
      const rest = memory.subarray(end, length);
      memory = threads.memoryFor(2 * BLOCK_BYTES);
      length = 0;
      append(rest);
      await threads.send({ bytes });
    };
    /** What was kept to be sent with more goes when nothing else is under way, and nobody knows when more comes. */
    let isWaiting = false;
    let sending: Promise<void> = Promise.resolve();
    const sendWaiting = (): void => {
      if (!isWaiting || isPassing || length === 0) return;
      sending = sendLines();
      sending.catch(() => {});
    };
    const copyPiece = async (last: boolean): Promise<void> => {
      if (isPassing) {
        const end = last ? length : memory.subarray(0, length).indexOf(LINE_FEED) + 1;
        isPassing = end === 0;
        if (options.describe === undefined) await put(memory.subarray(0, isPassing ? length : end));
        drop(isPassing ? length : end);
      }
      const isDivided = mayDivide(fields) && inlineBytes <= 0 && (!last || threads !== undefined);
      // Many lines at once, but none waits for others while no thread has anything to do.
      if (isDivided && (last || length >= BLOCK_BYTES || threads === undefined || threads.isIdle)) await sendLines();
      if (last || !isDivided) {
        await threads?.drain();
        copiedBytes += length;
        if (!hasFinder && fields.isList && !needsOrder && copiedBytes > SHORT_LIST_BYTES) {
          hasFinder = true;
          copier.searchWith(LineFinder.of(canon));
        }
        const { output, taken } = copier.copy(memory.subarray(0, length), fields, last);
        inlineBytes -= taken;
        await put(output);
        drop(taken);
      }
      if (length > fields.maxRecordBytes) {
        await threads?.drain();
        copier.passLongRecord();
        isPassing = true;
        await copyPiece(last);
      }
    };
    try {
      for await (const chunk of chunks) {
        isWaiting = false;
        if (signal.aborted) await interrupted;
        await sending;
        append(chunk);
        await copyPiece(false);
        isWaiting = true;
        if (threads?.isIdle) sendWaiting();
      }
      isWaiting = false;
      await sending;
      await copyPiece(true);
    } finally {
      await threads?.stop();
    }
  }

  return {
    counts,
    get unsettled() {
      const samples = [...canon.unsettled.samples, ...elsewhere.samples].slice(0, 3);
      return { count: canon.unsettled.count + elsewhere.count, samples };
    },
    file: async (name) => {
      const input = await openInput(name, options.standardInput);
      const fields = urlFields(input.sample, column, name);
      const { path, sizeBytes = 0 } = input;
      if (path !== undefined && input.compression === "none" && mayDivide(fields) && sizeBytes > INLINE_BYTES) {
        const start = await copyFile(path, fields, sizeBytes);
        await copy(createReadStream(path, { start, highWaterMark: BLOCK_BYTES }), fields, 0);
        return;
      }
      let damage: { reason: string; offset: number } | undefined;
      const chunks = input.chunks((reason, offset) => {
        damage = { reason, offset };
      });
      await copy(chunks, fields, sizeBytes);
      if (damage !== undefined) {
        throw new DataError(`${damage.reason}; the output ends there`, `${name} at byte ${damage.offset}`);
      }
    },
    list: (urls) => copy(linesOf(urls), lineFields(), urls.bytes.length),
  };
}

async function* linesOf({ count, bytes, offsets }: StringColumn): AsyncGenerator<Uint8Array> {
  for (let row = 0; row < count; ) {
    let end = row + 1;
    while (end < count && offsets[end]! - offsets[row]! < BLOCK_BYTES) end++;
    const block = new Uint8Array(offsets[end]! - offsets[row]! + (end - row));
    let at = 0;
    for (let i = row; i < end; i++) {
      block.set(bytes.subarray(offsets[i]!, offsets[i + 1]!), at);
      at += offsets[i + 1]! - offsets[i]!;
      block[at++] = LINE_FEED;
    }
    yield block;
    row = end;
  }
}
