/** Query parameters without a value ("a=" and "a") are dropped. */

import { EMPTY_PARAMETER } from "../constants.js";
import { dropEmptyParameters } from "../edit-parameters.js";
import { nameOrShape } from "../trigger.js";
import { parameterText } from "../words.js";
import type { ActionOf, RuleKind } from "./kind.js";
import { isNamedInstance, nameField, optionalName, queryNameProblem, readName } from "./parameter-name.js";

export const emptyParameter: RuleKind<ActionOf<"emptyParameter">> = {
  title: "drop empty parameters",
  precedence: 8,
  about: "parameters",
  read: (fields) => ({ kind: "emptyParameter", ...readName(fields) }),
  plain: (action) => ({ kind: action.kind, ...optionalName(action) }),
  content: ({ kind, name }) => [kind, name ?? null],
  problem: ({ name }) => (name === undefined ? undefined : queryNameProblem(name)),
  apply: ({ name }, url, parts) => dropEmptyParameters(url, parts, name),
  trigger: ({ name }) => nameOrShape(name, EMPTY_PARAMETER),
  edit: ({ name }) => ({ operation: "drop-empty", first: name }),
  requiredText: ({ name }) => name ?? "?",
  isInstance: isNamedInstance,
  words: ({ name }) => [
    { text: "drop empty ", as: "quiet" },
    name === undefined ? { text: "parameters" } : { text: parameterText(name), as: "removed" },
  ],
  cause: () => "empty parameters",
  form: [nameField],
};
