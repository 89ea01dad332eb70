/** Tables as files: Parquet, CSV and JSON lines, by the file's name. */
import { UserError } from "../errors.js";

export type TableFormat = "parquet" | "csv" | "json";

/** The format that a file's name says; undefined where it says none of a table. */
export function tableFormat(file: string): TableFormat | undefined {
  if (/\.parquet$/i.test(file)) return "parquet";
  if (/\.csv(?:\.gz)?$/i.test(file)) return "csv";
  return /\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file) ? "json" : undefined;
}

/** The format of a table that is written to a file. */
export function outputFormat(output: string, flag = "--output"): TableFormat {
  const format = tableFormat(output);
  if (format !== undefined) return format;
  throw new UserError(`${flag} ${output}: expected a name that ends in .parquet, .csv, .csv.gz, .jsonl or .jsonl.gz`);
}
