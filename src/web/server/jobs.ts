/** Long work that was started in the browser: it runs in the server's process and is watched by asking. */

import { type Job, type WorkKind, workKinds } from "../../documents.js";
import { InterruptedError, UserError } from "../../errors.js";
import type { JobContext, Progress } from "../../model.js";

type Running = { -readonly [Key in keyof Job]: Job[Key] };

/** What a job leaves besides what it changed. */
export type Outcome = Pick<Job, "told" | "result">;

const KEPT = 20;

const isWork = (kind: Job["kind"]) => workKinds.includes(kind as WorkKind);

export class Jobs {
  readonly #jobs = new Map<string, { job: Running; controller: AbortController; done: Promise<void> }>();
  #count = 0;

  /** Starts the work; only one job of a kind runs at a time, and only one of those that change anything. */
  start(kind: Job["kind"], title: string, work: (context: JobContext) => Promise<Outcome>): Job {
    const other = isWork(kind) ? this.working() : this.running(kind);
    if (other !== undefined) throw new UserError(`wait for the running job or cancel it first: ${other.title}`);
    const job: Running = { id: String(++this.#count), kind, title, state: "running", started: now() };
    const controller = new AbortController();
    const onProgress = (progress: Progress) => {
      job.progress = progress;
    };
    const done = work({ onProgress, signal: controller.signal }).then(
      (outcome) => {
        Object.assign(job, { ...outcome, state: "done", finished: now() });
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        const cancelled = error instanceof InterruptedError || controller.signal.aborted;
        Object.assign(job, { state: cancelled ? "cancelled" : "failed", error: message, finished: now() });
      },
    );
    this.#jobs.set(job.id, { job, controller, done });
    for (const [id, { job: old }] of this.#jobs) {
      if (this.#jobs.size > KEPT && old.state !== "running") this.#jobs.delete(id);
    }
    return job;
  }

  running(kind: Job["kind"]): Job | undefined {
    return this.list().find((job) => job.kind === kind && job.state === "running");
  }

  /** The one that changes something. */
  working(): Job | undefined {
    return this.list().find((job) => isWork(job.kind) && job.state === "running");
  }

  /** Latest first. */
  list(): Job[] {
    return [...this.#jobs.values()].map(({ job }) => job).reverse();
  }

  find(id: string): Job {
    return this.#find(id).job;
  }

  /** Resolves when the job has ended, however it did. */
  async ended(id: string): Promise<Job> {
    const found = this.#find(id);
    await found.done;
    return found.job;
  }

  cancel(id: string): Job {
    const { job, controller } = this.#find(id);
    controller.abort();
    return job;
  }

  async close(): Promise<void> {
    for (const { controller } of this.#jobs.values()) controller.abort();
    await Promise.all([...this.#jobs.values()].map(({ done }) => done));
  }

  #find(id: string) {
    const found = this.#jobs.get(id);
    if (found === undefined) throw new UserError(`no job ${id}`);
    return found;
  }
}

const now = () => new Date().toISOString();
