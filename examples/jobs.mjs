// What the commands do, one call each: crawl, mine, validate, check, eval, report, canon.
//
//     node examples/jobs.mjs https://www.example.com/ [HOST:ADDRESS...]
import {
  checkDust,
  compile,
  crawl,
  detectDefaults,
  eliminateDefaults,
  evaluate,
  mine,
  openCanon,
  validate,
  validateDefaults,
  Workspace,
  writeReport,
} from "dustpan";
import { usableRule } from "dustpan/canon";

const [seed, ...resolve] = process.argv.slice(2);
const workspace = Workspace.at("jobs-example.duckdb");
const context = { onProgress: () => {}, signal: AbortSignal.timeout(600_000) };
const fetch = { sites: [new URL(seed).origin], resolve, delayMs: Number(process.env.DELAY_MS ?? 1000) };

// Interrupted, the same call goes on where it stopped.
const crawled = await crawl(
  workspace,
  [seed],
  {
    snapshot: "crawl",
    maxPages: Number(process.env.MAX_PAGES ?? 1000),
    rules: [],
    avoids: () => undefined,
    text: true,
    fetch,
  },
  context,
);
console.log(`crawl: ${crawled.pages} pages, stopped by ${crawled.stoppedBy}`);

const mining = { ...detectDefaults, ...eliminateDefaults, minSupport: 3 };
const mined = await mine(workspace, mining, context);
const likely = mined.sites.flatMap((site) => site.rules);
// Without `fetch`, it asks nobody and compares the pages of the crawl.
const { rules } = await validate(workspace, likely, { ...validateDefaults, fetch }, context);
console.log(`validate: ${rules.filter(usableRule).length} rules hold, of ${likely.length} likely ones`);

const { urls, dustUrls } = await checkDust(workspace, rules, "crawl", context);
console.log(`check: ${dustUrls} of ${urls} URLs are not canonical`);

const options = { mine: mining, validate: validateDefaults, split: "same", canon: { plan: "ours", maxRounds: 10 } };
const { sites } = await evaluate(workspace, options, context);
console.log(`eval: ${Math.round(100 * sites[0].reduction.redundancy)}% of the list is redundant`);

const report = await writeReport(
  workspace,
  { settings: {}, rules },
  "jobs-example.html",
  { unmask: false, rulesFile: "none" },
  context,
);
console.log(`report: ${report.dust.saved.urls} fetches would be saved`);

// A list, or with `column` a table or JSON lines, through the rules.
const job = openCanon(
  compile(rules),
  { dedupe: true, signal: context.signal },
  async (output) => void process.stdout.write(output),
);
await job.file("urls.txt");
console.log(`canon: ${job.counts.changed} of ${job.counts.urls} URLs changed, ${job.counts.repeated} repeated`);
