/**
 * The flag table: it makes the parser, `--help` and docs/cli.md. Data only, so that `--help` loads nothing heavy; the
 * code of command NAME is in commands/NAME.ts.
 */
import { DEFAULT_SNAPSHOT } from "../model.js";
import type { Command, Flag } from "./parse.js";

const commonFlags: readonly Flag[] = [
  { name: "json", help: "print one JSON document on stdout instead of text" },
  { name: "quiet", short: "q", help: "no progress and no remarks on stderr" },
  { name: "unmask", help: "show session ids, tokens and addresses in examples as they are" },
  { name: "help", short: "h", help: "show this help" },
];

const workspaceFlag: Flag = {
  name: "workspace",
  short: "w",
  value: "FILE",
  default: "dustpan.duckdb",
  help: "the workspace",
};

const rulesFlag: Flag = {
  name: "rules",
  value: "FILE",
  help: "the rules file (default: beside the workspace and named after it: dustpan.rules.json)",
};

/** How inputs are read, for every command that takes them. */
const inputFlags: readonly Flag[] = [
  { name: "format", value: "NAME", help: "the inputs' format, instead of detecting it; --format help lists them" },
  { name: "log-format", value: "STRING", help: "your own Apache LogFormat or nginx log_format string" },
  {
    name: "base",
    value: "ORIGIN",
    help: "origin of request lines whose log names no host, and of lists of paths, such as https://www.example.com",
  },
  { name: "column", value: "NAME", help: "of a table or JSON lines: the column or field that holds the URL" },
  {
    name: "keep",
    value: "STEP",
    many: true,
    help: "switch a step of safe normalization off, so that what it merges is seen as URLs of their own; --keep help lists them",
  },
  { name: "strict", help: "stop at the first damaged record instead of counting it" },
];

const outputFolderFlag: Flag = {
  name: "output",
  short: "o",
  value: "PATH",
  help: "a folder for the engine's tables in Parquet; with spark, one that the cluster reaches",
};

const BEYOND_MEMORY = "in memory; what does not fit goes to DuckDB by itself";

/** Where the heavy steps run, for every command that has operators for it. */
const engineFlags = (tables: string, hasOutput: boolean, local = "in memory"): readonly Flag[] => [
  {
    name: "engine",
    value: "ENGINE",
    default: "local",
    help: `local (${local}), duckdb (on disk), or spark (a cluster)`,
  },
  {
    name: "spark",
    value: "ADDRESS",
    help: "the Spark Connect server: sc://HOST:15002, token and TLS as in Spark's connection strings",
  },
  { name: "input", value: "PATH", many: true, help: `${tables}; with spark, a path that the cluster reaches` },
  ...(hasOutput ? [outputFolderFlag] : []),
  {
    name: "memory",
    value: "SIZE",
    help: "what may be used before going to disk, such as 8GB (default: half of this machine's)",
  },
  { name: "print-sql", help: "only print the steps in the engine's SQL, to run them elsewhere" },
  {
    name: "keep-steps",
    help: "keep the table of each step under --output; of the same --input, finished steps are not made again",
  },
  { name: "limit-result", value: "N", default: "5000000", help: "bring back at most this many rows from an engine" },
];

const siteFlags: readonly Flag[] = [
  { name: "host", value: "HOST", many: true, help: "only this host (several: each a site of its own)" },
  { name: "prefix", value: "URL", many: true, help: "only URLs that begin with this" },
  { name: "all", help: "all URLs as one site, instead of one registrable domain at a time" },
];

const miningFlags: readonly Flag[] = [
  {
    name: "likely",
    value: "TEST",
    default: "auto",
    help: "what makes two URLs likely similar: auto, size, sketch, none",
  },
  { name: "sketch-matches", value: "K", default: "4", help: "how many of the 4 shingles must agree" },
  { name: "max-tokens", value: "S", default: "35", help: "the paper's S: longest substring, in tokens" },
  { name: "low-bucket", value: "T", default: "6", help: "T_low: larger buckets do not count when rules are found" },
  { name: "high-bucket", value: "T", default: "11", help: "T_high: the same when redundant rules are dropped" },
  { name: "min-support", value: "MS", default: "3", help: "MS: least support of a rule" },
  {
    name: "max-relative-deficiency",
    value: "MRD",
    default: "0.05",
    help: "MRD: support a refinement may lack, as a share",
  },
  { name: "max-absolute-deficiency", value: "MAD", default: "1", help: "MAD: the same, as a number" },
  { name: "max-window", value: "MW", default: "1100", help: "MW: how far down the list refinements are looked for" },
];

/** How live pages are fetched, for every command that does. */
const fetchFlags: readonly Flag[] = [
  {
    name: "site",
    value: "HOST",
    many: true,
    help: "a site that may be fetched from; nothing else is. shop.test: http and https, that host and the hosts below it that the input names; https://shop.test: that host alone",
  },
  { name: "delay", value: "SECONDS", default: "1", help: "pause between two requests to a host" },
  { name: "budget", value: "N", default: "10000", help: "at most this many requests, everything counted" },
  { name: "timeout", value: "SECONDS", default: "30", help: "for one request" },
  { name: "contact", value: "TEXT", help: "an address or a URL for the user agent, so that the site can reach you" },
  {
    name: "resolve",
    value: "HOST:ADDRESS",
    many: true,
    help: "the address of a host that DNS does not know, as in curl",
  },
  {
    name: "allow",
    value: "TEXT",
    many: true,
    help: "fetch URLs that contain this although they look like an action or carry a token (for a site of your own)",
  },
  { name: "allow-private", help: "also fetch from private addresses (a host that --site names may be private anyway)" },
];

const validationFlags: readonly Flag[] = [
  {
    name: "plan",
    value: "PLAN",
    default: "sequential",
    help: "sequential (stops when the verdict is certain) or paper",
  },
  { name: "count", value: "N", default: "100", help: "the paper plan's N: validations of a rule" },
  { name: "epsilon", value: "SHARE", default: "0.05", help: "the refutation threshold" },
  {
    name: "similarity",
    value: "TEST",
    help: "when two pages are the same: text (stable and distinctive text, the default), or shingles-K/4 (the paper plan's default), resemblance-P, digest",
  },
  {
    name: "assurance",
    value: "SHARE",
    default: "1%",
    help: "how many of the URLs that the rules change may be wrong, with 95% confidence: all rules together are tried until this is shown",
  },
  { name: "seed", value: "NUMBER", default: "1", help: "the same seed draws the same URLs" },
  { name: "no-text", help: "do not keep the text of fetched pages" },
];

const commands: readonly Command[] = [
  {
    name: "run",
    usage: "INPUT... --site HOST",
    summary: "the main job: add, mine, validate and report in one go",
    details: [
      "Reads the inputs into the workspace, mines likely rules, proves or refutes them on the live site (offline, against the pages in the inputs, where no --site is given), and says what the proven ones save.",
      "Most logs name no host: where one --site is given, it is theirs (by http, unless it says https://); --base says otherwise.",
    ],
    flags: [
      { name: "snapshot", value: "NAME", default: DEFAULT_SNAPSHOT, help: "the snapshot that the inputs belong to" },
      ...fetchFlags,
      ...validationFlags,
      ...siteFlags,
      ...miningFlags,
      ...inputFlags,
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "add",
    usage: "INPUT...",
    summary: "read access logs and crawls into the workspace",
    details: [
      "INPUT is a file, a glob, or - for standard input: access logs of any common server, URL lists, CSV, JSON lines, CDX, WARC, sitemaps, Parquet; plain or compressed with gzip, zstd, bzip2 or xz. The format is detected from the content.",
      "Each input is one transaction. An input that is already there is skipped; a log that has grown since, also under a rotated name, is continued where it stopped, read as before. With other settings (--base, --column, --format, --log-format, --keep) it is read again and takes the place of what was there.",
    ],
    flags: [
      {
        name: "snapshot",
        value: "NAME",
        default: DEFAULT_SNAPSHOT,
        help: "the snapshot that the inputs belong to; with {file} in it, each file is one, also each in a tar archive",
      },
      { name: "no-text", help: "do not keep the text of pages (sketches and links are kept)" },
      ...inputFlags,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "mine",
    usage: "[INPUT...]",
    summary: "find likely rules, without a single fetch",
    details: [
      "Without INPUT, mines each site of the workspace and writes the rules file. With INPUT, mines just that and leaves nothing behind (give --rules FILE to keep the result).",
      "The flags with capital letters after them are the DustBuster papers' parameters, with the papers' values.",
    ],
    flags: [
      { name: "top", value: "N", default: "20", help: "rules to show on the terminal, per site (0: all)" },
      {
        name: "plan",
        value: "PLAN",
        default: "ours",
        help: "ours, or paper: the papers' phases alone, sizes as a veto, by support",
      },
      { name: "snapshot", value: "NAME", help: "only this snapshot (default: all of them)" },
      ...siteFlags,
      ...miningFlags,
      ...engineFlags(
        "a table of URLs in Parquet instead of the workspace, such as Common Crawl's index",
        true,
        BEYOND_MEMORY,
      ),
      ...inputFlags,
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "validate",
    usage: "--site HOST | --offline | --engine ENGINE --input URLS",
    summary: "prove or refute the likely rules on the live site, or against the pages already known",
    details: [
      "Fetches a small sample of pages, politely: robots.txt, one request at a time with a pause, a hard budget; only from the hosts that --site names, only with GET, and nothing that looks like an action or carries a one-time token.",
      "Ctrl-C leaves a workspace from which the same command goes on. --dry-run says what would be fetched and what not.",
      "With --engine duckdb or spark, rules are tried on a table of URLs with content digests instead, such as Common Crawl's index: every URL of it at once, without a fetch. Equal digests can prove a rule; different ones leave it undecided, since pages also change by themselves.",
    ],
    flags: [
      { name: "offline", help: "no network: validate against the pages in the workspace" },
      { name: "dry-run", help: "only say which hosts, how many requests, how long, and what is left alone" },
      { name: "snapshot", value: "NAME", help: "only URLs and pages of this snapshot (default: all of them)" },
      ...fetchFlags,
      ...validationFlags,
      ...engineFlags("URLs with content digests in Parquet, such as Common Crawl's index", true),
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "rules",
    usage: "list | show ID | accept ID... | reject ID... | reset ID...",
    summary: "look at the rules, and decide about them",
    details: [
      "A decision is yours and stays when rules are mined or validated again: an accepted rule is used whatever its verdict, a rejected one never.",
    ],
    flags: [
      { name: "status", value: "STATUS", help: "list: only likely, declared, valid, refuted or undecided rules" },
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "canon",
    usage: "[FILE... | URL... | -]",
    summary: "URLs in, canonical URLs out, one per line",
    details: [
      "Uses the rules that are proven or that you accepted. Without FILE, canonizes the URLs of the workspace. FILE may be compressed. With --column a CSV, TSV or JSON-lines file is copied through with that column canonized; every other byte stays as it is, and so does whatever is not a URL.",
    ],
    flags: [
      { name: "snapshot", value: "NAME", help: "without FILE: only URLs of this snapshot (default: all of them)" },
      { name: "column", value: "NAME", help: "the column, or the JSON field, that holds the URL" },
      { name: "explain", help: "show each step with its rule" },
      { name: "dedupe", help: "print each canonical URL once" },
      {
        name: "trust-site",
        help: "also use the rules that the site's own rel=canonical declares, though no pages were compared",
      },
      { name: "aliases", value: "FILE", help: 'after the rules, follow this table ("dustpan aliases" makes it)' },
      {
        name: "output",
        short: "o",
        value: "TABLE",
        help: "write one table as another, of .parquet, .csv and .jsonl; --column is url by default",
      },
      {
        name: "plan",
        value: "PLAN",
        default: "ours",
        help: "ours (idempotent, always ends) or paper (figure 5.5 as printed)",
      },
      { name: "max-rounds", value: "MA", default: "10", help: "MA: at most this many rounds for one URL" },
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "aliases",
    usage: "",
    summary: "pairs of URLs that show one page, though no rule merges them",
    details: [
      'Some pages have two names that have nothing in common: a number and a slug, a branch and its newest commit. This makes a table of such pairs from the redirects of the workspace and from pages that showed the same text (of at least twenty words, in one snapshot), with the time when each was seen. It is used after the rules, by "dustpan canon --aliases FILE". What looks like an action or a token is left out, circles are refused.',
      "Where several URLs show one text, the one that the site names (by redirect or rel=canonical) stays, then the one that is asked for most, then one without parameters, then the shorter.",
    ],
    flags: [
      {
        name: "output",
        short: "o",
        value: "FILE",
        help: "where it goes (default: beside the workspace and named after it: dustpan.aliases.tsv)",
      },
      { name: "max-age", value: "DAYS", default: "90", help: "pairs that were seen longer ago are not used" },
      { name: "trust-site", help: "also take rel=canonical at its word, where the pages were not seen to be alike" },
      { name: "snapshot", value: "NAME", help: "only this snapshot (default: all of them)" },
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "export",
    usage: "--to TARGET [INPUT...]",
    summary: "the rules as a crawler's, a cache's, a server's or a language's own file",
    details: [
      "Writes the rules that are proven or that you accepted as TARGET reads them, to stdout or to -o FILE. A rule that the target cannot say exactly is left out, with what depends on it, and named with the reason on stderr and, where the format has comments, in the file.",
      "--as key makes the canonical URL a key that duplicates have in common, for deduplication or a cache: always safe. --as redirect sends clients there, by rules that are proven only.",
      "A sitemap of canonical URLs (--to sitemap) and the rel=canonical of each page (--to canonical-links) are made of URLs, those of INPUT or of the workspace; what looks like an action or a token is left out.",
    ],
    flags: [
      { name: "to", value: "TARGET", help: "the program or language to write for; --list names them" },
      { name: "list", help: "say what each target is and what it can express" },
      { name: "output", short: "o", value: "FILE", help: "where it goes (default: stdout)" },
      { name: "as", value: "USE", help: "key or redirect (default: key where the target has both)" },
      {
        name: "status",
        value: "STATUS",
        help: "instead of the rules in use: likely, declared, valid, refuted or undecided ones",
      },
      {
        name: "aliases",
        value: "FILE",
        help: 'after the rules, follow this table ("dustpan aliases" makes it), where the target has one for single URLs',
      },
      { name: "host", value: "HOST", help: "sitemap, canonical-links: only URLs that this host has in the end" },
      { name: "snapshot", value: "NAME", help: "sitemap, canonical-links: only this snapshot's URLs" },
      rulesFlag,
      workspaceFlag,
      ...inputFlags,
      ...commonFlags,
    ],
  },
  {
    name: "import",
    usage: "FILE...",
    summary: "rules that others wrote, as candidates for validation",
    details: [
      "FILE is a list of duplicate-url-discarder or ClearURLs (JSON), a filter list with removeparam, Nutch's regex-normalize.xml, or a table with two columns, from and to: parts of URLs, or whole URLs. The format is recognised by the content.",
      "They go into the rules file as likely rules with their origin; nothing uses them before they are proven or accepted. What is not a rule here is named with the reason.",
    ],
    flags: [
      { name: "dry-run", help: "only say what would be imported" },
      { name: "top", value: "N", default: "10", help: "entries without a rule to show for each reason (0: all)" },
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "eval",
    usage: "[INPUT...] [--site HOST]",
    summary: "the papers' measures: precision, redundancy, coverage, duplicates by cause",
    details: [
      "Divides the URLs of each site into three lists: rules are mined on the first, validated on the second, and measured on the third. Offline, against the pages in the inputs, unless --site is given; then every URL of the third list is fetched. No rules file is read or written.",
      "The papers' experiments are its flags: --likely none|size|sketch (figure 5), --sketch-matches, --similarity shingles-K/4 and --epsilon (thesis 6.4 and 6.7), --plan paper --count N (figure 6), --max-rounds (6.2).",
    ],
    flags: [
      {
        name: "split",
        value: "HOW",
        default: "auto",
        help: "how the lists are divided: time (first seen), random (by --seed), or auto (by time where it is known)",
      },
      { name: "test", value: "LIST", default: "other", help: "other; or same: one list for all three" },
      {
        name: "train",
        value: "LOG",
        help: "a file, or a snapshot: rules are found and proven on it, and judged on that of --judge",
      },
      { name: "judge", value: "LOG", help: "a file, or a snapshot: what the rules are measured on" },
      {
        name: "max-rounds",
        value: "MA",
        default: "10",
        help: "MA: at most this many rounds of canonization for one URL",
      },
      {
        name: "canon-plan",
        value: "PLAN",
        default: "ours",
        help: "canonization: ours, or paper (figure 5.5 as printed)",
      },
      { name: "snapshot", value: "NAME", help: "only this snapshot (default: all of them)" },
      ...fetchFlags,
      ...validationFlags,
      ...siteFlags,
      ...miningFlags,
      ...inputFlags,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "crawl",
    usage: "URL...",
    summary: "a polite crawl of a site into the workspace: pages, sketches and links",
    details: [
      "Begins at the URLs and follows links on their hosts, and on those that --site names. Ctrl-C, a used-up --budget and even kill -9 leave a crawl with which the same command goes on; so does --max-pages with a larger number.",
      "With --canon the rules that are proven or that you accepted are applied to every link: URLs whose canonical form is known are not fetched, and the report says how many.",
    ],
    flags: [
      { name: "snapshot", value: "NAME", default: "crawl", help: "the snapshot that the pages make" },
      { name: "max-pages", value: "N", default: "10000", help: "at most this many pages in the whole crawl" },
      { name: "canon", help: "ask for the canonical form of each URL only" },
      {
        name: "avoid",
        value: "FILE",
        help: "leave out what this list names: one of mirrors, collections or evolve, a table, or a prefix of URLs a line; workspace: what these three found, and the rules",
      },
      { name: "no-text", help: "do not keep the text of pages (sketches and links are kept)" },
      ...fetchFlags,
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "check",
    usage: "[INPUT...]",
    summary: "for CI and cron: does dust stay below a limit?",
    details: [
      "Measures the share of URLs, or of requests, that are not canonical by the rules that are proven or that you accepted, and says which rules they need. Exit code 1 if it is above the limit. With INPUT, looks at just that; without, at the workspace.",
    ],
    flags: [
      { name: "max-dust", value: "SHARE", default: "5%", help: "the limit, as 5% or 0.05" },
      { name: "of", value: "WHAT", default: "urls", help: "urls or requests" },
      { name: "top", value: "N", default: "10", help: "rules to show (0: all)" },
      { name: "snapshot", value: "NAME", help: "only this snapshot (default: all of them)" },
      ...inputFlags,
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "report",
    usage: "",
    summary: "what was found, as one HTML file to look at and to hand on",
    details: [
      "The file needs nothing else: it opens from disk, prints, and holds sums and the most requested URLs that rules change. Session ids and tokens are masked. --json prints the data behind it instead, and with -o both are made.",
    ],
    flags: [
      {
        name: "output",
        short: "o",
        value: "FILE",
        help: "where it goes (default: beside the workspace and named after it: dustpan-report.html)",
      },
      {
        name: "table",
        value: "FILE",
        help: "also write every URL that the rules change there, as CSV: URL, canonical URL, rule, requests, whether a page was seen at the canonical URL (the report has the most requested ones)",
      },
      { name: "snapshot", value: "NAME", help: "only this snapshot (default: all of them)" },
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "serve",
    usage: "",
    summary: "the web app: add files, find and prove rules, look at everything, decide",
    details: [
      "Prints an address on 127.0.0.1 with a random token: requests without it are refused, and so are other origins. Other commands can work on the workspace meanwhile.",
      "Files are added, rules found and proven, and copies looked for in the browser too, by the same jobs as the commands'. Without a workspace it opens empty, and the first file makes it.",
      "The flags for fetching are the defaults of validations that are started in the browser.",
    ],
    flags: [
      { name: "port", value: "N", default: "8018", help: "port to listen on (0: any free one)" },
      {
        name: "host",
        value: "ADDRESS",
        default: "127.0.0.1",
        help: "address to listen on; with any but a loopback address, others can reach it",
      },
      ...fetchFlags,
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "demo",
    usage: "",
    summary: "a live example site on loopback, its own access log, and the whole pipeline on both",
    flags: [
      { name: "port", value: "N", default: "8017", help: "port of the example site (0: any free one)" },
      { name: "visits", value: "N", default: "1200", help: "visitors who make the log" },
      { name: "seed", value: "NUMBER", default: "1", help: "the same seed makes the same visits" },
      { name: "folder", value: "DIR", help: "where log, workspace and rules go (default: a new temporary folder)" },
      ...commonFlags,
    ],
  },
  {
    name: "sketch",
    usage: "ARCHIVE... -o DIR",
    summary: "archives to sketch files, so that several machines can share the work",
    details: [
      "Writes one Parquet file for each WARC archive (or any other input with pages): URL, status, time, address, digest, the 84-feature sketch and its six supershingles. An archive whose file is there already is skipped, so an interrupted run goes on where it stopped.",
      '"dustpan add" brings sketch files into a workspace; "dustpan cluster" also works on them directly.',
    ],
    flags: [
      { name: "output", short: "o", value: "DIR", help: "the folder for the sketch files" },
      { name: "format", value: "NAME", help: "the inputs' format, instead of detecting it" },
      {
        name: "functions",
        value: "FAMILY",
        default: "affine",
        help: "affine, or rabin: the paper's polynomials, a hundred times slower",
      },
      {
        name: "words",
        value: "READING",
        default: "unicode",
        help: "unicode, or ascii: runs of letters and digits as in the paper",
      },
      { name: "shingle-words", value: "N", default: "5", help: "words in a shingle" },
      { name: "strict", help: "stop at the first damaged record instead of counting it" },
      ...commonFlags,
    ],
  },
  {
    name: "cluster",
    usage: "[FILE...]",
    summary: "find clusters of near-duplicate pages",
    details: [
      'Without files, clusters the pages of each snapshot and keeps the cluster map in the workspace. With FILE, works on those alone: of "dustpan sketch", or any input with pages (WARC, ARC, Parquet or JSON lines with html or text), which is sketched first; of a URL that they hold several times, the latest download counts.',
      "Two supershingles in common make pages very similar, all six virtually identical, seven tenths of the features related. The plain method chains: --verify drops what joins pages of less resemblance than P, and says how much that was.",
    ],
    flags: [
      { name: "snapshot", value: "NAME", help: "only this snapshot (default: each of them)" },
      {
        name: "level",
        value: "LEVEL",
        default: "similar",
        help: "similar (2 of 6 supershingles), identical (6 of 6) or related (most of the 84 features)",
      },
      {
        name: "add",
        value: "STATE",
        help: "add FILE to the clusters that this file keeps (created if missing): the same clusters as from all documents at once, in a fraction of the time",
      },
      { name: "since", value: "MAP", help: "with FILE: what became of the clusters of an earlier run's map" },
      {
        name: "changes",
        value: "FILE",
        help: "with --add or --since: every cluster that was born, grew, merged, shrank, split or went, as .parquet, .csv or .jsonl",
      },
      {
        name: "verify",
        value: "P",
        help: "join pages only where they share at least this part of their 84 features, such as 0.9",
      },
      {
        name: "supershingles",
        value: "NxK",
        help: "with FILE: N supershingles of K features each instead of 6x14, from whole sketches",
      },
      { name: "shared", value: "M", help: "with --supershingles: how many of them make pages similar (default: 2)" },
      { name: "top", value: "N", default: "20", help: "how many of the largest clusters to describe" },
      {
        name: "output",
        short: "o",
        value: "FILE",
        help: "also write the cluster map there (.parquet, .csv, .jsonl): URL, root, size",
      },
      ...engineFlags("documents with supershingles in Parquet, as sketch writes them", false, BEYOND_MEMORY),
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "evolve",
    usage: "[--from A --to B]",
    summary: "how clusters and pages change between snapshots, and what need not be recrawled",
    details: [
      "Compares the first snapshot with each later one and each with the next: how much of each cluster stays together, which pages left their cluster, failed, disappeared or are new, and how much pages change. Snapshots that have not been clustered yet are clustered first.",
      "Ends in advice: clusters so stable that fetching one member is enough, with what that saves and what it risks.",
    ],
    flags: [
      {
        name: "from",
        value: "NAME",
        help: "the earlier snapshot (default: all snapshots, in the order they were added)",
      },
      { name: "to", value: "NAME", help: "the later snapshot" },
      {
        name: "plan",
        value: "PLAN",
        default: "ours",
        help: "ours, or paper: pages that could not be downloaded are one cluster",
      },
      {
        name: "max-risk",
        value: "SHARE",
        default: "0.05",
        help: "advise only clusters whose members leave less often",
      },
      { name: "top", value: "N", default: "20", help: "advised clusters to show" },
      {
        name: "output",
        short: "o",
        value: "FILE",
        help: "write what to fetch and what to skip there (.parquet, .csv, .jsonl)",
      },
      { name: "avoid", value: "FILE", help: "also write the advice as an avoid-list there, for dustpan crawl --avoid" },
      {
        name: "changes",
        value: "FILE",
        help: "also write every cluster there that was born, grew, merged, shrank, split or went from a snapshot to the next (.parquet, .csv, .jsonl)",
      },
      ...engineFlags("tables in Parquet: before=PATH, after=PATH", false),
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "mirrors",
    usage: "",
    summary: "find hosts and parts of hosts that are copies of each other",
    details: [
      "Hosts with enough pages in common clusters, told apart from aliases (the same address, www), confirmed by how their URLs end, with the subtrees that mirror each other. Addresses are those that archives recorded, or a hosts file's. Snapshots that have not been clustered yet are clustered first.",
      "The avoid-list names what a crawler can leave out, and what it fetches instead.",
    ],
    flags: [
      {
        name: "min-pages",
        value: "N",
        default: "10",
        help: "pages that each host must have in clusters with the other",
      },
      { name: "snapshot", value: "NAME", help: "only this snapshot (default: each of them)" },
      { name: "hosts-file", value: "FILE", help: "addresses of hosts, as in /etc/hosts" },
      { name: "dns", help: "look up hosts whose address is not known (nothing is looked up otherwise)" },
      { name: "top", value: "N", default: "20", help: "pairs, subtrees and avoidable parts to show" },
      {
        name: "output",
        short: "o",
        value: "FILE",
        help: "also write the table of mirrors there (.parquet, .csv, .jsonl)",
      },
      { name: "avoid", value: "FILE", help: "also write the avoid-list there, for dustpan crawl --avoid" },
      ...engineFlags("tables in Parquet: cluster=PATH, page_hosts=PATH", false),
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "collections",
    usage: "",
    summary: "find whole copied sites and manuals, and what a crawler need not fetch",
    details: [
      "Pages are similar where they are near-duplicates by their sketches (--similarity chunks is the paper's test: more than T chunks of text in common). Similar pages that link to similar pages grow into collections; those that are alike, page by page, are replicas of each other. Found collections and the avoid-list stay in the workspace.",
      "URLs that proven or accepted rules make equal are one page. A break point is a page of a replica that corresponds to none in the others, and so splits a collection: --join looks past it.",
    ],
    flags: [
      { name: "snapshot", value: "NAME", help: "the snapshot to look at (default: the last one with pages)" },
      {
        name: "similarity",
        value: "TEST",
        default: "clusters",
        help: "what makes pages similar: clusters (of near-duplicates), or chunks",
      },
      {
        name: "chunking",
        value: "UNIT",
        default: "two-lines",
        help: "two-lines, four-lines, sentences or document",
      },
      {
        name: "threshold",
        value: "T",
        help: "similar pages share more than T chunks (default: 25 for two-lines and sentences, 15 for four-lines, 0 for document)",
      },
      {
        name: "overlap",
        value: "SHARE",
        default: "0",
        help: "with chunks: similar pages also share at least this much of the longer one's, 0 to 1",
      },
      { name: "extended", help: "also take in pages that only some replicas have" },
      { name: "join", value: "K", default: "1", help: "join what at most K unmatched pages in each replica split" },
      {
        name: "no-surplus",
        help: "as in the paper: surplus copies of single pages are not set aside, and split collections, and so do pages that a copy lacks",
      },
      { name: "min-size", value: "N", default: "10", help: "collections of fewer pages are noise" },
      { name: "single-site", help: "pages correspond only within one site" },
      { name: "avoid", value: "FILE", help: "also write the avoid-list there, for dustpan crawl --avoid" },
      {
        name: "phantom-links",
        value: "FILE",
        help: "also write the links that copies left out would have had, by those of the kept ones (.parquet, .csv, .jsonl)",
      },
      {
        name: "output",
        short: "o",
        value: "PATH",
        help: "also write the pages of all collections there (.parquet, .csv, .jsonl); with an engine, a folder for its tables in Parquet",
      },
      { name: "simulate", help: "replay the crawl with the avoid-list: similar pages, fetches and bytes saved" },
      { name: "top", value: "N", default: "20", help: "clusters to show on the terminal (0: all)" },
      rulesFlag,
      ...engineFlags("tables in Parquet: links=PATH with cluster=PATH, or with pages=PATH and chunks=PATH", false),
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "contains",
    usage: "",
    summary: "find pages that are a part of another page",
    details: [
      'Fragments, "view all", printer pages without comments: pages of which nearly everything is in a larger page too, and what their URLs differ in. Estimated from sketches, and counted where texts were kept, without what most pages have. Nothing is merged by it.',
    ],
    flags: [
      {
        name: "share",
        value: "SHARE",
        default: "0.9",
        help: "at least this share of the smaller page must be in the larger",
      },
      { name: "snapshot", value: "NAME", help: "the snapshot to look at (default: the last one with pages)" },
      { name: "top", value: "N", default: "20", help: "patterns and pairs to show (0: all)" },
      {
        name: "output",
        short: "o",
        value: "FILE",
        help: "also write all pairs there (.parquet, .csv, .jsonl): part, whole, words of both, containment",
      },
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "rollup",
    usage: "[FILE | -]",
    summary: "ranked search results in, one line for each group of copies out",
    details: [
      'FILE has one JSON object a line, best result first: {"url": ..., "score": ...} from any search engine; further fields are kept. A collection and all its replicas become one line at the rank of the best hit, with the hits inside (Collection) and all copies (Replica) after it.',
      'Uses the collections that "dustpan collections" found last; looks for them first if there are none.',
    ],
    flags: [
      {
        name: "by",
        value: "ORDER",
        default: "rank",
        help: "rank, or copies: first what is there most often (replicas of a collection, hosts with the page)",
      },
      { name: "snapshot", value: "NAME", help: "the snapshot with the collections (default: the last one with pages)" },
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "search",
    usage: "WORD...",
    summary: "search the pages of the workspace, copies rolled up",
    details: [
      'Ranks pages by BM25. The index is made at the first search, and again when pages were added since. Copies of a page or of a whole collection share one line, as in "dustpan rollup".',
    ],
    flags: [
      { name: "top", value: "N", default: "10", help: "lines to show" },
      {
        name: "by",
        value: "ORDER",
        default: "rank",
        help: "rank, or copies: first what is there most often (replicas of a collection, hosts with the page)",
      },
      { name: "flat", help: "one line for each page, copies too" },
      { name: "snapshot", value: "NAME", help: "the snapshot to search (default: the last one with pages)" },
      rulesFlag,
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "info",
    usage: "",
    summary: "what is in the workspace; remove snapshots, compact",
    flags: [
      { name: "remove-snapshot", value: "NAME", many: true, help: "remove a snapshot and all that was read for it" },
      { name: "compact", help: "give the room of removed data back to the file system" },
      workspaceFlag,
      ...commonFlags,
    ],
  },
  {
    name: "completion",
    usage: "bash | zsh | fish",
    summary: "what a shell needs to complete commands and flags",
    flags: commonFlags.filter(({ name }) => name === "help"),
  },
];

export function listCommands(): readonly Command[] {
  return commands;
}

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}
