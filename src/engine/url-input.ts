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

/** There are fewer URLs in a site, so that numbers stay apart. */
const URLS_IN_SITE = 2 ** 36;

/**
 * From a table of URLs as people have them, Common Crawl's columnar index among them, to what operators read: makes `urls`,
 * `sizes`, `captures` and `contents` of `input`. URLs are numbered by site and then in the order of their bytes. What says 4xx or
 * 5xx is left out; of Common Crawl's subsets only the answers count. A URL that was seen with two contents has none that is known.
 */
export function urlInputSteps(dialect: Dialect, columns: readonly string[], options: UrlInputOptions): Step[] {
  const known = new Set(columns.map((column) => column.toLowerCase()));
  if (!known.has("url")) throw new UserError(`--input has no column url; it has ${columns.join(", ")}`);
  const columnOf = (meaning: keyof typeof meanings) => meanings[meaning].find((name) => known.has(name));
  const status = columnOf("status");
  const content = columnOf("content");
  const bytes = columnOf("bytes");
  const { quote } = dialect;
  const conditions = [
    "url IS NOT NULL",
    ...(status === undefined ? [] : [`(${status} IS NULL OR ${status} < 400)`]),
    ...(known.has("subset") ? ["subset = 'warc'"] : []),
    ...(options.snapshot === undefined
      ? []
      : [`${columnFor(columnOf("snapshot"), "--snapshot", meanings.snapshot)} = ${quote(options.snapshot)}`]),
    ...(options.host === undefined ? [] : [`${hostSql(dialect)} = ${quote(options.host.toLowerCase())}`]),
    ...(options.prefix === undefined
      ? []
      : [`substr(url, 1, length(${quote(options.prefix)})) = ${quote(options.prefix)}`]),
  ];
  const site = options.oneSite !== undefined ? quote(options.oneSite) : (columnOf("site") ?? hostSql(dialect));
  const text = content === undefined ? "CAST(NULL AS STRING)" : `CAST(${content} AS STRING)`;
  const size = bytes === undefined ? "CAST(NULL AS DOUBLE)" : `CAST(${bytes} AS DOUBLE)`;
  return [
    {
      name: "input_url",
      why: "Each URL once, with what is known of its document.",
      select: `SELECT site, url, CASE WHEN min(content) = max(content) THEN min(content) END AS content,
         min(bytes) AS min_bytes, max(bytes) AS max_bytes
       FROM (SELECT coalesce(${site}, '') AS site, url, ${text} AS content, ${size} AS bytes FROM input
         WHERE ${conditions.join(" AND ")}) AS chosen GROUP BY site, url`,
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
    { name: "urls", why: "The list.", select: "SELECT site, id, url FROM input_numbered" },
    {
      name: "sizes",
      why: "Sizes, where they are known.",
      select: "SELECT id, 0 AS source, min_bytes, max_bytes FROM input_numbered WHERE min_bytes IS NOT NULL",
    },
    {
      name: "contents",
      why: "Digests, where they are known.",
      select: "SELECT id, content FROM input_numbered WHERE content IS NOT NULL",
    },
    {
      name: "captures",
      why: "A digest is a sketch of its own kind.",
      select: `SELECT id, 0 AS seq, CAST(NULL AS DOUBLE) AS time_ms, 2 AS kind, content AS v0, content AS v1, content AS v2,
         content AS v3 FROM contents`,
    },
  ];
}

export const urlInputTables = ["urls", "sizes", "contents", "captures"] as const;

function hostSql(dialect: Dialect): string {
  return `lower(${dialect.extract("url", "^https?://(?:[^/?#]*@)?([^/?#:]+)")})`;
}

function columnFor(column: string | undefined, flag: string, names: readonly string[]): string {
  if (column === undefined) throw new UserError(`${flag} needs a column ${names.join(" or ")} in --input`);
  return column;
}
