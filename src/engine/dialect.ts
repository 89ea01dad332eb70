/** The few places where DuckDB's SQL and Spark's differ. Everything else in the operators is written once. */
export interface Dialect {
  readonly name: "duckdb" | "spark";
  /** How many characters of a text are before each cut between its tokens (url/tokenize.ts), 0 and the last included, as a list. */
  cuts(text: string): string;
  /** Is there such a cut after this many characters of a text? */
  isCut(text: string, place: string): string;
  /** A text with a blank after each word that is followed by something else: in the order of texts, words are then compared whole. */
  endWords(text: string): string;
  listLength(list: string): string;
  /** An element of a list, counted from 1. */
  item(list: string, index: string): string;
  /** One row for each integer from `first` to `last`, both included; `last` must not be less. */
  eachInteger(first: string, last: string): string;
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
  join(list: string): string;
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
  cuts: (text) =>
    `CAST(list_filter(range(0, length(${text}) + 1), lambda i: ${duckdbDialect.isCut(text, "i")}) AS INT[])`,
  isCut: (text, place) => `(${place} = 0 OR NOT substr(${text}, ${place}, 2) GLOB '[A-Za-z0-9][A-Za-z0-9]')`,
  endWords: (text) => `regexp_replace(${text}, '([A-Za-z0-9])([^A-Za-z0-9])', '\\1 \\2', 'g')`,
  listLength: (list) => `CAST(len(${list}) AS INT)`,
  item: (list, index) => `${list}[${index}]`,
  eachInteger: (first, last) => `CAST(unnest(range(${first}, ${last} + 1)) AS INT)`,
  eachItem: (list) => `unnest(${list})`,
  collect: (value) => `list(${value})`,
  sortedList: (value) => `list_sort(list(${value}))`,
  record: (fields) => `{${mapFields(fields, (name, value) => `'${name}': ${value}`)}}`,
  // Its function for 64 bits of the sum takes four times as long as that for all 128.
  hash: (text) => `CAST((md5_number(${text}) >> 4) & ${2n ** 60n - 1n} AS BIGINT)`,
  keepItems: (list, condition) => `list_filter(${list}, lambda x: ${condition("x")})`,
  join: (list) => `array_to_string(${list}, '')`,
  position: (text, sought) => `strpos(${text}, ${soughtSql(sought, quoteStandard)})`,
  extractAll: (text, pattern) => `regexp_extract_all(${text}, ${quoteStandard(pattern)})`,
  extract: (text, pattern) => `regexp_extract(${text}, ${quoteStandard(pattern)}, 1)`,
  byteLength: (text) => `strlen(${text})`,
  quote: quoteStandard,
  parquet: (path) => `read_parquet(${quoteStandard(path)}, binary_as_string = true)`,
};

/** Spark SQL, 3.5 and later, in its default (ANSI or not) mode: backslashes in texts are escapes. */
export const sparkDialect: Dialect = {
  name: "spark",
  cuts: (text) => `filter(sequence(0, length(${text})), i -> ${sparkDialect.isCut(text, "i")})`,
  isCut: (text, place) => `(${place} = 0 OR NOT (substr(${text}, ${place}, 2) RLIKE '^[A-Za-z0-9]{2}'))`,
  endWords: (text) => `regexp_replace(${text}, '([A-Za-z0-9])([^A-Za-z0-9])', '$1 $2')`,
  listLength: (list) => `size(${list})`,
  item: (list, index) => `element_at(${list}, ${index})`,
  eachInteger: (first, last) => `explode(sequence(${first}, ${last}))`,
  eachItem: (list) => `explode(${list})`,
  collect: (value) => `collect_list(${value})`,
  sortedList: (value) => `sort_array(collect_list(${value}))`,
  record: (fields) => `named_struct(${mapFields(fields, (name, value) => `'${name}', ${value}`)})`,
  // Spark has no way to read bytes as a number but through hexadecimal digits. Read from the last to the first, each byte's two are in the wrong order.
  hash: (text) => {
    const digits = `CAST(conv(reverse(substr(md5(${text}), 1, 16)), 16, -10) AS BIGINT)`;
    return `((${digits} & ${0x0f0f_0f0f_0f0f_0f0fn}) | (shiftrightunsigned(${digits}, 8) & ${0x00f0_f0f0_f0f0_f0f0n}))`;
  },
  keepItems: (list, condition) => `filter(${list}, x -> ${condition("x")})`,
  join: (list) => `array_join(${list}, '')`,
  position: (text, sought) => `instr(${text}, ${soughtSql(sought, quoteSpark)})`,
  extractAll: (text, pattern) => `regexp_extract_all(${text}, ${quoteSpark(`(${pattern})`)}, 1)`,
  extract: (text, pattern) => `regexp_extract(${text}, ${quoteSpark(pattern)}, 1)`,
  byteLength: (text) => `octet_length(${text})`,
  quote: quoteSpark,
  parquet: (path) => `parquet.${quotePath(path)}`,
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

/** A path as Spark names a table by it, after its format. */
export function quotePath(path: string): string {
  return `\`${path.replaceAll("`", "``")}\``;
}

function quoteSpark(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
