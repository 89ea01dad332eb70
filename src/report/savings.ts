import { asTheyAre, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import { QUIETLY, type Rule } from "../model.js";
import { forEachUrl } from "../store/urls/traffic.js";
import type { Workspace } from "../store/workspace.js";
import type { Listed, ReportData } from "./data.js";

/** What the rules in use save of a crawl (the papers' discovered redundancy) and of the traffic in the logs. */
export interface Savings {
  readonly rules: number;
  readonly urlsBefore: number;
  readonly urlsAfter: number;
  /** (before - after) / before. */
  readonly redundancy: number;
  /** Dust that the site itself redirects or canonicalises: rules, and URLs that only they would make one. Not counted above. */
  readonly handled: { readonly rules: number; readonly urls: number };
  /** Requests in the inputs for URLs that are not canonical, and the bytes that these URLs had, where known. */
  readonly hits: number;
  readonly hitsOnDust: number;
  readonly bytesOnDust: number;
  /** Rules left out because together with others they would go round in circles. */
  readonly dropped: readonly Rule[];
  /** URLs that the rules found no rest for; they stay as they are. */
  readonly unsettled: number;
}

/** Does the site itself redirect, or name one canonical URL for, most of what this rule merges in the direction of its use? */
export function isHandledBySite({ evidence }: Rule): boolean {
  return evidence !== undefined && evidence.redirected + evidence.canonicalised > evidence.positive / 2;
}

/** The same from a report on these rules, which has canonized every URL already. */
export function savingsInReport({ dust, rules: shown, handled }: ReportData, rules: readonly Rule[]): Savings {
  const count = ({ shown: some, more }: Listed<unknown>) => some.length + more;
  return {
    rules: count(shown.proven),
    handled: { rules: count(shown.handled), urls: handled.saved },
    urlsBefore: dust.all.urls,
    urlsAfter: dust.all.urls - dust.saved.urls,
    redundancy: dust.all.urls === 0 ? 0 : dust.saved.urls / dust.all.urls,
    hits: dust.all.requests,
    hitsOnDust: dust.dust.requests,
    bytesOnDust: dust.dust.bytes,
    dropped: rulesInUse(rules).dropped,
    unsettled: dust.unsettled,
  };
}

export async function measureSavings(
  workspace: Workspace,
  rules: readonly Rule[],
  snapshot?: string,
): Promise<Savings> {
  const { rules: used, dropped } = rulesInUse(rules);
  const ours = used.filter((rule) => !isHandledBySite(rule));
  const canon = compile(ours, { use: asTheyAre });
  const everything = ours.length === used.length ? canon : compile(used, { use: asTheyAre });
  const canonical = new Set<string>();
  const withHandled = new Set<string>();
  let urlsBefore = 0;
  let hits = 0;
  let hitsOnDust = 0;
  let bytesOnDust = 0;
  await forEachUrl(workspace, snapshot, QUIETLY, ({ url, requests, bytes }) => {
    const target = canon(url);
    canonical.add(target);
    withHandled.add(everything === canon ? target : everything(url));
    urlsBefore++;
    hits += requests;
    if (target !== url) {
      hitsOnDust += requests;
      bytesOnDust += bytes;
    }
  });
  const urlsAfter = canonical.size;
  return {
    rules: ours.length,
    handled: { rules: used.length - ours.length, urls: canonical.size - withHandled.size },
    urlsBefore,
    urlsAfter,
    redundancy: urlsBefore === 0 ? 0 : (urlsBefore - urlsAfter) / urlsBefore,
    hits,
    hitsOnDust,
    bytesOnDust,
    dropped,
    unsettled: canon.unsettled.count,
  };
}
