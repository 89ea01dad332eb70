/** Jobs: how they go, and the button that starts one. */
import type { ComponentChildren } from "preact";
import type { Job, WorkKind } from "../../../documents.js";
import { count } from "../../../numbers.js";
import { useDocument } from "../api.js";
import { Link } from "../location.js";
import { Badge, Empty, Failure } from "../parts.js";
import { cancel, start, useWork } from "../work.js";

const kinds: Readonly<Record<Job["state"], string>> = {
  running: "likely",
  done: "valid",
  failed: "refuted",
  cancelled: "undecided",
};

/** A job with its progress; the view that shows it keeps it up to date. */
export function JobCard({ job }: { readonly job: Job }) {
  const { progress } = job;
  return (
    <div class="job" role="status">
      <p>
        <Badge kind={kinds[job.state]}>{job.state}</Badge> {job.title}{" "}
        <span class="quiet">{new Date(job.started).toLocaleTimeString()}</span>
      </p>
      {job.state === "running" ? (
        <p class="progress">
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
          <button type="button" onClick={() => cancel(job)}>
            Cancel
          </button>
        </p>
      ) : null}
      {job.state === "cancelled" ? <p class="quiet">{job.error}</p> : <Failure message={job.error} />}
      {job.told === undefined ? null : <p class="told">{job.told}</p>}
    </div>
  );
}

/** How the most recently started job is going, wherever it was started. */
export function WorkCard() {
  const { job, failure } = useWork();
  return (
    <>
      <Failure message={failure} />
      {job === undefined ? null : <JobCard job={job} />}
    </>
  );
}

/** Starts a job with what it needs; while any runs, it waits. */
export function StartButton(props: {
  readonly kind: WorkKind;
  readonly body?: object;
  readonly primary?: boolean;
  readonly children: ComponentChildren;
}) {
  const { job } = useWork();
  return (
    <button
      type="button"
      class={props.primary ? "primary" : undefined}
      disabled={job?.state === "running"}
      onClick={() => start(props.kind, props.body)}
    >
      {props.children}
    </button>
  );
}

/** An empty list with the button that fills it, or with what has to be added first. */
export function NotLookedYet(props: {
  readonly kind: WorkKind;
  readonly action: string;
  readonly children: ComponentChildren;
}) {
  const { data } = useDocument("dustpan-overview", "/api/overview");
  if (data === undefined) return null;
  const isMissing = props.kind === "mine" ? data.urls === 0 : data.sketched === 0;
  return (
    <>
      <Empty>
        {props.children}{" "}
        {isMissing ? (
          <>
            {props.kind === "mine" ? "There is no URL to look at." : "It takes pages with text: a crawl or an archive."}
            <Link href="/" class="button">
              Add a file
            </Link>
          </>
        ) : (
          <StartButton kind={props.kind} primary>
            {props.action}
          </StartButton>
        )}
      </Empty>
      <WorkCard />
    </>
  );
}
