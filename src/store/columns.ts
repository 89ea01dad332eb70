/** Columns to and from DuckDB. */
import { InvariantError } from "../errors.js";
import type { StringColumn } from "../model.js";
import { Turns } from "../progress.js";
import {
  BLOB,
  blobValue,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBDataChunk,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVector,
  INTEGER,
  UBIGINT,
  UINTEGER,
  UTINYINT,
  VARCHAR,
} from "./duckdb.js";
import type { TableFormat } from "./output-format.js";
import type { Connection } from "./workspace.js";

/**
 * Bulk data crosses the border to DuckDB as whole columns: typed arrays are copied into vectors, 2,048 rows at a time.
 * A NaN in a Float64Array stands for "unknown" on our side; `known()` makes it NULL in SQL.
 */
export type ColumnData =
  | Uint8Array
  | Int32Array
  | Uint32Array
  | Float64Array
  | BigUint64Array
  | StringColumn
  | readonly (string | null)[]
  | { readonly blobs: readonly (Uint8Array | null)[] };

export const known = (column: string) => `CASE WHEN isnan(${column}) THEN NULL ELSE ${column} END`;
export const knownTime = (column: string) =>
  `CASE WHEN isnan(${column}) THEN NULL ELSE make_timestamp_ms(${column}::BIGINT) END`;

/** A string in SQL. */
export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** All columns, with an apostrophe before texts that a spreadsheet would take for a formula (titles come from strangers), but not before numbers. */
const FOR_SPREADSHEETS =
  "CASE WHEN typeof(COLUMNS(*)) = 'VARCHAR' AND regexp_matches(COLUMNS(*)::VARCHAR, '^[=+@\\t\\r-]') AND TRY_CAST(COLUMNS(*)::VARCHAR AS DOUBLE) IS NULL THEN chr(39) || COLUMNS(*)::VARCHAR ELSE COLUMNS(*)::VARCHAR END";

/** The statement that writes what a query gives to a file. */
export function copyTo(select: string, file: string, format: TableFormat): string {
  const rows = format === "csv" ? `SELECT ${FOR_SPREADSHEETS} FROM (${select})` : select;
  return `COPY (${rows}) TO ${quoted(file)} (FORMAT ${format}${format === "csv" ? ", HEADER" : ""})`;
}

const CHUNK_ROWS = 2048;

/** Creates a temporary table with these columns. Its rows are in the order of the arrays. */
export async function stageTable(
  connection: Connection,
  name: string,
  columns: Readonly<Record<string, ColumnData>>,
): Promise<void> {
  const names = Object.keys(columns);
  const data = Object.values(columns);
  const definition = names.map((column, i) => `${column} ${typeOf(data[i]!).toString()}`).join(", ");
  await connection.run(`CREATE OR REPLACE TEMP TABLE ${name} (${definition})`);
  await appendColumns(connection, name, data, "temp");
}

/** Appends rows to a table whose columns have the types of `data`, in that order. */
export async function appendColumns(
  connection: Connection,
  table: string,
  data: readonly ColumnData[],
  catalog?: string,
): Promise<void> {
  const count = lengthOf(data[0]!);
  if (data.some((column) => lengthOf(column) !== count)) {
    throw new InvariantError(`columns for ${table} differ in length: ${data.map(lengthOf).join(", ")}`);
  }
  const appender = await connection.createAppender(table, catalog === undefined ? undefined : "main", catalog);
  const chunk = DuckDBDataChunk.create(data.map(typeOf));
  const turns = new Turns();
  for (let start = 0; start < count; start += CHUNK_ROWS) {
    const rows = Math.min(CHUNK_ROWS, count - start);
    chunk.reset();
    chunk.rowCount = rows;
    data.forEach((column, i) => {
      setColumn(chunk, i, column, start, rows);
    });
    appender.appendDataChunk(chunk);
    await turns.take();
  }
  appender.closeSync();
}

function typeOf(data: ColumnData): DuckDBType {
  if (data instanceof Uint8Array) return UTINYINT;
  if (data instanceof Int32Array) return INTEGER;
  if (data instanceof Uint32Array) return UINTEGER;
  if (data instanceof Float64Array) return DOUBLE;
  if (data instanceof BigUint64Array) return UBIGINT;
  return "blobs" in data ? BLOB : VARCHAR;
}

function lengthOf(data: ColumnData): number {
  if ("blobs" in data) return data.blobs.length;
  return "bytes" in data ? data.count : data.length;
}

function setColumn(chunk: DuckDBDataChunk, index: number, data: ColumnData, start: number, rows: number): void {
  if (ArrayBuffer.isView(data)) {
    const vector = chunk.getColumnVector(index) as unknown as { items: { set(values: unknown): void }; flush(): void };
    vector.items.set(data.subarray(start, start + rows));
    vector.flush();
    return;
  }
  const values: DuckDBValue[] = new Array(rows);
  if ("blobs" in data) {
    for (let k = 0; k < rows; k++) {
      const blob = data.blobs[start + k];
      values[k] = blob == null ? null : blobValue(blob);
    }
  } else if ("bytes" in data) {
    const buffer = asBuffer(data.bytes);
    for (let k = 0; k < rows; k++) {
      values[k] = buffer.toString("utf8", data.offsets[start + k]!, data.offsets[start + k + 1]!);
    }
  } else {
    for (let k = 0; k < rows; k++) values[k] = data[start + k] ?? null;
  }
  chunk.setColumnValues(index, values);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Calls `take` for every chunk of the result, with its columns as vectors' items (numbers) or values. */
export async function readChunks(
  connection: Connection,
  sql: string,
  values: DuckDBValue[],
  take: (chunk: DuckDBDataChunk, rows: number) => void,
): Promise<void> {
  const result = await connection.stream(sql, values);
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) return;
    take(chunk, chunk.rowCount);
  }
}

type NumberColumn = Uint8Array | Int32Array | Uint32Array | Float64Array | BigUint64Array;

/** Copies the first `rows` numbers of a fixed-width column without making a value of each. */
export function copyNumbers(
  chunk: DuckDBDataChunk,
  column: number,
  rows: number,
  target: NumberColumn,
  offset: number,
): void {
  // `never`: the vector's array has the type of the target's, which only the query knows.
  const numbers: { subarray(from: number, to: number): never } = numbersOf(chunk.getColumnVector(column));
  target.set(numbers.subarray(0, rows), offset);
}

/** The numbers of a fixed-width column as they lie in the engine's memory, which is theirs until its next chunk. */
export function numbersOf<T>(vector: DuckDBVector): T {
  return (vector as unknown as { readonly items: T }).items;
}

/** A string of its own for each row: for steps that take URLs one by one. */
export function toStrings({ count, bytes, offsets }: StringColumn): string[] {
  const buffer = asBuffer(bytes);
  return Array.from({ length: count }, (_, i) => buffer.toString("utf8", offsets[i]!, offsets[i + 1]!));
}

const STRINGS_PER_ROW = 10_000;

/**
 * The strings of a one-column query, in the query's order. They come as blocks of joined strings, which is three times
 * faster than one value each; the separator cannot occur in a URL, since no reader lets a line end into one.
 */
export async function readStrings(connection: Connection, sql: string, values: DuckDBValue[]): Promise<StringColumn> {
  const blocks: Uint8Array[] = [];
  let total = 0;
  await readChunks(
    connection,
    `SELECT encode(string_agg(s, chr(10) ORDER BY i)) FROM (SELECT s, row_number() OVER () - 1 AS i FROM (${sql}) AS q(s))
     GROUP BY i // ${STRINGS_PER_ROW} ORDER BY min(i)`,
    values,
    (chunk) => {
      for (const value of chunk.getColumnValues(0)) {
        if (!(value instanceof DuckDBBlobValue)) throw new InvariantError("a block of strings is not a blob");
        blocks.push(value.bytes);
        total += value.bytes.length + 1;
      }
    },
  );
  return splitBlocks(blocks, total);
}

function splitBlocks(blocks: readonly Uint8Array[], totalBytes: number): StringColumn {
  const newline = 10;
  let count = 0;
  for (const block of blocks) {
    count++;
    for (let at = block.indexOf(newline); at >= 0; at = block.indexOf(newline, at + 1)) count++;
  }
  const bytes = new Uint8Array(new SharedArrayBuffer(Math.max(1, totalBytes)));
  const offsets = new Uint32Array(new SharedArrayBuffer(4 * (count + 1)));
  let row = 0;
  let end = 0;
  for (const block of blocks) {
    let start = 0;
    for (;;) {
      const found = block.indexOf(newline, start);
      const stop = found < 0 ? block.length : found;
      bytes.set(block.subarray(start, stop), end);
      end += stop - start;
      offsets[++row] = end;
      if (found < 0) break;
      start = found + 1;
    }
  }
  return { count, bytes: bytes.subarray(0, end), offsets };
}
