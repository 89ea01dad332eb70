/** `check`: how much of a workspace is dust, and which rules say so. */
import { asTheyAre, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import { type JobContext, quietly, type Rule } from "../model.js";
import { countDust, type DustCause, DustCount } from "../report/dust-count.js";
import { withDustSource } from "../store/browse/report-data.js";
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

export async function checkDust(
  workspace: Workspace,
  rules: readonly Rule[],
  snapshot?: string,
  context: JobContext = quietly,
): Promise<DustCheck> {
  const { rules: used, dropped } = rulesInUse(rules);
  const count = new DustCount(compile(used, { use: asTheyAre }));
  await withDustSource(workspace, snapshot, context, (source) => countDust([count], source, context));
  return {
    urls: count.total.urls,
    dustUrls: count.dust.urls,
    requests: count.total.requests,
    dustRequests: count.dust.requests,
    causes: count.causes(),
    dropped,
  };
}
