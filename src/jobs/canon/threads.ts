/** Worker threads that copy blocks of lines through canonization; the answers come in the order of the blocks. */
import type { CanonRecipe } from "../../canon/compile.js";
import { leastBusy, Thread } from "../../thread.js";
import type { CanonCounts } from "./records.js";

/** What a thread begins with. */
export interface CopyTask {
  readonly recipe: CanonRecipe;
  /** The field of the lines of JSON; absent: the lines are a list. */
  readonly column?: string;
}

/** Whole lines: in memory, or in a file that is open in this process. */
export type Block =
  | { readonly bytes: Uint8Array }
  | {
      readonly file: number;
      readonly from: number;
      readonly to: number;
      /** Where the answer may be: memory that has been used already, since new memory takes a processor longer than copying. */
      readonly memory?: ArrayBuffer | undefined;
    };

/** What became of one block. */
export interface CopiedBlock {
  readonly output: Uint8Array;
  readonly counts: CanonCounts;
  /** URLs of it that did not settle. */
  readonly unsettled: { readonly count: number; readonly samples: readonly string[] };
}

export class CopyThreads {
  readonly #threads: readonly Thread<Block, CopiedBlock>[];
  readonly #sent: Promise<CopiedBlock>[] = [];
  readonly #free: ArrayBuffer[] = [];

  constructor(count: number, { recipe, column }: CopyTask) {
    // One copy of a large table for all threads.
    const data: CopyTask = { recipe: withSharedAliases(recipe), ...(column !== undefined && { column }) };
    const file = new URL("./worker.js", import.meta.url);
    this.#threads = Array.from({ length: count }, () => new Thread(file, { data }));
  }

  /** Blocks that were sent and not taken back; two a thread keep all of them busy. */
  get isFull(): boolean {
    return this.#sent.length >= 2 * this.#threads.length;
  }

  get isEmpty(): boolean {
    return this.#sent.length === 0;
  }

  /** Memory of a block is its own, and is the thread's from now on. */
  send(block: Block): void {
    const thread = leastBusy(this.#threads)!;
    if ("bytes" in block) {
      this.#sent.push(thread.ask(block, [block.bytes.buffer as ArrayBuffer]));
      return;
    }
    const memory = this.#free.pop();
    this.#sent.push(thread.ask({ ...block, memory }, memory === undefined ? [] : [memory]));
  }

  /** What became of a block is not needed any more. */
  free({ output }: CopiedBlock): void {
    if (this.#free.length < this.#threads.length) this.#free.push(output.buffer as ArrayBuffer);
  }

  /** What became of the first block that was not taken back yet. */
  next(): Promise<CopiedBlock> {
    return this.#sent.shift()!;
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
