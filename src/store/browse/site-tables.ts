/** What a site's owner asks of a log: parameters, directories, spellings of one address, redirects and canonical links. */
import type { ParameterUse, SaidLink, SiteTables, SpellingPairs } from "../../report/data.js";
import type { UrlRange } from "../urls/url-copy.js";
import type { Connection } from "../workspace.js";

/** What the copy of the URL lists has for these tables, besides `urls`, `crawler_hits`, `dust` and `kept`. */
export function saidTables(sources: string) {
  return {
    redirected: (range: UrlRange) =>
      `SELECT DISTINCT r.url AS id, t.url AS target FROM redirects r JOIN urls t ON t.id = r.target
       WHERE ${range("r.url")} AND r.source IN (${sources}) AND r.target <> r.url`,
    named: (range: UrlRange) =>
      `SELECT DISTINCT p.url AS id, t.url AS target FROM pages p JOIN urls t ON t.id = p.canonical
       WHERE ${range("p.url")} AND p.source IN (${sources}) AND p.status BETWEEN 200 AND 299 AND p.canonical <> p.url`,
  };
}

const PARAMETERS_READ = 200;
const DIRECTORIES_READ = 50;
const LINKS_READ = 200;

const number = (value: unknown) => Number(value ?? 0);

async function rowsOf(connection: Connection, sql: string) {
  return (await connection.runAndReadAll(sql)).getRowObjects();
}

/** Answered with something else than an error. */
const ANSWERED = "classes & 15 <> 0";

export async function readSiteTables(connection: Connection): Promise<SiteTables> {
  return {
    parameters: await readParameters(connection),
    directories: await readDirectories(connection),
    spellings: await readSpellings(connection),
    said: await readSaid(connection),
  };
}

async function readParameters(connection: Connection): Promise<ParameterUse[]> {
  const rows = await rowsOf(
    connection,
    `SELECT name, count(*) AS urls, sum(requests) AS requests, sum(crawled) AS crawled, arg_max(url, requests) AS example
     FROM (
       SELECT url, requests, coalesce(hits, 0) AS crawled, unnest(list_distinct(list_transform(
         string_split(split_part(split_part(url, '#', 1), '?', 2), '&'), lambda part: split_part(part, '=', 1)))) AS name
       FROM urls LEFT JOIN (SELECT id, sum(hits) AS hits FROM crawler_hits GROUP BY id) USING (id)
       WHERE ${ANSWERED} AND contains(url, '?'))
     WHERE name <> '' GROUP BY name ORDER BY urls DESC, requests DESC, name LIMIT ${PARAMETERS_READ}`,
  );
  return rows.map((row) => ({
    name: String(row.name),
    urls: number(row.urls),
    requests: number(row.requests),
    crawlerRequests: number(row.crawled),
    example: String(row.example),
  }));
}

async function readDirectories(connection: Connection): Promise<SiteTables["directories"]> {
  const rows = await rowsOf(
    connection,
    `SELECT host || coalesce(nullif(regexp_extract(url, '^(?:https?://[^/?#]*)?(/[^/?#]+/)', 1), ''), '/') AS directory,
       count(*) AS urls, count(dust.id) - count(kept.id) AS saved, sum(requests) AS requests,
       sum(requests) FILTER (dust.id IS NOT NULL) AS dust_requests
     FROM urls u LEFT JOIN dust ON dust.id = u.id LEFT JOIN kept ON kept.id = u.id
     WHERE ${ANSWERED} GROUP BY directory ORDER BY saved DESC, urls DESC, directory LIMIT ${DIRECTORIES_READ}`,
  );
  return rows.map((row) => ({
    directory: String(row.directory),
    urls: number(row.urls),
    savedUrls: number(row.saved),
    requests: number(row.requests),
    dustRequests: number(row.dust_requests),
  }));
}

/** What two spellings of one address have in common. */
const spellingKeys = {
  "http and https": "regexp_replace(url, '^https?://', '')",
  "with and without www.": "regexp_replace(url, '^(https?://)www\\.', '\\1')",
  "with and without a slash at the end": "regexp_replace(url, '/(\\?|$)', '\\1')",
  "upper and lower case": "lower(url)",
};

async function readSpellings(connection: Connection): Promise<SpellingPairs[]> {
  const found: SpellingPairs[] = [];
  for (const [what, key] of Object.entries(spellingKeys)) {
    const [row] = await rowsOf(
      connection,
      `SELECT count(*) AS pages, sum(urls) AS urls, sum(requests) AS requests, arg_max(first, requests) AS first,
         arg_max(last, requests) AS last
       FROM (SELECT count(*) AS urls, sum(requests) AS requests, min(url) AS first, max(url) AS last
             FROM urls WHERE ${ANSWERED} GROUP BY ${key} HAVING count(*) > 1)`,
    );
    if (row === undefined || number(row.pages) === 0) continue;
    found.push({
      what,
      pages: number(row.pages),
      urls: number(row.urls),
      requests: number(row.requests),
      example: { from: String(row.first), to: String(row.last) },
    });
  }
  return found;
}

/** Links that something is wrong with first, then those with most requests. */
async function readSaid(connection: Connection): Promise<SiteTables["said"]> {
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE said AS
     WITH step AS (
       SELECT u.url, 'redirect' AS kind, target, requests FROM redirected JOIN urls u USING (id)
       UNION ALL SELECT u.url, 'canonical', target, requests FROM named JOIN urls u USING (id)),
     next AS (SELECT url, min(target) AS target, bool_or(kind = 'redirect') AS redirects FROM step GROUP BY url)
     SELECT a.url, a.kind, a.target, a.requests, CASE
         WHEN n.target = a.url THEN 'goes round in a circle'
         WHEN n.redirects THEN 'leads to a redirect'
         WHEN n.target IS NOT NULL THEN 'leads to a page with another canonical URL'
         WHEN t.classes IS NOT NULL AND t.classes & 15 = 0 THEN 'leads to an error'
         WHEN count(*) OVER (PARTITION BY a.url, a.kind) > 1 THEN 'leads to several places'
         ELSE '' END AS problem
     FROM step a LEFT JOIN next n ON n.url = a.target LEFT JOIN urls t ON t.url = a.target`,
  );
  const counts = await rowsOf(
    connection,
    "SELECT kind, problem, count(*) AS links, sum(requests) AS requests FROM said GROUP BY ALL ORDER BY kind DESC, links DESC",
  );
  const links = await rowsOf(
    connection,
    `SELECT url, kind, target, requests, problem FROM said
     ORDER BY problem = '', requests DESC, url, target LIMIT ${LINKS_READ}`,
  );
  return {
    counts: counts.map((row) => ({
      kind: row.kind as SaidLink["kind"],
      problem: String(row.problem),
      links: number(row.links),
      requests: number(row.requests),
    })),
    links: links.map((row) => ({
      url: String(row.url),
      kind: row.kind as SaidLink["kind"],
      target: String(row.target),
      requests: number(row.requests),
      problem: String(row.problem),
    })),
  };
}
