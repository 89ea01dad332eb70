/** The first page: what is there, what was found, and what the rules in use save. */
import { setTimeout as sleep } from "node:timers/promises";
import { EngineError } from "../../errors.js";
import { measureSavings, type Savings } from "../../report/savings.js";
import { readOverview } from "../../store/browse/overview.js";
import { type Answer, type ApiRequest, documentOf, type Route } from "./routes.js";
import { countGroups, groupRules } from "./rule-groups.js";

export const overviewRoutes: readonly Route[] = [
  { method: "GET", path: "/api/overview", handle: overview },
  { method: "GET", path: "/api/savings", handle: savings },
];

async function overview({ app }: ApiRequest) {
  return documentOf("dustpan-overview", {
    file: app.workspace.file,
    takesPaths: app.options.takesPaths === true,
    ...(await readOverview(app.workspace)),
    rules: countGroups(groupRules(app.readRules().rules)),
  });
}

const PATIENCE_MS = 800;

/** It takes a look at every URL, once for each state of workspace and rules: until it is done, the answer is its job. */
async function savings({ app }: ApiRequest): Promise<Answer> {
  const running = app.jobs.running("savings");
  if (running !== undefined) return documentOf("dustpan-job", running, 202);
  let job: ReturnType<typeof app.jobs.start> | undefined;
  const made = app.remember("savings", () => {
    let counted: Savings | undefined;
    const started = app.jobs.start("savings", "counting what the rules save", async (context) => {
      counted = await measureSavings(app.workspace, app.readRules().rules, undefined, context);
      return {};
    });
    job = started;
    return app.jobs.ended(started.id).then(() => {
      if (counted === undefined) throw new EngineError(started.error ?? "cancelled", started.title);
      return counted;
    });
  });
  const found = await Promise.race([made, sleep(PATIENCE_MS, undefined, { ref: false })]);
  if (found === undefined) {
    if (job !== undefined) return documentOf("dustpan-job", job, 202);
    return documentOf("dustpan-savings", toldOf(await made));
  }
  return documentOf("dustpan-savings", toldOf(found));
}

const toldOf = ({ urlsBefore, urlsAfter, redundancy, hits, hitsOnDust }: Savings) => ({
  ...{ urlsBefore, urlsAfter, redundancy, hits, hitsOnDust },
});
