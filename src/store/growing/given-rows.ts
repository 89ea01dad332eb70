/** The rows of sketch files, as queries for what they say. */
import { stageTable } from "../columns.js";
import { parquetFile } from "../pages/damaged-rows.js";
import { hasSupershingles, supershingleColumns } from "../schema.js";
import type { Connection } from "../workspace.js";

export interface GivenRows {
  /** Those that are documents, in their order: url, supershingles, time. */
  readonly rows: string;
  /** How the sketches of documents were made. */
  readonly recipes: string;
  /** URLs that the server called gone. */
  readonly gone: string;
}

export async function describeRows(connection: Connection, files: readonly string[]): Promise<GivenRows> {
  const parts: { source: string; status: string; time: string; recipe: string }[] = [];
  for (const file of files) {
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${parquetFile(file)})`);
    const columns = new Set(described.getRows().map(([name]) => String(name)));
    const has = (name: string, otherwise: string) => (columns.has(name) ? name : otherwise);
    parts.push({
      source: `read_parquet(${parquetFile(file)})`,
      status: has("status", "200"),
      time: has("time", "NULL::TIMESTAMP"),
      recipe: has("recipe", "NULL::VARCHAR"),
    });
  }
  const all = (select: (part: (typeof parts)[number]) => string) => parts.map(select).join(" UNION ALL ");
  const isDocument = (status: string) =>
    `url IS NOT NULL AND ${hasSupershingles} AND coalesce(${status} BETWEEN 200 AND 299 OR ${status} = 304, true)`;
  return {
    rows: all(
      ({ source, status, time }) =>
        `SELECT url, ${supershingleColumns.join(", ")}, ${time} AS time FROM ${source} WHERE ${isDocument(status)}`,
    ),
    recipes: all(
      ({ source, status, recipe }) => `SELECT ${recipe} AS recipe FROM ${source} WHERE ${isDocument(status)}`,
    ),
    gone: all(({ source, status }) => `SELECT url FROM ${source} WHERE ${status} IN (404, 410)`),
  };
}

/** Rows by their place, ascending, with their URL. */
export async function urlsOfRows(
  connection: Connection,
  rows: string,
  wanted: readonly number[],
): Promise<[number, string][]> {
  if (wanted.length === 0) return [];
  await stageTable(connection, "wanted", { place: Uint32Array.from(wanted) });
  const found = await connection.runAndReadAll(
    `SELECT place, url FROM (SELECT row_number() OVER () - 1 AS place, url FROM (${rows}))
     WHERE place IN (SELECT place FROM wanted) ORDER BY place`,
  );
  return found.getRows().map(([place, url]) => [Number(place), String(url)]);
}

/** Puts the rows that are not left out into the table of documents, with numbers in their order. */
export async function insertUrls(
  connection: Connection,
  rows: string,
  leftOut: Uint8Array,
  before: number,
): Promise<void> {
  const places = Uint32Array.from(leftOut.keys()).filter((row) => leftOut[row] === 0);
  if (places.length === 0) return;
  const insert = (place: string, table: string) =>
    connection.run(
      `INSERT INTO documents
       SELECT (${place} - 1 + ${before})::UINTEGER, coalesce(epoch_ms(time)::DOUBLE, 'NaN'::DOUBLE), url FROM ${table}`,
    );
  // Most often all rows are new: then none has to be looked for.
  if (places.length === leftOut.length) {
    await insert("row_number() OVER ()", `(${rows})`);
    return;
  }
  await stageTable(connection, "coming", { place: places });
  await insert(
    "row_number() OVER (ORDER BY place)",
    `(SELECT row_number() OVER () - 1 AS place, time, url FROM (${rows})) WHERE place IN (SELECT place FROM coming) ORDER BY place`,
  );
}
