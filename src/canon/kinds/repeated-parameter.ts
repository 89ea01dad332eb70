/** Of several query parameters with one name, one is kept. */

import { REPEATED_PARAMETER } from "../constants.js";
import { dropRepeatedParameters } from "../edit-parameters.js";
import { nameOrShape } from "../trigger.js";
import { parameterText } from "../words.js";
import type { ActionOf, RuleKind } from "./kind.js";
import { isNamedInstance, nameField, optionalName, queryNameProblem, readName } from "./parameter-name.js";

export const repeatedParameter: RuleKind<ActionOf<"repeatedParameter">> = {
  title: "drop repeated parameters",
  precedence: 7,
  about: "parameters",
  read: (fields) => ({
    kind: "repeatedParameter",
    ...readName(fields),
    keep: fields.oneOf("keep", ["first", "last"]),
  }),
  plain: (action) => ({ kind: action.kind, ...optionalName(action), keep: action.keep }),
  content: ({ kind, name, keep }) => [kind, name ?? null, keep],
  problem: ({ name }) => (name === undefined ? undefined : queryNameProblem(name)),
  apply: ({ name, keep }, url, parts) => dropRepeatedParameters(url, parts, name, keep),
  trigger: ({ name }) => nameOrShape(name, REPEATED_PARAMETER),
  edit: ({ name, keep }) => ({ operation: keep === "first" ? "keep-first" : "keep-last", first: name }),
  requiredText: ({ name }) => name ?? "?",
  isInstance: (action, broader) => action.keep === broader.keep && isNamedInstance(action, broader),
  words: ({ name, keep }) => [
    { text: `keep the ${keep} of repeated `, as: "quiet" },
    name === undefined ? { text: "parameters" } : { text: parameterText(name), as: "name" },
  ],
  cause: () => "repeated parameters",
  form: [
    nameField,
    {
      type: "choice",
      name: "keep",
      label: "keep",
      choices: [
        ["first", "the first"],
        ["last", "the last"],
      ],
    },
  ],
};
