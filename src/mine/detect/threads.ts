import { Worker } from "node:worker_threads";
import { InterruptedError, UserError } from "../../errors.js";
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
  readonly #workers: Worker[];
  readonly #signal: AbortSignal;

  constructor(count: number, signal: AbortSignal) {
    const file = new URL("../detect-worker.js", import.meta.url);
    this.#workers = Array.from({ length: count }, () => new Worker(file));
    this.#signal = signal;
  }

  /** One task per thread, at the same time; results in the order of the tasks. */
  run<Step extends Task["step"]>(
    source: KernelSource,
    tasks: readonly Extract<Task, { step: Step }>[],
  ): Promise<Results[Step][]> {
    const workers = this.#workers;
    return Promise.all(tasks.map((task, i) => this.#runOn<Step>(workers[i % workers.length]!, { source, task })));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #runOn<Step extends Task["step"]>(worker: Worker, message: Message): Promise<Results[Step]> {
    const signal = this.#signal;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        worker.off("message", onMessage);
        worker.off("error", onError);
        signal.removeEventListener("abort", onAbort);
        finish();
      };
      const onMessage = (result: Results[Step]) => settle(() => resolve(result));
      const onError = (error: Error) => settle(() => reject(error.name === "UserError" ? toUserError(error) : error));
      const onAbort = () => settle(() => reject(new InterruptedError("detection was cancelled")));
      worker.on("message", onMessage);
      worker.on("error", onError);
      signal.addEventListener("abort", onAbort);
      worker.postMessage(message);
    });
  }
}

/** Between threads an error loses its class, and keeps its name. */
function toUserError(cause: Error): UserError {
  return new UserError(cause.message, { cause });
}
