/** The URL list of a site as Parquet files, for engines that read it from there. */
import path from "node:path";
import { copyTo } from "../columns.js";
import type { Workspace } from "../workspace.js";
import { findList, type SiteChoice } from "./url-lists.js";

export const listFiles = ["urls", "sizes", "captures"] as const;

/** Writes urls, sizes and captures (engine/detect.ts) into a folder; ids are the rows of `readUrlList`. */
export async function exportUrlList(
  workspace: Workspace,
  choice: SiteChoice,
  site: string,
  snapshot: string | undefined,
  folder: string,
): Promise<void> {
  await workspace.read(async (connection) => {
    await findList(connection, choice, snapshot);
    const write = (name: (typeof listFiles)[number], select: string) =>
      connection.run(copyTo(select, path.join(folder, `${name}.parquet`), "parquet"));
    const name = site.replaceAll("'", "''");
    await write("urls", `SELECT '${name}' AS site, i AS id, url FROM list JOIN urls USING (id)`);
    await write(
      "sizes",
      `SELECT i AS id, series_no AS source, min(min_bytes)::DOUBLE AS min_bytes, max(max_bytes)::DOUBLE AS max_bytes
       FROM sightings JOIN chosen USING (source) JOIN list ON list.id = sightings.url
       WHERE min_bytes IS NOT NULL GROUP BY i, series_no`,
    );
    // Only whether values are equal is asked of them, so they may as well be texts.
    const values = [0, 1, 2, 3].map((k) => `substr(hex(shingles), ${16 * k + 1}, 16) AS v${k}`);
    await write(
      "captures",
      `SELECT i AS id, row_number() OVER (PARTITION BY i ORDER BY fetched NULLS FIRST, source DESC) AS seq,
         epoch_ms(fetched)::DOUBLE AS time_ms, shingles_kind AS kind, ${values.join(", ")}
       FROM pages SEMI JOIN chosen USING (source) JOIN list ON list.id = pages.url
       WHERE shingles_kind > 0 AND status BETWEEN 200 AND 299`,
    );
  });
}
