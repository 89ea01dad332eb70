import { copyNumbers, readChunks } from "./columns.js";
import type { Workspace } from "./workspace.js";

/** Every URL of the URL lists with its requests, and the bytes of those whose size is known. */
export async function sumHits(
  workspace: Workspace,
  snapshot: string | undefined,
  take: (url: string, hits: number, bytes: number) => void,
): Promise<void> {
  await workspace.read((connection) =>
    readChunks(
      connection,
      `SELECT any_value(u.url), sum(s.hits), sum(coalesce(s.hits * (s.min_bytes + s.max_bytes) / 2, 0))
       FROM sightings s JOIN urls u ON u.id = s.url JOIN sources o ON o.id = s.source JOIN snapshots n ON n.id = o.snapshot
       ${snapshot === undefined ? "" : "WHERE n.name = $1"}
       GROUP BY s.url HAVING bit_or(s.status_classes) & 15 <> 0`,
      snapshot === undefined ? [] : [snapshot],
      (chunk, rows) => {
        const hits = new Float64Array(rows);
        const bytes = new Float64Array(rows);
        copyNumbers(chunk, 1, rows, hits, 0);
        copyNumbers(chunk, 2, rows, bytes, 0);
        chunk.getColumnValues(0).forEach((url, i) => {
          take(String(url), hits[i]!, bytes[i]!);
        });
      },
    ),
  );
}
