/** robots.txt: the lines that tell Yandex which query parameters do not matter. */
import type { Rule } from "../../model.js";
import { decodedQueries, REMOVES_ONLY, refuseRemoval, refuseScope, removedParameter } from "../removals.js";
import { commented, type Target } from "../target.js";

const MAX_LINE_CHARS = 500;

export const cleanParam: Target = {
  name: "clean-param",
  title: "robots.txt: Clean-param lines, which Yandex reads",
  expresses: "the removal of query parameters, everywhere or on paths, for the one host whose robots.txt it is",
  uses: ["key"],
  file: "robots.txt",
  noTable: REMOVES_ONLY,
  covers: decodedQueries,
  refuse: (rule, taken) =>
    refuseRemoval(rule, taken) ??
    refuseScope(rule, ["host", "path"], "it knows paths, and nothing more of a scope") ??
    refuseHost(rule, taken) ??
    refuseText(rule),
  // Yandex reads these lines wherever they stand. A group of its own would keep it from reading the one for everybody.
  write: (rules, notes) =>
    `${commented("#", [...notes, ...placeOf(rules)])}\n${rules.map((rule) => `${lineOf(rule)}\n`).join("")}`,
};

const hostOf = (rules: readonly Rule[]) => rules.find(({ scope }) => scope.host !== undefined)?.scope.host;

function placeOf(rules: readonly Rule[]): string[] {
  const host = hostOf(rules);
  return [`To be added to the robots.txt of ${host ?? "every host of the site"}.`];
}

function refuseHost({ scope: { host } }: Rule, taken: readonly Rule[]): string | undefined {
  if (host === undefined) return undefined;
  if (host.startsWith("*.")) return "a robots.txt is of one host, and this is about several";
  const other = hostOf(taken);
  return other === undefined || other === host ? undefined : `a robots.txt is of one host, here ${other}`;
}

/** Yandex's own words for what a line may hold; "*" stands for anything in a path. */
function refuseText(rule: Rule): string | undefined {
  const isPlain = /^[\w.[\]-]+$/.test(removedParameter(rule)!) && /^[\w./-]*$/.test(rule.scope.path ?? "");
  return isPlain && lineOf(rule).length <= MAX_LINE_CHARS
    ? undefined
    : "a Clean-param line cannot hold its name or path";
}

function lineOf(rule: Rule): string {
  return ["Clean-param:", removedParameter(rule), rule.scope.path].filter((part) => part !== undefined).join(" ");
}
