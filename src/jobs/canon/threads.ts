/** Worker threads that copy blocks of lines through canonization; the answers come in the order of the blocks. */
import type { CanonRecipe } from "../../canon/compile.js";
import { pause } from "../../progress.js";
import { leastBusy, Thread } from "../../thread.js";
import type { CanonCounts } from "./records.js";

/** What an interrupted run leaves. */
export const REMAINDER = "the output ends in the middle";

/** What a thread begins with. */
export interface CopyTask {
  readonly recipe: CanonRecipe;
  /** The field of the lines of JSON; absent: the lines are a list. */
  readonly column?: string;
}

/** Whole lines: in memory, or in a file that is open in this process. */
export type Block =
  | { readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly file: number; readonly from: number; readonly to: number };

/** A block, and memory where its answer may be that has been used already, since new memory takes a processor longer than copying. */
export type CopyQuestion = Block & { readonly memory?: ArrayBuffer | undefined };

/** What became of one block. */
export interface CopiedBlock {
  readonly output: Uint8Array<ArrayBuffer>;
  readonly counts: CanonCounts;
  /** URLs of it that did not settle. */
  readonly unsettled: { readonly count: number; readonly samples: readonly string[] };
}

/** Takes what becomes of a block when that is known; resolves when its memory may be used again. */
export type TakeBlock = (copied: Promise<CopiedBlock>) => Promise<CopiedBlock>;

export class CopyThreads {
  readonly #threads: Thread<CopyQuestion, CopiedBlock>[] = [];
  readonly #count: number;
  readonly #data: CopyTask;
  readonly #take: TakeBlock;
  readonly #signal: AbortSignal;
  /** Blocks that were sent and not taken yet, in order. */
  readonly #underWay: Promise<void>[] = [];
  #last: Promise<void> = Promise.resolve();
  readonly #free: ArrayBuffer[] = [];
  /** Called when all that was sent is taken. */
  onIdle = () => {};

  /** `take` gets the blocks one after the other, in the order in which they were sent. */
  constructor(count: number, { recipe, column }: CopyTask, take: TakeBlock, signal: AbortSignal) {
    // One copy of a large table for all threads.
    this.#data = { recipe: withSharedAliases(recipe), ...(column !== undefined && { column }) };
    this.#count = count;
    this.#take = take;
    this.#signal = signal;
  }

  get isIdle(): boolean {
    return this.#underWay.length === 0;
  }

  /** Waits as long as each thread has two blocks: that keeps all of them busy. Memory of a block is the thread's from now on. */
  async send(block: Block): Promise<void> {
    while (this.#underWay.length >= 2 * this.#count) await this.#underWay[0];
    if (this.#threads.length < this.#count) await this.#start();
    const thread = leastBusy(this.#threads)!;
    const memory = "bytes" in block ? block.bytes.buffer : this.#free.pop();
    const copied = thread.ask({ ...block, memory }, memory === undefined ? [] : [memory]);
    const taken = this.#last.then(async () => {
      const { output } = await this.#take(copied);
      if (this.#free.length < 2 * this.#count) this.#free.push(output.buffer);
      this.#underWay.shift();
      if (this.isIdle) this.onIdle();
    });
    // Heard by who waits for it.
    taken.catch(() => {});
    this.#last = taken;
    this.#underWay.push(taken);
  }

  /** Copying many rules to a thread takes long: a Ctrl-C is heard between two of them. */
  async #start(): Promise<void> {
    const data = this.#data;
    this.#threads.push(new Thread(new URL("./worker.js", import.meta.url), { data }));
    await pause({ signal: this.#signal }, REMAINDER);
  }

  /** Memory for a block of so many bytes. */
  memoryFor(length: number): Buffer<ArrayBuffer> {
    const memory = this.#free.pop();
    return memory !== undefined && memory.byteLength >= length ? Buffer.from(memory) : Buffer.allocUnsafeSlow(length);
  }

  /** Until all blocks are taken. */
  drain(): Promise<void> {
    return this.#last;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}

function withSharedAliases(recipe: CanonRecipe): CanonRecipe {
  const { aliases } = recipe;
  if (aliases === undefined || aliases.bytes.buffer instanceof SharedArrayBuffer) return recipe;
  const bytes = new Uint8Array(new SharedArrayBuffer(aliases.bytes.length));
  bytes.set(aliases.bytes);
  const [places, slots, filter] = [aliases.places, aliases.slots, aliases.filter].map(shared);
  return { ...recipe, aliases: { ...aliases, bytes, places: places!, slots: slots!, filter: filter! } };
}

function shared(words: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(words.byteLength));
  copy.set(words);
  return copy;
}
