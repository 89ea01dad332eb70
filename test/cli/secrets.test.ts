/** What visitors carry in URLs: in a log, in a crawl, and in nothing that commands show or that is handed on. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Folder } from "./folder.js";

const hex = (i: number) => (0x9e3779b1 * (i + 1)).toString(16).replace(".", "").padStart(14, "7f3e9ac1b2d4e6");

/** Ways to carry a secret, and the text that must not be seen. */
const carriers: readonly ((i: number) => readonly [path: string, secret: string])[] = [
  (i) => [`?access_token=${hex(i)}`, hex(i)],
  (i) => [`?password=hunter${i}horse`, `hunter${i}horse`],
  (i) => [`?api_key=k${hex(i)}`, `k${hex(i)}`],
  (i) => [`?email=ann${i}%40example.com`, `ann${i}%40example.com`],
  (i) => [`?jwt=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx${i}IiwibmFtZSI6.c2lnbmF0dXJl${i}`, `eyJzdWIiOiIx${i}`],
  (i) => [`;jsessionid=${hex(i).toUpperCase()}`, hex(i).toUpperCase()],
  (i) => [`?PHPSESSID=${hex(i)}q`, `${hex(i)}q`],
  (i) => [`/reset/${hex(i)}z`, `${hex(i)}z`],
  (i) => [`/invite/${hex(i)}y`, `${hex(i)}y`],
  (i) => [`?card=4111111111111111&n=${i}`, "4111111111111111"],
  (i) => [`?code=c0de${hex(i)}`, `c0de${hex(i)}`],
  (i) => [`?phone=4915112345${100 + i}`, `4915112345${100 + i}`],
  (i) => [`?x=${hex(i)}${hex(i + 7)}`, hex(i) + hex(i + 7)],
  (i) => [`?tok=bfafced8301985561${i}`, `bfafced8301985561${i}`],
  (i) => [`?ticket=ST-100${i}-N2Cph-gyuy-xycrBULwm-cas`, `ST-100${i}-N2Cph`],
  (i) => [`?pass=horse${i}battery`, `horse${i}battery`],
  (i) => [`?key=staple${i}correct`, `staple${i}correct`],
  (i) => [`?pin=${7301 + i}`, `pin=${7301 + i}`],
  (i) => [`?ssn=078-05-112${i}`, `078-05-112${i}`],
  (i) => [`?sid=${hex(i)}s`, `${hex(i)}s`],
  (i) => [`?passwort=geheim${i}wort`, `geheim${i}wort`],
  (i) => [`?client_secret=hush${i}hush`, `hush${i}hush`],
  (i) => [`?next=%2Fx%3Ftoken%3Dfeed${hex(i)}`, `feed${hex(i)}`],
  (i) => [`/magic-link/m${hex(i)}`, `m${hex(i)}`],
  (i) => [`/verify/v${hex(i)}`, `v${hex(i)}`],
  (i) => [`/u/ann.lee${i}@example.org`, `ann.lee${i}@example.org`],
  (i) => [`?k=AKIAIOSFODNN7EXAMPL${i}`, `AKIAIOSFODNN7EXAMPL${i}`],
  (i) => [`?iban=DE8937040044053201300${i}`, `DE8937040044053201300${i}`],
];

const pages = carriers.flatMap((carry, kind) =>
  Array.from({ length: 4 }, (_, i) => {
    const [path, secret] = carry(i);
    return { plain: `http://shop.test/thing${kind}-${i}`, path, secret, kind, i };
  }),
);
const secrets = [...new Set(pages.map(({ secret }) => secret))];

let folder: Folder;
beforeAll(async () => {
  folder = new Folder();
  const request = (url: string, size: number) =>
    `192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET ${url.slice("http://shop.test".length)} HTTP/1.1" 200 ${size} "-" "-"\n`;
  const log = pages.map((page, i) => request(page.plain, 900 + i) + request(page.plain + page.path, 900 + i));
  writeFileSync(folder.at("access.log"), log.join(""));
  const words = (from: number) => Array.from({ length: 80 }, (_, w) => `word${(from * 31 + w * 7) % 997}`).join(" ");
  const capture = (url: string, page: { kind: number; i: number }) =>
    `${JSON.stringify({ url, status: 200, html: `<title>Thing ${page.i}</title><p>${words(page.kind * 6 + page.i)} <a href="/thing1-1">more</a>` })}\n`;
  // Copies of each other, and none without its secret: one of them stands for both.
  const crawl = pages.map(
    (page) => capture(page.plain + page.path, page) + capture(`${page.plain}b${page.path}`, page),
  );
  writeFileSync(folder.at("crawl.jsonl"), crawl.join(""));
  await folder.run(["run", "access.log", "--base", "http://shop.test"]);
  await folder.run(["add", "crawl.jsonl"]);
  await folder.run(["add", "crawl.jsonl", "--snapshot", "later"]);
}, 120_000);
afterAll(() => folder.remove());

it.each(
  [
    "run access.log --base http://shop.test --json",
    "add access.log --base http://shop.test --json",
    "mine",
    "mine --json",
    "validate --site shop.test --dry-run",
    "validate --offline",
    "validate --offline --json",
    "rules list",
    "rules list --json",
    "check",
    "check --json",
    "eval",
    "eval --json",
    "cluster",
    "cluster --json",
    "collections",
    "collections --json",
    "mirrors",
    "mirrors --json",
    "contains",
    "contains --json",
    "search word31",
    "search word31 --json",
    "evolve --json",
    "aliases",
    "aliases --json",
    "info",
    "info --json",
    "export --to nginx",
    "export --to nginx --aliases dustpan.aliases.tsv --json",
    "export --to sitemap",
    "report",
    "report --json",
  ].map((line) => [line]),
)("dustpan %s shows none of them", async (line) => {
  const { stdout, stderr } = await folder.run(line.split(" "));
  expect(stdout.length + stderr.length).toBeGreaterThan(0);
  expect(stderr).not.toContain("fault in dustpan");
  const shown = stdout + stderr;
  expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
});

it("no file that is handed on holds one of them", async () => {
  const files = readdirSync(folder.path).filter((name) => /rules\.json$|report\.html$/.test(name));
  expect(files.sort()).toEqual(["dustpan-report.html", "dustpan.rules.json"]);
  for (const name of files) {
    const text = readFileSync(folder.at(name), "utf8");
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
  }
});

it.each([["mine"], ["cluster"], ["cluster --json"], ["search word31"], ["search word31 --json"]])(
  "dustpan %s shows them with --unmask",
  async (line) => {
    const { stdout } = await folder.run([...line.split(" "), "--unmask"]);
    expect(secrets.filter((secret) => stdout.includes(secret))).not.toEqual([]);
  },
);
