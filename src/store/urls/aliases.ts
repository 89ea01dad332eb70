/** URLs with the same canonical form, looked for batch by batch. */
import { readChunks } from "../columns.js";
import { useDatabase, type Workspace } from "../workspace.js";
import { orderFile } from "./url-order.js";

export interface Alias {
  readonly id: number;
  readonly url: string;
  readonly hits: number;
}

export interface AliasBatch {
  readonly aliases: readonly Alias[];
  readonly examined: number;
  readonly total: number;
  /** Goes on after this place; absent at the end. */
  readonly next?: number;
}

/**
 * URLs of the workspace with the same canonical form, a batch at a time. There is no table of canonical forms: it would
 * change with every decision about a rule.
 */
export async function findAliases(
  workspace: Workspace,
  canonical: string,
  canonize: (url: string) => string,
  after: number,
  limit: number,
): Promise<AliasBatch> {
  return useDatabase(orderFile(workspace), "read", async (connection) => {
    const total = Number((await connection.runAndReadAll("SELECT urls::DOUBLE FROM made")).getRows()[0]?.[0]);
    const aliases: Alias[] = [];
    await readChunks(
      connection,
      `SELECT id, url, hits FROM by_url WHERE rank > ${after} AND rank <= ${after + limit}`,
      [],
      (chunk, rows) => {
        const urls = chunk.getColumnValues(1);
        for (let i = 0; i < rows; i++) {
          const url = String(urls[i]);
          if (canonize(url) !== canonical) continue;
          aliases.push({ id: Number(chunk.getColumnValues(0)[i]), url, hits: Number(chunk.getColumnValues(2)[i]) });
        }
      },
    );
    const examined = Math.min(total, after + limit + 1);
    return { aliases, examined, total, ...(examined < total && { next: examined - 1 }) };
  });
}
