/** The rules in use for other programs: the same files as `dustpan export` writes. */
import { exportRules, planRules } from "../../export/export-rules.js";
import { describeCovers } from "../../export/plan.js";
import { exportUses } from "../../export/target.js";
import { exportTargets, findTarget } from "../../export/targets.js";
import type { Rule } from "../../model.js";
import { choiceOf } from "./query.js";
import { type Answer, type ApiRequest, documentOf, type Route } from "./routes.js";

export const exportsRoutes: readonly Route[] = [
  { method: "GET", path: "/api/exports", handle: list },
  { method: "GET", path: "/api/exports/:target", handle: file },
];

async function list({ app }: ApiRequest) {
  const targets = await app.remember("exports", async () => planAll(app.readRules().rules));
  const [first] = targets;
  const { exported = 0, leftOut = [] } = first?.uses[0] ?? {};
  return documentOf("dustpan-exports", { rules: exported + leftOut.length, targets });
}

function planAll(rules: readonly Rule[]) {
  return exportTargets.map((target) => ({
    name: target.name,
    title: target.title,
    expresses: target.expresses,
    file: target.file,
    ...(target.covers !== undefined && { covers: describeCovers(target.covers) }),
    uses: target.uses.map((use) => {
      const plan = planRules(rules, target, { use });
      const leftOut = plan.leftOut.map(({ rule: { id }, reason }) => ({ id, reason }));
      return { use, exported: plan.rules.length, leftOut };
    }),
  }));
}

async function file({ app, params, query }: ApiRequest): Promise<Answer> {
  const target = findTarget(params.target!);
  const use = choiceOf(query, "as", exportUses);
  const { rules, certificates = [] } = app.readRules();
  const { text } = exportRules(rules, target, { certificates, ...(use !== undefined && { use }) });
  return { text, type: "text/plain", name: target.file };
}
