/** What the report reads of the workspace, from a copy of the URL lists. */
import type { JobContext } from "../../model.js";
import { fitPowerLaw } from "../../pages/power-law.js";
import type { CrawlerDust, HandledDust, SiteDust, SiteTables, WhatWasRead } from "../../report/data.js";
import type { SizeSeries } from "../../report/figures/figure.js";
import type { Draw } from "../../validate/try-rule.js";
import { copyNumbers, quoted, readChunks, stageTable } from "../columns.js";
import type { ValidationSettings } from "../runs/runs.js";
import { readTraffic, sourcesOf, type UrlTraffic } from "../urls/traffic.js";
import { seenUrls, type UrlRange, withUrlCopy } from "../urls/url-copy.js";
import type { Connection, Workspace } from "../workspace.js";
import { number, orNull, selectRows, text, time, word } from "./rows.js";
import { ANSWERED, dustColumns, readSiteTables, saidTables } from "./site-tables.js";

export { version as engineVersion } from "../duckdb.js";

/** URLs that are not canonical, and what they are mapped to. */
export interface DustColumns {
  readonly ids: Uint32Array;
  /** For each the number of its canonical URL in `targets`. */
  readonly targetOf: Uint32Array;
  readonly targets: readonly string[];
}

/** What else the report says, once it is known which URLs are dust. */
export interface ReportFacts {
  /** As `DustSource.findKept` gives it. */
  readonly kept: Uint32Array;
  readonly read: WhatWasRead;
  /** Most dust first. */
  readonly sites: readonly SiteDust[];
  readonly crawlers: readonly CrawlerDust[];
  readonly handled: HandledDust;
  readonly tables: SiteTables;
}

/** Works on a copy of the URL lists of a snapshot, or of all. */
export async function withReportData<T>(
  workspace: Workspace,
  snapshot: string | undefined,
  context: JobContext,
  work: (data: ReportSource) => Promise<T>,
): Promise<T> {
  const sources = await sourcesOf(workspace, snapshot);
  const urls = seenUrls(sources);
  const tables = {
    urls: (range: UrlRange) => `SELECT s.*, site FROM (${urls(range)}) s JOIN hosts USING (host)`,
    crawler_hits: (range: UrlRange) =>
      `SELECT url AS id, family, sum(hits) AS hits FROM crawler_hits
       WHERE ${range("url")} AND source IN (${sources}) GROUP BY ALL`,
    // Pages that name another URL as canonical.
    canonicalised: (range: UrlRange) =>
      `SELECT DISTINCT url AS id FROM pages
       WHERE ${range("url")} AND source IN (${sources}) AND status BETWEEN 200 AND 299 AND canonical <> url`,
    ...saidTables(sources),
  };
  const inputs = await readInputs(workspace, sources);
  return withUrlCopy(workspace, tables, context, (connection) => work(new ReportSource(connection, inputs)));
}

/** The same, with the URLs alone. */
export async function withDustSource<T>(
  workspace: Workspace,
  snapshot: string | undefined,
  context: JobContext,
  work: (data: DustSource) => Promise<T>,
): Promise<T> {
  const urls = seenUrls(await sourcesOf(workspace, snapshot));
  return withUrlCopy(workspace, { urls }, context, (connection) => work(new DustSource(connection)));
}

export class DustSource {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Every URL that was answered with something else than an error. */
  readTraffic(take: (traffic: UrlTraffic) => void): Promise<void> {
    return readTraffic(this.#connection, take);
  }

  /**
   * Rows of `dust` that stay although they are not canonical: where the canonical URL itself is in no list, one of its
   * URLs still has to be fetched. It is the smallest one.
   */
  findKept(dust: DustColumns): Promise<Uint32Array> {
    return readKept(this.#connection, dust);
  }
}

export class ReportSource extends DustSource {
  readonly #connection: Connection;
  readonly #inputs: Inputs;

  constructor(connection: Connection, inputs: Inputs) {
    super(connection);
    this.#connection = connection;
    this.#inputs = inputs;
  }

  async readFacts(dust: DustColumns): Promise<ReportFacts> {
    return {
      kept: await readKept(this.#connection, dust),
      read: { ...this.#inputs, ...(await countUrls(this.#connection)) },
      sites: await readSites(this.#connection),
      crawlers: await readCrawlers(this.#connection),
      handled: await readHandled(this.#connection),
      tables: await readSiteTables(this.#connection),
    };
  }
}

/** Leaves `dust (row, id, target)` and `kept (row, id)`. */
async function readKept(connection: Connection, { ids, targetOf, targets }: DustColumns): Promise<Uint32Array> {
  const numbers = (length: number) => Uint32Array.from({ length }, (_, i) => i);
  await stageTable(connection, "dust", { row: numbers(ids.length), id: ids, target: targetOf });
  await stageTable(connection, "targets", { target: numbers(targets.length), url: targets });
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE kept AS
     WITH seen AS (SELECT target FROM targets JOIN urls USING (url) WHERE ${ANSWERED})
     SELECT arg_min(row, url) AS row, arg_min(id, url) AS id FROM dust ANTI JOIN seen USING (target) JOIN urls USING (id)
     GROUP BY target`,
  );
  const kept = (await connection.runAndReadAll("SELECT count(*)::DOUBLE FROM kept")).getRows()[0]?.[0];
  const rows = new Uint32Array(Number(kept));
  let at = 0;
  await readChunks(connection, "SELECT row FROM kept ORDER BY row", [], (chunk, count) => {
    copyNumbers(chunk, 0, count, rows, at);
    at += count;
  });
  return rows;
}

const SOURCES_SHOWN = 50;

type Counts = Pick<WhatWasRead, "urls" | "failedUrls" | "hosts">;
type Inputs = Omit<WhatWasRead, keyof Counts>;

async function countUrls(connection: Connection): Promise<Counts> {
  const [counts] = await selectRows(
    connection,
    {
      urls: number(`count(*) FILTER (${ANSWERED})`),
      failedUrls: number(`count(*) FILTER (NOT (${ANSWERED}))`),
      hosts: number(`count(DISTINCT host) FILTER (${ANSWERED})`),
    },
    "FROM urls",
  );
  return counts!;
}

async function readInputs(workspace: Workspace, chosen: string): Promise<Inputs> {
  return workspace.read(async (connection) => {
    const damaged = "list_sum([x::BIGINT FOR x IN json_extract(damage, '$[*].count')])";
    const [totals] = await selectRows(
      connection,
      {
        sources: number("count(*)"),
        records: number("sum(records)"),
        damaged: number(`sum(${damaged})`),
        pages: number(`SELECT count(*) FROM pages WHERE source IN (${chosen})`),
        from: orNull(text(`(SELECT strftime(min(first_seen), '%Y-%m-%d') FROM sightings WHERE source IN (${chosen}))`)),
        to: orNull(text(`(SELECT strftime(max(last_seen), '%Y-%m-%d') FROM sightings WHERE source IN (${chosen}))`)),
      },
      `FROM sources WHERE id IN (${chosen})`,
    );
    const shown = await selectRows(
      connection,
      {
        name: text("s.name"),
        snapshot: text("n.name"),
        format: text("format"),
        records: number("records"),
        damaged: number(damaged),
        added: text("strftime(added, '%Y-%m-%d %H:%M')"),
      },
      `FROM sources s JOIN snapshots n ON n.id = s.snapshot WHERE s.id IN (${chosen}) ORDER BY s.id LIMIT ${SOURCES_SHOWN}`,
    );
    const snapshots = await selectRows(
      connection,
      { name: text("name") },
      `FROM snapshots WHERE id IN (SELECT snapshot FROM sources WHERE id IN (${chosen})) ORDER BY id`,
    );
    const { sources, from, to, ...sums } = totals!;
    return {
      sources: { shown, more: sources - shown.length },
      snapshots: snapshots.map(({ name }) => name),
      ...sums,
      ...(from !== null && { from }),
      ...(to !== null && { to }),
    };
  });
}

function readSites(connection: Connection): Promise<SiteDust[]> {
  return selectRows(
    connection,
    { site: text("site"), ...dustColumns },
    `FROM urls u LEFT JOIN dust ON dust.id = u.id LEFT JOIN kept ON kept.id = u.id
     WHERE ${ANSWERED} GROUP BY site ORDER BY "savedUrls" DESC, "urls" DESC, site`,
  );
}

function readCrawlers(connection: Connection): Promise<CrawlerDust[]> {
  return selectRows(
    connection,
    {
      family: text("family"),
      requests: number("sum(hits)"),
      dustRequests: number("sum(hits) FILTER (dust.id IS NOT NULL)"),
      urls: number("count(*)"),
      dustUrls: number("count(dust.id)"),
    },
    `FROM crawler_hits c JOIN urls u ON u.id = c.id LEFT JOIN dust ON dust.id = c.id WHERE ${ANSWERED}
     GROUP BY family ORDER BY "dustRequests" DESC NULLS LAST, sum(hits) DESC, family`,
  );
}

/** Bits of status_classes: 3xx, and those that tell of a page of its own (unknown, 1xx, 2xx). */
const REDIRECT_CLASS = 0b1000;
const PAGE_CLASSES = 0b0111;

async function readHandled(connection: Connection): Promise<HandledDust> {
  const rows = await selectRows(
    connection,
    { what: text("what"), urls: number("urls"), requests: number("requests"), bytes: number("bytes") },
    `FROM (
       WITH said AS (
         SELECT requests, bytes, dust.id IS NOT NULL AS is_dust, c.id IS NOT NULL AS canonicalised,
           classes & ${REDIRECT_CLASS} <> 0 AND classes & ${PAGE_CLASSES} = 0 AS redirected
         FROM urls u LEFT JOIN dust ON dust.id = u.id LEFT JOIN canonicalised c ON c.id = u.id WHERE ${ANSWERED})
       SELECT 'redirected' AS what, count(*) AS urls, sum(requests) AS requests, sum(bytes) AS bytes FROM said WHERE redirected
       UNION ALL SELECT 'canonicalised', count(*), sum(requests), sum(bytes) FROM said WHERE canonicalised
       UNION ALL SELECT 'dust', count(*), sum(requests), sum(bytes) FROM said WHERE is_dust AND (redirected OR canonicalised))`,
  );
  const amount = (name: string) => {
    const { what: _, ...counts } = rows.find(({ what }) => what === name)!;
    return counts;
  };
  return { redirected: amount("redirected"), canonicalised: amount("canonicalised"), dust: amount("dust") };
}

/** Sizes of clusters and of mirrors, by snapshot and level. */
export interface CopySizes {
  readonly clusters: readonly SizeSeries[];
  readonly mirrors: readonly SizeSeries[];
}

export async function readCopySizes(workspace: Workspace): Promise<CopySizes> {
  return workspace.read(async (connection) => ({
    clusters: await readSizes(
      connection,
      "cluster_roots",
      `SELECT snapshot, level, size, count(*) AS number FROM cluster_roots GROUP BY ALL
       UNION ALL SELECT snapshot, level, 1, count(*) FROM clusters WHERE size = 1 GROUP BY ALL`,
    ),
    mirrors: await readSizes(
      connection,
      "mirrors",
      "SELECT snapshot, '' AS level, size, count(*) AS number FROM mirrors WHERE alias IS NULL GROUP BY ALL",
    ),
  }));
}

/** How many pages with a text a snapshot has of each of these hosts. */
export async function countHostPages(
  workspace: Workspace,
  snapshot: string,
  hosts: readonly string[],
): Promise<Map<string, number>> {
  return workspace.read(async (connection) => {
    const rows = await connection.runAndReadAll(
      `SELECT host, count(*) FROM clusters c JOIN urls u ON u.id = c.url
       WHERE c.snapshot = (SELECT id FROM snapshots WHERE name = $1) AND level = 'similar'
       AND host IN (SELECT unnest(json_extract_string($2, '$[*]'))) GROUP BY host`,
      [snapshot, JSON.stringify(hosts)],
    );
    return new Map(rows.getRows().map(([host, pages]) => [String(host), Number(pages)]));
  });
}

/** Of several snapshots the first and the last, each level: the papers' overlays. */
async function readSizes(connection: Connection, table: string, sizes: string): Promise<SizeSeries[]> {
  const rows = await selectRows(
    connection,
    { snapshot: text("n.name"), level: text("level"), size: number("size"), count: number("number") },
    `FROM (${sizes}) s JOIN snapshots n ON n.id = s.snapshot
     WHERE s.snapshot IN (SELECT unnest([min(snapshot), max(snapshot)]) FROM ${table}) ORDER BY n.id, level DESC, s.size`,
  );
  const series = new Map<string, { snapshot: string; level: string; sizes: { size: number; count: number }[] }>();
  for (const { snapshot, level, size, count } of rows) {
    const key = JSON.stringify([snapshot, level]);
    const known = series.get(key) ?? { snapshot, level, sizes: [] };
    known.sizes.push({ size, count });
    series.set(key, known);
  }
  return [...series.values()].flatMap(({ snapshot, level, sizes: all }) => {
    const distribution = all.filter(({ size }) => size > 1);
    if (distribution.length === 0) return [];
    const documents = all.reduce((sum, { size, count }) => sum + size * count, 0);
    const copies = distribution.reduce((sum, { size, count }) => sum + (size - 1) * count, 0);
    const law = fitPowerLaw(distribution);
    return [{ snapshot, level, distribution, share: copies / documents, ...(law && { law }) }];
  });
}

/** The last validation on the live site. */
export interface LastRun {
  readonly started: string;
  readonly settings: ValidationSettings;
  readonly draws: readonly Pick<Draw, "rule" | "direction" | "outcome">[];
}

/** URLs that showed a page when a validation looked at them. */
export async function readShownUrls(workspace: Workspace): Promise<Set<string>> {
  return workspace.read(async (connection) => {
    const rows = (await connection.runAndReadAll("SELECT DISTINCT url FROM fetches WHERE kind = 'ok'")).getRows();
    return new Set(rows.map(([url]) => String(url)));
  });
}

/** What the last validation on the live site was allowed to fetch from: the next one is most often of the same. */
export async function readLastSites(workspace: Workspace): Promise<readonly string[]> {
  return workspace.read(async (connection) => (await selectLastRun(connection))?.settings.sites ?? []);
}

async function selectLastRun(connection: Parameters<typeof selectRows>[0]) {
  const [run] = await selectRows(
    connection,
    { id: number("id"), settings: text("settings::VARCHAR"), started: time("started") },
    `FROM runs WHERE finished IS NOT NULL AND json_exists(settings, '$.rules') ORDER BY runs.id DESC LIMIT 1`,
  );
  return run && { ...run, settings: JSON.parse(run.settings) as ValidationSettings };
}

export async function readLastRun(workspace: Workspace): Promise<LastRun | undefined> {
  return workspace.read(async (connection) => {
    const run = await selectLastRun(connection);
    if (run === undefined) return undefined;
    const draws = await selectRows(
      connection,
      {
        rule: text("rule"),
        direction: word<Draw["direction"]>("direction"),
        outcome: word<Draw["outcome"]>("outcome"),
      },
      `FROM draws WHERE run = ${run.id} ORDER BY number`,
    );
    return { started: run.started, settings: run.settings, draws };
  });
}

/** What commands found out and kept, by the name under which they kept it; of several snapshots the last one's. */
export async function readAnalyses(
  workspace: Workspace,
  names: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  return workspace.read(async (connection) => {
    // The snapshot whose collections are shown is the one that everything else is shown of, if it was looked at.
    const isShown = "coalesce(analyses.snapshot = shown.snapshot, false)";
    const rows = await selectRows(
      connection,
      {
        name: text("name"),
        result: text(`arg_max(result, (${isShown}, coalesce(analyses.snapshot, 0)))::VARCHAR`),
      },
      `FROM analyses, (SELECT max(snapshot) AS snapshot FROM analyses WHERE name = 'collections') shown
       WHERE name IN (${names.map(quoted).join(", ")}) GROUP BY name`,
    );
    return new Map(rows.map(({ name, result }) => [name, JSON.parse(result) as unknown]));
  });
}
