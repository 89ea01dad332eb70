import type { JobContext } from "../model.js";
import { mentions, type SqlEngine, type Step, type StepReport } from "./engine.js";
import { runSteps } from "./run-steps.js";

/**
 * Runs steps over `urls (site, id, url)` that look at each site by itself, in passes over some of the sites each, for engines
 * whose memory holds the tables of a limited number of URLs. A pass that fits is made in memory, while all sites at once would
 * be written to disk and read again between steps. A site that is larger than a pass is one of its own, and spills.
 */
export async function runStepsBySite(
  engine: SqlEngine,
  steps: readonly Step[],
  results: readonly string[],
  context: JobContext,
  onReport: (report: StepReport) => void = () => {},
): Promise<void> {
  const passes = Number.isFinite(engine.urlsAtOnce) ? await divideSites(engine, onReport) : [];
  if (passes.length < 2) return runSteps(engine, steps, results, context, onReport);
  for (const pass of passes) {
    await runSteps(engine, [...inputsOfPass(pass, steps), ...steps.map(readingPass)], results, context, onReport);
    for (const result of results) {
      await engine.make({ name: partOf(result, pass), why: "", select: `SELECT * FROM ${result}` });
    }
  }
  for (const result of results) {
    const parts = passes.map((pass) => partOf(result, pass));
    const select = parts.map((part) => `SELECT * FROM ${part}`).join(" UNION ALL ");
    onReport(await engine.make({ name: result, why: "What all passes found.", select }));
    for (const part of parts) await engine.drop(part);
  }
  await engine.drop("site_pass");
}

/** The numbers of the passes: sites one after the other, the largest first. */
async function divideSites(engine: SqlEngine, onReport: (report: StepReport) => void): Promise<number[]> {
  const select = `SELECT site, CAST(floor((sum(urls) OVER (ORDER BY urls DESC, site ROWS UNBOUNDED PRECEDING) - urls) / ${engine.urlsAtOnce}) AS INT) AS pass
     FROM (SELECT site, count(*) AS urls FROM urls GROUP BY site) AS counted`;
  onReport(await engine.make({ name: "site_pass", why: "Sites by pass.", select }));
  const rows = await engine.rows("site_pass", "SELECT DISTINCT pass FROM site_pass ORDER BY pass");
  return rows.map(({ pass }) => Number(pass));
}

function inputsOfPass(pass: number, steps: readonly Step[]): Step[] {
  const known = ["sizes", "captures"].filter((table) => steps.some(({ select }) => mentions(select, table)));
  return [
    {
      name: "pass_urls",
      why: "The URLs of some sites.",
      select: `SELECT * FROM urls WHERE site IN (SELECT site FROM site_pass WHERE pass = ${pass})`,
    },
    ...known.map((table) => ({
      name: `pass_${table}`,
      why: "What is known of them.",
      select: `SELECT * FROM ${table} WHERE id IN (SELECT id FROM pass_urls)`,
    })),
  ];
}

/** The same step on the tables of the pass. */
function readingPass(step: Step): Step {
  return { ...step, select: step.select.replaceAll(/\b(FROM|JOIN) (urls|sizes|captures)\b/g, "$1 pass_$2") };
}

function partOf(result: string, pass: number): string {
  return `${result}_of_pass_${pass}`;
}
