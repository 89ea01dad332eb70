/** Worker threads that copy blocks of lines through canonization; the answers come in the order of the blocks. */
import { Worker } from "node:worker_threads";
import type { CanonRecipe } from "../../canon/compile.js";
import type { CanonCounts } from "./records.js";

/** What a thread begins with. */
export interface CopyTask {
  readonly recipe: CanonRecipe;
  /** The field of the lines of JSON; absent: the lines are a list. */
  readonly column?: string;
}

/** What became of one block. */
export interface CopiedBlock {
  readonly output: Uint8Array;
  readonly counts: CanonCounts;
  /** URLs of it that found no rest. */
  readonly unsettled: { readonly count: number; readonly samples: readonly string[] };
}

interface Waiting {
  readonly resolve: (block: CopiedBlock) => void;
  readonly reject: (error: Error) => void;
}

export class CopyThreads {
  readonly #threads: { readonly worker: Worker; readonly waiting: Waiting[] }[];
  readonly #sent: Promise<CopiedBlock>[] = [];

  constructor(count: number, { recipe, column }: CopyTask) {
    // One copy of a large table for all threads.
    const task: CopyTask = { recipe: withSharedAliases(recipe), ...(column !== undefined && { column }) };
    this.#threads = Array.from({ length: count }, () => {
      const waiting: Waiting[] = [];
      const worker = new Worker(new URL("./worker.js", import.meta.url), { workerData: task });
      const fail = (error: Error) => {
        for (const { reject } of waiting.splice(0)) reject(error);
      };
      worker.on("message", (block: CopiedBlock) => waiting.shift()?.resolve(block));
      worker.on("error", fail);
      worker.on("exit", () => fail(new Error("a thread ended before its work did")));
      return { worker, waiting };
    });
  }

  /** Blocks that were sent and not taken back; two a thread keep all of them busy. */
  get isFull(): boolean {
    return this.#sent.length >= 2 * this.#threads.length;
  }

  get isEmpty(): boolean {
    return this.#sent.length === 0;
  }

  /** Whole lines in memory of their own, which is the thread's from now on. */
  send(lines: Uint8Array): void {
    const least = this.#threads.reduce((a, b) => (b.waiting.length < a.waiting.length ? b : a));
    const answer = new Promise<CopiedBlock>((resolve, reject) => {
      least.waiting.push({ resolve, reject });
      least.worker.postMessage(lines, [lines.buffer as ArrayBuffer]);
    });
    // Where nobody waits for it any more, its failure is nobody's.
    answer.catch(() => {});
    this.#sent.push(answer);
  }

  /** What became of the first block that was not taken back yet. */
  next(): Promise<CopiedBlock> {
    return this.#sent.shift()!;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }
}

function withSharedAliases(recipe: CanonRecipe): CanonRecipe {
  const { aliases } = recipe;
  if (aliases === undefined) return recipe;
  const bytes = new Uint8Array(new SharedArrayBuffer(aliases.bytes.length));
  bytes.set(aliases.bytes);
  return { ...recipe, aliases: { ...aliases, bytes, places: shared(aliases.places), slots: shared(aliases.slots) } };
}

function shared(words: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(words.byteLength));
  copy.set(words);
  return copy;
}
