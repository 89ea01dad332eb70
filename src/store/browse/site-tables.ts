/** What a site's owner asks of a log: parameters, directories, spellings of one address, redirects and canonical links. */
import type { ParameterUse, SaidLink, SiteTables, SpellingPairs } from "../../report/data.js";
import type { UrlRange } from "../urls/url-copy.js";
import type { Connection } from "../workspace.js";
import { number, selectRows, text, word } from "./rows.js";

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

/** Answered with something other than an error. */
export const ANSWERED = "classes & 15 <> 0";

/** Of urls, with the dust and what is kept of it beside them. */
export const dustColumns = {
  urls: number("count(*)"),
  savedUrls: number("count(dust.id) - count(kept.id)"),
  requests: number("sum(requests)"),
  dustRequests: number("sum(requests) FILTER (dust.id IS NOT NULL)"),
};

export async function readSiteTables(connection: Connection): Promise<SiteTables> {
  return {
    parameters: await readParameters(connection),
    directories: await readDirectories(connection),
    spellings: await readSpellings(connection),
    said: await readSaid(connection),
  };
}

function readParameters(connection: Connection): Promise<ParameterUse[]> {
  return selectRows(
    connection,
    {
      name: text("name"),
      urls: number("count(*)"),
      requests: number("sum(requests)"),
      crawlerRequests: number("sum(crawled)"),
      example: text("arg_max(url, requests)"),
    },
    `FROM (
       SELECT url, requests, coalesce(hits, 0) AS crawled, unnest(list_distinct(list_transform(
         string_split(split_part(split_part(url, '#', 1), '?', 2), '&'), lambda part: split_part(part, '=', 1)))) AS name
       FROM urls LEFT JOIN (SELECT id, sum(hits) AS hits FROM crawler_hits GROUP BY id) USING (id)
       WHERE ${ANSWERED} AND contains(url, '?'))
     WHERE name <> '' GROUP BY name ORDER BY count(*) DESC, sum(requests) DESC, name LIMIT ${PARAMETERS_READ}`,
  );
}

function readDirectories(connection: Connection): Promise<SiteTables["directories"]> {
  return selectRows(
    connection,
    { directory: text("directory"), ...dustColumns },
    `FROM (SELECT *, host || coalesce(nullif(
         regexp_extract(url, '^(?:https?://[^/?#]*)?(/[^/?#]+/)', 1), ''), '/') AS directory FROM urls) u
       LEFT JOIN dust ON dust.id = u.id LEFT JOIN kept ON kept.id = u.id
     WHERE ${ANSWERED} GROUP BY directory ORDER BY "savedUrls" DESC, "urls" DESC, directory LIMIT ${DIRECTORIES_READ}`,
  );
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
    const [row] = await selectRows(
      connection,
      {
        pages: number("count(*)"),
        urls: number("sum(urls)"),
        requests: number("sum(requests)"),
        from: text("arg_max(first, requests)"),
        to: text("arg_max(last, requests)"),
      },
      `FROM (SELECT count(*) AS urls, sum(requests) AS requests, min(url) AS first, max(url) AS last
             FROM urls WHERE ${ANSWERED} GROUP BY ${key} HAVING count(*) > 1)`,
    );
    if (row === undefined || row.pages === 0) continue;
    const { from, to, ...counts } = row;
    found.push({ what, ...counts, example: { from, to } });
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
  const kind = word<SaidLink["kind"]>("kind");
  const problem = text("problem");
  return {
    counts: await selectRows(
      connection,
      { kind, problem, links: number("count(*)"), requests: number("sum(requests)") },
      "FROM said GROUP BY kind, problem ORDER BY kind DESC, count(*) DESC",
    ),
    links: await selectRows(
      connection,
      { url: text("url"), kind, target: text("target"), requests: number("requests"), problem },
      `FROM said ORDER BY problem = '', said.requests DESC, url, target LIMIT ${LINKS_READ}`,
    ),
  };
}
