/** Rows of Parquet files that cannot be read, found and passed over. */
import { quoted } from "../columns.js";
import type { Connection } from "../workspace.js";

/** Rows of a Parquet file that cannot be read. */
export interface LostRows {
  readonly file: string;
  /** 1-based, both included; absent where not even the file's index can be read. */
  readonly rows?: { readonly first: number; readonly last: number };
  readonly reason: string;
}

/** A file name as read_parquet takes it: one with a pattern's characters is that file, not a pattern. */
export function parquetFile(file: string): string {
  return quoted(file.replace(/[*?[]/g, "[$&]"));
}

/** Rows of a Parquet file: `first` counts from 0 and is included, `end` is not. */
export interface RowRange {
  readonly file: string;
  readonly first: number;
  readonly end: number;
}

/** These rows as a table, with their file_row_number. */
export function rowRange({ file, first, end }: RowRange): string {
  return `read_parquet(${parquetFile(file)}, file_row_number = true) WHERE file_row_number >= ${first} AND file_row_number < ${end}`;
}

/**
 * Reads every row group of these columns once, and tells those that can be read: a damaged one costs its own rows and
 * nothing else.
 */
export async function findDamagedRows(
  connection: Connection,
  files: readonly string[],
  columns: ReadonlySet<string>,
): Promise<{ readonly sound: readonly RowRange[]; readonly lost: LostRows[] }> {
  const sound: RowRange[] = [];
  const lost: LostRows[] = [];
  for (const file of files) {
    const name = parquetFile(file);
    try {
      const groups = await connection.runAndReadAll(
        `SELECT any_value(row_group_num_rows)::DOUBLE FROM parquet_metadata(${name}) GROUP BY row_group_id ORDER BY row_group_id`,
      );
      const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${name})`);
      const probed = described.getRows().flatMap(([column]) => (columns.has(String(column)) ? [String(column)] : []));
      let first = 0;
      for (const [rows] of groups.getRows()) {
        const range = { file, first, end: first + Number(rows) };
        try {
          // Counting would not look at the values.
          await connection.run(
            `SELECT ${probed.map((column) => `bit_xor(hash(${column}))`).join(", ")} FROM ${rowRange(range)}`,
          );
          sound.push(range);
        } catch (error) {
          lost.push({ file, rows: { first: first + 1, last: range.end }, reason: firstLine(error) });
        }
        first = range.end;
      }
    } catch (error) {
      lost.push({ file, reason: firstLine(error) });
    }
  }
  return { sound, lost };
}

const firstLine = (error: unknown): string => (error as Error).message.split("\n", 1)[0]!;
