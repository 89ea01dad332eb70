import { UserError } from "../../errors.js";
import { quoted } from "../columns.js";
import type { Connection, Workspace } from "../workspace.js";
import { objects } from "./objects.js";

export interface TableInfo {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** The workspace's tables, by name. */
export async function listTables(workspace: Workspace): Promise<TableInfo[]> {
  return workspace.read(async (connection) => {
    const names = await tableNames(connection);
    const tables: TableInfo[] = [];
    for (const name of names) {
      const columns = await columnsOf(connection, name);
      const [counted] = await objects(connection, `SELECT count(*)::DOUBLE AS rows FROM "${name}"`);
      tables.push({ name, rows: Number(counted?.rows), columns });
    }
    return tables;
  });
}

/** Writes a table to a file. CSV leaves binary columns (sketches) out. */
export async function copyTable(
  workspace: Workspace,
  name: string,
  format: "csv" | "parquet",
  file: string,
): Promise<void> {
  await workspace.read(async (connection) => {
    if (!(await tableNames(connection)).includes(name)) throw new UserError(`no table ${name} in the workspace`);
    const columns = (await columnsOf(connection, name)).filter(({ type }) => format === "parquet" || type !== "BLOB");
    const chosen = columns.map((column) => `"${column.name}"`).join(", ");
    const options = format === "csv" ? "FORMAT csv, HEADER" : "FORMAT parquet, COMPRESSION zstd";
    await connection.run(`COPY (SELECT ${chosen} FROM "${name}") TO ${quoted(file)} (${options})`);
  });
}

export async function tableNames(connection: Connection): Promise<string[]> {
  const rows = await objects(
    connection,
    "SELECT table_name AS name FROM duckdb_tables() WHERE NOT temporary AND NOT internal ORDER BY table_name",
  );
  return rows.map(({ name }) => String(name));
}

async function columnsOf(connection: Connection, table: string) {
  const rows = await objects(
    connection,
    "SELECT column_name AS name, data_type AS type FROM duckdb_columns() WHERE table_name = $1 AND NOT internal ORDER BY column_index",
    [table],
  );
  return rows.map(({ name, type }) => ({ name: String(name), type: String(type) }));
}
