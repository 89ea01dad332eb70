import { UserError } from "../../errors.js";
import { type ValidateJobOptions, type ValidateResult, validate, validateDefaults } from "../../jobs/validate.js";
import type { Rule } from "../../model.js";
import { count, counted } from "../../numbers.js";
import { measureSavings } from "../../report/savings.js";
import { readLastSites } from "../../store/browse/report-data.js";
import type { App } from "./app.js";
import { isTexts, objectOf } from "./query.js";
import { type ApiRequest, documentOf, type Route } from "./routes.js";

export const jobsRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/jobs",
    handle: async ({ app }) =>
      documentOf("dustpan-jobs", {
        jobs: app.jobs.list(),
        sites: app.options.fetch.sites.length > 0 ? app.options.fetch.sites : await readLastSites(app.workspace),
        delaySeconds: (app.options.fetch.delayMs ?? 1000) / 1000,
        budget: app.options.fetch.maxRequests ?? null,
      }),
  },
  { method: "POST", path: "/api/jobs/validate", handle: startValidation },
  {
    method: "GET",
    path: "/api/jobs/:id",
    handle: async ({ app, params }) => documentOf("dustpan-job", app.jobs.find(params.id!)),
  },
  {
    method: "DELETE",
    path: "/api/jobs/:id",
    handle: async ({ app, params }) => documentOf("dustpan-job", app.jobs.cancel(params.id!)),
  },
];

/** Proves rules (all of them where none is named) on the live site, or against the pages in the workspace. */
async function startValidation({ app, body }: ApiRequest) {
  const { rules: ids, offline, sites, delaySeconds, budget } = objectOf(body);
  if (ids !== undefined && !isTexts(ids)) throw new UserError("rules: expected a list of ids");
  const options = validationOptions(app, offline === true, sites, delaySeconds, budget);
  const { rules } = app.readRules();
  const chosen = ids === undefined ? rules : rules.filter(({ id }) => ids.includes(id));
  if (chosen.length === 0) throw new UserError("there is no rule to validate");
  const where = options.fetch === undefined ? "against known pages" : `on ${options.fetch.sites.join(", ")}`;
  const what = chosen.length === 1 ? chosen[0]!.id : `${chosen.length} rules`;
  const job = app.jobs.start("validate", `validating ${what} ${where}`, async (context) => {
    const result = await validate(app.workspace, chosen, options, context);
    if (result.unseen !== undefined) throw new UserError(result.unseen);
    const started = new Set(chosen.map(({ id }) => id));
    const { rules: all } = app.changeRules(
      (current) => withVerdicts(current, started, result.rules),
      ids === undefined ? result.certificates : undefined,
    );
    const { draws, ...rest } = result;
    const savings = await measureSavings(app.workspace, all, undefined, context);
    const document = { format: "dustpan-validate", version: 1, ...rest, draws: draws.length, savings };
    return { told: verdictsTold(result), result: document };
  });
  return documentOf("dustpan-job", job, 202);
}

function verdictsTold({ rules, fetched }: ValidateResult): string {
  const verdicts = new Map<string, number>();
  for (const { status } of rules) verdicts.set(status, (verdicts.get(status) ?? 0) + 1);
  const told = [...verdicts].map(([status, n]) => `${count(n)} ${status}`).join(", ");
  return fetched === undefined ? told : `${told}; ${counted(fetched.requests, "request")}`;
}

function validationOptions(
  app: App,
  offline: boolean,
  sites: unknown,
  delaySeconds: unknown,
  budget: unknown,
): ValidateJobOptions {
  if (offline) return validateDefaults;
  const { fetch } = app.options;
  const named = sites === undefined ? fetch.sites : sites;
  if (!isTexts(named) || named.length === 0) {
    throw new UserError("sites: name the site that may be fetched from, such as example.com");
  }
  const delayMs = delaySeconds === undefined ? fetch.delayMs : 1000 * positive(delaySeconds, "delaySeconds");
  const maxRequests = budget === undefined ? fetch.maxRequests : positive(budget, "budget");
  return {
    ...validateDefaults,
    fetch: {
      ...fetch,
      sites: named,
      ...(delayMs !== undefined && { delayMs }),
      ...(maxRequests !== undefined && { maxRequests }),
    },
  };
}

function positive(value: unknown, name: string): number {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) {
    throw new UserError(`${name}: expected a number of at least 0`);
  }
  return value;
}

/**
 * The rules file after a validation that took its time: what people decided, wrote or removed in the meantime stands;
 * of the rules that were validated, those dropped as redundant go and narrower ones come.
 */
export function withVerdicts(current: readonly Rule[], started: ReadonlySet<string>, decided: readonly Rule[]): Rule[] {
  const verdicts = new Map(decided.map((rule) => [rule.id, rule]));
  const here = new Set(current.map(({ id }) => id));
  const kept = current.flatMap((rule) => {
    const verdict = verdicts.get(rule.id);
    if (verdict === undefined) return started.has(rule.id) && rule.decision === null ? [] : [rule];
    const { note: _, ...rest } = verdict;
    return [{ ...rest, decision: rule.decision, ...(rule.note !== undefined && { note: rule.note }) }];
  });
  const added = decided.filter(({ id }) => !here.has(id) && !started.has(id));
  return [...kept, ...added];
}
