/**
 * The peer: figure 1 as SQL in DuckDB, with prefixes and suffixes as integer classes and only those that two URLs share.
 * The anchors are U+0001 and U+0002. Rows: alpha and beta in the order of strings, with anchors, T_low and T_high support.
 */
import { DuckDBInstance } from "@duckdb/node-api";

const statements = [
  `CREATE TABLE token AS
     SELECT id, unnest(t) AS token, generate_subscripts(t, 1) AS k
     FROM (SELECT id, regexp_extract_all(url, '[A-Za-z0-9]+|[^A-Za-z0-9]') AS t FROM url)`,
  `CREATE TABLE cut AS
     SELECT id, k, (sum(length(token)) OVER (PARTITION BY id ORDER BY k))::INTEGER AS pos FROM token
     UNION ALL SELECT id, 0, 0 FROM url`,
  `CREATE TABLE prefix AS
     WITH part AS (SELECT id, k, pos, left(url, pos) AS txt FROM cut JOIN url USING (id)),
          shared AS (SELECT txt, (row_number() OVER ())::INTEGER AS class FROM part GROUP BY txt HAVING count(*) > 1)
     SELECT id, k, pos, class FROM part JOIN shared USING (txt)`,
  `CREATE TABLE suffix AS
     WITH part AS (SELECT id, k, pos, substr(url, pos + 1) AS txt FROM cut JOIN url USING (id)),
          shared AS (SELECT txt, (row_number() OVER ())::INTEGER AS class FROM part GROUP BY txt HAVING count(*) > 1)
     SELECT id, k, pos, class FROM part JOIN shared USING (txt)`,
  `CREATE TABLE envelope AS
     SELECT p.class AS p, s.class AS s, id, p.pos AS f, s.pos AS t
     FROM prefix p JOIN suffix s USING (id) WHERE s.k BETWEEN p.k AND p.k + 35`,
  `CREATE TABLE bucket AS SELECT p, s, count(*) AS size FROM envelope GROUP BY ALL HAVING count(*) BETWEEN 2 AND 11`,
  `CREATE TABLE member AS
     SELECT e.p, e.s, id, size, low, high, substr(url, f + 1, t - f) AS middle
     FROM envelope e JOIN bucket USING (p, s) JOIN url USING (id)`,
  // The sizes stay with the members: with the table of URLs here, the planner compares every URL's with every other's.
  `CREATE TABLE pair AS
     SELECT least(a.middle, b.middle) AS alpha, greatest(a.middle, b.middle) AS beta,
            count(*) FILTER (a.size <= 6) AS low, count(*) AS high
     FROM member a JOIN member b ON a.p = b.p AND a.s = b.s AND a.id < b.id
     WHERE a.low <= b.high AND b.low <= a.high
     GROUP BY 1, 2 HAVING count(*) FILTER (a.size <= 6) >= 3`,
];

/** Runs the detection on a list with sizes; `ms` and `cpuMs` are the statements' time, without loading. */
export async function detectWithSql({ urls, sizes }, readCpuMs) {
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    memory_limit: "8GB",
    temp_directory: "",
  });
  const connection = await instance.connect();
  await connection.run("CREATE TABLE url (id INTEGER, url VARCHAR, low DOUBLE, high DOUBLE)");
  const appender = await connection.createAppender("url");
  const decoder = new TextDecoder();
  for (let i = 0; i < urls.count; i++) {
    appender.appendInteger(i);
    appender.appendVarchar(`\u0001${decoder.decode(urls.bytes.subarray(urls.offsets[i], urls.offsets[i + 1]))}\u0002`);
    appender.appendDouble(sizes.minBytes[i]);
    appender.appendDouble(sizes.maxBytes[i]);
    appender.endRow();
  }
  appender.closeSync();
  const begin = performance.now();
  const cpuBegin = readCpuMs();
  for (const statement of statements) await connection.run(statement);
  const ms = performance.now() - begin;
  const cpuMs = readCpuMs() - cpuBegin;
  const reader = await connection.runAndReadAll("SELECT alpha, beta, low::INTEGER, high::INTEGER FROM pair");
  const rows = reader.getRows();
  connection.closeSync();
  return { ms, cpuMs, rows };
}
