import { Thread } from "../../thread.js";
import type { Kernel, KernelSource } from "./kernel.js";
import { type Direction, type Sorted, sortUrls } from "./order.js";
import { type Joined, joinStep, type Prepared, supportStep } from "./steps.js";
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

export function perform(kernel: Kernel, { step, args }: Task): Results[Task["step"]] {
  if (step === "sort") return sortUrls(kernel, ...args);
  return step === "join" ? joinStep(kernel, ...args) : supportStep(kernel, ...args);
}

/** Worker threads for one detection. */
export class Threads {
  readonly #threads: readonly Thread<Message, Results[Task["step"]]>[];
  readonly #hasCaller: boolean;

  /** `hasCaller`: the calling thread is one of them. */
  constructor(count: number, signal: AbortSignal, hasCaller: boolean) {
    const file = new URL("../detect-worker.js", import.meta.url);
    const options = { signal, remainder: "no rule was written" };
    this.#hasCaller = hasCaller;
    this.#threads = Array.from({ length: hasCaller ? count - 1 : count }, () => new Thread(file, options));
  }

  /** One task per thread, at the same time; results in the order of the tasks. `kernel` is the calling thread's. */
  run<Step extends Task["step"]>(
    kernel: Kernel,
    source: KernelSource,
    tasks: readonly Extract<Task, { step: Step }>[],
  ): Promise<Results[Step][]> {
    const threads = this.#threads;
    const here = this.#hasCaller ? 1 : 0;
    // Before this thread has something to do.
    const elsewhere = tasks.slice(here).map((task, i) => threads[i % threads.length]!.ask({ source, task }));
    const results = [...tasks.slice(0, here).map((task) => perform(kernel, task)), ...elsewhere];
    return Promise.all(results) as Promise<Results[Step][]>;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }
}
