import { Thread } from "../../thread.js";
import type { KernelSource } from "./kernel.js";
import type { Direction, Sorted } from "./order.js";
import type { Joined, Prepared } from "./steps.js";
import type { PairShare } from "./table.js";
import type { TokenTable } from "./tokens.js";

/** A step for a worker thread: the function of that name and its arguments. */
export type Task =
  | { readonly step: "sort"; readonly args: readonly [TokenTable, Direction] }
  | { readonly step: "join"; readonly args: readonly [Prepared, number, number] }
  | { readonly step: "support"; readonly args: readonly [Prepared, readonly Joined[], number, number] };

/** What a worker thread gets: all tasks of one detection have one kernel. */
export interface Message {
  readonly source: KernelSource;
  readonly task: Task;
}

export interface Results {
  readonly sort: Sorted;
  readonly join: Joined;
  readonly support: PairShare;
}

/** Worker threads for one detection. */
export class Threads {
  readonly #threads: readonly Thread<Message, Results[Task["step"]]>[];

  constructor(count: number, signal: AbortSignal) {
    const file = new URL("../detect-worker.js", import.meta.url);
    const options = { signal, remainder: "no rule was written" };
    this.#threads = Array.from({ length: count }, () => new Thread(file, options));
  }

  /** One task per thread, at the same time; results in the order of the tasks. */
  run<Step extends Task["step"]>(
    source: KernelSource,
    tasks: readonly Extract<Task, { step: Step }>[],
  ): Promise<Results[Step][]> {
    const threads = this.#threads;
    const results = tasks.map((task, i) => threads[i % threads.length]!.ask({ source, task }));
    return Promise.all(results) as Promise<Results[Step][]>;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}
