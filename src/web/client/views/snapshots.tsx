import { count, percent } from "../../../numbers.js";
import { queryOf, useDocument } from "../api.js";
import { Link } from "../location.js";
import { Pending, Title } from "../parts.js";
import { Figures } from "./figures.js";

/** "#" before a title is for numbers, "~" for numbers that a phone has no room for, "-" for such texts. */
const kinds: Readonly<Record<string, string>> = { "#": "number", "~": "number wide", "-": "wide" };

const head = (...titles: string[]) => (
  <thead>
    <tr>
      {titles.map((title) => (
        <th key={title} scope="col" class={kinds[title[0]!]}>
          {title.replace(/^[#~-]/, "")}
        </th>
      ))}
    </tr>
  </thead>
);

export function SnapshotsView() {
  const loaded = useDocument("dustpan-snapshots", "/api/snapshots");
  const { data } = loaded;
  return (
    <>
      <Title about="What was read, and what became of it from one snapshot to the next.">Snapshots</Title>
      <Pending of={loaded} />
      {data === undefined ? null : (
        <>
          <table class="list">
            <caption class="hidden">Snapshots</caption>
            {head("Snapshot", "~Inputs", "#URLs", "~Failed only", "#Pages", "#Links")}
            <tbody>
              {data.snapshots.map((row) => (
                <tr key={row.name}>
                  <td>
                    <Link href={`/clusters${queryOf({ snapshot: row.name })}`}>{row.name}</Link>
                  </td>
                  <td class="number wide">{count(row.sources)}</td>
                  <td class="number">{count(row.urls)}</td>
                  <td class="number wide">{count(row.failedUrls)}</td>
                  <td class="number">{count(row.pages)}</td>
                  <td class="number">{count(row.links)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <section>
            <h2>Inputs</h2>
            <table class="list">
              <caption class="hidden">Inputs</caption>
              {head("Input", "Snapshot", "-Format", "#Records", "~Damaged")}
              <tbody>
                {data.sources.slice(-200).map((row) => (
                  <tr key={`${row.snapshot} ${row.name}`}>
                    <td class="url">{row.name}</td>
                    <td>{row.snapshot}</td>
                    <td class="wide">{row.format}</td>
                    <td class="number">{count(row.records)}</td>
                    <td class="number wide">{count(row.damaged)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          {data.changes.length === 0 ? null : (
            <section>
              <h2>What became of clusters</h2>
              <table class="list">
                <caption class="hidden">What became of clusters</caption>
                {head("From", "to", "#Same", "#Born", "#Grown", "#Merged", "~Shrunk", "~Split", "~Gone")}
                <tbody>
                  {data.changes.map(({ from, to, counts }) => (
                    <tr key={`${from} ${to}`}>
                      <td>{from}</td>
                      <td>{to}</td>
                      <td class="number">{count(counts.same)}</td>
                      <td class="number">{count(counts.born)}</td>
                      <td class="number">{count(counts.grown)}</td>
                      <td class="number">{count(counts.merged)}</td>
                      <td class="number wide">{count(counts.shrunk)}</td>
                      <td class="number wide">{count(counts.split)}</td>
                      <td class="number wide">{count(counts.gone)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
          {data.evolution.length === 0 ? null : (
            <section>
              <h2>How much of clusters stays together</h2>
              <table class="list">
                <caption class="hidden">How much of clusters stays together</caption>
                {head("From", "to", "Cluster size", "#Still together", "#Alike", "~Pages", "~Gone")}
                <tbody>
                  {data.evolution.map((row) => (
                    <tr key={`${row.before} ${row.after} ${row.sizes}`}>
                      <td>{row.before}</td>
                      <td>{row.after}</td>
                      <td>{row.sizes}</td>
                      <td class="number">{row.urls === 0 ? "" : percent(row.containment)}</td>
                      <td class="number">{row.urls === 0 ? "" : percent(row.similarity)}</td>
                      <td class="number wide">{count(row.urls)}</td>
                      <td class="number wide">{count(row.gone)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
          <Figures
            names={[
              "retention",
              "similarity-over-snapshots",
              "reverse-retention",
              "hosts-by-change",
              "change-by-cluster-size",
              "cluster-size-by-change",
              "size-by-change-normalized",
            ]}
          />
        </>
      )}
    </>
  );
}
