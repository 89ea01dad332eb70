// Documents as a crawl has them, with only what clustering needs: URLs and six supershingles, 38% of them in clusters of very
// different sizes. By number, so that parts of one crawl can be made apart.
import { existsSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";

/** Writes documents number `from` to `to` - 1 of a crawl of that many `documents`, unless the file is there. */
export async function writeDocuments(file, from, to, documents) {
  if (existsSync(file)) return;
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "2GB" });
  const connection = await instance.connect();
  const share = (seed) => `(hash(i, ${seed}) / 18446744073709551616.0)`;
  const supershingles = [0, 1, 2, 3, 4, 5].map(
    (column) =>
      `CASE WHEN cluster < 0 OR ${share(100 + column)} < 0.15 THEN hash(i, ${200 + column}) ELSE hash(cluster, ${300 + column}) END AS s${column}`,
  );
  await connection.run(
    `COPY (
       SELECT 'http://www.' || (hash(i, 1) % 100000) || '.example/section/' || (hash(i, 2) % 1000) || '/document-' || i || '.html' AS url,
         200::SMALLINT AS status, ${supershingles.join(", ")}
       FROM (
         SELECT i, CASE WHEN draw < 0.38 THEN floor(${documents} * 0.088 * pow(draw / 0.38, 2.5))::BIGINT ELSE -1 END AS cluster
         FROM (SELECT i, ${share(3)} AS draw FROM range(${from}, ${to}) t(i))))
     TO '${file}' (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
}
