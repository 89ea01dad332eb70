import type { Dialect } from "./dialect.js";

/**
 * What rules do to URLs, as SQL expressions with the meaning of canon/apply.ts. Patterns have no backslash, and mean the same
 * in RE2 (DuckDB) and Java (Spark).
 */
export interface UrlSql {
  /** Everything before the query, the query with its "?", and what follows it. */
  readonly head: string;
  readonly query: string;
  readonly tail: string;
  /** The query as a list of parameters, each with the separator before it. */
  readonly queryPieces: string;
  /** Scheme and authority, the path, and what follows it. */
  readonly origin: string;
  readonly path: string;
  /** The path as a list of its ";name=value" parameters and of what is between them. */
  readonly pathPieces: string;
}

export function urlSql(dialect: Dialect, url: string): UrlSql {
  const query = dialect.extract(url, "^[^?#]*([?][^#]*)");
  const head = dialect.extract(url, "^([^?#]*)");
  const origin = dialect.extract(url, "^(https?://[^/?#]*)");
  const path = `substr(${head}, length(${origin}) + 1)`;
  return {
    head,
    query,
    tail: `substr(${url}, length(${head}) + length(${query}) + 1)`,
    queryPieces: dialect.extractAll(query, "[?&;](?:amp;)*[^&;]*"),
    origin,
    path,
    pathPieces: dialect.extractAll(path, ";[^;/]*|[^;]+"),
  };
}

/** The name of a parameter with its separator before it; NULL or empty where a piece of the path is none. */
export function queryName(dialect: Dialect, piece: string): string {
  return dialect.extract(piece, "^.((?:amp;)*[^=]*)");
}

export function pathName(dialect: Dialect, piece: string): string {
  return dialect.extract(piece, "^;([^=;/]+)=");
}

/** The URL without every query parameter of that name; a query without parameters loses its "?". */
export function withoutQueryParameter(dialect: Dialect, url: string, name: string): string {
  const { head, tail, queryPieces } = urlSql(dialect, url);
  const kept = dialect.keepItems(queryPieces, (piece) => `${queryName(dialect, piece)} <> ${name}`);
  const joined = dialect.join(kept);
  return `${head} || CASE WHEN length(${joined}) = 0 THEN '' ELSE '?' || substr(${joined}, 2) END || ${tail}`;
}

export function withoutPathParameter(dialect: Dialect, url: string, name: string): string {
  const { origin, pathPieces, query, tail } = urlSql(dialect, url);
  const kept = dialect.keepItems(pathPieces, (piece) => `${pathName(dialect, piece)} <> ${name}`);
  return `${origin} || ${dialect.join(kept)} || ${query} || ${tail}`;
}

/**
 * URLs about which canon/edit-parameters.ts has more to say than fits here: a bare "amp" before another parameter would
 * make an entity of what follows it.
 */
export function isPlainQuery(dialect: Dialect, url: string): string {
  return `length(${dialect.extract(url, "([?&;](?:amp;)*amp&)")}) = 0`;
}

/** Is there a letter or digit of ASCII? For a text of at most one character. */
function isAlphanumeric(character: string): string {
  return `(${character} BETWEEN '0' AND '9' OR ${character} BETWEEN 'A' AND 'Z' OR ${character} BETWEEN 'a' AND 'z')`;
}

/**
 * May `alpha` be replaced by `beta` at this place of the URL (characters before it)? It begins and ends at borders of
 * tokens, fuses no two tokens, and leaves the border between host and path where it is (canon/apply.ts).
 */
export function qualifies(dialect: Dialect, url: string, place: string, alpha: string, beta: string): string {
  const before = `substr(${url}, ${place}, 1)`;
  const after = `substr(${url}, ${place} + length(${alpha}) + 1, 1)`;
  const first = (text: string) => `substr(${text}, 1, 1)`;
  const last = (text: string) => `substr(${text}, length(${text}), 1)`;
  const fuses = (left: string, right: string) => `(${isAlphanumeric(left)} AND ${isAlphanumeric(right)})`;
  const isBefore = `${place} > 0`;
  const isAfter = `${place} + length(${alpha}) < length(${url})`;
  const image = replaced(url, place, alpha, beta);
  const border = (text: string) =>
    `length(${dialect.extract(text, "^(https?://(?:[^/?#]*@)?[^/?#:@]+(?::[0-9]{0,5})?)(?:[/?#]|$)")})`;
  // Only a place at or before the first "/" of the path can move the border.
  const slash = `CASE WHEN ${first(url)} = '/' THEN 1 ELSE ${dialect.position(`substr(${url}, 9)`, "/")} + 8 END`;
  return `NOT (${isBefore} AND length(${alpha}) > 0 AND ${fuses(before, first(alpha))})
    AND NOT (${isAfter} AND length(${alpha}) > 0 AND ${fuses(last(alpha), after)})
    AND NOT (${isBefore} AND ${isAfter} AND (length(${alpha}) = 0 OR length(${beta}) = 0) AND ${fuses(before, after)})
    AND NOT (${isBefore} AND length(${beta}) > 0 AND ${fuses(before, first(beta))})
    AND NOT (${isAfter} AND length(${beta}) > 0 AND ${fuses(last(beta), after)})
    AND ((${slash} > 8 AND ${place} >= ${slash}) OR (${first(url)} = '/' AND (${place} > 0 OR ${first(image)} = '/'))
      OR (${border(url)} > 0 AND ${border(image)} > 0 AND (${place} > ${border(url)}
        OR (${place} + length(${alpha}) < ${border(url)} AND ${border(image)} - ${border(url)} = length(${beta}) - length(${alpha}))
        OR (${place} + length(${alpha}) >= ${border(url)} AND ${place} <= ${border(image)} AND ${border(image)} <= ${place} + length(${beta})))))`;
}

export function replaced(url: string, place: string, alpha: string, beta: string): string {
  return `(substr(${url}, 1, ${place}) || ${beta} || substr(${url}, ${place} + length(${alpha}) + 1))`;
}
