import type { RuleAction, Scope } from "../model.js";
import type { Problem } from "./kinds/kind.js";
import { containsAny, queryNameProblem } from "./kinds/parameter-name.js";
import { actionProblem } from "./kinds.js";
import { conditionsOf, isOneHost } from "./scope.js";

/** What makes a rule meaningless or self-contradicting, as "field: what is wrong with it"; undefined for a sound rule. */
export function problemOf(action: RuleAction, scope: Scope): Problem | undefined {
  return actionProblem(action) ?? scopeProblem(scope);
}

function scopeProblem(scope: Scope | undefined): Problem | undefined {
  // Callers without types.
  if (scope === undefined) {
    return { field: "scope", problem: "is missing: expected {} for everywhere; parseRulesFile fills it in" };
  }
  if (scope.host !== undefined && !isOneHost(scope.host.replace(/^\*\./, ""))) {
    return {
      field: "scope.host",
      problem: `is not a host: expected "forum.test", or "*.forum.test" with all below it`,
    };
  }
  if (scope.path !== undefined && !scope.path.startsWith("/")) {
    return { field: "scope.path", problem: `does not begin with "/"` };
  }
  if (scope.script !== undefined && (containsAny(scope.script.replace(/\/$/, ""), "/;?#") || scope.script === "/")) {
    const expected = `expected the last segment of a path, or the last folder with its "/"`;
    return { field: "scope.script", problem: `contains one of /;?#: ${expected}` };
  }
  for (const [name, condition] of conditionsOf(scope)) {
    const problem = queryNameProblem(name)?.problem ?? conditionProblem(condition);
    if (problem !== undefined) return { field: `scope.parameters.${name}`, problem };
  }
  return undefined;
}

function conditionProblem(condition: unknown): string | undefined {
  if (typeof condition === "boolean") return undefined;
  if (typeof condition !== "string")
    return "is neither true (it is there), false (it is not) nor the value that it has";
  return containsAny(condition, "&;#") ? "contains one of &;#, which would end the value" : undefined;
}
