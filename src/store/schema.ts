/** The workspace's tables, and how those of an older workspace become them. */
import type { DuckDBConnection } from "./duckdb.js";

/**
 * Counts up whenever a table changes; `migrations` then says how a workspace of the version before is brought along, and
 * scripts/golden-workspace.mjs has made one of that version for the tests.
 */
export const SCHEMA_VERSION = 7;

/** Pages, fetches and draws cannot be made again, so no workspace from this version on is refused. */
export const OLDEST_VERSION = 3;

/** Selects the rows of a table's next version from those of the last; null where they are not brought along. */
type Conversion = ((older: string) => string) | null;

const without =
  (...names: string[]): Conversion =>
  (older) =>
    `SELECT * FROM ${older} WHERE name NOT IN (${names.map((name) => `'${name}'`).join(", ")})`;

/**
 * By version: what a workspace of it has to change for the next one, table by table. Entries stay as they are once released.
 * What a command derives from pages may be left behind, with the analysis that goes with it: the command makes it again. A
 * table that is new needs no entry; one that is gone is null.
 */
const migrations: Readonly<Record<number, Readonly<Record<string, Conversion>>>> = {
  // What was found before says nothing about confirmation: search shows single pages until collections runs again.
  3: { collection_pages: (older) => `SELECT *, false AS is_confirmed FROM ${older}` },
  4: { mirrors: null, mirror_subtrees: null, mirror_pages: null, analyses: without("mirrors", "mirror-change") },
  5: { mirror_avoid: null, recrawl_advice: null, avoid: null, analyses: without("evolution") },
  // Neither is known of what was fetched before.
  6: { fetches: (older) => `SELECT *, false AS is_own_language, NULL AS media FROM ${older}` },
};

/** The six supershingles, here and in sketch files. */
export const supershingleColumns = ["s0", "s1", "s2", "s3", "s4", "s5"] as const;

/** Of a row that another program wrote: a value that is not there must not be taken for one that others share. */
export const hasSupershingles = supershingleColumns.map((column) => `${column} IS NOT NULL`).join(" AND ");

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
  "crawler_hits (source INTEGER NOT NULL, url UINTEGER NOT NULL, family VARCHAR NOT NULL, hits DOUBLE NOT NULL)",
  // Spellings that safe normalization changed, with the steps that did it (bits in the order of url/normalize).
  `spellings (
     source INTEGER NOT NULL, url UINTEGER NOT NULL, spelling VARCHAR NOT NULL, steps UTINYINT NOT NULL, hits DOUBLE NOT NULL)`,
  "redirects (source INTEGER NOT NULL, url UINTEGER NOT NULL, target UINTEGER NOT NULL)",

  // One row per download of a page. shingles: 4 min-wise hashes, or a digest, by shingles_kind. sketch: 84 features,
  // s0 to s5 its supershingles.
  `pages (
     source INTEGER NOT NULL, snapshot INTEGER NOT NULL, url UINTEGER NOT NULL, status SMALLINT NOT NULL, fetched TIMESTAMP,
     address VARCHAR, media_type VARCHAR, body_bytes BIGINT, digest VARCHAR, title VARCHAR, canonical UINTEGER, redirect UINTEGER,
     shingles_kind UTINYINT NOT NULL, shingles BLOB, sketch BLOB,
     ${supershingleColumns.map((column) => `${column} UBIGINT`).join(", ")}, words INTEGER, text VARCHAR)`,
  "links (snapshot INTEGER NOT NULL, source_url UINTEGER NOT NULL, target_url UINTEGER NOT NULL)",

  // One row per validation; a run that is not finished goes on where it stopped.
  "runs (id INTEGER NOT NULL, started TIMESTAMP NOT NULL, finished TIMESTAMP, settings JSON NOT NULL)",
  // Every fetch of a run: the first look at a URL (attempt 0) and, where a page had to be looked at again, the second.
  `fetches (
     run INTEGER NOT NULL, url VARCHAR NOT NULL, attempt UTINYINT NOT NULL, fetched TIMESTAMP NOT NULL, kind VARCHAR NOT NULL,
     why VARCHAR, status SMALLINT, media_type VARCHAR, body_bytes BIGINT, redirect VARCHAR, canonical VARCHAR,
     is_own_language BOOLEAN NOT NULL, digest VARCHAR, title VARCHAR, shingles BLOB, sketch BLOB, text VARCHAR, media VARCHAR)`,
  // Every URL drawn for a rule (the paper's figure 6 is drawn from them).
  `draws (
     run INTEGER NOT NULL, number INTEGER NOT NULL, rule VARCHAR NOT NULL, direction VARCHAR NOT NULL,
     source_url VARCHAR NOT NULL, target_url VARCHAR NOT NULL, outcome VARCHAR NOT NULL, why VARCHAR NOT NULL)`,

  // What a command found out last: its numbers as its --json document has them, and on how many downloads they rest.
  // snapshot is NULL where they are about all snapshots.
  `analyses (
     name VARCHAR NOT NULL, snapshot INTEGER, settings JSON NOT NULL, pages BIGINT NOT NULL, made TIMESTAMP NOT NULL,
     result JSON NOT NULL)`,
  // The cluster map: every URL of the snapshot that has a sketch. level: similar or identical. size: 1 where it is alone.
  `clusters (
     snapshot INTEGER NOT NULL, level VARCHAR NOT NULL, url UINTEGER NOT NULL, root UINTEGER NOT NULL, size UINTEGER NOT NULL)`,
  // Clusters of two pages or more, largest first: `rank` counts from 0 within a snapshot and level. Rows are in its order,
  // so that a page of the list is one read.
  `cluster_roots (
     snapshot INTEGER NOT NULL, level VARCHAR NOT NULL, rank UINTEGER NOT NULL, root UINTEGER NOT NULL, size UINTEGER NOT NULL)`,
  // Coefficients between two snapshots, averaged over the URLs whose cluster had a size of that class before.
  `evolution (
     before_snapshot INTEGER NOT NULL, after_snapshot INTEGER NOT NULL, sizes VARCHAR NOT NULL, urls UINTEGER NOT NULL,
     clusters UINTEGER NOT NULL, containment DOUBLE NOT NULL, similarity DOUBLE NOT NULL, reverse DOUBLE NOT NULL,
     reverse_with_arrivals DOUBLE NOT NULL, left_cluster UINTEGER NOT NULL, failed UINTEGER NOT NULL, gone UINTEGER NOT NULL)`,
  // Clusters of the last snapshot whose change was measured; those of which a crawler need fetch only one member are advised.
  // risk: that a member leaves its cluster within this many days.
  `recrawl_advice (
     snapshot INTEGER NOT NULL, is_advised BOOLEAN NOT NULL, days DOUBLE NOT NULL, root UINTEGER NOT NULL, members UINTEGER NOT NULL, trials UINTEGER NOT NULL, left_cluster UINTEGER NOT NULL,
     gone UINTEGER NOT NULL, risk DOUBLE NOT NULL, saved_fetches UINTEGER NOT NULL, saved_bytes DOUBLE NOT NULL,
     expected_missed DOUBLE NOT NULL)`,
  // Pairs of hosts. alike: common clusters in which URLs of both end alike; lower_bound: of their share. How many of their pages match in the last 1 to 4 arcs is in matched_a and matched_b.
  `mirrors (
     snapshot INTEGER NOT NULL, a VARCHAR NOT NULL, b VARCHAR NOT NULL, pages_a UINTEGER NOT NULL, pages_b UINTEGER NOT NULL,
     clusters UINTEGER NOT NULL, size UINTEGER NOT NULL, alias VARCHAR, is_mirror BOOLEAN NOT NULL,
     alike UINTEGER NOT NULL, lower_bound DOUBLE NOT NULL, confirmed_arcs UTINYINT NOT NULL,
     matched_a UINTEGER[] NOT NULL, matched_b UINTEGER[] NOT NULL)`,
  // a and b are host and path: everything below b is at a, under the same path.
  `mirror_subtrees (
     snapshot INTEGER NOT NULL, a VARCHAR NOT NULL, b VARCHAR NOT NULL, pages UINTEGER NOT NULL, known_a UINTEGER NOT NULL,
     known_b UINTEGER NOT NULL)`,
  // Mirrored pages with the size of their largest mirror.
  "mirror_pages (snapshot INTEGER NOT NULL, url UINTEGER NOT NULL, size UINTEGER NOT NULL)",

  // TRIVIAL of the replicated collections: every URL that stands for a page, with that page (another one where rules or
  // redirects lead there) and the first page of its trivial cluster. size: 1 where no other page is similar.
  `trivial (
     snapshot INTEGER NOT NULL, url UINTEGER NOT NULL, page UINTEGER NOT NULL, root UINTEGER NOT NULL, size UINTEGER NOT NULL)`,
  // Clusters of similar collections, highest cardinality first. entry: root of the principal copy.
  `collections (
     snapshot INTEGER NOT NULL, cluster UINTEGER NOT NULL, name VARCHAR NOT NULL, entry UINTEGER NOT NULL,
     cardinality UINTEGER NOT NULL, size UINTEGER NOT NULL, is_noise BOOLEAN NOT NULL, starts UINTEGER NOT NULL,
     disagreeing_links UINTEGER NOT NULL)`,
  `replicas (
     snapshot INTEGER NOT NULL, cluster UINTEGER NOT NULL, replica UINTEGER NOT NULL, root UINTEGER NOT NULL,
     is_principal BOOLEAN NOT NULL, real_pages UINTEGER NOT NULL, virtual_pages UINTEGER NOT NULL,
     unmatched_pages UINTEGER NOT NULL)`,
  // Pages of one cluster and position correspond. A virtual page is that of another replica, to which this one links. A
  // confirmed one is a near-duplicate of the principal copy's: what search shows as one.
  `collection_pages (
     snapshot INTEGER NOT NULL, cluster UINTEGER NOT NULL, replica UINTEGER NOT NULL, position UINTEGER NOT NULL,
     url UINTEGER NOT NULL, is_virtual BOOLEAN NOT NULL, is_confirmed BOOLEAN NOT NULL)`,
  // The pages that split two clusters, in the order of the links; url is NULL where a replica links directly.
  `break_points (
     snapshot INTEGER NOT NULL, from_cluster UINTEGER NOT NULL, to_cluster UINTEGER NOT NULL, from_replica UINTEGER NOT NULL,
     to_replica UINTEGER NOT NULL, step UINTEGER NOT NULL, url UINTEGER)`,
  // What a crawler need not fetch. why: collection, mirror or unchanged (near-duplicates); kind: host, prefix or page; value
  // has no scheme; keep is what to fetch instead: the same page, or the root of the copy that is kept.
  `avoid (
     snapshot INTEGER NOT NULL, why VARCHAR NOT NULL, kind VARCHAR NOT NULL, value VARCHAR NOT NULL, keep VARCHAR NOT NULL,
     pages UINTEGER NOT NULL, made TIMESTAMP NOT NULL, look_again TIMESTAMP NOT NULL)`,

  // The search index, for BM25. pages: how many have the term; postings are in the order of their terms, so that a query
  // reads only the blocks with its words.
  "search_terms (snapshot INTEGER NOT NULL, id UINTEGER NOT NULL, term VARCHAR NOT NULL, pages UINTEGER NOT NULL)",
  // text: deflated, each by itself, for the snippets of the few pages that are shown.
  `search_pages (
     snapshot INTEGER NOT NULL, url UINTEGER NOT NULL, terms UINTEGER NOT NULL, title VARCHAR, text BLOB NOT NULL)`,
  "postings (snapshot INTEGER NOT NULL, term UINTEGER NOT NULL, url UINTEGER NOT NULL, occurrences UINTEGER NOT NULL)",
];

export async function createTables(connection: DuckDBConnection): Promise<void> {
  await connection.run("BEGIN");
  for (const table of tables) await connection.run(`CREATE TABLE ${table}`);
  await connection.run("INSERT INTO meta VALUES ('schema', $1)", [String(SCHEMA_VERSION)]);
  await connection.run("COMMIT");
}

/** Brings the tables of an older version, `OLDEST_VERSION` or later, to this one: all of it or nothing. */
export async function migrateTables(connection: DuckDBConnection, from: number): Promise<void> {
  const sources = new Map<string, string | null>();
  for (let version = from; version < SCHEMA_VERSION; version++) {
    for (const [table, convert] of Object.entries(migrations[version] ?? {})) {
      const older = sources.get(table);
      sources.set(table, older === null || convert === null ? null : `(${convert(older ?? "older")})`);
    }
  }
  await connection.run("BEGIN");
  try {
    for (const [name, source] of sources) if (source === null) await connection.run(`DROP TABLE IF EXISTS ${name}`);
    for (const table of tables) {
      const name = table.split(" ", 1)[0]!;
      const source = sources.get(name);
      if (source == null) {
        await connection.run(`CREATE TABLE IF NOT EXISTS ${table}`);
        continue;
      }
      await connection.run(`ALTER TABLE ${name} RENAME TO older`);
      await connection.run(`CREATE TABLE ${table}`);
      await connection.run(`INSERT INTO ${name} BY NAME FROM ${source}`);
      await connection.run("DROP TABLE older");
    }
    await connection.run("UPDATE meta SET value = $1 WHERE key = 'schema'", [String(SCHEMA_VERSION)]);
    await connection.run("COMMIT");
  } catch (error) {
    await connection.run("ROLLBACK").catch(() => {});
    throw error;
  }
}
