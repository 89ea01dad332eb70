/** The order of the query's parameters does not matter: they are sorted by name, equal names in their order. */

import { UNSORTED_PARAMETERS } from "../constants.js";
import { orderParameters } from "../edit-parameters.js";
import type { ActionOf, RuleKind } from "./kind.js";

export const parameterOrder: RuleKind<ActionOf<"parameterOrder">> = {
  title: "sort the parameters",
  precedence: 6,
  about: "parameters",
  read: () => ({ kind: "parameterOrder" }),
  plain: ({ kind }) => ({ kind }),
  content: ({ kind }) => [kind],
  apply: (_, url, parts) => orderParameters(url, parts),
  trigger: () => ({ shape: UNSORTED_PARAMETERS }),
  edit: () => ({ operation: "sort" }),
  requiredText: () => "?",
  isInstance: () => true,
  words: () => [{ text: "sort the parameters", as: "quiet" }],
  cause: () => "order of parameters",
  form: [],
};
