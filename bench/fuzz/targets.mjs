// One target for each parser of what others wrote: samples of it, the words it is made of, how it is read, and the patterns
// by which hostile inputs grow. What `run` returns must not depend on how the bytes are cut into pieces.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { compile, parseRulesFile, rulesInUse } from "#src/canon/index.js";
import { DataError, UserError } from "#src/errors.js";
import { importRules } from "#src/export/import-rules.js";
import { isAllowed, parseRobots } from "#src/fetch/robots.js";
import { canonicalOf } from "#src/http/link-header.js";
import { readContent } from "#src/http/page-content.js";
import { SitemapScanner } from "#src/http/sitemap.js";
import { readArcRecords } from "#src/input/crawls/arc-records.js";
import { CdxParser, parseCdxj } from "#src/input/crawls/cdx.js";
import { CsvParser } from "#src/input/crawls/csv.js";
import { JsonlParser } from "#src/input/crawls/jsonl.js";
import { mayBePage, pageFromRecord } from "#src/input/crawls/warc-page.js";
import { readWarcRecords } from "#src/input/crawls/warc-reader.js";
import { bunzip2 } from "#src/input/decompress/bzip2.js";
import { gunzip } from "#src/input/decompress/gzip.js";
import { unxz } from "#src/input/decompress/xz.js";
import { unzstd } from "#src/input/decompress/zstd.js";
import { logFormats } from "#src/input/logs/formats.js";
import { LogScanner } from "#src/input/logs/scan.js";
import { readSource } from "#src/input/read-source.js";
import { ALL_NORMALIZATION_STEPS } from "#src/url/normalize.js";

const list = "http://a.test/x\nhttp://a.test/y?sid=1\nhttp://a.test/z\n";
const text = (chunks) => Buffer.concat(chunks).toString("utf8");
const linesOf = (chunks) => text(chunks).split("\n");

async function* stream(chunks) {
  yield* chunks;
}

/** What is read, or the message of an error that is meant for people; any other is a fault of ours. */
async function orMessage(read) {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UserError || error instanceof DataError) return error.message;
    throw error;
  }
}

/** A pattern: what comes first, then `unit` as often as it takes, then what comes last. */
const repeat =
  (unit, first = "", last = "") =>
  (bytes) =>
    Buffer.from(first + unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit))) + last);
const repeatBytes = (unit) => (bytes) => Buffer.concat(new Array(Math.ceil(bytes / unit.length)).fill(unit));

const sitemap = {
  name: "sitemap",
  seeds: [
    '<?xml version="1.0"?><urlset><url><loc>http://a.test/x?a=1&amp;b=2</loc><lastmod>2026-01-02</lastmod></url></urlset>',
    "<sitemapindex><sitemap><loc><![CDATA[http://a.test/s.xml]]></loc></sitemap></sitemapindex>",
  ],
  words: [
    "<url>",
    "</url>",
    "<loc>",
    "</loc>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<",
    ">",
    "&amp;",
    "&#x",
    "x:",
    "\n",
  ],
  async run(chunks) {
    const scanner = new SitemapScanner();
    const decoder = new TextDecoder();
    const entries = [];
    for (const chunk of chunks) entries.push(...scanner.push(decoder.decode(chunk, { stream: true })));
    entries.push(...scanner.push(decoder.decode()), ...scanner.end());
    return entries;
  },
  growth: {
    "unclosed <url>": repeat("<url>"),
    "unclosed <url><loc>": repeat("<url><loc>http://a.test/"),
    "open comments": repeat("<!-- <url> "),
    "comments in an entry": repeat("<!---->", "<url>", "<loc>http://a.test/</loc></url>"),
    "open tags": repeat("<url "),
    prefixes: repeat("<a:", "<url>", "</url>"),
    "long entity": repeat("&#", "<url><loc>", "</loc></url>"),
    "line ends": repeat("\n", "<url>", "</url>"),
  },
};

const robots = {
  name: "robots",
  seeds: ["User-agent: *\nDisallow: /a*b$\nAllow: /a/c\nCrawl-delay: 2\nSitemap: http://a.test/s.xml\n"],
  words: ["User-agent: *\n", "Disallow: ", "Allow: ", "/", "*", "$", "#", "%", "%2A", ":", "\r", "\n", "é", "/a"],
  async run(chunks) {
    const rules = parseRobots(Buffer.concat(chunks));
    return [rules, ["/", "/aab", `/${"a".repeat(200)}`, "/%2A$"].map((path) => isAllowed(rules, path))];
  },
  growth: {
    "many rules": repeat("Disallow: /a*b\n", "User-agent: *\n"),
    "many wildcards": repeat("a*", "User-agent: *\nDisallow: /"),
    "many agents": repeat("User-agent: x\n"),
    "percent signs": repeat("%", "User-agent: *\nDisallow: /"),
    spaces: repeat(" ", "User-agent:", "*\nDisallow: /"),
    "no line end": repeat("Disallow"),
  },
};

const html = {
  name: "html",
  seeds: [
    '<!doctype html><html><head><title>T &amp; t</title><base href="/b/"><link rel=canonical href="x"></head><body><a href="y?a=1">one two</a><script>if (a<b) {}</script><p>three<!-- c --></body></html>',
    '<meta charset="utf-8"><meta http-equiv=refresh content="0; url=/z"><textarea></title></textarea><pre>a\nb</pre>&notit;',
  ],
  words: [
    "<a href=",
    "<p>",
    "</",
    "<",
    ">",
    '"',
    "'",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "<title>",
    "&",
    "&#x41;",
    "=",
    " ",
    "<base href=//b>",
    "\0",
  ],
  async run(chunks) {
    const page = readContent("http://a.test/x", "text/html", Buffer.concat(chunks));
    return page && { ...page, sketch: page.sketch?.length ?? 0, shingles: page.shingles?.length ?? 0 };
  },
  growth: {
    "open tags": repeat("<a"),
    "unclosed tags": repeat("<div>"),
    "open comments": repeat("<!--"),
    "open scripts": repeat("<script>"),
    titles: repeat("<title>"),
    ampersands: repeat("&"),
    "long entity": repeat("a", "&"),
    quotes: repeat("<a href='"),
    attributes: repeat(" a=b", "<a"),
    links: repeat("<a href=x>"),
    "one text": repeat("word "),
    "end tags": repeat("</p>"),
  },
};

const link = {
  name: "link",
  seeds: ['<http://a.test/x>; rel="canonical", </y>; rel=next; title="a\\"b"', "</z>;rel=canonical;anchor=x"],
  words: ["<", ">", ";", ",", "rel=", "canonical", '"', "\\", " ", "=", "\t", "</a>", "anchor"],
  run: async (chunks) => canonicalOf(text(chunks), "http://a.test/x") ?? null,
  growth: {
    "open links": repeat("<"),
    links: repeat("<a>, "),
    parameters: repeat(";a", "<a>"),
    quotes: repeat('"', "<a>;b="),
    backslashes: repeat("\\", '<a>;b="'),
    spaces: repeat(" ", "<a>;"),
    relations: repeat("a ", '<a>;rel="', '"'),
  },
};

const response =
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: </c>; rel="canonical"\r\n\r\n<title>t</title><a href=b>word</a>';
const record = (type, block) =>
  `WARC/1.0\r\nWARC-Type: ${type}\r\nWARC-Target-URI: http://a.test/x\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${Buffer.byteLength(block)}\r\n\r\n${block}\r\n\r\n`;

async function pagesOf(records, damage) {
  const found = [];
  for await (const each of records) {
    const outcome = mayBePage(each) ? pageFromRecord(each) : { kind: each.type };
    found.push([each.offset, outcome.kind, outcome.page?.url, outcome.page?.text, outcome.reason]);
  }
  return { found, damage: damage.length };
}

const warc = {
  name: "warc",
  seeds: [
    record("response", response) + record("request", "GET / HTTP/1.1\r\n\r\n"),
    gzipSync(record("response", response)),
    Buffer.concat([record("warcinfo", "a: b\r\n"), record("response", response)].map((each) => gzipSync(each))),
    record("response", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"),
  ],
  words: [
    "WARC/1.0\r\n",
    "WARC-Type: response\r\n",
    "Content-Length: 5\r\n",
    "\r\n\r\n",
    "\r\n",
    "HTTP/1.1 200 OK",
    "Link: <",
    ":",
    "WARC/",
    "\x1f\x8b\x08",
    "ffff\r\n",
  ],
  async run(chunks) {
    const damage = [];
    return pagesOf(
      readWarcRecords(stream(chunks), (each) => damage.push(each)),
      damage,
    );
  },
  growth: {
    "magic words": repeat("WARC/"),
    "version lines": repeat("WARC/1.0\r\n"),
    "heads without length": repeat("WARC/1.0\r\nWARC-Type: response\r\n\r\n"),
    records: repeat(record("response", response)),
    "false lengths": repeat("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 7\r\n\r\nabc\r\n\r\n"),
    "line ends": repeat("\r\n"),
    "long Link header": (bytes) =>
      Buffer.from(
        record("response", `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nLink: ${"<a>;".repeat(bytes / 4)}\r\n\r\nx`),
      ),
    "many headers": (bytes) =>
      Buffer.from(record("response", `HTTP/1.1 200 OK\r\n${"a: b\r\n".repeat(bytes / 6)}\r\nx`)),
    chunks: (bytes) =>
      Buffer.from(
        record(
          "response",
          `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n${"1\r\na\r\n".repeat(bytes / 6)}0\r\n\r\n`,
        ),
      ),
    "gzip members": repeatBytes(gzipSync(record("response", response))),
    "gzip beginnings": repeatBytes(Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])),
  },
};

const arcRecord = `http://a.test/x 1.2.3.4 20260102030405 text/html ${response.length}\n${response}\n`;
const arcHead = "filedesc://a.arc 0.0.0.0 20260102030405 text/plain 20\n1 0 A\nURL IP-address\n\n";

const arc = {
  name: "arc",
  seeds: [arcHead + arcRecord + arcRecord, arcRecord],
  words: [
    "http://a.test/ ",
    "1.2.3.4 ",
    "20260102030405 ",
    "text/html ",
    "5\n",
    "\n",
    "filedesc:",
    " ",
    "HTTP/1.0 200 OK\n\n",
  ],
  async run(chunks) {
    const damage = [];
    return pagesOf(
      readArcRecords(stream(chunks), false, (each) => damage.push(each)),
      damage,
    );
  },
  growth: {
    records: repeat(arcRecord),
    "no line end": repeat("http://a.test/ "),
    spaces: repeat(" ", "http://a.test/ 1.2.3.4 20260102030405 text/html"),
    "damaged lines": repeat("http://a.test/ x\n"),
    "false lengths": repeat("http://a.test/x 1.2.3.4 20260102030405 text/html 3\nabcdef\n"),
  },
};

const cdx = {
  name: "cdx",
  seeds: [
    " CDX N b a m s k r M S V g\ntest,a)/x 20260102030405 http://a.test/x text/html 200 AAAA - - 12 34 f.warc.gz\n",
    'test,a)/x 20260102030405 {"url": "http://a.test/x", "mime": "text/html", "status": "200", "digest": "AAAA"}\n',
  ],
  words: [" CDX ", "N b a m s", " ", "\n", "-", "http://a.test/", "{", "}", '"url":', '"', "20260102030405", "["],
  async run(chunks) {
    const parser = new CdxParser();
    return linesOf(chunks).map((line) => [parser.parse(line) ?? null, parseCdxj(line) ?? null]);
  },
  growth: {
    "one line": repeat("a "),
    "fields of a header": repeat(" a", " CDX"),
    records: repeat("test,a)/x 20260102030405 http://a.test/x text/html 200 AAAA - - 12 34 f.warc.gz\n"),
    brackets: repeat("[", 'a 20260102030405 {"a":', "}"),
    spaces: repeat(" ", 'a 20260102030405 {"a":1}', "x"),
  },
};

/** A tar archive of one file. */
function tarOf(name, content) {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write("0000644\0", 100);
  head.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  head.write("        0", 148);
  head.write("ustar\x0000", 257);
  head.write(
    `${head
      .reduce((a, b) => a + b, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  head.write("0", 156);
  return Buffer.concat([head, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

const quiet = { signal: new AbortController().signal, onProgress() {} };

const tar = {
  name: "tar",
  seeds: [
    Buffer.concat([tarOf("a.txt", list), tarOf("b.txt", list), Buffer.alloc(1024)]),
    Buffer.concat([tarOf("x.warc", record("response", response)), Buffer.alloc(1024)]),
  ],
  words: ["\0".repeat(512), "ustar", "0000644\0", "77777777777", "http://a.test/\n", "\x80\0\0\0"],
  async run(chunks) {
    return orMessage(async () => {
      const result = await readSource("-", { standardInput: stream(chunks), format: "tar" }, quiet);
      return [result.records, result.skipped, result.damage.map(({ reason, count }) => [reason, count])];
    });
  },
  growth: {
    files: repeatBytes(tarOf("a.txt", list)),
    "empty files": repeatBytes(tarOf("a.txt", "")),
    "no headers": repeat("x".repeat(512)),
    "headers and damage": repeatBytes(Buffer.concat([tarOf("a.txt", ""), Buffer.alloc(512, 1)])),
  },
};

/**
 * Length and digest of what comes out: kept as a whole, its memory would be measured in place of the parser. A failure of the
 * packed bytes is an Error that says so; any other kind is a fault of ours.
 */
async function unpacked(chunks, unpack) {
  const digest = createHash("sha1");
  let bytes = 0;
  try {
    for await (const piece of unpack(stream(chunks))) {
      digest.update(piece);
      bytes += piece.length;
    }
  } catch (error) {
    if (
      !(error instanceof Error) ||
      (/^(?:Type|Range|Reference|Syntax)Error$/.test(error.name) && error.code === undefined)
    )
      throw error;
    // How much came out before depends on the pieces.
    return "damaged";
  }
  return { bytes, digest: digest.digest("hex") };
}

const packed = (name, unpack, sample, words, growth) => ({
  name,
  seeds: [sample, Buffer.concat([sample, sample])],
  words,
  run: (chunks) => unpacked(chunks, unpack),
  growth: {
    streams: repeatBytes(sample),
    "garbage after it": (bytes) => Buffer.concat([sample, Buffer.alloc(bytes, "x")]),
    "zeros after it": (bytes) => Buffer.concat([sample, Buffer.alloc(bytes)]),
    ...growth,
  },
});

const gzip = packed(
  "gzip",
  gunzip,
  gzipSync(list),
  [Buffer.from([0x1f, 0x8b, 8]), "\0", "\xff", Buffer.from([0x1f, 0x8b, 8, 8])],
  {
    "long name in the header": (bytes) =>
      Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(bytes, "a")]),
    "much from little": (bytes) => gzipSync(Buffer.alloc(64 * bytes)),
  },
);
const bzip2 = packed(
  "bzip2",
  bunzip2,
  Buffer.from(
    "QlpoOTFBWSZTWThb7ScAAA5ZgAAQAAGgEqZgTHAgACK/VBoAPSFNMjExMR02CxYRjxt2FU2PI8iYig5c+LuSKcKEgcLfaTg=",
    "base64",
  ),
  ["BZh9", "1AY&SY", "\x17rE8P\x90", "\0", "\xff"],
  {},
);
const xz = packed(
  "xz",
  unxz,
  Buffer.from(
    "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AA1ACJdADQdLOA6CVnFCprbDd2wxiQPH0XdYIolAJS3Ghzm311swAAAAACG6w69/5YbJQABPjbPO/muH7bzfQEAAAAABFla",
    "base64",
  ),
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), "YZ", "\0", "\x01\0\0", "\xff"],
  {},
);
const zstd = packed(
  "zstd",
  unzstd,
  Buffer.from("KLUv/QRYFQEAyGh0dHA6Ly9hLnRlc3QveAp5P3NpZD0xegoCADk7Y+S5BET3EEw=", "base64"),
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.from([0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 0]), "\0", "\xff"],
  { "skippable frames": repeatBytes(Buffer.from([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0])) },
);

const csv = {
  name: "csv",
  seeds: [
    'url,status,title\nhttp://a.test/x,200,"a ""b"", c"\nhttp://a.test/y,404,\n',
    "Address;Status Code\r\nhttp://a.test/;200\r\n",
  ],
  words: ["url", ",", ";", "\t", '"', '""', "\n", "\r\n", "http://a.test/", "200", "sep=;\n", "\ufeff", "|"],
  async run(chunks) {
    const parser = new CsvParser();
    const decoder = new TextDecoder();
    const rows = [];
    for (const chunk of chunks) rows.push(...parser.push(decoder.decode(chunk, { stream: true })));
    rows.push(...parser.push(decoder.decode(), true));
    // How a damaged row begins is shown as far as it has come.
    return rows.map(({ line, outcome }) => [line, outcome ?? null]);
  },
  growth: {
    "open quotes": repeat('"', "url,b\n"),
    "lines with an open quote": repeat('"\n', "url,b\n"),
    "lines with an odd quote": repeat('http://a.test/,"a"b\n', "url,b\n"),
    fields: repeat(",", "url,b\n"),
    columns: repeat("a,", "url,"),
    rows: repeat("http://a.test/x,1\n", "url,b\n"),
    "quoted fields": repeat('"a",', "url,b\n"),
    "no header": repeat("x\n"),
  },
};

const jsonl = {
  name: "jsonl",
  seeds: [
    '{"url": "http://a.test/x", "status": 200, "html": "<p>a</p>"}\n{"url":"http://a.test/y","crawl":{"httpStatusCode":404}}\n',
  ],
  words: [
    "{",
    "}",
    "[",
    "]",
    '"',
    ":",
    ",",
    '"url"',
    '"http://a.test/"',
    "\\",
    "\\u0000",
    "null",
    "1e999",
    "\n",
    "__proto__",
  ],
  async run(chunks) {
    const parser = new JsonlParser();
    return linesOf(chunks).map((line) => {
      const outcome = parser.parse(line);
      return typeof outcome === "object" ? [outcome.url, outcome.status] : (outcome ?? null);
    });
  },
  growth: {
    brackets: repeat("["),
    objects: repeat('{"a":'),
    backslashes: repeat("\\", '{"a":"'),
    keys: (bytes) =>
      Buffer.from(`{${Array.from({ length: bytes / 12 }, (_, i) => `"k${i}":1`).join()},"url":"http://a.test/"}`),
    "keys one level down": (bytes) =>
      Buffer.from(`{"a":{${Array.from({ length: bytes / 12 }, (_, i) => `"k${i}":1`).join()}},"url":"http://a.test/"}`),
    "objects in one": (bytes) =>
      Buffer.from(`{${Array.from({ length: bytes / 16 }, (_, i) => `"k${i}":{"a":1}`).join()},"url":"http://a.test/"}`),
    lines: repeat('{"url":"http://a.test/x"}\n'),
    "lines of other keys": (bytes) =>
      Buffer.from(Array.from({ length: bytes / 36 }, (_, i) => `{"k${i}":1,"url":"http://a.test/"}`).join("\n")),
  },
};

const log = {
  name: "log",
  seeds: [
    '1.2.3.4 - - [02/Jan/2026:03:04:05 +0000] "GET /x?a=1 HTTP/1.1" 200 12 "http://r.test/" "Mozilla/5.0 (compatible; Googlebot/2.1)"\n',
    "#Fields: date time cs-method cs-uri-stem cs-uri-query sc-status\n2026-01-02 03:04:05 GET /x a=1 200\n",
    '{"time":"2026-01-02T03:04:05Z","method":"GET","uri":"/x","status":200,"host":"a.test"}\n',
  ],
  words: [
    '"GET /',
    ' HTTP/1.1"',
    '"',
    "\\",
    "[",
    "]",
    "\\x22",
    " ",
    "-",
    "\n",
    "200",
    "#Fields:",
    "{",
    "}",
    "é",
    "\0",
    "http://a.test",
  ],
  async run(chunks) {
    return logFormats.map(({ name }) => {
      const scanner = new LogScanner({ name: "-", formatName: name, steps: ALL_NORMALIZATION_STEPS, strict: false });
      for (const chunk of chunks) scanner.push(chunk);
      scanner.end();
      return [
        scanner.lines,
        scanner.records,
        scanner.skipped,
        scanner.damage.entries().map(({ reason, count }) => [reason, count]),
      ];
    });
  },
  growth: {
    quotes: repeat('"'),
    backslashes: repeat("\\", '1.2.3.4 - - [02/Jan/2026:03:04:05 +0000] "GET /'),
    brackets: repeat("["),
    spaces: repeat(" "),
    "field lists": repeat("#Fields: date time cs-uri-stem\n"),
    objects: repeat('{"a":'),
    "short lines": repeat("a\n"),
    records: (bytes) =>
      Buffer.from(
        Array.from(
          { length: bytes / 90 },
          (_, i) => `1.2.3.4 - - [02/Jan/2026:03:04:05 +0000] "GET /x${i} HTTP/1.1" 200 12 "-" "-"\n`,
        ).join(""),
      ),
  },
};

const rulesFile = (rules) =>
  JSON.stringify({
    format: "dustpan-rules",
    version: 2,
    rules: rules.map((rule) => ({ decision: "accepted", ...rule })),
  });
/** As many rules as fill these bytes. */
const manyRules = (make) => (bytes) => {
  const count = Math.ceil(bytes / 70);
  return Buffer.from(rulesFile(Array.from({ length: count }, (_, i) => make(i, count))));
};
const replace = (from, to, more = {}) => ({ kind: "substring", from, to, ...more });

const rules = {
  name: "rules",
  seeds: [
    rulesFile([
      replace("/a/", "/b/"),
      { kind: "parameter", name: "sid", action: "remove", scope: { host: "*.a.test", parameters: { t: true } } },
      { kind: "template", from: "/p?i={x:segment}", to: "/{x:segment}.html" },
      { kind: "trailingSlash", action: "drop" },
    ]),
    rulesFile([replace("a", "a.x"), replace("x", "x.a"), replace("", "/", { end: true })]),
  ],
  words: [
    '"kind":',
    '"substring"',
    '"from":',
    '"to":',
    '"a"',
    '""',
    '"b.a"',
    "{",
    "}",
    "[",
    "]",
    ",",
    '"scope":{}',
    '"start":true',
    '"end":true',
    '"after":["x"]',
    "{x:rest}",
    "null",
  ],
  async run(chunks) {
    return orMessage(() => {
      const { rules: read } = parseRulesFile(text(chunks));
      const { rules: used, dropped } = rulesInUse(read);
      const canon = compile(used, { use: (rule) => rule });
      const urls = ["http://www.a.test/a/a0/p?i=1&sid=2&t=3", "https://a.test/b.a.x/", "/a"].map(canon);
      return [read.length, used.length, dropped.length, urls];
    });
  },
  growth: {
    "a ring": manyRules((i, count) => replace(`/a${i}/`, `/a${(i + 1) % count}/`)),
    "a ring in reverse order": manyRules((i, count) => replace(`/a${count - i}/`, `/a${i === 0 ? 1 : count - i + 1}/`)),
    "a chain": manyRules((i) => replace(`/a${i}/`, `/a${i + 1}/`)),
    "a chain in reverse order": manyRules((i, count) => replace(`/a${count - i}/`, `/a${count - i + 1}/`)),
    "pairs that undo each other": manyRules((i) => replace(`/a${i}/`, `/a${i ^ 1}/`)),
    "many rules": manyRules((i) => replace(`/alpha${i}/`, `/beta${i}/`)),
    "one text on many hosts": manyRules((i) => replace("/x/", "/y/", { scope: { host: `h${i}.test` } })),
    "one text on many paths": manyRules((i) => replace("/x/", "/y/", { scope: { host: "a.test", path: `/${i}/` } })),
    "slashes on many hosts": manyRules((i) => ({
      kind: "trailingSlash",
      action: "drop",
      scope: { host: `h${i}.test` },
    })),
    "rules after rules that are not there": manyRules((i) => replace(`/a${i}/`, `/b${i}/`, { after: [`r-${i}`] })),
    brackets: repeat("["),
    "one long text": (bytes) => Buffer.from(rulesFile([replace("a/".repeat(bytes / 4), "b")])),
  },
};

/** Lists of rules that others wrote, in all formats that are read. */
const imports = {
  name: "imports",
  seeds: [
    '{"providers":{"a":{"urlPattern":"^https?:\\/\\/a\\.(?:test|b)","rules":["srs?","p[fd]_(?:x|y)"],"rawRules":["/x"],"exceptions":["y"]}}}',
    '[{"processor":"queryRemoval","args":["sid"],"urlPattern":{"include":["a.test/b"],"exclude":[]}}]',
    "[Adblock Plus 2.0]\n! note\n||a.test^$removeparam=/^(?:b|c)=/,domain=x.test|y.test\n$removeparam=fbclid\n",
    "<regex-normalize><!-- c --><regex><pattern>/(?:a|b)\\.html$</pattern><substitution>/</substitution></regex></regex-normalize>",
    'from,to\n"/a,b",/c\nhttp://a.test/x,http://a.test/y\n',
  ],
  words: [
    ...[
      "{",
      "}",
      "[",
      "]",
      "(",
      ")",
      "(?:",
      "|",
      "?",
      "*",
      "\\",
      "^",
      "$",
      ",",
      '"',
      "null",
      "\n",
      "\t",
      "!",
      "@@",
      "~",
    ],
    ...["<regex>", "</regex>", "<pattern>", "<substitution>", "<!--", "-->", "<![CDATA[", "]]>", "&amp;", "&x;", "&#"],
    ...["<!ENTITY a 'b'>", "$removeparam", "=", "domain=", '"rules":', '"urlPattern":', '"providers":', "\0", "a-z"],
  ],
  async run(chunks) {
    return orMessage(() => {
      const { format, rules: read, skipped } = importRules(text(chunks), "list");
      return [format, read.length, skipped.length];
    });
  },
  growth: {
    "signs in one line": repeat("$,", "", "\n||a.test^$removeparam=x\n"),
    "signs and nothing": repeat("$a,"),
    lines: repeat("||a.test^$removeparam=x\n"),
    domains: repeat("a.test|", "$removeparam=x,domain="),
    "open comments": repeat("<!--", "<regex-normalize>"),
    "open elements": repeat("<regex>", "<regex-normalize>"),
    "open patterns": repeat("<pattern>", "<regex-normalize><regex>", "</regex>"),
    "open sections": repeat("<![CDATA[", "<regex-normalize><regex><pattern>", "</pattern></regex>"),
    references: repeat("&#", "<regex-normalize><regex><pattern>", "</pattern></regex>"),
    dollars: repeat("$", "<regex-normalize><regex><pattern>", "</pattern></regex>"),
    groups: repeat("(", '{"providers":{"a":{"urlPattern":".*","rules":["', '"]}}}'),
    alternatives: repeat("|a", '{"providers":{"a":{"urlPattern":"^https?://', '","rules":["x"]}}}'),
    "names of all sorts": repeat(
      '"[abcdefgh][abcdefgh]",',
      '{"providers":{"a":{"urlPattern":".*","rules":[',
      '"x"]}}}',
    ),
    brackets: repeat("["),
    rows: repeat("a,b\n"),
    commas: repeat(","),
    quotes: repeat('"', "", ",b\n"),
  },
};

export const targets = [
  sitemap,
  robots,
  html,
  link,
  warc,
  arc,
  cdx,
  tar,
  gzip,
  bzip2,
  xz,
  zstd,
  csv,
  jsonl,
  log,
  rules,
  imports,
];
