/** Rules that edit the query, for caches at the edge whose key always has the host and the path. */
import type { Operation } from "../canon/edit.js";
import type { Rule } from "../model.js";
import { type RuntimeLanguage, sourceOf } from "./source-file.js";
import { refuseStep, stepOf } from "./steps.js";

const edgeOperations: ReadonlySet<Operation> = new Set<Operation>([
  ...(["remove", "set", "keep-first", "keep-last", "drop-empty", "sort"] as const),
]);

export const EDGE_EXPRESSES =
  "all rules about parameters of the query, with their scopes; the path always stays in the key";

export function refuseInEdgeQuery(rule: Rule): string | undefined {
  const reason = refuseStep(rule);
  if (reason !== undefined) return reason;
  return edgeOperations.has(stepOf(rule)!.operation) ? undefined : "host and path are always a part of the key there";
}

const edgeRuntime: RuntimeLanguage = {
  file: "edge-query.js",
  emptyList: "const RULES = [];",
  list: (rows) => `const RULES = [\n${rows.join(",\n")}\n];`,
  row: ({ operation, first, second, host, path, script, conditions }) =>
    JSON.stringify([
      ...[operation, first, second, host, path, script],
      conditions.map(({ name, isThere, value }) => [name, isThere, value]),
    ]),
};

/** A script that defines the function `canonicalQuery`, without comments and indentation. */
export function canonicalQueryScript(rules: readonly Rule[]): string {
  return sourceOf(edgeRuntime, rules)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("//"))
    .join("\n");
}
