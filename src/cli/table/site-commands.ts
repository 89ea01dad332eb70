/** Commands that measure, crawl, check and show a site. */
import type { Command } from "../parse.js";
import {
  commonFlags,
  fetchFlags,
  inputFlags,
  miningFlags,
  rulesFlag,
  siteFlags,
  validationFlags,
  workspaceFlag,
} from "./flags.js";

export const siteCommands: readonly Command[] = [
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
      "Begins at the URLs and follows links on their hosts, and on those that --site names. After Ctrl-C, a used-up --budget or even kill -9, the same command continues the crawl; so does one with a larger --max-pages.",
      "With --canon the rules that are proven or that you accepted are applied to every link: URLs whose canonical form is known are not fetched, and the report says how many.",
    ],
    flags: [
      { name: "snapshot", value: "NAME", default: "crawl", help: "the snapshot that the pages make" },
      { name: "max-pages", value: "N", default: "10000", help: "at most this many pages in the whole crawl" },
      { name: "canon", help: "ask for the canonical form of each URL only" },
      {
        name: "avoid",
        value: "FILE",
        help: "leave out what this list names: one of mirrors, collections or evolve, a table, or one URL prefix per line; workspace: what these three found, and the rules",
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
      "Files are added, rules found and proven, and copies looked for in the browser too, with the same jobs that the commands use. Without a workspace it opens empty, and the first file makes it.",
      "The flags for fetching are the defaults of validations that are started in the browser.",
    ],
    flags: [
      { name: "port", value: "N", default: "8018", help: "port to listen on (0: any free one)" },
      {
        name: "host",
        value: "ADDRESS",
        default: "127.0.0.1",
        help: "address to listen on; with any other than a loopback address, others can reach it",
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
];
