import { setTimeout as sleep } from "node:timers/promises";
import { lineOrders } from "../../collections/rollup.js";
import { UserError } from "../../errors.js";
import { type SearchResult, searchPages } from "../../jobs/search.js";
import { choiceOf, given, limitOf } from "./query.js";
import { type Answer, type ApiRequest, documentOf, type Route } from "./routes.js";

export const searchRoutes: readonly Route[] = [{ method: "GET", path: "/api/search", handle: search }];

const PATIENCE_MS = 1500;

/**
 * Search over the crawled pages, rolled up. The first search makes the index and finds the collections, which may take
 * its time: then the answer is the job, and the same question is asked again until it has ended.
 */
async function search({ app, query }: ApiRequest): Promise<Answer> {
  const words = query.get("q") ?? "";
  if (words.trim() === "") throw new UserError("q: expected words to look for");
  const running = app.jobs.running("search");
  if (running !== undefined) return documentOf("dustpan-job", running, 202);
  const options = {
    limit: limitOf(query, 10),
    rollUp: !query.has("flat"),
    by: choiceOf(query, "by", lineOrders) ?? "rank",
    rules: app.readRules().rules,
    ...given(query, "snapshot"),
    ...given(query, "after"),
  };
  let found: SearchResult | undefined;
  let failure: unknown;
  const job = app.jobs.start("search", `searching for ${words}`, async (context) => {
    try {
      found = await searchPages(app.workspace, words, options, context);
    } catch (error) {
      failure = error;
      throw error;
    }
    return {};
  });
  await Promise.race([app.jobs.ended(job.id), sleep(PATIENCE_MS, undefined, { ref: false })]);
  if (job.state === "running") return documentOf("dustpan-job", job, 202);
  // The error keeps its class: users are not to be blamed for what they did not cause.
  if (found === undefined) throw failure ?? new UserError("cancelled");
  return documentOf("dustpan-search", found);
}
