import { useDocument } from "../api.js";
import { Empty, Failure, Title } from "../parts.js";
import { JobCard } from "./job-card.js";
import { ValidateForm } from "./validate-form.js";

export function JobsView() {
  const { data, error, reload } = useDocument("dustpan-jobs", "/api/jobs");
  return (
    <>
      <Title about="Long work in this server's process; it ends with the server and can be started again.">Jobs</Title>
      <section>
        <h2>Validate all rules</h2>
        <ValidateForm onDone={reload} />
      </section>
      <section>
        <h2>Started so far</h2>
        <Failure message={error} />
        {data?.jobs.length === 0 ? <Empty>None.</Empty> : null}
        {data?.jobs.map((job) => (
          <JobCard key={job.id} job={job} onChange={reload} />
        ))}
      </section>
    </>
  );
}
