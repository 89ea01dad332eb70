/** What a workspace holds, and taking snapshots out of it. */
import { existsSync, statSync } from "node:fs";
import type { WorkspaceInfo } from "../../documents.js";
import { type JobContext, quietly } from "../../model.js";
import { removeScratch } from "../scratch.js";
import { type UrlRange, withUrlCopy } from "../urls/url-copy.js";
import type { Connection, Workspace } from "../workspace.js";

const number = (value: unknown) => Number(value ?? 0);
const rowsOf = async (connection: Connection, sql: string) => (await connection.runAndReadAll(sql)).getRows();

export const fileOf = ({ file }: Workspace) => ({ file, fileBytes: existsSync(file) ? statSync(file).size : 0 });

export async function describeWorkspace(workspace: Workspace, context: JobContext = quietly): Promise<WorkspaceInfo> {
  const { snapshots, sources } = await workspace.read(async (connection) => ({
    snapshots: await rowsOf(
      connection,
      `SELECT n.id, n.name, (SELECT count(*) FROM sources WHERE snapshot = n.id),
         (SELECT count(*) FROM redirects r JOIN sources s ON s.id = r.source WHERE s.snapshot = n.id),
         (SELECT count(*) FROM pages WHERE snapshot = n.id), (SELECT count(*) FROM links WHERE snapshot = n.id)
       FROM snapshots n ORDER BY n.id`,
    ),
    sources: await rowsOf(
      connection,
      `SELECT s.name, n.name, format, records,
         list_sum([x::BIGINT FOR x IN json_extract(damage, '$[*].count')]), strftime(added, '%Y-%m-%dT%H:%M:%SZ')
       FROM sources s JOIN snapshots n ON n.id = s.snapshot ORDER BY s.id`,
    ),
  }));
  // What has to be counted URL by URL is counted beside the workspace.
  const tables = {
    seen: (range: UrlRange) =>
      `SELECT g.*, host, site FROM (
         SELECT snapshot, sightings.url AS id, sum(hits) AS hits, bit_or(status_classes) AS classes
         FROM sightings JOIN sources ON sources.id = sightings.source WHERE ${range("sightings.url")} GROUP BY ALL) g
       JOIN (SELECT id, host FROM urls WHERE ${range("id")}) USING (id) JOIN hosts USING (host)`,
    crawled: (range: UrlRange) =>
      `SELECT family, sum(hits) AS hits, count(DISTINCT url) AS urls FROM crawler_hits WHERE ${range("url")} GROUP BY family`,
  };
  return withUrlCopy(workspace, tables, context, async (connection) => {
    const counted = await rowsOf(
      connection,
      `SELECT snapshot, count(*) FILTER (classes & 15 <> 0), count(*) FILTER (classes & 15 = 0) FROM seen GROUP BY snapshot`,
    );
    const urlsOf = new Map(counted.map(([snapshot, urls, failed]) => [snapshot, { urls, failed }]));
    const sites = await rowsOf(
      connection,
      `SELECT site, count(DISTINCT host), count(DISTINCT id), sum(hits) FROM seen GROUP BY site ORDER BY 3 DESC, site`,
    );
    const crawlers = await rowsOf(
      connection,
      "SELECT family, sum(hits), sum(urls) FROM crawled GROUP BY family ORDER BY 2 DESC, family",
    );
    return {
      ...fileOf(workspace),
      snapshots: snapshots.map(([id, name, sourceCount, redirects, pages, links]) => ({
        name: String(name),
        sources: number(sourceCount),
        urls: number(urlsOf.get(id)?.urls),
        failedUrls: number(urlsOf.get(id)?.failed),
        redirects: number(redirects),
        pages: number(pages),
        links: number(links),
      })),
      sources: sources.map(([name, snapshot, format, records, damaged, added]) => ({
        name: String(name),
        snapshot: String(snapshot),
        format: String(format),
        records: number(records),
        damaged: number(damaged),
        added: String(added),
      })),
      sites: sites.map(([site, hosts, urls, hits]) => ({
        site: String(site),
        hosts: number(hosts),
        urls: number(urls),
        hits: number(hits),
      })),
      crawlers: crawlers.map(([family, hits, urls]) => ({
        family: String(family),
        hits: number(hits),
        urls: number(urls),
      })),
    };
  });
}

/** Rewrites the workspace without the room that removed rows left behind, and puts it in the old one's place. */
export async function compactWorkspace(
  workspace: Workspace,
): Promise<{ readonly before: number; readonly after: number }> {
  const before = statSync(workspace.file).size;
  const copy = workspace.scratch();
  try {
    await workspace.replaceFile(copy, async (connection: Connection) => {
      await connection.run(`ATTACH '${copy.replaceAll("'", "''")}' AS compact`);
      const name = (await connection.runAndReadAll("SELECT current_database()")).getRows()[0]?.[0];
      await connection.run(`COPY FROM DATABASE "${String(name).replaceAll('"', '""')}" TO compact`);
      await connection.run("DETACH compact");
    });
  } finally {
    removeScratch(copy);
  }
  return { before, after: statSync(workspace.file).size };
}
