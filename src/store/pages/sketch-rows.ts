/** The rows of sketch files as one query: numbered, made alike, and where files are damaged, those that can be read. */
import { UserError } from "../../errors.js";
import { quoted } from "../columns.js";
import { DuckDBInstance } from "../duckdb.js";
import { supershingleColumns } from "../schema.js";
import type { Connection } from "../workspace.js";
import { findDamagedRows, type LostRows, parquetFile, rowRange } from "./damaged-rows.js";

/** A query for rows with their number as `document`. */
interface Rows {
  readonly query: string;
  readonly rows: number;
  readonly lost: readonly LostRows[];
}

/** The rows of these files; with `check`, those of them that can be read. */
export async function querySketches(
  connection: Connection,
  files: readonly string[],
  check: boolean,
): Promise<Rows & { readonly columns: ReadonlySet<string> }> {
  const found = await (check ? querySoundRows : queryRows)(connection, files);
  const columns = await columnsOf(connection, found.query);
  const needed = ["url", ...supershingleColumns].filter((column) => !columns.has(column));
  if (needed.length > 0) {
    throw new UserError(`${files[0]} has no column ${needed.join(", ")}: expected files of "dustpan sketch"`);
  }
  if (columns.has("recipe")) await refuseMixed(connection, found.query);
  return { ...found, columns };
}

/** An error of the engine: perhaps a damaged file, so that opening it again with `check` is worth the time. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && error.name === "Error";
}

/** Whether a file has supershingles; a Parquet file that cannot be read is taken for one, since then its damage is reported. */
export async function isSketchFile(file: string): Promise<boolean> {
  if (!/\.parquet$/i.test(file)) return false;
  const instance = await DuckDBInstance.create(":memory:", { autoinstall_known_extensions: "false" });
  const connection = await instance.connect();
  try {
    const columns = await columnsOf(connection, `SELECT * FROM read_parquet(${quoted(file)})`);
    return supershingleColumns.every((column) => columns.has(column)) || !columns.has("url");
  } catch {
    return true;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Sketches that were not made alike agree nowhere, and would be clustered apart without a word. */
async function refuseMixed(connection: Connection, query: string): Promise<void> {
  const found = await connection.runAndReadAll(
    `SELECT DISTINCT recipe FROM (${query}) WHERE recipe IS NOT NULL ORDER BY recipe`,
  );
  const makings = found.getRows().map(([recipe]) => String(recipe));
  if (makings.length > 1) {
    throw new UserError(`sketches made as ${makings.join(" and ")} cannot be compared: sketch all archives alike`);
  }
}

/** The columns that mean something here; all but url and the supershingles may be missing. */
const meaning = new Set([
  "id",
  "url",
  "status",
  "time",
  "address",
  "title",
  "text",
  "words",
  "sketch",
  ...supershingleColumns,
]);

async function columnsOf(connection: Connection, relation: string): Promise<Set<string>> {
  const described = await connection.runAndReadAll(`DESCRIBE ${relation}`);
  return new Set(described.getRows().map((row) => String(row[0])));
}

/** The rows of the files. */
async function queryRows(connection: Connection, files: readonly string[]): Promise<Rows> {
  const names = `[${files.map(parquetFile).join(", ")}]`;
  const counted = await connection.runAndReadAll(
    `SELECT file_name, num_rows::DOUBLE FROM parquet_file_metadata(${names})`,
  );
  const rowsOf = new Map(counted.getRows().map(([file, rows]) => [String(file), Number(rows)]));
  let rows = 0;
  const starts = files.map((file) => {
    const start = rows;
    rows += rowsOf.get(file)!;
    return start;
  });
  return {
    query: `SELECT * EXCLUDE (file_row_number), ([${starts.join(", ")}][file_index::BIGINT + 1] + file_row_number)::UINTEGER AS document
            FROM read_parquet(${names}, union_by_name = true, file_row_number = true)`,
    rows,
    lost: [],
  };
}

/** Those of them that can be read. */
async function querySoundRows(connection: Connection, files: readonly string[]): Promise<Rows> {
  const { sound, lost } = await findDamagedRows(connection, files, meaning);
  if (sound.length === 0) throw new UserError(`nothing of ${files.join(", ")} can be read: ${lost[0]?.reason}`);
  let rows = 0;
  const queries = sound.map(({ file, first, end }) => {
    const number = `(file_row_number + ${rows - first})::UINTEGER AS document`;
    rows += end - first;
    return `SELECT * EXCLUDE (file_row_number), ${number} FROM ${rowRange({ file, first, end })}`;
  });
  return { query: queries.join(" UNION ALL BY NAME "), rows, lost };
}
