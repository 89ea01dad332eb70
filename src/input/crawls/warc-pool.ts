/** Reads pages out of WARC records in worker threads: parsing HTML costs twenty times what reading the file does. */
import { availableParallelism } from "node:os";
import { leastBusy, Thread } from "../../thread.js";
import { mayBePage, pageFromRecord, type WarcOutcome } from "./warc-page.js";
import type { WarcRecord } from "./warc-records.js";

/** Where a record's outcome belongs, and the outcome. */
export interface PlacedOutcome {
  readonly offset: number;
  readonly outcome: WarcOutcome;
}

/** Records back to back in one transferable array. */
export interface RecordBatch {
  readonly bytes: Uint8Array;
  readonly records: readonly {
    readonly offset: number;
    readonly type: string;
    readonly headBytes: number;
    readonly heldBytes: number;
    readonly blockBytes: number;
  }[];
}

const BATCH_BYTES = 1 << 20;
const BATCH_RECORDS = 256;
/**
 * This much is read in the caller's thread before workers are started: starting them takes longer than reading a small
 * archive.
 */
const INLINE_BYTES = 8 << 20;
/** Two batches per worker keep it busy while the main thread takes the results of an earlier one. */
const BATCHES_IN_FLIGHT = 2;

/** An unforeseen error in a record costs that record, not the run. */
function outcomeOf(record: WarcRecord): WarcOutcome {
  try {
    return pageFromRecord(record);
  } catch (error) {
    return { kind: "damaged", reason: `record cannot be read (${(error as Error).message})` };
  }
}

export function answerBatch(batch: RecordBatch): PlacedOutcome[] {
  let at = 0;
  return batch.records.map(({ offset, type, headBytes, heldBytes, blockBytes }) => {
    const head = batch.bytes.subarray(at, at + headBytes);
    const block = batch.bytes.subarray(at + headBytes, at + headBytes + heldBytes);
    at += headBytes + heldBytes;
    return { offset, outcome: outcomeOf({ offset, type, head, block, blockBytes }) };
  });
}

class BatchBuilder {
  #bytes = Buffer.allocUnsafeSlow(BATCH_BYTES);
  #length = 0;
  #records: RecordBatch["records"][number][] = [];

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  get isFull(): boolean {
    return this.#length >= BATCH_BYTES / 2 || this.#records.length >= BATCH_RECORDS;
  }

  add({ offset, type, head, block, blockBytes }: WarcRecord): void {
    const needed = this.#length + head.length + block.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(head, this.#length);
    this.#bytes.set(block, this.#length + head.length);
    this.#length = needed;
    this.#records.push({ offset, type, headBytes: head.length, heldBytes: block.length, blockBytes });
  }

  take(): RecordBatch {
    const batch = { bytes: this.#bytes.subarray(0, this.#length), records: this.#records };
    this.#bytes = Buffer.allocUnsafeSlow(BATCH_BYTES);
    this.#length = 0;
    this.#records = [];
    return batch;
  }
}

/**
 * What the records say, in their order. Records that cannot be pages are left out. `workers` 0 does it all in this
 * thread; small inputs never start one.
 */
export async function* pagesFromRecords(
  records: AsyncIterable<WarcRecord>,
  workers: number = availableParallelism(),
): AsyncGenerator<PlacedOutcome> {
  const readers: Thread<RecordBatch, PlacedOutcome[]>[] = [];
  const answers: Promise<PlacedOutcome[]>[] = [];
  const builder = new BatchBuilder();
  let inlineBytes = 0;

  const send = (): void => {
    const batch = builder.take();
    if (workers === 0 || inlineBytes < INLINE_BYTES) {
      inlineBytes += batch.bytes.length;
      answers.push(Promise.resolve(answerBatch(batch)));
      return;
    }
    let reader = leastBusy(readers);
    if (reader === undefined || (reader.load > 0 && readers.length < workers)) {
      reader = new Thread(new URL("./warc-worker.js", import.meta.url));
      readers.push(reader);
    }
    answers.push(reader.ask(batch, [batch.bytes.buffer as ArrayBuffer]));
  };

  try {
    for await (const record of records) {
      if (!mayBePage(record)) continue;
      builder.add(record);
      if (!builder.isFull) continue;
      send();
      while (answers.length > workers * BATCHES_IN_FLIGHT) yield* (await answers.shift())!;
    }
    if (!builder.isEmpty) send();
    while (answers.length > 0) yield* (await answers.shift())!;
  } finally {
    await Promise.all(readers.map((reader) => reader.end()));
  }
}
