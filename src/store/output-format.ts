import { UserError } from "../errors.js";

/** The format of a table that is written to a file, by the file's name. */
export function outputFormat(output: string): "parquet" | "csv" {
  if (/\.parquet$/i.test(output)) return "parquet";
  if (/\.csv(?:\.gz)?$/i.test(output)) return "csv";
  throw new UserError(`--output ${output}: expected a name that ends in .parquet, .csv or .csv.gz`);
}
