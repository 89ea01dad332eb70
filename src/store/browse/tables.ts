/** The workspace's tables as they are: for downloads. */
import type { TableInfo } from "../../documents.js";
import { UserError } from "../../errors.js";
import { copyTo, quoted } from "../columns.js";
import type { Connection, Workspace } from "../workspace.js";
import { number, selectRows, text } from "./rows.js";

/** The workspace's tables, by name. */
export async function listTables(workspace: Workspace): Promise<TableInfo[]> {
  return workspace.read(async (connection) => {
    const names = await tableNames(connection);
    const tables: TableInfo[] = [];
    for (const name of names) {
      const columns = await columnsOf(connection, name);
      const [counted] = await selectRows(connection, { rows: number("count(*)") }, `FROM "${name}"`);
      tables.push({ name, rows: counted!.rows, columns });
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
    const rows = `SELECT ${chosen} FROM "${name}"`;
    await connection.run(
      format === "csv"
        ? copyTo(rows, file, "csv")
        : `COPY (${rows}) TO ${quoted(file)} (FORMAT parquet, COMPRESSION zstd)`,
    );
  });
}

export async function tableNames(connection: Connection): Promise<string[]> {
  const rows = await selectRows(
    connection,
    { name: text("table_name") },
    "FROM duckdb_tables() WHERE NOT temporary AND NOT internal ORDER BY table_name",
  );
  return rows.map(({ name }) => name);
}

async function columnsOf(connection: Connection, table: string) {
  return selectRows(
    connection,
    { name: text("column_name"), type: text("data_type") },
    "FROM duckdb_columns() WHERE table_name = $1 AND NOT internal ORDER BY column_index",
    [table],
  );
}
