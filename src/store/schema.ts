import type { DuckDBConnection } from "@duckdb/node-api";

/** Counts up whenever a table changes. A workspace can be made again from its inputs, so there are no migrations. */
export const schemaVersion = 1;

/**
 * The tables, as users see them in any DuckDB client. `urls` is the dictionary of every URL ever named, also by a link
 * only; a URL belongs to a URL list by its sightings. No UNIQUE index on URLs: it makes appending five times slower, and
 * every insert is an anti-join in one transaction instead.
 */
const tables = [
  "meta (key VARCHAR NOT NULL, value VARCHAR NOT NULL)",

  // One row per named snapshot; `id` gives their order.
  "snapshots (id INTEGER NOT NULL, name VARCHAR NOT NULL, created TIMESTAMP NOT NULL)",

  // One row per input added. Inputs of one `series` (a log and its rotated parts) have comparable sizes.
  `sources (
     id INTEGER NOT NULL, snapshot INTEGER NOT NULL, series VARCHAR NOT NULL, name VARCHAR NOT NULL, format VARCHAR NOT NULL,
     compression VARCHAR NOT NULL, bytes BIGINT NOT NULL, lines BIGINT NOT NULL, records BIGINT NOT NULL,
     resume JSON, settings JSON NOT NULL, damage JSON NOT NULL, added TIMESTAMP NOT NULL)`,

  "hosts (host VARCHAR NOT NULL, site VARCHAR NOT NULL)",
  "urls (id UINTEGER NOT NULL, url VARCHAR NOT NULL, host VARCHAR NOT NULL)",

  // What one source saw of one URL. status_classes: bit 1 for 1xx ... bit 5 for 5xx, bit 0 for unknown.
  `sightings (
     source INTEGER NOT NULL, url UINTEGER NOT NULL, hits DOUBLE NOT NULL, status_classes UTINYINT NOT NULL,
     min_bytes DOUBLE, max_bytes DOUBLE, first_seen TIMESTAMP, last_seen TIMESTAMP)`,
  "crawler_hits (source INTEGER NOT NULL, url UINTEGER NOT NULL, family UTINYINT NOT NULL, hits DOUBLE NOT NULL)",
  // Spellings that safe normalization changed, with the steps that did it (bits in the order of url/normalize).
  `spellings (
     source INTEGER NOT NULL, url UINTEGER NOT NULL, spelling VARCHAR NOT NULL, steps UTINYINT NOT NULL, hits DOUBLE NOT NULL)`,
  "redirects (source INTEGER NOT NULL, url UINTEGER NOT NULL, target UINTEGER NOT NULL)",

  // One row per download of a page. shingles: 4 min-wise hashes, or a digest, by shingles_kind. sketch: 84 features.
  `pages (
     source INTEGER NOT NULL, snapshot INTEGER NOT NULL, url UINTEGER NOT NULL, status SMALLINT NOT NULL, fetched TIMESTAMP,
     address VARCHAR, media_type VARCHAR, body_bytes BIGINT, digest VARCHAR, title VARCHAR, canonical UINTEGER, redirect UINTEGER,
     shingles_kind UTINYINT NOT NULL, shingles BLOB, sketch BLOB, words INTEGER, text VARCHAR)`,
  "links (snapshot INTEGER NOT NULL, source_url UINTEGER NOT NULL, target_url UINTEGER NOT NULL)",

  // One row per validation; a run that is not finished goes on where it stopped.
  "runs (id INTEGER NOT NULL, started TIMESTAMP NOT NULL, finished TIMESTAMP, settings JSON NOT NULL)",
  // Every fetch of a run: the first look at a URL (attempt 0) and, where a page had to be looked at again, the second.
  `fetches (
     run INTEGER NOT NULL, url VARCHAR NOT NULL, attempt UTINYINT NOT NULL, fetched TIMESTAMP NOT NULL, kind VARCHAR NOT NULL,
     why VARCHAR, status SMALLINT, media_type VARCHAR, body_bytes BIGINT, redirect VARCHAR, canonical VARCHAR, digest VARCHAR,
     title VARCHAR, shingles BLOB, sketch BLOB, text VARCHAR)`,
  // Every URL drawn for a rule (the paper's figure 6 is drawn from them).
  `draws (
     run INTEGER NOT NULL, number INTEGER NOT NULL, rule VARCHAR NOT NULL, direction VARCHAR NOT NULL,
     source_url VARCHAR NOT NULL, target_url VARCHAR NOT NULL, outcome VARCHAR NOT NULL, why VARCHAR NOT NULL)`,
];

export async function createTables(connection: DuckDBConnection): Promise<void> {
  await connection.run("BEGIN");
  for (const table of tables) await connection.run(`CREATE TABLE ${table}`);
  await connection.run("INSERT INTO meta VALUES ('schema', $1)", [String(schemaVersion)]);
  await connection.run("COMMIT");
}
