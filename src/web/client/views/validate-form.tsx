import { useEffect, useState } from "preact/hooks";
import type { Job } from "../../../documents.js";
import { messageOf, post, useDocument } from "../api.js";
import { Failure } from "../parts.js";
import { JobCard } from "./job-card.js";

/** Starts a validation and shows how it goes. */
export function ValidateForm(props: { readonly rules?: readonly string[]; readonly onDone?: () => void }) {
  const { data } = useDocument("dustpan-jobs", "/api/jobs");
  const [where, setWhere] = useState<"offline" | "live">("offline");
  const [sites, setSites] = useState("");
  const [delay, setDelay] = useState("1");
  const [job, setJob] = useState<Job>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    if (data === undefined) return;
    setSites(data.sites.join(" "));
    setDelay(String(data.delaySeconds));
    if (data.sites.length > 0) setWhere("live");
  }, [data]);
  const start = async () => {
    setFailure(undefined);
    try {
      setJob(
        await post("dustpan-job", "/api/jobs/validate", {
          ...(props.rules !== undefined && { rules: props.rules }),
          ...(where === "offline"
            ? { offline: true }
            : { sites: sites.split(/[\s,]+/).filter((site) => site !== ""), delaySeconds: Number(delay) }),
        }),
      );
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  const isRunning = job?.state === "running";
  return (
    <>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <label class="field">
          <span>Against</span>
          <select value={where} onChange={(event) => setWhere(event.currentTarget.value as "offline" | "live")}>
            <option value="offline">pages in the workspace</option>
            <option value="live">the live site</option>
          </select>
        </label>
        {where === "live" ? (
          <>
            <label class="field grow">
              <span>Sites that may be fetched from</span>
              <input
                value={sites}
                placeholder="https://www.example.com"
                spellcheck={false}
                onInput={(event) => setSites(event.currentTarget.value)}
              />
            </label>
            <label class="field short">
              <span>Pause, s</span>
              <input
                type="number"
                min="0"
                step="any"
                value={delay}
                onInput={(event) => setDelay(event.currentTarget.value)}
              />
            </label>
          </>
        ) : null}
        <button type="submit" disabled={isRunning}>
          Start
        </button>
      </form>
      <Failure message={failure} />
      {job === undefined ? null : <JobCard job={job} onChange={setJob} onDone={props.onDone} />}
    </>
  );
}
