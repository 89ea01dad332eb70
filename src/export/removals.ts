/** For programs that can take parameters away and nothing else: which removals they can say, alone and together. */
import { editOf } from "../canon/kinds.js";
import type { Rule } from "../model.js";

/** Why none of these programs has a table for single URLs. */
export const REMOVES_ONLY = "it takes parameters away and does nothing else";

/** The name of the query parameter that the rule removes wherever its scope holds; undefined for every other rule. */
export function removedParameter(rule: Rule): string | undefined {
  const edit = editOf(rule);
  return edit?.operation === "remove" ? edit.first : undefined;
}

/**
 * Why a rule cannot be done once, in its order, among the removals taken before it. A removal never makes another one
 * possible, unless that one waits for a parameter to be gone.
 */
export function refuseRemoval(rule: Rule, taken: readonly Rule[]): string | undefined {
  const name = removedParameter(rule);
  if (name === undefined) return "this removes query parameters and does nothing else";
  if (/^(?:amp;)*(?:amp)?$/.test(name)) return `a parameter named "${name}" is read otherwise here`;
  const waiting = taken.find(({ scope }) => scope.parameters?.[name] === false);
  return waiting === undefined ? undefined : `${waiting.id} would hold once it is gone, and each is done once here`;
}

/** The reason `why`, if the rule's scope has parts other than the known ones. */
export function refuseScope(rule: Rule, known: readonly (keyof Rule["scope"])[], why: string): string | undefined {
  return Object.keys(rule.scope).some((part) => !(known as string[]).includes(part)) ? why : undefined;
}

/** "&" stands between parameters, and no parameter is empty: programs differ on all other queries. */
export const plainQueries = {
  words: 'queries whose parameters are separated by "&" alone, none of them empty',
  test: (url: string): boolean => {
    const query = /\?([^#]*)/.exec(url)?.[1];
    return query === undefined || !/;|^$|^&|&&|&$/.test(query);
  },
};

/** The same for programs that decode names before they compare them. */
export const decodedQueries = {
  words: `${plainQueries.words}, names not percent-encoded`,
  test: (url: string): boolean => plainQueries.test(url) && !/[?&][^=&#]*[%+]/.test(url),
};
