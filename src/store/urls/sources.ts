/** Inputs in the workspace: their URLs, sightings and pages, each input in one transaction. */
import { UserError } from "../../errors.js";
import { crawlerFamilies } from "../../input/crawlers.js";
import type { InputSettings } from "../../input/read-source.js";
import type { ResumePoint } from "../../input/resume.js";
import type { Sightings } from "../../input/sightings.js";
import { known, knownTime, stageTable } from "../columns.js";
import { sketchMaking, stagedSupershingles } from "../pages/page-stage.js";
import { resketchOldPages } from "../pages/resketch.js";
import { takeOverByDigest } from "../pages/take-over.js";
import { removeScratch } from "../scratch.js";
import { type Connection, until, type Workspace } from "../workspace.js";
import { removeSources } from "./remove.js";
import { siteOfHost } from "./site-of-host.js";

/** Damaged records of one kind, and where the first of them are. */
export interface StoredDamage {
  readonly reason: string;
  readonly count: number;
  readonly places: readonly string[];
}

/** How an input was read; of a crawl, how many answers it had stored. */
export type SourceSettings = InputSettings & { readonly answers?: number };

/** One input as the workspace remembers it. */
export interface SourceEntry {
  readonly snapshot: string;
  /** Inputs of one series have comparable sizes: a log and its rotated parts. */
  readonly series: string;
  readonly name: string;
  readonly format: string;
  readonly compression: string;
  readonly bytes: number;
  readonly lines: number;
  readonly records: number;
  /** Where reading stopped, to know the input again; absent where it cannot be known (a pipe). */
  readonly resume?: ResumePoint;
  readonly settings: SourceSettings;
  readonly damage: readonly StoredDamage[];
}

/** Adds all that one input says in one transaction, or nothing of it. `stage` is a closed page stage; it is removed. */
export async function addSource(
  workspace: Workspace,
  entry: SourceEntry,
  sightings: Sightings,
  stage: string | undefined,
  /** Ids of inputs whose place it takes. */
  replaces: readonly number[] = [],
  signal?: AbortSignal,
): Promise<{ readonly newUrls: number; readonly withoutBody: number }> {
  const add = async (connection: Connection) => {
    if (stage !== undefined) await attachStage(connection, stage);
    const snapshot = await snapshotId(connection, entry.snapshot);
    if (replaces.length > 0) await removeSources(connection, snapshot, replaces);
    const source = await nextId(connection, "sources");
    await connection.run("INSERT INTO sources VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now())", [
      source,
      snapshot,
      entry.series,
      entry.name,
      entry.format,
      entry.compression,
      entry.bytes,
      entry.lines,
      entry.records,
      entry.resume === undefined ? null : JSON.stringify(entry.resume),
      JSON.stringify(entry.settings),
      JSON.stringify(entry.damage),
    ]);
    const newUrls = await addUrls(connection, sightings, stage !== undefined);
    await addHosts(connection);
    await addSightings(connection, source, sightings);
    const withoutBody = stage === undefined ? 0 : await addPages(connection, source, snapshot);
    return { newUrls, withoutBody };
  };
  try {
    return await workspace.write((connection) => until(signal, "nothing was kept", connection, add));
  } finally {
    if (stage !== undefined) {
      await workspace.detach("stage");
      removeScratch(stage);
    }
  }
}

/** A workspace in memory outlives the transaction, and still has the stage of the input before. */
async function attachStage(connection: Connection, stage: string): Promise<void> {
  await connection.run("DETACH DATABASE IF EXISTS stage");
  await connection.run(`ATTACH '${stage.replaceAll("'", "''")}' AS stage (READ_ONLY)`);
}

async function snapshotId(connection: Connection, name: string): Promise<number> {
  const found = await connection.runAndReadAll("SELECT id FROM snapshots WHERE name = $1", [name]);
  const id = found.getRows()[0]?.[0];
  if (typeof id === "number") return id;
  const next = await nextId(connection, "snapshots");
  await connection.run("INSERT INTO snapshots VALUES ($1, $2, now())", [next, name]);
  return next;
}

async function nextId(connection: Connection, table: "sources" | "snapshots"): Promise<number> {
  const rows = await connection.runAndReadAll(`SELECT coalesce(max(id), 0) + 1 FROM ${table}`);
  return Number(rows.getRows()[0]?.[0]);
}

/** What `hostIn` says, in SQL. */
export const hostInSql = (url: string) =>
  `lower(regexp_extract(${url}, '^(?i:https?)://(?:[^/?#]*@)?(\\[[^\\]/]*\\]|[^/?#:]*)', 1))`;

/**
 * Gives an id to every URL that is not in the dictionary yet, and leaves `ids (i, id)` for the sightings' URLs. Returns
 * how many of these were new; targets of links and redirects are not counted.
 */
async function addUrls(connection: Connection, sightings: Sightings, staged: boolean): Promise<number> {
  const { urls, redirects } = sightings;
  await stageTable(connection, "seen", { i: Uint32Array.from({ length: urls.count }, (_, i) => i), url: urls });
  await stageTable(connection, "redirected", { i: redirects.url, target: redirects.target });
  const before = await countUrls(connection);
  const add = (named: string) =>
    connection.run(
      `INSERT INTO urls SELECT (SELECT coalesce(max(id) + 1, 0) FROM urls) + row_number() OVER (ORDER BY i) - 1, url, ${hostInSql("url")}
       FROM (${named}) AS named WHERE NOT EXISTS (SELECT 1 FROM urls WHERE urls.url = named.url)`,
    );
  await add("SELECT i, url FROM seen");
  const newUrls = (await countUrls(connection)) - before;
  const others = ["SELECT target AS url FROM redirected"];
  if (staged) {
    others.push(
      "SELECT url FROM stage.pages",
      "SELECT canonical FROM stage.pages WHERE canonical IS NOT NULL",
      "SELECT redirect FROM stage.pages WHERE redirect IS NOT NULL",
      "SELECT unnest(string_split(links, chr(10))) FROM stage.pages WHERE links IS NOT NULL",
    );
  }
  await add(`SELECT 0 AS i, url FROM (SELECT DISTINCT url FROM (${others.join(" UNION ALL ")}) ORDER BY url)`);
  await connection.run("CREATE OR REPLACE TEMP TABLE ids AS SELECT seen.i, urls.id FROM seen JOIN urls USING (url)");
  return newUrls;
}

async function countUrls(connection: Connection): Promise<number> {
  return Number((await connection.runAndReadAll("SELECT count(*) FROM urls")).getRows()[0]?.[0]);
}

async function addHosts(connection: Connection): Promise<void> {
  const found = await connection.runAndReadAll(
    "SELECT DISTINCT host FROM urls ANTI JOIN hosts USING (host) ORDER BY host",
  );
  const host = found.getRows().map((row) => String(row[0]));
  if (host.length === 0) return;
  await stageTable(connection, "new_hosts", { host, site: host.map(siteOfHost) });
  await connection.run("INSERT INTO hosts FROM new_hosts");
}

async function addSightings(connection: Connection, source: number, sightings: Sightings): Promise<void> {
  const { crawlerHits, spellings } = sightings;
  await stageTable(connection, "facts", {
    i: Uint32Array.from({ length: sightings.urls.count }, (_, i) => i),
    hits: sightings.hits,
    status_classes: sightings.statusClasses,
    min_bytes: sightings.minBytes,
    max_bytes: sightings.maxBytes,
    first_ms: sightings.firstMs,
    last_ms: sightings.lastMs,
  });
  await connection.run(
    `INSERT INTO sightings SELECT ${source}, id, hits, status_classes, ${known("min_bytes")}, ${known("max_bytes")},
       ${knownTime("first_ms")}, ${knownTime("last_ms")} FROM facts JOIN ids USING (i) ORDER BY i`,
  );
  await stageTable(connection, "crawled", { i: crawlerHits.url, family: crawlerHits.family, hits: crawlerHits.hits });
  // By name: numbers would mean others after the next family is added, and nothing to people with a DuckDB client.
  const names = crawlerFamilies.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ");
  await connection.run(
    `INSERT INTO crawler_hits SELECT ${source}, id, [${names}][family + 1], hits FROM crawled JOIN ids USING (i)`,
  );
  await stageTable(connection, "spelled", {
    i: spellings.url,
    spelling: spellings.spelling,
    steps: spellings.steps,
    hits: spellings.hits,
  });
  await connection.run(
    `INSERT INTO spellings SELECT ${source}, id, spelling, steps, hits FROM spelled JOIN ids USING (i)`,
  );
  await connection.run(
    `INSERT INTO redirects SELECT DISTINCT ${source}, ids.id, urls.id
     FROM redirected JOIN ids USING (i) JOIN urls ON urls.url = redirected.target`,
  );
}

/**
 * All sketches of a workspace are made alike: else pages would differ by how they were read. Those of an earlier
 * version are made again where the text is known.
 */
async function refuseMixedSketches(connection: Connection, mayResketch = true): Promise<void> {
  const found = await connection.runAndReadAll(
    `SELECT ${sketchMaking("beginning")} AS making FROM (
       SELECT sketch[1:4] AS beginning FROM stage.pages WHERE sketch IS NOT NULL
       UNION (SELECT sketch[1:4] FROM pages WHERE sketch IS NOT NULL LIMIT 1)) GROUP BY making ORDER BY making`,
  );
  const makings = found.getRows().map(([making]) => String(making));
  if (makings.length > 1 && mayResketch) {
    await resketchOldPages(connection);
    await refuseMixedSketches(connection, false);
    return;
  }
  if (makings.length > 1) {
    throw new UserError(
      `sketches made as ${makings.join(" and ")} cannot be compared: sketch all archives alike, or use another workspace`,
    );
  }
}

/** Says of how many pages (not images or the like) only the digest is known: no input has brought the body yet. */
async function addPages(connection: Connection, source: number, snapshot: number): Promise<number> {
  await refuseMixedSketches(connection);
  await connection.run(
    `INSERT INTO pages
     SELECT ${source}, ${snapshot}, u.id, p.status, ${knownTime("p.fetched")}, p.address, p.media_type, ${known("p.body_bytes")},
       p.digest, p.title, c.id, r.id, p.shingles_kind, p.shingles, p.sketch,
       ${stagedSupershingles("p")}, p.words, p.text
     FROM stage.pages p JOIN urls u ON u.url = p.url
     LEFT JOIN urls c ON c.url = p.canonical LEFT JOIN urls r ON r.url = p.redirect`,
  );
  await connection.run(
    `INSERT INTO links
     SELECT DISTINCT ${snapshot}, u.id, t.id
     FROM (SELECT url, unnest(string_split(links, chr(10))) AS target FROM stage.pages WHERE links IS NOT NULL) l
     JOIN urls u ON u.url = l.url JOIN urls t ON t.url = l.target`,
  );
  await takeOverByDigest(connection, source);
  const left = await connection.runAndReadAll(
    `SELECT count(*) FROM pages WHERE source = ${source} AND shingles_kind = 2 AND body_bytes IS NULL
       AND (status BETWEEN 200 AND 299 OR status = 304) AND coalesce(media_type, 'text/html') IN ('text/html', 'application/xhtml+xml')`,
  );
  return Number(left.getRows()[0]![0]);
}

/** An input as `add` knows it again. */
export interface KnownSource {
  readonly id: number;
  readonly name: string;
  readonly format: string;
  /** How it was read. */
  readonly settings: InputSettings;
  /** Where reading stopped. */
  readonly resume: ResumePoint;
}

/** The inputs of a snapshot that can be known again. */
export async function knownSources(workspace: Workspace, snapshot: string): Promise<KnownSource[]> {
  if (!workspace.exists) return [];
  return workspace.read(async (connection) => {
    const found = await connection.runAndReadAll(
      `SELECT s.id, s.name, s.format, s.settings::VARCHAR, resume::VARCHAR FROM sources s JOIN snapshots n ON n.id = s.snapshot
       WHERE n.name = $1 AND resume IS NOT NULL ORDER BY s.id`,
      [snapshot],
    );
    return found.getRows().map(([id, name, format, settings, resume]) => ({
      id: Number(id),
      name: String(name),
      format: String(format),
      settings: JSON.parse(String(settings)),
      resume: JSON.parse(String(resume)),
    }));
  });
}

/** How many answers of a crawl into this snapshot are stored; undefined where there was none. */
export async function crawledAnswers(workspace: Workspace, snapshot: string): Promise<number | undefined> {
  if (!workspace.exists) return undefined;
  return workspace.read(async (connection) => {
    const found = await connection.runAndReadAll(
      `SELECT max((settings->>'answers')::INTEGER) FROM sources s JOIN snapshots n ON n.id = s.snapshot
       WHERE n.name = $1 AND format = 'crawl'`,
      [snapshot],
    );
    const answers = found.getRows()[0]?.[0];
    return typeof answers === "number" ? answers : undefined;
  });
}
