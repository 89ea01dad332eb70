/** A table with URLs in, the same table with canonical ones out: Parquet, CSV and JSON lines, in any combination. */

import type { Canonizer } from "../../canon/compile.js";
import { DataError, UserError } from "../../errors.js";
import { stopIfAborted } from "../../progress.js";
import { copyTo, quoted } from "../../store/columns.js";
import { DuckDBInstance, DuckDBScalarFunction, interruptOn, VARCHAR } from "../../store/duckdb.js";
import { outputFormat, tableFormat } from "../../store/output-format.js";
import { parseUrl } from "../../url/parse.js";
import { type CanonCounts, noCounts } from "./records.js";

export interface CanonTableOptions {
  /** The column with the URL. Default: url. */
  readonly column?: string;
  /** Only the first row of each canonical URL. */
  readonly dedupe: boolean;
  readonly output: string;
  readonly signal: AbortSignal;
}

/** A column for the order of rows, which no table has. */
const ROW = "dustpan row";

/** Every other column is copied. What is not a URL stays as it is, and is counted. */
export async function canonTable(canon: Canonizer, file: string, options: CanonTableOptions): Promise<CanonCounts> {
  const from = tableFormat(file);
  if (from === undefined) {
    throw new UserError(`${file}: with --output, expected a table that ends in .parquet, .csv or .jsonl`);
  }
  const to = outputFormat(options.output);
  const name = options.column ?? "url";
  const column = `"${name.replaceAll('"', '""')}"`;
  const counts = noCounts();
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    memory_limit: "1GB",
  });
  const connection = await instance.connect();
  const stopInterrupting = interruptOn(options.signal, connection);
  try {
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name: "canonical",
        parameterTypes: [VARCHAR],
        returnType: VARCHAR,
        mainFunction: (_, chunk, output) => {
          const urls = chunk.getColumnValues(0);
          urls.forEach((value, row) => {
            const url = typeof value === "string" ? value : "";
            counts.records++;
            if (parseUrl(url) === undefined) counts.notUrls++;
            else counts.urls++;
            const canonical = parseUrl(url) === undefined ? url : canon(url);
            if (canonical !== url) counts.changed++;
            output.setItem(row, canonical);
          });
          output.flush();
        },
      }),
    );
    const read = from === "csv" ? `read_csv(${quoted(file)}, all_varchar = true)` : `read_${from}(${quoted(file)})`;
    const columns = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${read}`))
      .getRows()
      .map(([each]) => `${each}`);
    if (!columns.some((each) => each.toLowerCase() === name.toLowerCase())) {
      throw new UserError(`${file}: no column "${name}"; it has ${columns.join(", ")}: name one with --column`);
    }
    // Once for each row: a function with a count must not be asked twice.
    await connection.run(
      `CREATE TEMP TABLE canonized AS
       SELECT * REPLACE (canonical(${column}) AS ${column}), row_number() OVER () AS "${ROW}" FROM ${read}`,
    );
    if (options.dedupe) {
      await connection.run(
        `CREATE TEMP TABLE firsts AS SELECT min("${ROW}") AS first, count(*) AS rows FROM canonized GROUP BY ${column}`,
      );
      const found = await connection.runAndReadAll("SELECT sum(rows - 1)::DOUBLE FROM firsts");
      counts.repeated = Number(found.getRows()[0]?.[0] ?? 0);
    }
    const which = options.dedupe ? `WHERE "${ROW}" IN (SELECT first FROM firsts)` : "";
    const select = `SELECT * EXCLUDE ("${ROW}") FROM canonized ${which} ORDER BY "${ROW}"`;
    await connection.run(copyTo(select, options.output, to));
    return counts;
  } catch (error) {
    stopIfAborted(options, "nothing was written");
    if (error instanceof UserError) throw error;
    throw new DataError(error instanceof Error ? error.message.split("\n")[0]! : String(error), file);
  } finally {
    stopInterrupting();
    connection.closeSync();
    instance.closeSync();
  }
}
