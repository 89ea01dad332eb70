import { UserError } from "../../errors.js";
import { readAvoidList } from "../../jobs/avoid-list.js";
import { type CrawlResult, crawl } from "../../jobs/crawl.js";
import { readRulesFile, rulesFileBeside } from "../../jobs/rules-file.js";
import { Workspace } from "../../store/workspace.js";
import { printDocument } from "../document.js";
import { fetchOptions } from "../fetching.js";
import type { Arguments } from "../parse.js";
import type { Session } from "../session.js";
import { bytes, count, paint, percent, type Terminal } from "../terminal.js";

export async function run(args: Arguments, { terminal, signal }: Session): Promise<undefined> {
  if (args.inputs.length === 0) throw new UserError('crawl needs a URL to begin at; see "dustpan crawl --help"');
  const origins = args.inputs.map(originOf);
  const workspace = Workspace.at(args.text("workspace")!);
  const avoid = args.text("avoid");
  const fetch = fetchOptions(args);
  const result = await crawl(
    workspace,
    args.inputs,
    {
      snapshot: args.text("snapshot")!,
      maxPages: args.integer("max-pages", 1)!,
      rules: args.has("canon") ? readRulesFile(args.text("rules") ?? rulesFileBeside(workspace.file)).rules : [],
      avoids: avoid === undefined ? () => undefined : await readAvoidList(avoid, workspace, Date.now()),
      text: !args.has("no-text"),
      fetch: { ...fetch, sites: [...new Set([...origins, ...fetch.sites])] },
    },
    { onProgress: terminal.progress, signal },
  );
  if (args.has("json")) printDocument(terminal, "dustpan-crawl", result);
  else terminal.out(render(terminal, result));
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UserError(`${text} is no URL to begin at: expected one such as https://www.example.com/`);
  }
  return url.origin;
}

function render(terminal: Terminal, result: CrawlResult): string {
  const { pages, found, spared, avoided, waiting, fetched, outcomes } = result;
  const failures = Object.entries(outcomes).filter(([kind]) => kind !== "ok");
  const lines = [
    paint(
      terminal,
      "bold",
      `${count(pages)} pages (${bytes(result.bytes)}) in snapshot "${result.snapshot}"; ${count(fetched.requests)} requests just now`,
    ),
    `  ${count(found)} URLs found`,
  ];
  if (spared > 0) {
    lines.push(
      `  ${count(spared)} of them (${percent(spared / found)}) were not fetched: the rules know them by their canonical form`,
    );
  }
  if (avoided > 0) lines.push(`  ${count(avoided)} left out by the avoid-list`);
  if (failures.length > 0) lines.push(`  ${failures.map(([kind, n]) => `${count(n)} ${kind}`).join(", ")}`);
  if (waiting > 0) {
    const more = result.stoppedBy === "budget" ? "--budget" : "--max-pages";
    lines.push(`  ${count(waiting)} URLs wait: the same command with a larger ${more} goes on`);
  }
  return lines.join("\n");
}
