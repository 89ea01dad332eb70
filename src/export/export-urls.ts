/** Files made of the workspace's URLs: each URL with its canonical one, without what is not for the public. */
import type { Canonizer } from "../canon/compile.js";
import { UserError } from "../errors.js";
import { skipReason } from "../fetch/skip-reason.js";
import type { JobContext } from "../model.js";
import { count } from "../numbers.js";
import { pause } from "../progress.js";
import { readUrls } from "../store/urls/url-lists.js";
import type { Workspace } from "../store/workspace.js";
import { stringAt } from "../string-column.js";
import { maskSecrets } from "../url/mask.js";
import { hostOf, parseUrl } from "../url/parse.js";
import type { UrlFile, UrlTarget } from "./url-targets.js";

export interface UrlExportOptions {
  readonly canon: Canonizer;
  /** Only URLs whose canonical URL is on this host. */
  readonly host?: string;
  readonly snapshot?: string;
  /** What the first file is called. */
  readonly file: string;
  /** Why no certificate covers the rules, to be said in the file. */
  readonly doubts: readonly string[];
}

export interface UrlExport {
  readonly files: readonly UrlFile[];
  readonly urls: number;
  /** Left out: whatever looks like an action or carries a token. */
  readonly secrets: number;
}

const REMAINDER = "nothing was written";
const PAUSE_EVERY = 50_000;

export async function exportUrls(
  workspace: Workspace,
  target: UrlTarget,
  { canon, host, snapshot, file, doubts }: UrlExportOptions,
  context: JobContext,
): Promise<UrlExport> {
  const list = await readUrls(workspace, { by: "all" }, snapshot);
  const hosts = new Map<string, number>();
  const chosen: number[] = [];
  let secrets = 0;
  for (let i = 0; i < list.count; i++) {
    if (i % PAUSE_EVERY === 0) {
      context.onProgress({ step: "canonical URLs", done: i, total: list.count, unit: "URLs" });
      await pause(context, REMAINDER);
    }
    const canonical = canon(stringAt(list, i));
    const parts = parseUrl(canonical);
    if (parts === undefined || !URL.canParse(canonical)) continue;
    const own = hostOf(canonical, parts);
    if (host !== undefined && own !== host) continue;
    if (isSomebodys(canonical)) secrets++;
    else {
      chosen.push(i);
      hosts.set(own, (hosts.get(own) ?? 0) + 1);
    }
  }
  if (target.isOfOneHost && hosts.size > 1) throw new UserError(severalHosts(target, hosts));
  const pairs = function* () {
    for (const i of chosen) {
      const url = stringAt(list, i);
      yield [url, canon(url)] as const;
    }
  };
  const notes = [
    `Made by "dustpan export --to ${target.name}": ${count(chosen.length)} URLs by their canonical URLs.`,
    ...doubts,
  ];
  return { files: target.files({ pairs, notes }, file), urls: chosen.length, secrets };
}

/**
 * An action, a token, an e-mail address, or what visitors carry in parameters. A random word in the path alone does not
 * count: many sites name pages by one.
 */
function isSomebodys(url: string): boolean {
  const carried = /@|%40/.test(url) ? url : (/[?;].*/s.exec(url)?.[0] ?? "");
  return skipReason(new URL(url)) !== undefined || maskSecrets(carried) !== carried;
}

function severalHosts({ name }: UrlTarget, hosts: ReadonlyMap<string, number>): string {
  const most = [...hosts].sort(([, a], [, b]) => b - a).slice(0, 5);
  const list = most.map(([host, urls]) => `${host} (${count(urls)})`).join(", ");
  return `--to ${name}: it is of one host, and these URLs are of ${count(hosts.size)}: ${list}${hosts.size > 5 ? ", ..." : ""}; name one with --host`;
}
