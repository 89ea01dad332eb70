import { UserError } from "../../errors.js";
import type { DuckDBValue } from "../duckdb.js";
import type { Connection, Workspace } from "../workspace.js";
import { placesOf, urlsOf } from "./copy-lists.js";
import { objects } from "./objects.js";

/** All that the workspace knows of one URL. */
export interface UrlDetails {
  readonly id: number;
  readonly url: string;
  readonly host: string;
  readonly sightings: readonly object[];
  readonly spellings: readonly object[];
  readonly redirects: readonly object[];
  readonly pages: readonly object[];
  readonly clusters: readonly object[];
  readonly mirrors: readonly object[];
  readonly collections: readonly object[];
}

const time = (column: string) => `strftime(${column}, '%Y-%m-%dT%H:%M:%SZ')`;
/** Most rows of any kind: a URL has few, a hub page many. */
const shown = 50;

export async function describeUrl(workspace: Workspace, id: number): Promise<UrlDetails> {
  return workspace.read(async (connection) => {
    const rows = (sql: string, values: DuckDBValue[] = []) => objects(connection, `${sql} LIMIT ${shown}`, values);
    const [named] = await rows(`SELECT url, host FROM urls WHERE id = ${id}`);
    if (named === undefined) throw new UserError(`no URL ${id}`);
    const host = String(named.host);
    return {
      id,
      url: String(named.url),
      host,
      sightings: await rows(
        `SELECT n.name AS snapshot, o.name AS input, hits, status_classes AS "statusClasses", min_bytes AS "minBytes",
           max_bytes AS "maxBytes", ${time("first_seen")} AS "firstSeen", ${time("last_seen")} AS "lastSeen"
         FROM (SELECT * FROM sightings WHERE url = ${id}) s JOIN sources o ON o.id = s.source
         JOIN snapshots n ON n.id = o.snapshot ORDER BY o.id`,
      ),
      spellings: await rows(
        `SELECT spelling, sum(hits) AS hits FROM spellings WHERE url = ${id} GROUP BY spelling ORDER BY hits DESC, spelling`,
      ),
      redirects: await rows(
        `SELECT DISTINCT u.id, u.url FROM (SELECT target FROM redirects WHERE url = ${id}) r JOIN urls u ON u.id = r.target ORDER BY u.id`,
      ),
      pages: await readPages(connection, id),
      clusters: await rows(
        `SELECT n.name AS snapshot, level, root::DOUBLE AS root, size::DOUBLE AS size
         FROM (SELECT * FROM clusters WHERE url = ${id}) c JOIN snapshots n ON n.id = c.snapshot ORDER BY n.id, level DESC`,
      ),
      mirrors: await rows(
        `SELECT n.name AS snapshot, CASE WHEN a = $1 THEN b ELSE a END AS host, alias, is_mirror AS "isMirror", clusters::DOUBLE AS clusters
         FROM mirrors m JOIN snapshots n ON n.id = m.snapshot WHERE a = $1 OR b = $1 ORDER BY m.clusters DESC`,
        [host],
      ),
      collections: await placesOf(connection, id),
    };
  });
}

/** Downloads of the URL. What they redirect to or call canonical is looked up apart: a join would read all URLs. */
async function readPages(connection: Connection, id: number) {
  const pages = await objects(
    connection,
    `SELECT n.name AS snapshot, status, ${time("fetched")} AS fetched, media_type AS "mediaType", body_bytes::DOUBLE AS bytes,
       title, words, canonical, redirect, text IS NOT NULL AS "hasText"
     FROM (SELECT * FROM pages WHERE url = ${id}) p JOIN snapshots n ON n.id = p.snapshot ORDER BY n.id LIMIT ${shown}`,
  );
  const named = pages.flatMap(({ canonical, redirect }) => [canonical, redirect]).filter((target) => target !== null);
  const urls = await urlsOf(connection, named.map(Number));
  const urlOf = (target: unknown) => (target === null ? null : (urls.get(Number(target)) ?? null));
  return pages.map((page) => ({ ...page, canonical: urlOf(page.canonical), redirect: urlOf(page.redirect) }));
}

/** The URL with this id. */
export async function urlById(workspace: Workspace, id: number): Promise<string> {
  const url = (await workspace.read((connection) => urlsOf(connection, [id]))).get(id);
  if (url === undefined) throw new UserError(`no URL ${id}`);
  return url;
}
