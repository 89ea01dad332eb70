/** Validation where pages are known by their digests alone: every URL of a table at once, on an engine. */
import { applySteps, isApplicable, MOST_RULES, type NumberedRule, validateSteps } from "../../engine/apply-rules.js";
import type { Dialect } from "../../engine/dialect.js";
import type { Row, SqlEngine, Step, StepReport } from "../../engine/engine.js";
import { runSteps } from "../../engine/run-steps.js";
import { urlInputSteps, urlInputTables } from "../../engine/url-input.js";
import { UserError } from "../../errors.js";
import type { Evidence, JobContext, Rule, RuleStatus, UrlPair } from "../../model.js";
import { knownVerdict, LEAST_USABLE } from "../../validate/verdict.js";
import { siteChoice, siteScope } from "../mine/mined-site.js";
import { type EngineChoice, outputPath, withEngine } from "./open-engine.js";

/** What a table says about one rule. */
export interface TableVerdict {
  readonly rule: Rule;
  /** URLs that the rule changes, and of those the ones that it maps onto another URL of the table. */
  readonly changed: number;
  readonly merges: number;
  /** Of these: with equal digests, with different ones, and without two to compare. */
  readonly alike: number;
  readonly different: number;
  readonly unknown: number;
}

export interface TableValidation {
  /** All rules as they are now, in their order. */
  readonly rules: readonly Rule[];
  readonly verdicts: readonly TableVerdict[];
  /** Rules that were not tried: of kinds or scopes that engines do not apply, or without a site. */
  readonly untried: number;
}

/** Rules that an engine can apply: to all of their site, in the direction that they are written. */
function rulesForTable(rules: readonly Rule[]): NumberedRule[] {
  return rules.flatMap((rule, number): NumberedRule[] => {
    const { site, scope } = rule;
    if (site === undefined || rule.after !== undefined || !isApplicable(rule)) return [];
    const whole = siteScope(siteChoice(site));
    const isWhole = JSON.stringify(scope) === JSON.stringify(whole) && whole.path === undefined;
    return isWhole ? [{ number, site, action: rule }] : [];
  });
}

/** The steps of the first rules, for people who run them elsewhere. */
export function validationSteps(dialect: Dialect, rules: readonly Rule[]): Step[] {
  const some = rulesForTable(rules).slice(0, MOST_RULES);
  if (some.length === 0) throw new UserError("the rules file has no rule that an engine can apply");
  return [...applySteps(dialect, some), ...validateSteps(dialect)];
}

interface ValidateTableOptions {
  readonly snapshot?: string;
  readonly epsilon: number;
  readonly now: () => Date;
}

/** Tries the rules on every URL of a table with digests, and says of each what became of it. */
export async function validateInput(
  input: string,
  rules: readonly Rule[],
  options: ValidateTableOptions,
  choice: EngineChoice,
  context: JobContext,
  onReport: (report: StepReport) => void = () => {},
): Promise<TableValidation> {
  const tried = rulesForTable(rules);
  if (tried.length === 0) throw new UserError("the rules file has no rule that an engine can apply");
  const rows = await withEngine(choice, context, async (engine) => {
    await engine.view("input", input);
    const { snapshot } = options;
    const steps = urlInputSteps(engine.dialect, await engine.columns("input"), {
      ...(snapshot !== undefined && { snapshot }),
    });
    await runSteps(engine, steps, urlInputTables, context, onReport);
    const [counted] = await engine.rows("contents", "SELECT count(*) AS n FROM contents");
    if (Number(counted!.n) === 0) {
      throw new UserError(
        "--input has no content digests (a column content_digest or digest): nothing can be compared",
      );
    }
    const found: Row[] = [];
    for (let from = 0; from < tried.length; from += MOST_RULES) {
      const batch = [
        ...applySteps(engine.dialect, tried.slice(from, from + MOST_RULES)),
        ...validateSteps(engine.dialect),
      ];
      await runSteps(engine, batch, ["merge_count", "rule_verdict"], context, onReport);
      found.push(...(await engine.rows("rule_verdict", VERDICT_QUERY)));
      if (choice.output !== undefined) await writeVerdicts(engine, choice, from);
    }
    return found;
  });
  const byRule = new Map(rows.map((row) => [Number(row.rule), row]));
  const verdicts = tried.map(({ number }) => verdictOf(rules[number]!, byRule.get(number)));
  const decided = new Map(
    tried.map(({ number }, i) => [number, decide(verdicts[i]!, byRule.get(number), options)] as const),
  );
  return {
    rules: rules.map((rule, number) => decided.get(number) ?? rule),
    verdicts: verdicts.map((verdict, i) => ({ ...verdict, rule: decided.get(tried[i]!.number)! })),
    untried: rules.length - tried.length,
  };
}

const VERDICT_QUERY = `SELECT m.rule AS rule, changed, merges, coalesce(alike, 0) AS alike, coalesce(different, 0) AS different,
   coalesce(unknown, 0) AS unknown, coalesce(documents, 0) AS documents, p.url AS alike_from, q.url AS alike_to,
   r.url AS different_from, s.url AS different_to
 FROM merge_count AS m LEFT JOIN rule_verdict AS v ON v.rule = m.rule
 LEFT JOIN urls AS p ON p.id = v.alike_id LEFT JOIN urls AS q ON q.id = v.alike_image_id
 LEFT JOIN urls AS r ON r.id = v.different_id LEFT JOIN urls AS s ON s.id = v.different_image_id ORDER BY rule`;

/** The tables of one batch; further ones are beside the first. */
async function writeVerdicts(engine: SqlEngine, choice: EngineChoice, from: number): Promise<void> {
  const name = from === 0 ? "verdicts" : `verdicts-${1 + from / MOST_RULES}`;
  await engine.write("rule_verdict", VERDICT_QUERY, outputPath(choice, name));
}

function verdictOf(rule: Rule, row: Row | undefined): TableVerdict {
  const number = (name: string) => Number(row?.[name] ?? 0);
  return {
    rule,
    changed: number("changed"),
    merges: number("merges"),
    alike: number("alike"),
    different: number("different"),
    unknown: number("unknown"),
  };
}

/**
 * Equal bytes are one page. Different bytes may still be: pages show dates and advertisements, so that they refute nothing. A site
 * that answers with one page for everything would prove any rule, so several documents must agree.
 */
function decide(verdict: TableVerdict, row: Row | undefined, { epsilon, now }: ValidateTableOptions): Rule {
  const { rule, changed, alike, different } = verdict;
  if (alike + different === 0) return rule;
  const counts = { positive: alike, negative: different };
  const isProven =
    Number(row?.documents) >= LEAST_USABLE && knownVerdict(counts, changed - alike - different, epsilon) === "valid";
  const status: RuleStatus = isProven ? "valid" : "undecided";
  const evidence: Evidence = {
    ...counts,
    similarity: "digest",
    redirected: 0,
    canonicalised: 0,
    canonicalConflicts: 0,
    examples: pairs(row?.alike_from, row?.alike_to),
    counterExamples: pairs(row?.different_from, row?.different_to).map((pair) => ({ ...pair, why: "another digest" })),
    checkedAt: now().toISOString(),
  };
  return { ...rule, status, merges: verdict.merges, evidence };
}

function pairs(from: Row[string] | undefined, to: Row[string] | undefined): UrlPair[] {
  return typeof from === "string" && typeof to === "string" ? [{ from, to }] : [];
}
