/** Spark SQL: a temporary function (Spark 4). */
import { HAS_QUERY, HEAD, PIECE, QUERY, type SqlDialect, sqlTarget, TAIL } from "../sql.js";

const literal = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const dialect: SqlDialect = {
  name: "spark",
  title: "Spark SQL 4: a temporary function canonical(url)",
  literal,
  matches: (text, pattern) => `${text} RLIKE ${literal(pattern)}`,
  extract: (text, pattern) => `regexp_extract(${text}, ${literal(pattern)}, 1)`,
  firstOf: (text) => `left(${text}, 1)`,
  define(stays, becomes) {
    const pieces = `regexp_extract_all(${this.extract("url", QUERY)}, ${literal(PIECE)}, 0)`;
    const query = `array_join(transform(filter(${pieces}, x -> ${stays}), x -> ${becomes}), '')`;
    return `CREATE OR REPLACE TEMPORARY FUNCTION canonical(url STRING) RETURNS STRING RETURN CASE WHEN ${this.matches("url", HAS_QUERY)} THEN
  ${this.extract("url", HEAD)}
  || regexp_replace(${query}, '^.', '?')
  || ${this.extract("url", TAIL)}
ELSE url END;`;
  },
};

export const spark = sqlTarget(dialect);
