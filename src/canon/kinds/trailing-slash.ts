/** The slash at the end of a path: "/docs/" and "/docs". */
import { PATH_ENDS_IN_NAME, PATH_ENDS_IN_SLASH } from "../constants.js";
import { addOrDropField, addOrDropProblem, readAddOrDrop, turned } from "./add-or-drop.js";
import type { ActionOf, RuleKind } from "./kind.js";

export const trailingSlash: RuleKind<ActionOf<"trailingSlash">> = {
  title: "the slash at the end of the path",
  precedence: 1,
  about: "spellings",
  read: (fields) => ({ kind: "trailingSlash", action: readAddOrDrop(fields) }),
  plain: ({ kind, action }) => ({ kind, action }),
  content: ({ kind, action }) => [kind, action],
  problem: addOrDropProblem,
  apply({ action }, url, { pathStart, pathEnd }) {
    const hasSlash = url.charCodeAt(pathEnd - 1) === 0x2f;
    if (action === "drop") {
      // The root is a path of its own, and "//" is not mended by dropping a slash.
      if (!hasSlash || pathEnd - pathStart < 2 || url.charCodeAt(pathEnd - 2) === 0x2f) return undefined;
      return url.slice(0, pathEnd - 1) + url.slice(pathEnd);
    }
    if (hasSlash || pathEnd === pathStart) return undefined;
    const name = url.slice(url.lastIndexOf("/", pathEnd - 1) + 1, pathEnd);
    // "/a.html/" and "/a;v=1/" are other pages, if they are any.
    return /[.;]/.test(name) ? undefined : `${url.slice(0, pathEnd)}/${url.slice(pathEnd)}`;
  },
  reverse: turned,
  trigger: ({ action }) => ({ shape: action === "drop" ? PATH_ENDS_IN_SLASH : PATH_ENDS_IN_NAME }),
  edit: ({ action }) => ({ operation: `${action}-slash` }),
  requiredText: ({ action }) => (action === "drop" ? "/" : ""),
  isInstance: (action, broader) => action.action === broader.action,
  contradicts: (a, b) => a.action !== b.action,
  words: ({ action }) => [
    { text: `${action} `, as: "quiet" },
    { text: "/", as: action === "drop" ? "removed" : "added" },
    { text: " at the end of the path", as: "quiet" },
  ],
  cause: () => "slash at the end",
  form: [addOrDropField],
};
