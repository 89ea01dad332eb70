/**
 * Parquet files, Common Crawl's columnar index among them, through an in-memory DuckDB. Row group by row group, so that
 * damage in one does not end the file; and where a column that can be done without is damaged, without that column.
 */

import { DataError } from "../../errors.js";
import type { RowOutcome } from "../../http/row-outcome.js";
import { DuckDBBlobValue, type DuckDBConnection, DuckDBInstance } from "../../store/duckdb.js";
import { digestNameOf, type FieldName, mapColumns, pageFromFields } from "./fields.js";

export interface ParquetRow {
  /** 1-based row in the file. */
  readonly row: number;
  readonly outcome: RowOutcome;
}

export interface ParquetDamage {
  /** Where the damaged column's bytes begin in the file. */
  readonly offset: number;
  readonly reason: string;
  /** Which rows, and what the engine says. */
  readonly text: string;
}

interface Column {
  readonly field: FieldName;
  readonly name: string;
  /** SQL for a value as pageFromFields wants it. */
  readonly sql: string;
}

/** Where the URL is, and what it is relative to. */
export interface UrlSettings {
  readonly base: string | undefined;
  readonly column: string | undefined;
}

interface RowGroup {
  readonly firstRow: number;
  readonly rows: number;
  /** File offset of each column's bytes. */
  readonly offsets: ReadonlyMap<string, number>;
}

/** Rows whose values cross from the engine as one string. */
const STRETCH = 4096;

const largeFields: ReadonlySet<FieldName> = new Set(["text", "html", "links", "shingles", "sketch"]);

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Rows in batches (DuckDB's vectors). Only the columns that mean something are read. */
export async function* readParquet(
  path: string,
  settings: UrlSettings,
  onDamage: (damage: ParquetDamage) => void,
): AsyncGenerator<ParquetRow[]> {
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    memory_limit: "1GB",
    // Better to fail, and read row by row, than to write files next to the user's.
    temp_directory: "",
    threads: "2",
  });
  const connection = await instance.connect();
  try {
    yield* new ParquetReader(connection, path, settings, onDamage).read();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

class ParquetReader {
  readonly #connection: DuckDBConnection;
  readonly #path: string;
  readonly #settings: UrlSettings;
  readonly #onDamage: (damage: ParquetDamage) => void;
  /** The file as a table function's argument: a name with a pattern's characters means that file, not a pattern. */
  readonly #file: string;

  constructor(
    connection: DuckDBConnection,
    path: string,
    settings: UrlSettings,
    onDamage: (damage: ParquetDamage) => void,
  ) {
    this.#connection = connection;
    this.#path = path;
    this.#settings = settings;
    this.#onDamage = onDamage;
    this.#file = quoted(path.replace(/[*?[]/g, "[$&]"));
  }

  async *read(): AsyncGenerator<ParquetRow[]> {
    let names: readonly string[];
    let columns: Column[];
    let groups: RowGroup[];
    try {
      ({ names, columns } = await this.#columns());
      groups = await this.#rowGroups();
    } catch (error) {
      throw new DataError(`the file's metadata cannot be read (${firstLine(error)})`, this.#path);
    }
    if (!columns.some(({ field }) => field === "url")) {
      const { column } = this.#settings;
      const missing = column === undefined ? "no column holds URLs" : `no column "${column}" holds URLs`;
      throw new DataError(`${missing}; it has ${names.join(", ")}: name one with --column`, this.#path);
    }
    for (const group of groups) yield* this.#readGroup(group, columns);
  }

  async #columns(): Promise<{ names: readonly string[]; columns: Column[] }> {
    const described = await this.#connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${this.#file})`);
    const names = described.getRows().map((row) => String(row[0]));
    const types = described.getRows().map((row) => String(row[1]));
    const columns = [...mapColumns(names, this.#settings.column)].flatMap(([field, i]) => {
      const sql = sqlOf(field, identifier(names[i]!), types[i]!);
      return sql === undefined ? [] : [{ field, name: names[i]!, sql }];
    });
    return { names, columns };
  }

  async #rowGroups(): Promise<RowGroup[]> {
    const result = await this.#connection.runAndReadAll(
      `SELECT row_group_id, any_value(row_group_num_rows)::DOUBLE,
              list(path_in_schema), list(coalesce(dictionary_page_offset, data_page_offset)::DOUBLE)
       FROM parquet_metadata(${this.#file}) GROUP BY 1 ORDER BY 1`,
    );
    let firstRow = 0;
    return result.getRowsJS().map(([, count, names, offsets]) => {
      const rows = count as number;
      const group = {
        firstRow,
        rows,
        offsets: new Map((names as string[]).map((name, i) => [name, (offsets as number[])[i]!])),
      };
      firstRow += rows;
      return group;
    });
  }

  async *#readGroup(group: RowGroup, columns: readonly Column[]): AsyncGenerator<ParquetRow[]> {
    const end = group.firstRow + group.rows;
    let row = group.firstRow;
    const joined = await this.#readJoined(row, end, columns);
    if (joined !== undefined) {
      yield* joined;
      return;
    }
    const progress = (rows: number): void => {
      row += rows;
    };
    try {
      yield* this.#readRows(row, end, columns, progress);
      return;
    } catch {
      // The rows before the damage have been given out: `row` is the first that was not.
    }
    // Which columns are at fault is found by reading each alone.
    const sound: Column[] = [];
    for (const column of columns) {
      const reason = await this.#failure(row, end, column);
      if (reason === undefined) {
        sound.push(column);
        continue;
      }
      this.#onDamage({
        offset: group.offsets.get(column.name) ?? 0,
        reason: column.field === "url" ? `rows without their ${column.name}` : `column ${column.name} cannot be read`,
        text: `rows ${row + 1} to ${end}: ${reason}`,
      });
    }
    // Without URLs the rest is useless; and columns that fail only together would fail again.
    if (sound.length === columns.length) {
      this.#onDamage({ offset: 0, reason: "rows cannot be read", text: `rows ${row + 1} to ${end}` });
    } else if (sound.some(({ field }) => field === "url")) {
      yield* this.#readRows(row, end, sound, progress);
    }
  }

  async #failure(from: number, end: number, column: Column): Promise<string | undefined> {
    try {
      // Counting would not look at the values.
      await this.#connection.run(`SELECT bit_xor(hash(${column.sql})) FROM ${this.#rows(from, end)}`);
      return undefined;
    } catch (error) {
      return firstLine(error);
    }
  }

  #rows(from: number, end: number): string {
    return `read_parquet(${this.#file}, file_row_number = true) WHERE file_row_number >= ${from} AND file_row_number < ${end}`;
  }

  /**
   * Rows with their values joined into one string per column and stretch of rows, which crosses from the engine three
   * times faster than value by value. Undefined where that cannot be done: a value holds the separator, the values are
   * whole pages or sketches, or the rows are damaged.
   */
  async #readJoined(
    from: number,
    end: number,
    columns: readonly Column[],
  ): Promise<Generator<ParquetRow[]> | undefined> {
    if (columns.some(({ field }) => largeFields.has(field))) return undefined;
    const select = columns.map(
      ({ sql }) => `string_agg(coalesce((${sql})::VARCHAR, ''), chr(30) ORDER BY file_row_number)`,
    );
    const stretches = [];
    try {
      const result = await this.#connection.runAndReadAll(
        `SELECT ${select.join(", ")} FROM ${this.#rows(from, end)} GROUP BY file_row_number // ${STRETCH} ORDER BY min(file_row_number)`,
      );
      for (const joined of result.getRows()) stretches.push(joined.map((value) => String(value).split("\x1e")));
    } catch {
      return undefined;
    }
    const rowCount = stretches.reduce((sum, values) => sum + values[0]!.length, 0);
    if (
      rowCount !== end - from ||
      stretches.some((values) => values.some(({ length }) => length !== values[0]!.length))
    ) {
      return undefined;
    }
    const read = this.#pageReader(columns);
    return (function* () {
      let row = from;
      for (const values of stretches) yield values[0]!.map((_, i) => ({ row: ++row, outcome: read(values, i) }));
    })();
  }

  /** From the values of the columns and a position in them to what that row says. */
  #pageReader(columns: readonly Column[]): (values: readonly (readonly unknown[])[], i: number) => RowOutcome {
    const source = {
      base: this.#settings.base,
      digestName: digestNameOf(columns.find(({ field }) => field === "digest")?.name),
    };
    const index = new Map(columns.map(({ field }, i) => [field, i]));
    return (values, i) =>
      pageFromFields((field) => {
        const value = values[index.get(field) ?? -1]?.[i];
        return value instanceof DuckDBBlobValue ? value.bytes : value;
      }, source);
  }

  async *#readRows(
    from: number,
    end: number,
    columns: readonly Column[],
    onRows: (rows: number) => void,
  ): AsyncGenerator<ParquetRow[]> {
    const read = this.#pageReader(columns);
    const select = columns.map(({ sql }) => sql).join(", ");
    const result = await this.#connection.stream(`SELECT ${select} FROM ${this.#rows(from, end)}`);
    let row = from;
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      const values = chunk.getColumns();
      const rows: ParquetRow[] = [];
      for (let i = 0; i < chunk.rowCount; i++) {
        rows.push({ row: ++row, outcome: read(values, i) });
      }
      onRows(chunk.rowCount);
      yield rows;
    }
  }
}

/** Undefined for a type that the field cannot have. */
function sqlOf(field: FieldName, column: string, type: string): string | undefined {
  if (field === "links") return type === "VARCHAR[]" ? `array_to_string(${column}, chr(10))` : undefined;
  if (field === "timeMs" && type.startsWith("TIMESTAMP")) return `epoch_ms(${column}::TIMESTAMP)::DOUBLE`;
  if (field === "timeMs" && type === "DATE") return `epoch_ms(${column}::TIMESTAMP)::DOUBLE`;
  if (field === "shingles" || field === "sketch") return type === "BLOB" ? column : undefined;
  if (field === "digest" && type === "BLOB") return `lower(hex(${column}))`;
  if (/^(?:U?(?:TINY|SMALL|BIG)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL.*)$/.test(type)) return `${column}::DOUBLE`;
  return type === "VARCHAR" ? column : undefined;
}

const firstLine = (error: unknown): string => (error as Error).message.split("\n", 1)[0]!;
