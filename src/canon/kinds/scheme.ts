/** http and https: one page under both, on their default ports. */
import { lowerAscii } from "../../url/normalize.js";
import { HTTP, HTTPS } from "../constants.js";
import type { ActionOf, RuleKind } from "./kind.js";

export const scheme: RuleKind<ActionOf<"scheme">> = {
  title: "http and https",
  precedence: 3,
  about: "spellings",
  read: (fields) => ({ kind: "scheme", scheme: fields.oneOf("scheme", ["http", "https"]) }),
  plain: (action) => ({ kind: action.kind, scheme: action.scheme }),
  content: (action) => [action.kind, action.scheme],
  problem: (action) =>
    action.scheme === "http" || action.scheme === "https"
      ? undefined
      : { field: "scheme", problem: `is ${JSON.stringify(action.scheme) ?? "missing"}: expected "http" or "https"` },
  apply(action, url, { schemeEnd, hostEnd, portEnd }) {
    if (schemeEnd === 0 || portEnd > hostEnd) return undefined;
    return lowerAscii(url.slice(0, schemeEnd)) === action.scheme ? undefined : action.scheme + url.slice(schemeEnd);
  },
  reverse: (action) => ({ ...action, scheme: action.scheme === "http" ? "https" : "http" }),
  trigger: (action) => ({ shape: action.scheme === "http" ? HTTPS : HTTP }),
  edit: (action) => ({ operation: "scheme", first: action.scheme }),
  requiredText: () => ":",
  isInstance: (action, broader) => action.scheme === broader.scheme,
  contradicts: (a, b) => a.scheme !== b.scheme,
  words: (action) => [
    { text: action.scheme === "http" ? "https" : "http", as: "removed" },
    { text: " -> ", as: "quiet" },
    { text: action.scheme, as: "added" },
  ],
  cause: () => "http and https",
  form: [
    {
      type: "choice",
      name: "scheme",
      label: "use",
      choices: [
        ["https", "https"],
        ["http", "http"],
      ],
    },
  ],
};
