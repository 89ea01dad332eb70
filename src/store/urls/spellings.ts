/** URLs that safe normalization alone makes one. */
import { allSteps, type NormalizationStep } from "../../url/normalize.js";
import type { Workspace } from "../workspace.js";

/** URLs that a step of safe normalization made equal to another URL of the workspace. */
export interface MergedSpellings {
  readonly step: NormalizationStep;
  readonly urls: number;
  readonly example: { readonly from: string; readonly to: string };
}

/**
 * Per step, the spellings that it took part in changing and that would have been URLs of their own without it. Where a
 * URL was never asked for in its normal form, one of its spellings stands for it and is not counted.
 */
export async function countMergedSpellings(workspace: Workspace, snapshot?: string): Promise<MergedSpellings[]> {
  return workspace.read(async (connection) => {
    const chosen =
      snapshot === undefined
        ? "SELECT id FROM sources"
        : "SELECT s.id FROM sources s JOIN snapshots n ON n.id = s.snapshot WHERE n.name = $1";
    const rows = await connection.runAndReadAll(
      `WITH changed AS (
         SELECT url, spelling, any_value(steps) AS steps, sum(hits) AS hits,
           row_number() OVER (PARTITION BY url ORDER BY spelling) AS number
         FROM spellings WHERE source IN (${chosen}) GROUP BY url, spelling),
       total AS (
         SELECT url, sum(hits) AS hits FROM sightings SEMI JOIN changed USING (url) WHERE source IN (${chosen}) GROUP BY url),
       normal AS (
         SELECT url, any_value(total.hits) > sum(changed.hits) AS seen FROM changed JOIN total USING (url) GROUP BY url)
       SELECT bit, count(*)::DOUBLE, min(spelling), arg_min(urls.url, spelling)
       FROM changed JOIN normal USING (url) JOIN urls ON urls.id = changed.url,
         (SELECT unnest(range(${allSteps.length})) AS bit)
       WHERE (seen OR number > 1) AND (steps::INTEGER >> bit::INTEGER) & 1 = 1 GROUP BY bit ORDER BY bit`,
      snapshot === undefined ? [] : [snapshot],
    );
    return rows.getRows().map(([bit, urls, from, to]) => ({
      step: allSteps[Number(bit)]!,
      urls: Number(urls),
      example: { from: String(from), to: String(to) },
    }));
  });
}
