// A synthetic workspace for web.mjs, with everything that lists are made of.
import { writeFileSync } from "node:fs";
import { formatRulesFile } from "../../dist/canon/file/write-rules-file.js";
import { ruleId } from "../../dist/canon/rule-id.js";
import { clusterRoots } from "../../dist/store/copies/clusters.js";

/** Documents in clusters of the level "similar": sizes are floor(LAW / rank), a power law with exponent 2. */
const law = 0.05;

/**
 * Twenty thousand hosts, most URLs on the first ones; every second URL is another with a session id. Level similar has clusters
 * of all sizes up to 5% of the URLs, level identical a third as many clusters as URLs, all of three pages.
 */
export async function makeWorkspace(workspace, rulesFile, urls) {
  const draw = (seed) => `(hash(i, ${seed}) / 18446744073709551616.0)`;
  const run = (...statements) =>
    workspace.write(async (connection) => {
      for (const sql of statements) await connection.run(sql);
    });
  await run(
    "INSERT INTO snapshots VALUES (1, 'first', now()), (2, 'second', now())",
    `INSERT INTO sources SELECT i, i, 's' || i, 'crawl-' || i || '.warc.gz', 'warc', 'gzip', 1, 1, ${urls}, NULL, '{}', '[]', now() FROM range(1, 3) t(i)`,
    "INSERT INTO hosts SELECT 'www.h' || i || '.example', 'h' || i || '.example' FROM range(20000) t(i)",
    `INSERT INTO urls
     SELECT i, 'http://' || host || '/s' || (hash(i // 2, 2) % 40) || '/document-' || (i // 2) || '.html' ||
       CASE WHEN i % 2 = 0 THEN '' ELSE '?sid=d' || i || 'x7a9' END, host
     FROM (SELECT i::UINTEGER AS i, 'www.h' || floor(20000 * pow(hash(i // 2, 1) / 18446744073709551616.0, 3))::INTEGER || '.example' AS host
           FROM range(${urls}) t(i))`,
  );
  await run(
    `INSERT INTO sightings SELECT 1, i, 1 + floor(1 / (1e-4 + ${draw(3)})), 4, b, b, TIMESTAMP '2026-01-01' + to_seconds(i % 1000000), TIMESTAMP '2026-02-01'
     FROM (SELECT i, 500 + hash(i // 2, 4) % 50000 AS b FROM range(${urls}) t(i))`,
    `INSERT INTO crawler_hits SELECT 1, i, ['Googlebot', 'Bingbot', 'GPTBot', 'ClaudeBot'][1 + i % 4], 1 FROM range(0, ${urls}, 5) t(i)`,
    `INSERT INTO pages (source, snapshot, url, status, fetched, media_type, body_bytes, title, shingles_kind, words)
     SELECT 1, 1, i, 200, TIMESTAMP '2026-01-01', 'text/html', 500 + hash(i // 2, 4) % 50000, 'Document ' || (i // 2), 0, 100 + i % 900 FROM range(${urls}) t(i)`,
    `INSERT INTO links SELECT 1, i, hash(i, j, 5) % ${urls} FROM range(${urls}) t(i), range(2) u(j)`,
  );
  const found = JSON.stringify({ settings: { similarity: "clusters" }, pages: 0, replication: [], distribution: [] });
  const size = Math.floor(law * urls);
  const clusters = (level, select) =>
    `INSERT INTO clusters SELECT 1, '${level}', url, root, size FROM (${select}) ORDER BY url;
     INSERT INTO cluster_roots SELECT 1, '${level}', ${clusterRoots(`(SELECT url AS id, root AS root_id, size FROM clusters WHERE level = '${level}')`)};
     INSERT INTO analyses VALUES ('clusters-${level}', 1, '{}', ${urls}, now(), '{}')`;
  await run(
    // Places in the order of the clusters are spread over the URLs by a step that shares no factor with their number.
    clusters(
      "similar",
      `WITH placed AS (
         SELECT c, size, row_number() OVER () - 1 AS place FROM (
           SELECT c, ${size} // c AS size, unnest(range(${size} // c)) FROM range(1, ${size} + 1) t(c)) LIMIT ${urls}),
       spread AS (SELECT c, (place * 7368787) % ${urls} AS url FROM placed)
       SELECT url, first(url) OVER (PARTITION BY c ORDER BY url) AS root, count(*) OVER (PARTITION BY c) AS size FROM spread
       UNION ALL SELECT i, i, 1 FROM range(${urls}) t(i) WHERE i NOT IN (SELECT url FROM spread)`,
    ),
    clusters(
      "identical",
      `SELECT i AS url, i - i % 3 AS root, least(3, ${urls} - i // 3 * 3) AS size FROM range(${urls}) t(i)`,
    ),
    `INSERT INTO mirrors SELECT 1, 'www.h' || i || '.example', 'www.h' || (i + 1 + j) || '.example', 10 + hash(i, j) % 5000, 10 + hash(j, i) % 5000,
       1 + hash(i, j, 6) % 900, 1 + hash(i, j, 7) % 9000, NULL, j % 5 > 0, 1 + hash(i, j, 6) % 900, 0.9, j % 5, [1, 2, 3, 4], [1, 2, 3, 4] FROM range(19980) t(i), range(20) u(j)`,
    `INSERT INTO analyses VALUES ('mirrors', 1, '{}', ${urls}, now(), '{}'), ('collections', 1, '{}', ${urls}, now(), '${found}')`,
    `INSERT INTO mirror_subtrees SELECT 1, 'www.h' || i || '.example/s1', 'www.h' || (i + 1) || '.example/s2', 1 + hash(i, 8) % 900, 1000, 1000 FROM range(19980) t(i)`,
  );
  // Collections of two to twelve copies with five to two hundred pages each.
  await run(
    `CREATE TEMP TABLE made AS SELECT i AS cluster, 2 + floor(1 / (0.1 + ${draw(9)}))::INTEGER AS cardinality, 5 + floor(20 / (0.1 + ${draw(10)}))::INTEGER AS size
     FROM range(${Math.floor(urls / 400)}) t(i)`,
    "INSERT INTO collections SELECT 1, cluster, 'Collection ' || cluster, cluster * 37, cardinality, size, size < 10, 1, 0 FROM made",
    `INSERT INTO replicas SELECT 1, cluster, r, cluster * 37 + r, r = 0, size, 0, 0 FROM (SELECT *, unnest(range(cardinality)) AS r FROM made)`,
    `INSERT INTO collection_pages SELECT 1, cluster, r, p, hash(cluster, r, p) % ${urls}, false, true FROM (
       SELECT *, unnest(range(size)) AS p FROM (SELECT *, unnest(range(cardinality)) AS r FROM made)) ORDER BY cluster, p, r`,
    `INSERT INTO trivial SELECT 1, url, url, root, size FROM clusters WHERE level = 'similar'`,
    "DROP TABLE made",
  );
  const mined = { status: "likely", decision: null, source: "mined", support: 1, merges: 1, confirmed: 0 };
  const rules = [
    { kind: "parameter", name: "sid", place: "query", action: "remove", scope: {}, ...mined, status: "valid" },
    ...Array.from({ length: 200 }, (_, i) => ({
      ...{ kind: "substring", from: `/old${i}/`, to: `/new${i}/`, start: false, end: false, scope: {} },
      ...mined,
    })),
  ];
  writeFileSync(
    rulesFile,
    formatRulesFile({ settings: {}, rules: rules.map((rule) => ({ id: ruleId(rule, rule.scope), ...rule })) }),
  );
}
