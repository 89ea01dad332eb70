/** Remove a parameter, or give it one value (thesis 5.3). */
import { removeParameter, setParameter } from "../edit-parameters.js";
import { parameterText } from "../words.js";
import type { ActionOf, RuleKind } from "./kind.js";
import { containsAny, nameProblem, queryNameProblem } from "./parameter-name.js";

type Action = ActionOf<"parameter">;

export const parameter: RuleKind<Action> = {
  title: "remove or set a parameter",
  precedence: 5,
  about: "parameters",
  read(fields) {
    const name = fields.text("name");
    const place = fields.oneOf("place", ["query", "path"], "query");
    const action = fields.oneOf("action", ["remove", "set"]);
    const kind = "parameter";
    return action === "remove"
      ? { kind, name, place, action }
      : { kind, name, place, action, value: fields.text("value") };
  },
  plain(action) {
    const { kind, name, place } = action;
    return action.action === "remove"
      ? { kind, name, place, action: "remove" }
      : { kind, name, place, action: "set", value: action.value };
  },
  content: (action) => [
    action.kind,
    action.place,
    action.name,
    action.action,
    action.action === "set" ? action.value : null,
  ],
  problem(action) {
    if (action.place !== "query" && action.place !== "path") {
      return { field: "place", problem: `is ${JSON.stringify(action.place) ?? "missing"}: expected "query" or "path"` };
    }
    const reserved = action.place === "query" ? "&;#" : "/;?#";
    if (action.action === "set" && containsAny(action.value, reserved)) {
      return { field: "value", problem: `contains one of ${reserved}, which would end the value` };
    }
    return action.place === "query" ? queryNameProblem(action.name) : nameProblem(action.name, `=${reserved}`);
  },
  apply: (action, url, parts) =>
    action.action === "remove"
      ? removeParameter(url, parts, action.place, action.name)
      : setParameter(url, parts, action.place, action.name, action.value),
  trigger: ({ name, place }) => ({ literal: name, root: "name", check: place === "query" ? "queryName" : "pathName" }),
  edit: (action) => {
    const isQuery = action.place === "query";
    if (action.action === "remove") return { operation: isQuery ? "remove" : "remove-path", first: action.name };
    return { operation: isQuery ? "set" : "set-path", first: action.name, second: action.value };
  },
  requiredText: ({ name }) => name,
  // What is removed need not be set: URLs that a "set" makes one are one without the parameter too.
  isInstance: (action, broader) =>
    action.name === broader.name &&
    action.place === broader.place &&
    (broader.action === "remove" || (action.action === "set" && action.value === broader.value)),
  contradicts: (a, b) =>
    a.action === "set" && b.action === "set" && a.name === b.name && a.place === b.place && a.value !== b.value,
  words: (action) => {
    const text = parameterText(action.name, action.place);
    return action.action === "remove"
      ? [
          { text: "drop ", as: "quiet" },
          { text, as: "removed" },
        ]
      : [
          { text: "set ", as: "quiet" },
          { text, as: "name" },
          { text: " to ", as: "quiet" },
          { text: action.value === "" ? '""' : action.value, as: "added" },
        ];
  },
  cause: ({ action, name, place }) => `${action === "remove" ? "drop" : "set"} ${parameterText(name, place)}`,
  mask(action, mask) {
    if (action.action === "remove") return action;
    // The name tells whether the value is a secret.
    return { ...action, value: mask(`${action.name}=${action.value}`).slice(action.name.length + 1) };
  },
  form: [
    { type: "text", name: "name", label: "Parameter", hint: "sid" },
    {
      type: "choice",
      name: "place",
      label: "written",
      choices: [
        ["query", "?name=value"],
        ["path", ";name=value"],
      ],
    },
    {
      type: "choice",
      name: "action",
      label: "do",
      choices: [
        ["remove", "remove it"],
        ["set", "set it to"],
      ],
    },
    { type: "text", name: "value", label: "Value", hint: "where it is set" },
  ],
};
