/** The few places where DuckDB's SQL and Spark's differ. Everything else in the operators is written once. */
export interface Dialect {
  readonly name: "duckdb" | "spark";
  /** The tokens of a text (url/tokenize.ts), as a list. */
  tokens(text: string): string;
  /** Elements `first` to `last` of a list of texts, counted from 1, joined; `last` may be one less than `first`, and not negative. */
  joinItems(list: string, first: string, last: string): string;
  listLength(list: string): string;
  /** One row for each integer from `first` to `last`, both included; `last` must not be less. */
  eachInteger(first: string, last: string): string;
  /** One row for each integer from `first` to `last`, with what is computed of it, where the rest of the row is long. */
  eachComputed(first: string, last: string, compute: (integer: string) => string): string;
  /** One row for each element of a list. */
  eachItem(list: string): string;
  /** All values of a group as a list, in no order. */
  collect(value: string): string;
  /** All values of a group as a list, the smallest first. */
  sortedList(value: string): string;
  /** Fields as one value that is compared field by field. */
  record(fields: Readonly<Record<string, string>>): string;
  /** The hash of hash.ts. */
  hash(text: string): string;
  /** The texts of a list for which a condition holds, and a list of texts joined. */
  keepItems(list: string, condition: (item: string) => string): string;
  join(list: string, separator?: string): string;
  /** Where a literal text, or that of an expression, first is, counted from 1; 0 where it is not. */
  position(text: string, sought: string | { readonly sql: string }): string;
  /** All matches of a regular expression without groups that are kept. */
  extractAll(text: string, pattern: string): string;
  /** What the first group of a regular expression matches, or an empty text. */
  extract(text: string, pattern: string): string;
  /** How many bytes a text has in UTF-8. */
  byteLength(text: string): string;
  /** A text in SQL. */
  quote(text: string): string;
  /** A table that is a Parquet path of the user's. */
  parquet(path: string): string;
}

/** DuckDB: lists count from 1, lambdas and structs of its own. */
export const duckdbDialect: Dialect = {
  name: "duckdb",
  tokens: (text) => `regexp_extract_all(${text}, '[A-Za-z0-9]+|[^A-Za-z0-9]')`,
  joinItems: (list, first, last) => `array_to_string(${list}[${first}:${last}], '')`,
  listLength: (list) => `CAST(len(${list}) AS INT)`,
  eachInteger: (first, last) => `CAST(unnest(range(${first}, ${last} + 1)) AS INT)`,
  eachComputed: (first, last, compute) =>
    `unnest(list_transform(range(${first}, ${last} + 1), lambda i: ${compute("CAST(i AS INT)")}))`,
  eachItem: (list) => `unnest(${list})`,
  collect: (value) => `list(${value})`,
  sortedList: (value) => `list_sort(list(${value}))`,
  record: (fields) => `{${mapFields(fields, (name, value) => `'${name}': ${value}`)}}`,
  hash: (text) => `CAST(md5_number_upper(${text}) >> 4 AS BIGINT)`,
  keepItems: (list, condition) => `list_filter(${list}, lambda x: ${condition("x")})`,
  join: (list, separator = "") => `array_to_string(${list}, '${separator}')`,
  position: (text, sought) => `strpos(${text}, ${soughtSql(sought, quoteStandard)})`,
  extractAll: (text, pattern) => `regexp_extract_all(${text}, ${quoteStandard(pattern)})`,
  extract: (text, pattern) => `regexp_extract(${text}, ${quoteStandard(pattern)}, 1)`,
  byteLength: (text) => `strlen(${text})`,
  quote: quoteStandard,
  parquet: (path) => `read_parquet(${quoteStandard(path)})`,
};

/** Spark SQL, 3.5 and later, in its default (ANSI or not) mode: backslashes in texts are escapes. */
export const sparkDialect: Dialect = {
  name: "spark",
  tokens: (text) => `regexp_extract_all(${text}, '([A-Za-z0-9]+|[^A-Za-z0-9])', 1)`,
  joinItems: (list, first, last) => `array_join(slice(${list}, ${first}, ${last} - (${first}) + 1), '')`,
  listLength: (list) => `size(${list})`,
  eachInteger: (first, last) => `explode(sequence(${first}, ${last}))`,
  eachComputed: (first, last, compute) => `explode(transform(sequence(${first}, ${last}), i -> ${compute("i")}))`,
  eachItem: (list) => `explode(${list})`,
  collect: (value) => `collect_list(${value})`,
  sortedList: (value) => `sort_array(collect_list(${value}))`,
  record: (fields) => `named_struct(${mapFields(fields, (name, value) => `'${name}', ${value}`)})`,
  hash: (text) => {
    // Spark has no way to read bytes as a number but through hexadecimal digits, and these are the other way round.
    const bytes = [15, 13, 11, 9, 7, 5, 3, 1].map((at) => `substr(md5(${text}), ${at}, 2)`);
    return `shiftrightunsigned(CAST(conv(concat(${bytes.join(", ")}), 16, -10) AS BIGINT), 4)`;
  },
  keepItems: (list, condition) => `filter(${list}, x -> ${condition("x")})`,
  join: (list, separator = "") => `array_join(${list}, '${separator}')`,
  position: (text, sought) => `instr(${text}, ${soughtSql(sought, quoteSpark)})`,
  extractAll: (text, pattern) => `regexp_extract_all(${text}, ${quoteSpark(`(${pattern})`)}, 1)`,
  extract: (text, pattern) => `regexp_extract(${text}, ${quoteSpark(pattern)}, 1)`,
  byteLength: (text) => `octet_length(${text})`,
  quote: quoteSpark,
  parquet: (path) => `parquet.\`${path.replaceAll("`", "``")}\``,
};

function mapFields(fields: Readonly<Record<string, string>>, each: (name: string, value: string) => string): string {
  return Object.entries(fields)
    .map(([name, value]) => each(name, value))
    .join(", ");
}

function soughtSql(sought: string | { readonly sql: string }, quote: (text: string) => string): string {
  return typeof sought === "string" ? quote(sought) : sought.sql;
}

function quoteStandard(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function quoteSpark(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
