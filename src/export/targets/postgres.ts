/** PostgreSQL: an SQL function. */
import { HAS_QUERY, HEAD, PIECE, QUERY, type SqlDialect, sqlTarget, TAIL } from "../sql.js";

/** A backslash stands for itself whatever the server's settings are, and no "$" can end the function's text. */
function literal(text: string): string {
  if (!/[\\$]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''").replaceAll("$", "\\044")}'`;
}

const dialect: SqlDialect = {
  name: "postgres",
  title: "PostgreSQL: a function canonical(url)",
  literal,
  matches: (text, pattern) => `${text} ~ ${literal(pattern)}`,
  extract: (text, pattern) => `coalesce(substring(${text} from ${literal(pattern)}), '')`,
  firstOf: (text) => `left(${text}, 1)`,
  define(stays, becomes) {
    return `CREATE OR REPLACE FUNCTION canonical(url text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $dustpan$
SELECT CASE WHEN ${this.matches("url", HAS_QUERY)} THEN
  ${this.extract("url", HEAD)}
  || regexp_replace(coalesce((
    SELECT string_agg(${becomes}, '' ORDER BY place)
    FROM regexp_matches(${this.extract("url", QUERY)}, ${literal(PIECE)}, 'g') WITH ORDINALITY AS found(piece, place),
      LATERAL (SELECT piece[1] AS x) AS named
    WHERE ${stays}), ''), '^.', '?')
  || ${this.extract("url", TAIL)}
ELSE url END
$dustpan$;`;
  },
};

export const postgres = sqlTarget(dialect);
