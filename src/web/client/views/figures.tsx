import { useEffect, useState } from "preact/hooks";
import type { FigureInfo, Job } from "../../../documents.js";
import { get, messageOf, POLL_MS, post, useDocument } from "../api.js";

import { ApiImage, DownloadLink, Empty, Failure, Pending } from "../parts.js";
import { JobCard } from "./job-card.js";

/** The figures of these names that there is data for. */
export function Figures({ names }: { readonly names: readonly string[] }) {
  const { data } = useDocument("dustpan-figures", "/api/figures");
  const shown = data?.figures.filter(({ name }) => names.includes(name)) ?? [];
  return shown.length === 0 ? null : (
    <section class="figures">
      {shown.map((figure) => (
        <Drawing key={figure.name} figure={figure} />
      ))}
    </section>
  );
}

/** All figures, and the job that draws those that need a look at every URL. */
export function FiguresView() {
  const loaded = useDocument("dustpan-figures", "/api/figures");
  const { data, reload } = loaded;
  const [started, setStarted] = useState<Job>();
  const [failure, setFailure] = useState<string>();
  const job = started ?? data?.job ?? undefined;
  const start = () => {
    setFailure(undefined);
    post("dustpan-job", "/api/jobs/figures", {}).then(setStarted, (problem: unknown) => setFailure(messageOf(problem)));
  };
  useEffect(() => {
    if (job?.state !== "running") return;
    const timer = setTimeout(async () => {
      const now = await get("dustpan-job", `/api/jobs/${job.id}`);
      setStarted(now);
      if (now.state !== "running") reload();
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [job]);
  return (
    <>
      <div class="title">
        <h1>Figures</h1>
        <div class="actions">
          <button type="button" disabled={job?.state === "running"} onClick={start}>
            Draw those about rules and dust
          </button>
        </div>
      </div>
      <Failure message={failure} />
      {job === undefined ? null : <JobCard job={job} />}
      <Pending of={loaded} />
      {data === undefined ? null : data.figures.length === 0 ? (
        <Empty>Nothing to draw yet. Figures about rules and dust need a look at every URL: start it above.</Empty>
      ) : (
        <div class="figures">
          {data.figures.map((figure) => (
            <Drawing key={figure.name} figure={figure} />
          ))}
        </div>
      )}
    </>
  );
}

function Drawing({ figure }: { readonly figure: FigureInfo }) {
  const { name, title, sentence, table } = figure;
  return (
    <figure>
      <figcaption>
        <h2>{title}</h2>
        <p class="quiet">{sentence}</p>
      </figcaption>
      <ApiImage src={`/api/figures/${name}.svg`} alt={`${title}: the numbers are in the table below`} />
      <div class="tools">
        <details>
          <summary>Numbers</summary>
          <table class="list">
            <thead>
              <tr>
                {table.columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.slice(0, 200).map((row) => (
                <tr key={row.join(" ")}>
                  {row.map((value, i) => (
                    <td key={table.columns[i]}>{value}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </details>
        <DownloadLink href={`/api/figures/${name}.svg?download`}>SVG</DownloadLink>
      </div>
    </figure>
  );
}
