/** `dustpan crawl`: a polite crawl into the workspace. */
import { rulesInUse } from "../../canon/cycles.js";
import { UserError } from "../../errors.js";
import type { LeftOut } from "../../fetch/frontier.js";
import type { FetchKind } from "../../fetch/outcome.js";
import { type CrawlResult, crawl } from "../../jobs/crawl.js";
import { rulesFileBeside } from "../../store/beside.js";
import { readAvoidList, STORED_AVOID_LIST } from "../../store/copies/avoid-list.js";
import { readRulesFile } from "../../store/rules-on-disk.js";
import { Workspace } from "../../store/workspace.js";
import { documentPages, printDocument } from "../document.js";
import { fetchOptions } from "../fetching.js";
import type { Arguments } from "../parse.js";
import { rulesOf } from "../rules-flag.js";
import type { Session } from "../session.js";
import { shownUrl } from "../shown-url.js";
import { bytes, count, counted, paint, percent, printable, type Terminal } from "../terminal.js";

export async function run(args: Arguments, { terminal, context }: Session): Promise<undefined> {
  if (args.inputs.length === 0) throw new UserError('crawl needs a URL to begin at; see "dustpan crawl --help"');
  const origins = args.inputs.map(originOf);
  const workspace = Workspace.at(args.text("workspace")!);
  const avoid = args.text("avoid");
  const fetch = fetchOptions(args);
  // What the workspace knows of copies includes what its rules say.
  const rules = args.has("canon")
    ? readRulesFile(args.text("rules") ?? rulesFileBeside(workspace.file)).rules
    : avoid === STORED_AVOID_LIST
      ? rulesOf(args, workspace)
      : [];
  const hasRules = rulesInUse(rules).rules.length > 0;
  const result = await crawl(
    workspace,
    args.inputs,
    {
      snapshot: args.text("snapshot")!,
      maxPages: args.integer("max-pages", 1)!,
      rules,
      ...(avoid !== undefined && { avoids: await readAvoidList(avoid, workspace, Date.now(), hasRules) }),
      text: !args.has("no-text"),
      fetch: { ...fetch, sites: [...new Set([...origins, ...fetch.sites])] },
    },
    context,
  );
  if (args.has("json")) printDocument(terminal, "dustpan-crawl", documentPages(terminal, result));
  else terminal.out(render(terminal, result));
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UserError(`${text} is not a URL to begin at: expected one such as https://www.example.com/`);
  }
  return url.origin;
}

const REASONS_SHOWN = 5;

const reasonWords: Readonly<Record<Exclude<LeftOut["why"], "rules">, string>> = {
  collection: "copies in a replicated collection",
  mirror: "on a mirror",
  unchanged: "near-duplicates that have not changed without the one that is fetched",
  listed: "named by the list",
};

const failureWords: Readonly<Record<string, string>> = {
  httpError: "answered with an error",
  disallowed: "closed by robots.txt",
  timedOut: "timed out",
  tooLarge: "too large",
  refused: "redirected to where this crawl does not go",
  skipped: "redirected to what looks like an action",
} satisfies Partial<Record<FetchKind, string>>;

function render(terminal: Terminal, result: CrawlResult): string {
  const { pages, found, spared, avoided, leftAlone, waiting, fetched, outcomes } = result;
  const failures = Object.entries(outcomes).filter(([kind]) => kind !== "ok");
  const reasons = Object.entries(leftAlone);
  const lines = [
    paint(
      terminal,
      "bold",
      `${counted(pages, "page")} (${bytes(result.bytes)}) in snapshot "${result.snapshot}"; ${counted(fetched.requests, "request")} just now`,
    ),
    `  ${counted(found, "URL")} found`,
  ];
  if (spared > 0) {
    lines.push(
      `  ${count(spared)} of them (${percent(spared / found)}) were not fetched: the rules know them by their canonical form`,
    );
  }
  if (avoided > 0) {
    lines.push(`  ${count(avoided)} left out by the avoid-list:`);
    for (const [why, words] of Object.entries(reasonWords)) {
      const some = result.leftOut.filter((entry) => entry.why === why);
      const [{ url, keep } = {}] = some;
      const instead = keep === undefined ? "" : `, for ${shownUrl(terminal, keep)}`;
      if (url !== undefined)
        lines.push(`    ${count(some.length)}: ${words}, such as ${shownUrl(terminal, url)}${instead}`);
    }
  }
  if (failures.length > 0) {
    const words = failures.map(([kind, n]) => `${count(n)} ${failureWords[kind] ?? kind}`);
    lines.push(`  ${words.join(", ")}`);
    lines.push(...reasonLines(result.failures));
  }
  if (reasons.length > 0) {
    const all = reasons.reduce((sum, [, n]) => sum + n, 0);
    lines.push(`  ${count(all)} more URLs were left alone:`);
    lines.push(...reasonLines(leftAlone));
  }
  if (waiting > 0) {
    const more = result.stoppedBy === "budget" ? "--budget" : "--max-pages";
    lines.push(`  ${count(waiting)} URLs wait: the same command with a larger ${more} goes on`);
  }
  return lines.join("\n");
}

function reasonLines(reasons: Readonly<Record<string, number>>): string[] {
  const all = Object.entries(reasons);
  const lines = all.slice(0, REASONS_SHOWN).map(([reason, n]) => `    ${count(n)}: ${printable(reason)}`);
  const more = all.length - lines.length;
  if (more > 0) lines.push(`    ... and ${counted(more, "more reason")} (--json has all)`);
  return lines;
}
