/** Proves rules: against the pages that are there, or on the live site, which has to be named. */
import { useEffect, useState } from "preact/hooks";
import { useDocument } from "../api.js";
import { start, useWork } from "../work.js";

export function ValidateForm(props: { readonly rules?: readonly string[]; readonly primary?: boolean }) {
  const { data } = useDocument("dustpan-jobs", "/api/jobs");
  const overview = useDocument("dustpan-overview", "/api/overview").data;
  const [where, setWhere] = useState<"offline" | "live">("offline");
  const [sites, setSites] = useState("");
  const [delay, setDelay] = useState("1");
  const { job } = useWork();
  const isKnown = data !== undefined;
  useEffect(() => {
    if (data === undefined) return;
    setSites(data.sites.join(" "));
    setDelay(String(data.delaySeconds));
    if (data.sites.length > 0) setWhere("live");
  }, [isKnown]);
  const hasNothingToCompare = overview?.sketched === 0;
  useEffect(() => {
    if (hasNothingToCompare) setWhere("live");
  }, [hasNothingToCompare]);
  const body = {
    ...(props.rules !== undefined && { rules: props.rules }),
    ...(where === "offline"
      ? { offline: true }
      : { sites: sites.split(/[\s,]+/).filter((site) => site !== ""), delaySeconds: Number(delay) }),
  };
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        start("validate", body);
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
              placeholder="example.com"
              spellcheck={false}
              onInput={(event) => setSites(event.currentTarget.value)}
            />
          </label>
          <label class="field short">
            <span>Pause (s)</span>
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
      <button type="submit" class={props.primary ? "primary" : undefined} disabled={job?.state === "running"}>
        {props.rules === undefined ? "Prove the rules" : "Prove this rule"}
      </button>
    </form>
  );
}
