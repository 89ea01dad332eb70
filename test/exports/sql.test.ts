/** SQL: the exported function in real databases, over a table of URLs. Spark's is tried in the suite on a cluster (spark-sql.ts). */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Exported } from "#src/export/export-rules.js";
import { agree, agreesOnHostileRules, expectAgreement, isUrl, temporaryFolder } from "./agreement.js";
import { debianPackages, run } from "./tools.js";

async function askDuckdb({ text }: Exported, urls: readonly string[]): Promise<string[]> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(text);
  const file = path.join(temporaryFolder("duckdb"), "urls.json");
  writeFileSync(file, urls.map((url, i) => JSON.stringify({ i, url })).join("\n"));
  const reader = await connection.runAndReadAll(
    `SELECT canonical(url) FROM read_json('${file}', format = 'newline_delimited', columns = { i: 'BIGINT', url: 'VARCHAR' }) ORDER BY i`,
  );
  return reader.getRows().map(([url]) => url as string);
}

it("DuckDB", async () => {
  expectAgreement(await agree("duckdb", askDuckdb));
});

agreesOnHostileRules("duckdb", 60, askDuckdb, { reaches: isUrl });

/** A server that does not run as root, and listens on a socket in its own folder only. Gives what runs a script in it. */
function startPostgres(): { readonly psql: (script: string) => string; readonly stop: () => void } {
  const installed = "/usr/lib/postgresql/15/bin";
  const unpacked = existsSync(installed)
    ? { root: "/", env: {} }
    : debianPackages("postgresql", "postgresql-15", "postgresql-client-15", "libpq5");
  const bin = path.join(unpacked.root, installed);
  const env = { ...process.env, ...unpacked.env };
  const folder = temporaryFolder("postgres");
  chmodSync(folder, 0o777);
  const asNobody = (command: string, ...args: string[]) =>
    process.getuid?.() === 0
      ? run("runuser", ["-u", "nobody", "--", path.join(bin, command), ...args], { cwd: folder, env })
      : run(path.join(bin, command), args, { cwd: folder, env });
  const data = path.join(folder, "data");
  asNobody("initdb", "-D", data, "-A", "trust", "-U", "tester", "-E", "UTF8", "--no-sync", "--locale=C");
  const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
  asNobody("pg_ctl", "start", "-w", "-D", data, "-l", path.join(folder, "log"), "-o", options);
  const plain = ["-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"];
  return {
    psql: (script) => {
      const file = path.join(folder, "script.sql");
      writeFileSync(file, script);
      return asNobody("psql", ...plain, "-h", folder, "-U", "tester", "-f", file, "postgres");
    },
    stop: () => asNobody("pg_ctl", "stop", "-D", data, "-m", "immediate"),
  };
}

describe("PostgreSQL", () => {
  let server: ReturnType<typeof startPostgres> | undefined;
  beforeAll(() => {
    server = startPostgres();
  });
  afterAll(() => server?.stop());

  const askPostgres = ({ text }: Exported, urls: readonly string[]): string[] => {
    const rows = urls.map((url, i) => JSON.stringify([i, url]).replaceAll("\\", "\\\\"));
    const script = [
      text,
      "CREATE TEMPORARY TABLE lines (line jsonb);",
      "COPY lines FROM stdin;",
      ...rows,
      "\\.",
      "SELECT to_json(canonical(line->>1)) FROM lines ORDER BY (line->>0)::int;",
    ];
    const answers = server!.psql(`${script.join("\n")}\n`).trim();
    return answers.split("\n").map((line) => JSON.parse(line));
  };

  it("agrees with canonization", async () => {
    expectAgreement(await agree("postgres", askPostgres));
  });

  agreesOnHostileRules("postgres", 60, askPostgres, { reaches: isUrl });
});
