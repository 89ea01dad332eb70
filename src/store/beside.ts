/** The files that belong to a workspace, named after it: two workspaces in one folder share none. */
import path from "node:path";

/** shop.rules.json of shop.duckdb. */
export function rulesFileBeside(workspaceFile: string): string {
  return `${stemOf(workspaceFile)}.rules.json`;
}

export function reportFileBeside(workspaceFile: string): string {
  return `${stemOf(workspaceFile)}-report.html`;
}

export function aliasesFileBeside(workspaceFile: string): string {
  return `${stemOf(workspaceFile)}.aliases.tsv`;
}

/** Only the usual ending goes: shop.duckdb and shop.db are two workspaces. */
function stemOf(workspaceFile: string): string {
  return path.join(path.dirname(workspaceFile), path.basename(workspaceFile, ".duckdb"));
}
