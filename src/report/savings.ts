/** What the rules in use save: the numbers that end `validate` and `run`, from the one count of dust. */
import { type JobContext, quietly, type Rule } from "../model.js";
import { withDustSource } from "../store/browse/report-data.js";
import type { Workspace } from "../store/workspace.js";
import type { Listed, ReportData } from "./data.js";
import { DustCounts } from "./dust-count.js";

/** What the rules in use save of a crawl (the papers' discovered redundancy) and of the traffic in the logs. */
export interface Savings {
  readonly rules: number;
  readonly urlsBefore: number;
  readonly urlsAfter: number;
  /** (before - after) / before. */
  readonly redundancy: number;
  /** Of these, what the site itself redirects or canonicalises: rules, and URLs that only they merge. */
  readonly handled: { readonly rules: number; readonly urls: number };
  /** Requests in the inputs for URLs that are not canonical, and the bytes that these URLs had, where known. */
  readonly hits: number;
  readonly hitsOnDust: number;
  readonly bytesOnDust: number;
  /** Rules left out because together with others they would go round in circles. */
  readonly dropped: readonly Rule[];
  /** URLs that did not settle under the rules; they stay as they are. */
  readonly unsettled: number;
}

export async function measureSavings(
  workspace: Workspace,
  rules: readonly Rule[],
  snapshot?: string,
  context: JobContext = quietly,
): Promise<Savings> {
  const counts = new DustCounts(rules);
  const { ours, all, proven, handled, dropped } = counts;
  return withDustSource(workspace, snapshot, context, async (source) => {
    await counts.read(source, context);
    const counted = all.finish(await source.findKept(all.columns()));
    const own = all === ours ? counted : ours.finish(await source.findKept(ours.columns()));
    return savingsOf(
      { all: all.total, dust: all.dust, saved: counted.saved, unsettled: counted.unsettled },
      { proven: proven.length, handled: handled.length, dropped },
      counted.saved.urls - own.saved.urls,
    );
  });
}

/** The same from a report on the rules of `counts`, which has counted already. */
export function savingsInReport({ dust, rules, handled }: ReportData, dropped: readonly Rule[]): Savings {
  const count = ({ shown, more }: Listed<unknown>) => shown.length + more;
  return savingsOf(dust, { proven: count(rules.proven), handled: count(rules.handled), dropped }, handled.saved);
}

function savingsOf(
  { all, dust, saved, unsettled }: Pick<ReportData["dust"], "all" | "dust" | "saved" | "unsettled">,
  rules: { readonly proven: number; readonly handled: number; readonly dropped: readonly Rule[] },
  handledUrls: number,
): Savings {
  return {
    rules: rules.proven + rules.handled,
    handled: { rules: rules.handled, urls: handledUrls },
    urlsBefore: all.urls,
    urlsAfter: all.urls - saved.urls,
    redundancy: all.urls === 0 ? 0 : saved.urls / all.urls,
    hits: all.requests,
    hitsOnDust: dust.requests,
    bytesOnDust: dust.bytes,
    dropped: rules.dropped,
    unsettled,
  };
}
