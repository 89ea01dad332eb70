/** Everything that this server was asked to do, latest first. */
import { useDocument } from "../api.js";
import { Empty, Failure, Title } from "../parts.js";
import { useWork } from "../work.js";
import { JobCard } from "./job-card.js";
import { ValidateForm } from "./validate-form.js";

export function JobsView() {
  const { data, error } = useDocument("dustpan-jobs", "/api/jobs");
  const { job, failure } = useWork();
  const earlier = data?.jobs.filter(({ id }) => id !== job?.id) ?? [];
  return (
    <>
      <Title about="Work that this server does. It ends with the server, and can be started again.">Jobs</Title>
      <section>
        <h2>Prove all rules</h2>
        <ValidateForm />
        <Failure message={failure} />
      </section>
      <section>
        <h2>Started so far</h2>
        <Failure message={error} />
        {job === undefined && earlier.length === 0 ? <Empty>None.</Empty> : null}
        {job === undefined ? null : <JobCard job={job} />}
        {earlier.map((old) => (
          <JobCard key={old.id} job={old} />
        ))}
      </section>
    </>
  );
}
