import type { Command, Flag } from "./parse.js";

/**
 * The flag table: it makes the parser, `--help` and docs/cli.md. Data only, so that `--help` loads nothing heavy; the
 * code of command NAME is in commands/NAME.ts.
 */

const commonFlags: readonly Flag[] = [
  { name: "json", help: "print one JSON document on stdout instead of text" },
  { name: "quiet", short: "q", help: "no progress and no remarks on stderr" },
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
  help: "the rules file (default: dustpan.rules.json beside the workspace)",
};

/** How inputs are read, for every command that takes them. */
const inputFlags: readonly Flag[] = [
  { name: "format", value: "NAME", help: "the inputs' format, instead of detecting it; --format help lists them" },
  { name: "log-format", value: "STRING", help: "your own Apache LogFormat or nginx log_format string" },
  {
    name: "base",
    value: "ORIGIN",
    help: "origin of request lines whose log names no host, such as https://www.example.com",
  },
  {
    name: "keep",
    value: "STEP",
    many: true,
    help: "switch a step of safe normalization off, so that what it merges is seen as URLs of their own; --keep help lists them",
  },
  { name: "strict", help: "stop at the first damaged record instead of counting it" },
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

const commands: readonly Command[] = [
  {
    name: "add",
    usage: "INPUT...",
    summary: "read access logs and crawls into the workspace",
    details: [
      "INPUT is a file, a glob, or - for standard input: access logs of any common server, URL lists, CSV, JSON lines, CDX, WARC, sitemaps, Parquet; plain or compressed with gzip, zstd, bzip2 or xz. The format is detected from the content.",
      "Each input is one transaction. An input that is already there is skipped; a log that has grown since, also under a rotated name, is continued where it stopped.",
    ],
    flags: [
      { name: "snapshot", value: "NAME", default: "default", help: "the snapshot that the inputs belong to" },
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
      "The flags with capital letters behind them are the DustBuster papers' parameters, with the papers' values.",
    ],
    flags: [
      { name: "top", value: "N", default: "20", help: "rules to show on the terminal, per site (0: all)" },
      { name: "snapshot", value: "NAME", help: "only this snapshot (default: all of them)" },
      ...siteFlags,
      ...miningFlags,
      ...inputFlags,
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
];

export function listCommands(): readonly Command[] {
  return commands;
}

export function findCommand(name: string): Command | undefined {
  return commands.find((command) => command.name === name);
}
