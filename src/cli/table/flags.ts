/** Flags that several commands have. */
import type { Flag } from "../parse.js";

export const commonFlags: readonly Flag[] = [
  { name: "json", help: "print one JSON document on stdout instead of text" },
  { name: "quiet", short: "q", help: "no progress and no remarks on stderr" },
  { name: "unmask", help: "show session ids, tokens and addresses in examples as they are" },
  { name: "help", short: "h", help: "show this help" },
];

export const workspaceFlag: Flag = {
  name: "workspace",
  short: "w",
  value: "FILE",
  default: "dustpan.duckdb",
  help: "the workspace",
};

export const rulesFlag: Flag = {
  name: "rules",
  value: "FILE",
  help: "the rules file (default: beside the workspace and named after it: dustpan.rules.json)",
};

/** How inputs are read, for every command that takes them. */
export const inputFlags: readonly Flag[] = [
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

export const BEYOND_MEMORY = "in memory; what does not fit goes to DuckDB automatically";

/** Where the heavy steps run, for every command that has operators for it. */
export const engineFlags = (tables: string, hasOutput: boolean, local = "in memory"): readonly Flag[] => [
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
    help: "keep the table of each step under --output; for the same --input, finished steps are not run again",
  },
  { name: "limit-result", value: "N", default: "5000000", help: "bring back at most this many rows from an engine" },
];

export const siteFlags: readonly Flag[] = [
  { name: "host", value: "HOST", many: true, help: "only this host (several: each a site of its own)" },
  { name: "prefix", value: "URL", many: true, help: "only URLs that begin with this" },
  { name: "all", help: "all URLs as one site, instead of one registrable domain at a time" },
];

export const miningFlags: readonly Flag[] = [
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
export const fetchFlags: readonly Flag[] = [
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

export const validationFlags: readonly Flag[] = [
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
