/** A table with the schema of Common Crawl's columnar index and planted truth: which rules hold, on which site. */
import { DuckDBInstance } from "#src/store/duckdb.js";

const columns = `url_surtkey VARCHAR, url VARCHAR, url_host_name VARCHAR, url_host_tld VARCHAR, url_host_2nd_last_part VARCHAR,
  url_host_3rd_last_part VARCHAR, url_host_4th_last_part VARCHAR, url_host_5th_last_part VARCHAR,
  url_host_registry_suffix VARCHAR, url_host_registered_domain VARCHAR, url_host_private_suffix VARCHAR,
  url_host_private_domain VARCHAR, url_host_name_reversed VARCHAR, url_protocol VARCHAR, url_port INTEGER, url_path VARCHAR,
  url_query VARCHAR, fetch_time TIMESTAMP, fetch_status SMALLINT, fetch_redirect VARCHAR, content_digest VARCHAR,
  content_mime_type VARCHAR, content_mime_detected VARCHAR, content_charset VARCHAR, content_languages VARCHAR,
  content_truncated VARCHAR, warc_filename VARCHAR, warc_record_offset INTEGER, warc_record_length INTEGER,
  warc_segment VARCHAR, crawl VARCHAR, subset VARCHAR`;

interface Capture {
  readonly url: string;
  readonly digest: string;
  readonly status?: number;
  readonly crawl?: string;
  readonly subset?: string;
}

export const crawl = "CC-MAIN-2026-10";

/** On shop.test a session does not matter and the page number does; on news.test "www." does not; on wiki.test nothing is dust. */
function captures(): Capture[] {
  const found: Capture[] = [];
  for (let i = 0; i < 60; i++) {
    found.push({ url: `https://shop.test/item?id=${i}`, digest: `SHOP${i}` });
    found.push({ url: `https://shop.test/item?id=${i}&sid=${1000 + 7 * i}`, digest: `SHOP${i}` });
    found.push({ url: `https://shop.test/list?page=${i}`, digest: `LIST${i}` });
    found.push({ url: `https://news.test/story/${i}.html`, digest: `NEWS${i}` });
    found.push({ url: `https://www.news.test/story/${i}.html`, digest: `NEWS${i}` });
    found.push({ url: `https://wiki.test/page/${i}`, digest: `WIKI${i}` });
    found.push({ url: `https://wiki.test/page/${i}?action=history`, digest: `HISTORY${i}` });
    // What must not be read: another crawl, in which everything is one page; answers that are none; errors.
    found.push({ url: `https://wiki.test/page/${i}?action=history`, digest: "SAME", crawl: "CC-MAIN-2026-05" });
    found.push({ url: `https://wiki.test/page/${i}`, digest: "SAME", crawl: "CC-MAIN-2026-05" });
    found.push({ url: `https://wiki.test/old/${i}`, digest: `R${i}`, status: 301, subset: "crawldiagnostics" });
    found.push({ url: `https://wiki.test/gone/${i}?action=history`, digest: "GONE", status: 404 });
    found.push({ url: `https://wiki.test/gone/${i}`, digest: "GONE", status: 404 });
  }
  return found;
}

/** Writes FOLDER/crawl=.../subset=.../*.parquet. */
export async function writeCommonCrawl(folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE captured (${columns})`);
  const values = captures().map(({ url, digest, status = 200, crawl: of = crawl, subset = "warc" }) => {
    const host = new URL(url).host;
    const domain = host.replace(/^www\./, "");
    return `('${url}', '${host}', '${domain}', TIMESTAMP '2026-03-01', ${status}, '${digest}', 'text/html', '${of}', '${subset}')`;
  });
  await connection.run(
    `INSERT INTO captured (url, url_host_name, url_host_registered_domain, fetch_time, fetch_status, content_digest, content_mime_type,
       crawl, subset) VALUES ${values.join(", ")}`,
  );
  await connection.run(
    `COPY captured TO '${folder}' (FORMAT parquet, PARTITION_BY (crawl, subset), OVERWRITE_OR_IGNORE)`,
  );
  connection.closeSync();
  instance.closeSync();
}

/** Substring rules and removed parameters that must be found, by site; every other site must have none. */
export const plantedRules: Readonly<
  Record<string, (rule: { kind: string; from?: string; to?: string; name?: string }) => boolean>
> = {
  "shop.test": (rule) => rule.kind === "parameter" && rule.name === "sid",
  "news.test": (rule) =>
    rule.kind === "substring" && (rule.from ?? "").includes("www.") && !(rule.to ?? "").includes("www."),
};
