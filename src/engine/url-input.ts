import { UserError } from "../errors.js";
import type { Dialect } from "./dialect.js";
import type { Step } from "./engine.js";

export interface UrlInputOptions {
  /** All URLs as one site, by this name. */
  readonly oneSite?: string;
  /** Only rows whose `crawl` or `snapshot` is this: a partition, in Common Crawl's index. */
  readonly snapshot?: string;
  readonly host?: string;
  readonly prefix?: string;
}

/** What is understood of a table of URLs: its columns by meaning, the first that is there. */
const meanings = {
  site: ["site", "url_host_registered_domain"],
  status: ["status", "fetch_status"],
  content: ["content_digest", "digest"],
  bytes: ["bytes"],
  snapshot: ["snapshot", "crawl"],
} as const;

/** Those of Common Crawl's columnar index that are understood. */
export const commonCrawlColumns = [
  ...["url", "url_host_registered_domain", "fetch_status", "content_digest", "crawl", "subset"],
] as const;

/** There are fewer URLs in a site, so that numbers stay apart. */
const URLS_IN_SITE = 2 ** 36;

/**
 * From a table of URLs as people have them, Common Crawl's columnar index among them, to what operators read: makes `urls`,
 * `sizes`, `captures` and `contents` of `input`. URLs are numbered by site and then in the order of their bytes. What says 4xx or
 * 5xx is left out; of Common Crawl's subsets only the answers count. A URL that was seen with two contents has none that is known.
 * Where the site is unknown (the index has none for addresses), the host is it; what has no host either is left out.
 */
export function urlInputSteps(dialect: Dialect, columns: readonly string[], options: UrlInputOptions): Step[] {
  const known = new Set(columns.map((column) => column.toLowerCase()));
  if (!known.has("url")) throw new UserError(`--input has no column url; it has ${columns.join(", ")}`);
  const columnOf = (meaning: keyof typeof meanings) => meanings[meaning].find((name) => known.has(name));
  const status = columnOf("status");
  const content = columnOf("content");
  const bytes = columnOf("bytes");
  const { quote } = dialect;
  const asText = (column: string | undefined) => `CAST(${column ?? "NULL"} AS STRING)`;
  // Of a partitioned table only the files are read for which these hold.
  const ofRow = [
    "url IS NOT NULL",
    ...(status === undefined ? [] : [`coalesce(TRY_CAST(${status} AS INT), 0) < 400`]),
    ...(known.has("subset") ? ["subset = 'warc'"] : []),
    ...(options.snapshot === undefined
      ? []
      : [`${columnFor(columnOf("snapshot"), "--snapshot", meanings.snapshot)} = ${quote(options.snapshot)}`]),
  ];
  const ofUrl = [
    // What belongs to no site would be evidence for rules about all of them.
    "site IS NOT NULL",
    ...(options.host === undefined ? [] : [`${hostSql(dialect)} = ${quote(options.host.toLowerCase())}`]),
    ...(options.prefix === undefined
      ? []
      : [`substr(url, 1, length(${quote(options.prefix)})) = ${quote(options.prefix)}`]),
  ];
  const origin = dialect.extract("url", "^([Hh][Tt][Tt][Pp][Ss]?://[^/?#@]*)(?:[/?#]|$)");
  const site =
    options.oneSite !== undefined
      ? quote(options.oneSite)
      : `coalesce(nullif(site, ''), nullif(${hostSql(dialect)}, ''))`;
  return [
    {
      name: "input_url",
      why: "Each URL once, scheme and host in small letters, with what is known of its document.",
      select: `SELECT site, url, CASE WHEN min(content) = max(content) THEN min(content) END AS content,
         min(bytes) AS min_bytes, max(bytes) AS max_bytes
       FROM (SELECT ${site} AS site, url, content, bytes
         FROM (SELECT site, concat(lower(${origin}), substr(url, length(${origin}) + 1)) AS url, content, bytes
           FROM (SELECT ${asText(columnOf("site"))} AS site, CAST(url AS STRING) AS url, ${asText(content)} AS content,
               TRY_CAST(${bytes ?? "NULL"} AS DOUBLE) AS bytes FROM input WHERE ${ofRow.join(" AND ")}) AS chosen) AS spelled) AS placed
       WHERE ${ofUrl.join(" AND ")} GROUP BY site, url`,
    },
    {
      name: "input_site",
      why: "Sites by number.",
      select:
        "SELECT site, row_number() OVER (ORDER BY site) AS number FROM (SELECT DISTINCT site FROM input_url) AS sites",
    },
    {
      name: "input_numbered",
      why: "URLs by number: by site, then in the order of their bytes.",
      select: `SELECT u.site AS site, u.url AS url, u.content AS content, u.min_bytes AS min_bytes, u.max_bytes AS max_bytes,
         s.number * CAST(${URLS_IN_SITE} AS BIGINT) + row_number() OVER (PARTITION BY u.site ORDER BY u.url) AS id
       FROM input_url AS u JOIN input_site AS s ON s.site = u.site`,
    },
    { name: "urls", why: "The list.", select: "SELECT site, id, url FROM input_numbered", as: "view" },
    {
      name: "sizes",
      why: "Sizes, where they are known.",
      select: "SELECT id, 0 AS source, min_bytes, max_bytes FROM input_numbered WHERE min_bytes IS NOT NULL",
      as: "view",
    },
    {
      name: "contents",
      why: "Digests, where they are known.",
      select: "SELECT id, content FROM input_numbered WHERE content IS NOT NULL",
      as: "view",
    },
    {
      name: "captures",
      why: "A digest is a sketch of its own kind.",
      select: `SELECT id, 0 AS seq, CAST(NULL AS DOUBLE) AS time_ms, 2 AS kind, content AS v0, content AS v1, content AS v2,
         content AS v3 FROM contents`,
      as: "view",
    },
  ];
}

export const urlInputTables = ["urls", "sizes", "contents", "captures"] as const;

function hostSql(dialect: Dialect): string {
  return `lower(${dialect.extract("url", "^[Hh][Tt][Tt][Pp][Ss]?://(?:[^/?#]*@)?(\\[[^/?#]*\\]|[^/?#:]+)")})`;
}

function columnFor(column: string | undefined, flag: string, names: readonly string[]): string {
  if (column === undefined) throw new UserError(`${flag} needs a column ${names.join(" or ")} in --input`);
  return column;
}
