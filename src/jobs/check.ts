import { asTheyAre, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import { QUIETLY, type Rule } from "../model.js";
import { forEachUrl } from "../store/urls/traffic.js";
import type { Workspace } from "../store/workspace.js";

/** How much of a workspace is dust: URLs that the rules in use would change, and requests for them. */
export interface DustCheck {
  readonly urls: number;
  readonly dustUrls: number;
  readonly requests: number;
  readonly dustRequests: number;
  /** The rules that change them, most URLs first. Several may change one URL, so these do not add up to the above. */
  readonly causes: readonly DustCause[];
  /** Rules left out because together with others they would go round in circles. */
  readonly dropped: readonly Rule[];
}

export interface DustCause {
  readonly rule: Rule;
  readonly urls: number;
  readonly requests: number;
  /** The URL with most requests among those that it changes. */
  readonly example: { readonly from: string; readonly to: string; readonly requests: number };
}

export async function checkDust(workspace: Workspace, rules: readonly Rule[], snapshot?: string): Promise<DustCheck> {
  const { rules: used, dropped } = rulesInUse(rules);
  const canon = compile(used, { use: asTheyAre });
  const causes = new Map<Rule, DustCause>();
  let urls = 0;
  let dustUrls = 0;
  let requests = 0;
  let dustRequests = 0;
  await forEachUrl(workspace, snapshot, QUIETLY, ({ url, requests: hits }) => {
    urls++;
    requests += hits;
    if (canon(url) === url) return;
    dustUrls++;
    dustRequests += hits;
    const { url: to, steps } = canon.explain(url);
    for (const rule of new Set(steps.map((step) => step.rule))) {
      const cause = causes.get(rule);
      const isBusiest = cause === undefined || hits > cause.example.requests;
      causes.set(rule, {
        rule,
        urls: (cause?.urls ?? 0) + 1,
        requests: (cause?.requests ?? 0) + hits,
        example: isBusiest ? { from: url, to, requests: hits } : cause.example,
      });
    }
  });
  const ordered = [...causes.values()].sort((a, b) => b.urls - a.urls || b.requests - a.requests);
  return { urls, dustUrls, requests, dustRequests, causes: ordered, dropped };
}
