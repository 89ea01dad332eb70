/** What a crawl that leaves copies out would no longer find: pages that only the copies link to. */
import type { AvoidMatcher } from "../../url/avoid-list.js";
import { stageTable } from "../columns.js";
import type { Workspace } from "../workspace.js";

/** Pages that are not avoided, were there when last seen, and that an avoided page links to. */
export async function pagesBehindAvoided(workspace: Workspace, avoids: AvoidMatcher): Promise<string[]> {
  if (!workspace.exists) return [];
  return workspace.read(async (connection) => {
    const sources = await connection.runAndReadAll(
      "SELECT id, url FROM urls WHERE id IN (SELECT source_url FROM links) ORDER BY id",
    );
    const avoided = sources.getRows().filter(([, url]) => avoids(String(url)) !== undefined);
    if (avoided.length === 0) return [];
    await stageTable(connection, "avoided_pages", { id: Uint32Array.from(avoided, ([id]) => Number(id)) });
    const found = await connection.runAndReadAll(
      `SELECT u.url FROM (SELECT DISTINCT target_url AS url FROM links WHERE source_url IN (SELECT id FROM avoided_pages)) l
         JOIN (SELECT url, arg_max(status, snapshot) AS status FROM pages GROUP BY url) p USING (url) JOIN urls u ON u.id = l.url
       WHERE p.status = 200 ORDER BY u.url`,
    );
    return found
      .getRows()
      .map(([url]) => String(url))
      .filter((url) => avoids(url) === undefined);
  });
}
