/**
 * Rows of a query as typed objects: small answers only, for lists that people read. The names of the columns are the keys of the
 * object that asks for them, so that what a list calls a column, and what it is shown as, cannot drift apart.
 */
import type { DuckDBValue } from "../duckdb.js";
import type { Connection } from "../workspace.js";

/** An expression of SQL, and how its JSON value is read. */
export interface Column<T> {
  readonly sql: string;
  readonly read: (value: unknown) => T;
}

export type Columns = Readonly<Record<string, Column<unknown>>>;
export type RowOf<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never };

export const number = (sql: string): Column<number> => ({ sql: `(${sql})::DOUBLE`, read: Number });
export const text = (sql: string): Column<string> => ({ sql, read: String });
/** A text that can only be one of a few. */
export const word = <T extends string>(sql: string): Column<T> => ({ sql, read: (value) => value as T });
export const flag = (sql: string): Column<boolean> => ({ sql, read: (value) => value === true });
/** ISO 8601, to the second. */
export const time = (sql: string): Column<string> => text(`strftime(${sql}, '%Y-%m-%dT%H:%M:%SZ')`);
export const orNull = <T>({ sql, read }: Column<T>): Column<T | null> => ({
  sql,
  read: (value) => (value === null ? null : read(value)),
});
/** A list of structures with these fields. */
export const listOf = <C extends Columns>(fields: C, order: string): Column<readonly RowOf<C>[]> => ({
  sql: `list({${Object.entries(fields).map(([name, { sql }]) => `"${name}": ${sql}`)}} ORDER BY ${order})`,
  read: (value) => (value as Record<string, unknown>[]).map((row) => readFields(fields, (name) => row[name])),
});

/** `from`: the query after its columns. */
export async function selectRows<C extends Columns>(
  connection: Connection,
  columns: C,
  from: string,
  values: DuckDBValue[] = [],
): Promise<RowOf<C>[]> {
  const found = await connection.runAndReadAll(`SELECT ${selectionOf(columns)} ${from}`, values);
  const names = Object.keys(columns);
  return found.getRowsJson().map((row) => readFields(columns, (name) => row[names.indexOf(name)]));
}

export function selectionOf(columns: Columns): string {
  return Object.entries(columns)
    .map(([name, { sql }]) => `${sql} AS "${name}"`)
    .join(", ");
}

function readFields<C extends Columns>(columns: C, at: (name: string) => unknown): RowOf<C> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { read }]) => [name, read(at(name))]),
  ) as unknown as RowOf<C>;
}
