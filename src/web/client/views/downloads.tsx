import { count, counted } from "../../../numbers.js";
import { useDocument } from "../api.js";
import { DownloadLink, Pending, Title } from "../parts.js";
import { Exports } from "./exports.js";

export function Downloads() {
  const loaded = useDocument("dustpan-tables", "/api/tables");
  const { data } = loaded;
  const full = data?.tables.filter(({ rows }) => rows > 0) ?? [];
  const empty = data?.tables.filter(({ rows }) => rows === 0) ?? [];
  return (
    <>
      <Title about="What was found, as files. Tables have URLs as they are, secrets too.">Downloads</Title>
      <section>
        <h2>Rules for other programs</h2>
        <Exports />
      </section>
      <section>
        <h2>Everything as it is</h2>
        <p>
          <DownloadLink href="/api/rules-file">dustpan.rules.json</DownloadLink>{" "}
          <span class="quiet">the rules with your decisions</span>
        </p>
        <Pending of={loaded} />
        {data === undefined ? null : (
          <>
            <table class="list">
              <caption class="hidden">Tables of the workspace</caption>
              <thead>
                <tr>
                  <th scope="col">Table</th>
                  <th scope="col" class="number">
                    Rows
                  </th>
                  <th scope="col" class="wide">
                    Columns
                  </th>
                  <th scope="col">Files</th>
                </tr>
              </thead>
              <tbody>
                {full.map(({ name, rows, columns }) => (
                  <tr key={name}>
                    <td>{name}</td>
                    <td class="number">{count(rows)}</td>
                    <td class="wide quiet">{columns.map((column) => column.name).join(", ")}</td>
                    <td class="links">
                      <DownloadLink href={`/api/tables/${name}.csv`}>CSV</DownloadLink>{" "}
                      <DownloadLink href={`/api/tables/${name}.parquet`}>Parquet</DownloadLink>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {empty.length === 0 ? null : (
              <p class="quiet">
                {counted(empty.length, "table")} without a row: {empty.map(({ name }) => name).join(", ")}.
              </p>
            )}
          </>
        )}
      </section>
    </>
  );
}
