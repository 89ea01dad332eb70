/** DuckDB: a macro. */
import { HAS_QUERY, HEAD, PIECE, QUERY, type SqlDialect, sqlTarget, TAIL } from "../sql.js";

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;

const dialect: SqlDialect = {
  name: "duckdb",
  title: "DuckDB: a macro canonical(url)",
  literal,
  matches: (text, pattern) => `regexp_matches(${text}, ${literal(pattern)})`,
  extract: (text, pattern) => `regexp_extract(${text}, ${literal(pattern)}, 1)`,
  firstOf: (text) => `${text}[1]`,
  define(stays, becomes) {
    const pieces = `regexp_extract_all(${this.extract("url", QUERY)}, ${literal(PIECE)})`;
    const kept = `list_filter(${pieces}, lambda x: ${stays})`;
    const query = `array_to_string(list_transform(${kept}, lambda x: ${becomes}), '')`;
    return `CREATE OR REPLACE MACRO canonical(url) AS CASE WHEN ${this.matches("url", HAS_QUERY)} THEN
  ${this.extract("url", HEAD)}
  || regexp_replace(${query}, '^.', '?')
  || ${this.extract("url", TAIL)}
ELSE url END;`;
  },
};

export const duckdb = sqlTarget(dialect);
