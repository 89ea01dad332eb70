/** What is known of the URLs of a list besides sizes and sketches. */
import type { UrlList } from "../../model.js";
import { copyNumbers, readChunks } from "../columns.js";
import type { Connection, Workspace } from "../workspace.js";
import { findList, readList, type SiteChoice } from "./url-lists.js";

/** What is known of the URLs of a list besides their sizes and sketches, row by row. */
export interface UrlFacts {
  /** Milliseconds since 1970; NaN where no source knows. */
  readonly firstMs: Float64Array;
  readonly hits: Float64Array;
  /** Of one download; NaN where unknown. */
  readonly bytes: Float64Array;
  /** The latest successful download. */
  readonly pages: readonly (PageFacts | undefined)[];
}

export interface PageFacts {
  readonly mediaType: string | null;
  readonly digest: string | null;
  /** Title and beginning of the text. */
  readonly text: string;
}

const TEXT_CHARS = 2000;

export async function readUrlListWithFacts(
  workspace: Workspace,
  choice: SiteChoice,
  snapshot?: string,
): Promise<{ readonly list: UrlList; readonly facts: UrlFacts }> {
  return workspace.read(async (connection) => {
    const list = await readList(connection, choice, snapshot);
    const rows = list.urls.count;
    return { list, facts: { ...(await readSightings(connection, rows)), pages: await readPages(connection, rows) } };
  });
}

async function readSightings(connection: Connection, rows: number): Promise<Omit<UrlFacts, "pages">> {
  const firstMs = new Float64Array(rows);
  const hits = new Float64Array(rows);
  const bytes = new Float64Array(rows);
  let at = 0;
  await readChunks(
    connection,
    `SELECT coalesce(epoch_ms(min(first_seen))::DOUBLE, 'nan'), sum(hits), coalesce(avg((min_bytes + max_bytes) / 2), 'nan')
     FROM sightings SEMI JOIN chosen USING (source) JOIN list ON list.id = sightings.url GROUP BY i ORDER BY i`,
    [],
    (chunk, count) => {
      copyNumbers(chunk, 0, count, firstMs, at);
      copyNumbers(chunk, 1, count, hits, at);
      copyNumbers(chunk, 2, count, bytes, at);
      at += count;
    },
  );
  return { firstMs, hits, bytes };
}

async function readPages(connection: Connection, rows: number): Promise<(PageFacts | undefined)[]> {
  const pages = new Array<PageFacts | undefined>(rows).fill(undefined);
  await readChunks(
    connection,
    `SELECT i::UINTEGER, media_type, digest, concat(title, chr(10), left(text, ${TEXT_CHARS}))
     FROM pages SEMI JOIN chosen USING (source) JOIN list ON list.id = pages.url WHERE status BETWEEN 200 AND 299
     QUALIFY row_number() OVER (PARTITION BY i ORDER BY fetched DESC NULLS LAST, source DESC) = 1`,
    [],
    (chunk) => {
      const [row, mediaType, digest, text] = [0, 1, 2, 3].map((column) => chunk.getColumnValues(column));
      const known = (value: unknown) => (value === null ? null : String(value));
      row!.forEach((i, k) => {
        pages[Number(i)] = {
          mediaType: known(mediaType![k]),
          digest: known(digest![k]),
          text: String(text![k]),
        };
      });
    },
  );
  return pages;
}

/** How often the URLs of a list were asked for, and which of them a sitemap names; at most this many of them, spread evenly. */
export interface AskedFor {
  readonly urls: readonly string[];
  readonly requests: Float64Array;
  readonly inSitemap: ReadonlySet<string>;
}

export async function readAskedFor(
  workspace: Workspace,
  choice: SiteChoice,
  most: number,
  snapshot?: string,
): Promise<AskedFor> {
  return workspace.read(async (connection) => {
    await findList(connection, choice, snapshot);
    const urls: string[] = [];
    const requests: number[] = [];
    const inSitemap = new Set<string>();
    await readChunks(
      connection,
      `WITH total AS (SELECT greatest(1, ceil(count(*) / ${most})) AS step FROM list),
         asked AS (
           SELECT list.id, sum(hits) AS hits, bool_or(format = 'sitemap') AS listed FROM sightings SEMI JOIN chosen USING (source)
             JOIN list ON list.id = sightings.url JOIN sources ON sources.id = sightings.source
           GROUP BY list.id)
       SELECT url, hits, listed, i % step = 0 FROM asked JOIN list USING (id) JOIN urls USING (id), total
       WHERE i % step = 0 OR listed ORDER BY i`,
      [],
      (chunk) => {
        const [url, hits, listed, isDrawn] = [0, 1, 2, 3].map((column) => chunk.getColumnValues(column));
        url!.forEach((text, k) => {
          if (listed![k] === true) inSitemap.add(String(text));
          if (isDrawn![k] !== true) return;
          urls.push(String(text));
          requests.push(Number(hits![k]));
        });
      },
    );
    return { urls, requests: Float64Array.from(requests), inSitemap };
  });
}
