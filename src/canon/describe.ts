import type { Rule, RuleAction, Scope } from "../model.js";
import { conditionsOf, conditionWords } from "./scope.js";

/** A rule in one line for people: `"story_" -> "story?id="`, `remove ?sid`, ... with its scope. */
export function describeRule(rule: RuleAction & { readonly scope: Scope }): string {
  // Callers without types may leave the scope out, and are told so by the rule's name.
  const scope = rule.scope ?? {};
  const { host, path, script } = scope;
  const places = [host, path && `${path}*`, script && `*/${script}`].filter((part) => part !== undefined);
  const where = places.length === 0 ? "" : ` on ${places.join(" ")}`;
  const conditions = conditionsOf(scope).map(conditionWords);
  return `${describeAction(rule)}${where}${conditions.map(({ word, text }) => ` ${word} ${text}`).join("")}`;
}

/** The rule with its name, as messages about it have it. */
export function nameRule(rule: Rule): string {
  return `${rule.id} (${describeRule(rule)})`;
}

function describeAction(action: RuleAction): string {
  switch (action.kind) {
    case "substring": {
      const show = (text: string) => `${action.start ? "^" : ""}${JSON.stringify(text)}${action.end ? "$" : ""}`;
      return `${show(action.from)} -> ${show(action.to)}`;
    }
    case "parameter": {
      const name = (action.place === "query" ? "?" : ";") + action.name;
      return action.action === "remove" ? `remove ${name}` : `set ${name}=${action.value}`;
    }
    case "parameterOrder":
      return "sort the query's parameters";
    case "repeatedParameter":
      return `keep the ${action.keep} ${action.name === undefined ? "of repeated parameters" : `?${action.name}`}`;
    case "emptyParameter":
      return action.name === undefined ? "remove empty parameters" : `remove empty ?${action.name}`;
    case "case":
      return "lower case in the path";
  }
}
