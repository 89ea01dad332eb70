/** SQL: the exported function in real databases, over a table of URLs. */
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { it } from "vitest";
import { agree, expectAgreement, temporaryFolder } from "./agreement.js";
import { debianPackages, isInstalled, pythonPackages, run } from "./tools.js";

it("DuckDB", async () => {
  const agreement = await agree("duckdb", async ({ text }, urls) => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run(text);
    const file = path.join(temporaryFolder("duckdb"), "urls.json");
    writeFileSync(file, urls.map((url, i) => JSON.stringify({ i, url })).join("\n"));
    const reader = await connection.runAndReadAll(
      `SELECT canonical(url) FROM read_json('${file}', format = 'newline_delimited', columns = { i: 'BIGINT', url: 'VARCHAR' }) ORDER BY i`,
    );
    return reader.getRows().map(([url]) => url as string);
  });
  expectAgreement(agreement);
});

/** A server does not run as root, and listens on a socket in its own folder only. */
it("PostgreSQL", async () => {
  const installed = "/usr/lib/postgresql/15/bin";
  const unpacked = existsSync(installed)
    ? { root: "/", env: {} }
    : debianPackages("postgresql", "postgresql-15", "postgresql-client-15", "libpq5");
  const bin = path.join(unpacked.root, installed);
  const env = { ...process.env, ...unpacked.env };
  const agreement = await agree("postgres", ({ text }, urls) => {
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
    try {
      const rows = urls.map((url, i) => JSON.stringify([i, url]).replaceAll("\\", "\\\\"));
      const script = [
        text,
        "CREATE TEMPORARY TABLE lines (line jsonb);",
        "COPY lines FROM stdin;",
        ...rows,
        "\\.",
        "SELECT to_json(canonical(line->>1)) FROM lines ORDER BY (line->>0)::int;",
      ];
      const file = path.join(folder, "script.sql");
      writeFileSync(file, `${script.join("\n")}\n`);
      const output = asNobody(
        "psql",
        "-q",
        "-A",
        "-t",
        "-v",
        "ON_ERROR_STOP=1",
        "-h",
        folder,
        "-U",
        "tester",
        "-f",
        file,
        "postgres",
      );
      return output
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    } finally {
      asNobody("pg_ctl", "stop", "-D", data, "-m", "immediate");
    }
  });
  expectAgreement(agreement);
});

/** Half a gigabyte of Spark is installed where asked for: DUSTPAN_EXPORT_SPARK=1. */
it.skipIf(!isInstalled("java") || process.env.DUSTPAN_EXPORT_SPARK === undefined)("Spark", async () => {
  const python = pythonPackages("spark", "pyspark==4.*");
  const agreement = await agree("spark", ({ text }, urls) => {
    const folder = temporaryFolder("spark");
    writeFileSync(path.join(folder, "canonical.sql"), text);
    writeFileSync(path.join(folder, "urls.json"), JSON.stringify(urls));
    writeFileSync(
      path.join(folder, "ask.py"),
      `
import json
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
statement = "\\n".join(line for line in open("canonical.sql", encoding="utf-8").read().split("\\n") if not line.startswith("--"))
spark.sql(statement.strip().rstrip(";"))
urls = json.load(open("urls.json"))
spark.createDataFrame(list(enumerate(urls)), "i INT, url STRING").createOrReplaceTempView("urls")
rows = spark.sql("SELECT canonical(url) AS url FROM urls ORDER BY i").collect()
json.dump([row.url for row in rows], open("answers.json", "w"))
`,
    );
    run(python, ["ask.py"], { cwd: folder });
    return JSON.parse(run("cat", ["answers.json"], { cwd: folder }));
  });
  expectAgreement(agreement);
});
