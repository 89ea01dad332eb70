/** The one job that changes something: every view can start it, and all of them know how it goes. */
import { useEffect, useState } from "preact/hooks";
import { type Job, type WorkKind, workKinds } from "../../documents.js";
import { get, messageOf, POLL_MS, post, remove, WORK_ENDED } from "./api.js";

export interface Work {
  /** Running, or the last one that this page has seen end. */
  readonly job?: Job;
  /** Why the last one did not start. */
  readonly failure?: string;
}

let work: Work = {};
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<(now: Work) => void>();

function tell(now: Work): void {
  work = now;
  for (const listener of listeners) listener(now);
}

function watch(job: Job): void {
  tell({ job });
  clearTimeout(timer);
  if (job.state !== "running") {
    dispatchEvent(new Event(WORK_ENDED));
    return;
  }
  timer = setTimeout(
    () =>
      get("dustpan-job", `/api/jobs/${job.id}`).then(watch, (error: unknown) =>
        tell({ failure: `the server does not answer any more: ${messageOf(error)}` }),
      ),
    POLL_MS,
  );
}

/** Starts a job, unless another one runs. */
export async function start(kind: WorkKind, body: object = {}): Promise<void> {
  try {
    watch(await post("dustpan-job", `/api/jobs/${kind}`, body));
  } catch (error) {
    tell({ ...work, failure: messageOf(error) });
  }
}

export async function cancel(job: Job): Promise<void> {
  await remove("dustpan-job", `/api/jobs/${job.id}`).catch(() => {});
}

let isAsked = false;

/** What another page or an earlier visit has started is shown too. */
async function find(): Promise<void> {
  isAsked = true;
  const { jobs } = await get("dustpan-jobs", "/api/jobs");
  const running = jobs.find(({ kind, state }) => state === "running" && workKinds.includes(kind as WorkKind));
  if (running !== undefined && work.job === undefined) watch(running);
}

export function useWork(): Work {
  const [now, setNow] = useState(work);
  useEffect(() => {
    listeners.add(setNow);
    setNow(work);
    // If access is refused, the page says so itself, in place of its own documents.
    if (!isAsked) find().catch(() => {});
    return () => {
      listeners.delete(setNow);
    };
  }, []);
  return now;
}
