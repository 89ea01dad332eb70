import { useEffect } from "preact/hooks";
import type { Job } from "../../../documents.js";
import { count } from "../../../numbers.js";
import { get, POLL_MS, remove } from "../api.js";
import { Badge, Failure } from "../parts.js";

const kinds: Readonly<Record<Job["state"], string>> = {
  running: "likely",
  done: "valid",
  failed: "refuted",
  cancelled: "undecided",
};

/** A job with its progress; it is asked for again until it has ended. */
export function JobCard(props: {
  readonly job: Job;
  readonly onChange: (job: Job) => void;
  readonly onDone?: (() => void) | undefined;
}) {
  const { job, onChange, onDone } = props;
  const { progress } = job;
  // The callbacks are new each time, the job says when to ask.
  useEffect(() => {
    if (job.state !== "running") return;
    const timer = setTimeout(async () => {
      const now = await get("dustpan-job", `/api/jobs/${job.id}`);
      onChange(now);
      if (now.state !== "running") onDone?.();
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [job]);
  return (
    <div class="job" role="status">
      <p>
        <Badge kind={kinds[job.state]}>{job.state}</Badge> {job.title}{" "}
        <span class="quiet">{job.started.slice(11, 19)}</span>
      </p>
      {job.state === "running" ? (
        <p>
          <progress
            aria-label={job.title}
            max={progress?.total ?? 1}
            value={progress?.total === undefined ? undefined : progress.done}
          />{" "}
          <span class="quiet">
            {progress === undefined
              ? "starting"
              : `${progress.step}: ${count(progress.done)}${progress.total === undefined ? "" : ` of ${count(progress.total)}`} ${progress.unit}${progress.note === undefined ? "" : `, ${progress.note}`}`}
          </span>{" "}
          <button type="button" onClick={() => remove("dustpan-job", `/api/jobs/${job.id}`).then(onChange)}>
            Cancel
          </button>
        </p>
      ) : null}
      {job.error === undefined ? null : <Failure message={job.error} />}
      {job.state === "done" && job.result?.rules !== undefined ? <p class="quiet">{describe(job)}</p> : null}
    </div>
  );
}

function describe({ result }: Job): string {
  const verdicts = new Map<string, number>();
  for (const rule of result?.rules ?? []) verdicts.set(rule.status, (verdicts.get(rule.status) ?? 0) + 1);
  const told = [...verdicts].map(([status, n]) => `${count(n)} ${status}`).join(", ");
  return result?.fetched === undefined ? told : `${told}; ${count(result.fetched.requests)} requests`;
}
