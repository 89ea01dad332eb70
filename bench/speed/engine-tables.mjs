/**
 * Tables for the engines' benchmark, as SQL of DuckDB over a range of numbers: thirty million rows in a minute. URLs are those of
 * one site or of many: articles with slugs and dates, a forum, a shop with parameters, a wiki; every fourth is a duplicate of the one before
 * it (the host without www, a print view, a session, another path). Documents are six supershingles each.
 */

/** A number below `limit` that depends on the document and on what it is for. */
const draw = (purpose, limit) => `CAST(hash(document * 16 + ${purpose}) % ${limit} AS INT)`;
const syllables = "['an','be','co','da','el','fo','gri','ha','in','jo','ka','lu','men','no','or','pra']";
const syllable = (purpose, shift) => `${syllables}[1 + ((${draw(purpose, 4096)} >> ${shift}) & 15)]`;
/** One of 4,096 words. */
const word = (purpose) => `${syllable(purpose, 0)} || ${syllable(purpose, 4)} || ${syllable(purpose, 8)}`;
const one = (purpose, ...choices) =>
  `[${choices.map((choice) => `'${choice}'`).join(",")}][1 + ${draw(purpose, choices.length)}]`;

/** Of `sites` one is chosen for each document, the first most often: the second has a quarter of its URLs, the hundredth a sixtieth. */
const siteOf = (sites) =>
  sites === 1
    ? "'example.org'"
    : `'site' || CAST(floor(${sites} * power(${draw(13, 1_000_003)} / 1000003, 3)) AS INT) || '.example.org'`;
const host = (condition) => `CASE WHEN ${condition} THEN 'http://' ELSE 'http://www.' END || site`;
const slug = `${word(1)} || '-' || ${word(2)} || '-' || document || '-' || ${word(3)} || '-' || ${word(4)}`;
const article = `${host("copy = 1")} || '/' || ${one(5, "news", "sports", "science", "travel", "culture", "local", "world")} || '/'
  || ${draw(6, 14)} + 2006 || '/' || ${draw(7, 12)} + 1 || '/' || ${slug} || '.html' || CASE WHEN copy = 2 THEN '?print=1' ELSE '' END`;
const topic = `${host("copy = 1")} || '/forum/viewtopic.php?f=' || document % 17 || '&t=' || document
  || CASE WHEN ${draw(8, 5)} < 2 THEN '&start=' || 15 * (1 + ${draw(9, 20)}) ELSE '' END
  || CASE WHEN copy = 2 THEN '&sid=' || md5(CAST(document AS VARCHAR)) ELSE '' END`;
const product = `${host("false")} || '/shop/' || ${word(1)} || '/' || ${word(2)} || '/p' || document || '?color='
  || ${one(5, "red", "blue", "green", "black")} || CASE WHEN copy > 0 THEN '&ref=' || ${one(6, "home", "search", "mail")} ELSE '' END`;
const title = `${word(1)} || '_' || document || '_' || ${word(2)}`;
const wiki = `${host("false")} || CASE WHEN copy > 0 THEN '/w/index.php?title=' ELSE '/wiki/' END || ${title}`;

/** site, id, url and bytes: the size of the document. */
export const urlSql = (count, sites = 1) => `SELECT site, id,
    CASE WHEN kind < 4 THEN ${article} WHEN kind < 7 THEN ${topic} WHEN kind < 9 THEN ${product} ELSE ${wiki} END AS url,
    CAST(2000 + ${draw(10, 60_000)} AS DOUBLE) AS bytes
  FROM (SELECT id, document, ${siteOf(sites)} AS site, ${draw(11, 10)} AS kind, CASE WHEN id % 4 = 3 THEN 1 + ${draw(12, 2)} ELSE 0 END AS copy
    FROM (SELECT range AS id, range - CASE WHEN range % 4 = 3 THEN 1 ELSE 0 END AS document FROM range(${count})) AS numbered) AS chosen`;

/** A third of the documents in clusters of two and more; a cluster's members share two to six supershingles. */
export const documentSql = (count) => `SELECT id, ${[0, 1, 2, 3, 4, 5]
  .map((i) => `CAST(hash((CASE WHEN ${i} < 2 + id % 5 THEN grp ELSE -1 - id END) * 6 + ${i}) >> 1 AS BIGINT) AS s${i}`)
  .join(
    ", ",
  )} FROM (SELECT range AS id, CASE WHEN range % 3 = 0 THEN CAST(range / 3 AS BIGINT) // (1 + hash(range // 300) % 9)
  ELSE range + ${count} END AS grp FROM range(${count})) t`;
