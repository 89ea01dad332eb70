/** What a page that is known by its digest alone takes over from one with the same bytes: text, sketches and links. */
import { readChunks, stageTable } from "../columns.js";
import { supershingleColumns } from "../schema.js";
import type { Connection } from "../workspace.js";

/**
 * A revisit record or a line of an index names bytes that another download has, of the same URL or of another one. Only the
 * digests of one source are looked at, which may bring the bytes that earlier ones named.
 */
export async function takeOverByDigest(connection: Connection, source: number): Promise<void> {
  await digestNotModified(connection, source);
  const known = await connection.runAndReadAll("SELECT 1 FROM pages WHERE shingles_kind = 2 LIMIT 1");
  if (known.currentRowCount === 0) return;
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE by_digest AS
     SELECT DISTINCT ON (digest) * FROM pages
     WHERE shingles_kind = 1 AND digest IN (SELECT digest FROM pages WHERE source = ${source})
       AND digest IN (SELECT digest FROM pages WHERE shingles_kind = 2)
     ORDER BY digest, fetched DESC NULLS LAST`,
  );
  await connection.run(
    `CREATE OR REPLACE TEMP TABLE taken AS
     SELECT p.rowid AS page, p.snapshot, p.url, coalesce(own.snapshot, b.snapshot) AS from_snapshot, coalesce(own.url, b.url) AS from_url
     FROM pages p JOIN by_digest b ON b.digest = p.digest
       LEFT JOIN (
         SELECT url, digest, max(snapshot) AS snapshot FROM pages
         WHERE shingles_kind = 1 AND digest IN (SELECT digest FROM by_digest) GROUP BY url, digest) own
         ON own.url = p.url AND own.digest = p.digest
     WHERE p.shingles_kind = 2`,
  );
  const columns = ["title", "shingles_kind", "shingles", "sketch", ...supershingleColumns, "words", "text"];
  const missing = ["body_bytes", "media_type"];
  await connection.run(
    `UPDATE pages SET ${columns.map((column) => `${column} = b.${column}`).join(", ")},
       ${missing.map((column) => `${column} = coalesce(pages.${column}, b.${column})`).join(", ")}
     FROM by_digest b WHERE b.digest = pages.digest AND pages.shingles_kind = 2`,
  );
  await takeOverLinks(connection);
}

/**
 * Where a server answered that a page was not modified, archives name no digest: it is that of the URL's last download before. Only the
 * URLs of one source are looked at, which may bring that download.
 */
async function digestNotModified(connection: Connection, source: number): Promise<void> {
  await connection.run(
    `UPDATE pages SET digest = b.digest, shingles_kind = 2, shingles = CASE WHEN b.shingles_kind = 2 THEN b.shingles END,
       body_bytes = b.body_bytes, media_type = coalesce(pages.media_type, b.media_type)
     FROM (SELECT rowid AS page, url, fetched FROM pages
           WHERE status = 304 AND digest IS NULL AND url IN (SELECT url FROM pages WHERE source = ${source})) p
       ASOF JOIN (SELECT url, fetched, digest, shingles_kind, shingles, body_bytes, media_type FROM pages
                  WHERE status BETWEEN 200 AND 299 AND digest IS NOT NULL) b
         ON b.url = p.url AND p.fetched >= b.fetched
     WHERE pages.rowid = p.page`,
  );
}

async function takeOverLinks(connection: Connection): Promise<void> {
  const linked = "FROM taken t JOIN links l ON l.snapshot = t.from_snapshot AND l.source_url = t.from_url";
  // Links are kept as they resolve. Where the same bytes are at another address, relative ones lead to its neighbours.
  const moved = { snapshot: [] as number[], url: [] as number[], target: [] as number[], rebased: [] as string[] };
  await readChunks(
    connection,
    `SELECT t.snapshot, t.url, l.target_url, u.url, f.url, g.url ${linked}
       JOIN urls u ON u.id = t.url JOIN urls f ON f.id = t.from_url JOIN urls g ON g.id = l.target_url
     WHERE t.url <> t.from_url`,
    [],
    (chunk, rows) => {
      const columns = Array.from({ length: 6 }, (_, column) => chunk.getColumnValues(column));
      for (let row = 0; row < rows; row++) {
        const [snapshot, url, target, ...texts] = columns.map((values) => values[row]);
        const [at, from, to] = texts.map(String);
        moved.snapshot.push(Number(snapshot));
        moved.url.push(Number(url));
        moved.target.push(Number(target));
        moved.rebased.push(rebase(to!, from!, at!));
      }
    },
  );
  await stageTable(connection, "moved", {
    snapshot: Uint32Array.from(moved.snapshot),
    url: Uint32Array.from(moved.url),
    target: Uint32Array.from(moved.target),
    rebased: moved.rebased,
  });
  await connection.run(
    `INSERT INTO links (
       SELECT DISTINCT t.snapshot, t.url, l.target_url ${linked} WHERE t.url = t.from_url
       UNION
       SELECT m.snapshot, m.url, coalesce(u.id, m.target) FROM moved m LEFT JOIN urls u ON u.url = m.rebased
       EXCEPT SELECT * FROM links WHERE snapshot IN (SELECT snapshot FROM taken))`,
  );
}

/** The link of a page at `from` as it reads on the same page at `at`; one that leads to another host is as it was. */
export function rebase(link: string, from: string, at: string): string {
  const [target, base] = [new URL(link), new URL(from)];
  if (target.origin !== base.origin) return link;
  const up = base.pathname.split("/").slice(1, -1);
  const path = target.pathname.split("/").slice(1);
  let common = 0;
  while (common < up.length && common < path.length - 1 && up[common] === path[common]) common++;
  const relative = `${"../".repeat(up.length - common)}${path.slice(common).join("/")}`;
  return new URL(`./${relative}${target.search}`, at).href;
}
