/** For `--help` and docs/cli.md: what follows "dustpan NAME", and what it is for. */
export const commandExamples: Readonly<Record<string, readonly (readonly [words: string, what: string])[]>> = {
  run: [
    ["access.log --site example.com", "the whole job, politely, on example.com and what is below it"],
    ["crawl.warc.gz", "without the network, on the pages of an archive"],
  ],
  add: [
    ["/var/log/nginx/access.log*", "a log and its rotated parts, compressed or not"],
    ["access.log --base https://www.example.com", "a log that does not name its host"],
    ["week2.warc.gz --snapshot week2", "a crawl, as a snapshot of its own"],
    ["weekly.tar.xz --snapshot '{file}'", "an archive of crawls, each a snapshot by its name"],
    ["access.log --log-format '%h %t \"%r\" %>s %b'", "a format of your own"],
  ],
  mine: [
    ["access.log", "what a log tells at once, without a workspace"],
    ["", "each site of the workspace"],
    ["--host www.example.com --top 50", "one host, more rules"],
    ["access.log --json > rules.json", "the rules as a file"],
  ],
  validate: [
    ["--site example.com --dry-run", "what would be fetched, and what not"],
    ["--site example.com --budget 2000", "prove the rules, with at most 2,000 requests"],
    ["--site http://shop.test --resolve shop.test:10.0.0.7", "a site that DNS does not know"],
    ["--offline", "against the pages in the workspace"],
  ],
  rules: [
    ["list --status valid", "the proven ones"],
    ["show r-3fa9c1", "one rule with its evidence"],
    ["reject r-3fa9c1", "never use it"],
  ],
  canon: [
    ["urls.txt > canonical.txt", "one URL a line"],
    ["pages.csv --column url", "a table, with that column canonized"],
    ["urls.txt --explain", "each step with its rule"],
    ["- --dedupe < urls.txt", "each page once"],
    ["urls.txt --aliases dustpan.aliases.tsv", "pages with two names, too"],
  ],
  aliases: [
    ["", "from the pages and redirects in the workspace"],
    ["--trust-site -o shop.tsv", "what the site calls canonical too"],
  ],
  export: [
    ["--list", "the targets, and what each can express"],
    ["--to javascript -o canonical.mjs", "a module for a program of your own"],
  ],
  import: [
    ["clearurls.json", "candidates from a list of others; then dustpan validate"],
    ["moved.csv --dry-run", "what a table with two columns, from and to, would give"],
  ],
  eval: [
    ["--train may.warc.gz --judge june.warc.gz", "rules of one crawl, measured on another"],
    ["crawl.warc.gz", "the measures on an archive, offline"],
    ["--test same --plan paper", "as the papers measured"],
  ],
  crawl: [
    ["https://www.example.com/ --max-pages 500", "500 pages, one a second"],
    ["https://www.example.com/ --canon", "each page under its canonical URL only"],
  ],
  check: [
    ["access.log --max-dust 5%", "exit code 1 if more than 5% of the URLs are dust"],
    ["--of requests", "weighted by how often they were asked for"],
  ],
  serve: [["--port 0", "on any free port"]],
  demo: [["--folder /tmp/example", "and keep what it made there"]],
  sketch: [["crawl/*.warc.gz -o sketches", "one Parquet file for each archive"]],
  cluster: [
    ["", "the pages of the workspace"],
    ["sketches/*.parquet -o clusters.parquet", 'files of "dustpan sketch"'],
    ["--verify 0.9", "without chains of less and less similar pages"],
  ],
  report: [["-o report.html", "one file to hand on"]],
  evolve: [["--from week1 --to week2 -o recrawl.csv", "what to fetch again, and what not"]],
  mirrors: [["--hosts-file hosts --avoid avoid.json", "what a crawler can leave out"]],
  collections: [["--simulate --avoid avoid.json", "copied manuals, and what leaving them out saves"]],
  contains: [
    ["", "after adding archives or a crawl with page contents"],
    ["--share 0.8 --json", "what is four fifths in another page, for a program"],
  ],
  rollup: [["results.jsonl", "results of any search engine"]],
  search: [["rebase conflict", "pages with these words, copies rolled up"]],
  info: [
    ["", "snapshots, inputs, sites, crawlers"],
    ["--remove-snapshot week1 --compact", "forget one, and make the file smaller"],
  ],
  completion: [
    ["bash > /etc/bash_completion.d/dustpan", "for everybody on this machine"],
    ["zsh > ~/.zfunc/_dustpan", "with ~/.zfunc in fpath"],
    ["fish > ~/.config/fish/completions/dustpan.fish", "for fish"],
  ],
};
