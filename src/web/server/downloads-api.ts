import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { formatRulesFile } from "../../canon/file/write-rules-file.js";
import { UserError } from "../../errors.js";
import { copyTable, listTables } from "../../store/browse/tables.js";
import { type Answer, type ApiRequest, documentOf, type Route } from "./routes.js";

export const downloadsRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/tables",
    handle: async ({ app }) => documentOf("dustpan-tables", { tables: await listTables(app.workspace) }),
  },
  { method: "GET", path: "/api/tables/:file", handle: table },
  {
    method: "GET",
    path: "/api/rules-file",
    handle: async ({ app }) => ({
      text: formatRulesFile(app.readRules()),
      type: "application/json",
      name: "dustpan.rules.json",
    }),
  },
];

const types = { csv: "text/csv; charset=utf-8", parquet: "application/vnd.apache.parquet" } as const;

/** A whole table: "urls.csv", "clusters.parquet". */
async function table({ app, params }: ApiRequest): Promise<Answer> {
  const [, name, format] = /^(\w+)\.(csv|parquet)$/.exec(params.file!) ?? [];
  if (name === undefined || (format !== "csv" && format !== "parquet")) {
    throw new UserError(`no table ${params.file}: expected NAME.csv or NAME.parquet`);
  }
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-download-"));
  const file = path.join(folder, params.file!);
  try {
    await copyTable(app.workspace, name, format, file);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return { download: { file, name: params.file!, type: types[format] } };
}
