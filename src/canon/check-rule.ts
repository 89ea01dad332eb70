import type { RuleAction, Scope } from "../model.js";
import { skipEntities } from "../url/parameters.js";
import { conditionsOf, isOneHost } from "./scope.js";

/** What makes a rule meaningless or self-contradicting, as "field: what is wrong with it"; undefined for a sound rule. */
export function problemOf(action: RuleAction, scope: Scope): { field: string; problem: string } | undefined {
  return actionProblem(action) ?? scopeProblem(scope);
}

function actionProblem(action: RuleAction): { field: string; problem: string } | undefined {
  switch (action.kind) {
    case "substring":
      if (action.from === action.to) return { field: "to", problem: `is the same as "from"` };
      if (action.from === "" && action.start === action.end) {
        return { field: "from", problem: `is empty: expected a string, or exactly one of "start" and "end"` };
      }
      return undefined;
    case "parameter": {
      if (action.place !== "query" && action.place !== "path") {
        return {
          field: "place",
          problem: `is ${JSON.stringify(action.place) ?? "missing"}: expected "query" or "path"`,
        };
      }
      const reserved = action.place === "query" ? "&;#" : "/;?#";
      if (action.action === "set" && containsAny(action.value, reserved)) {
        return { field: "value", problem: `contains one of ${reserved}, which would end the value` };
      }
      return action.place === "query" ? queryNameProblem(action.name) : nameProblem(action.name, `=${reserved}`);
    }
    case "repeatedParameter":
    case "emptyParameter":
      return action.name === undefined ? undefined : queryNameProblem(action.name);
    case "parameterOrder":
    case "case":
      return undefined;
    default:
      // Callers without types, and rules made by a newer version.
      return {
        field: "kind",
        problem: `is ${JSON.stringify((action as RuleAction).kind)}, which this version does not know`,
      };
  }
}

/** A name may begin with "amp;" (see url/parameters.ts). */
function queryNameProblem(name: string): { field: string; problem: string } | undefined {
  const start = skipEntities(name, 0, name.length);
  return start > 0 && start === name.length ? undefined : nameProblem(name.slice(start), "=&;#");
}

function nameProblem(name: string, reserved: string): { field: string; problem: string } | undefined {
  if (name === "") return { field: "name", problem: "is empty" };
  return containsAny(name, reserved)
    ? { field: "name", problem: `contains one of ${reserved}, which no parameter's name can` }
    : undefined;
}

function scopeProblem(scope: Scope | undefined): { field: string; problem: string } | undefined {
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
  if (scope.script !== undefined && containsAny(scope.script, "/;?#")) {
    return { field: "scope.script", problem: `contains one of /;?#: expected the last segment of a path` };
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

function containsAny(text: string, characters: string): boolean {
  for (const character of characters) if (text.includes(character)) return true;
  return false;
}
