/** The end of a page's name: "/about.html" and "/about". */
import { PATH_ENDS_IN_NAME } from "../constants.js";
import { addOrDropField, addOrDropProblem, readAddOrDrop, turned } from "./add-or-drop.js";
import type { ActionOf, RuleKind } from "./kind.js";

export const extension: RuleKind<ActionOf<"extension">> = {
  title: "the end of a page's name",
  precedence: 4,
  about: "spellings",
  read: (fields) => ({ kind: "extension", extension: fields.text("extension"), action: readAddOrDrop(fields) }),
  plain: (action) => ({ kind: action.kind, extension: action.extension, action: action.action }),
  content: (action) => [action.kind, action.extension, action.action],
  problem(action) {
    return /^\.[A-Za-z0-9]+$/.test(action.extension)
      ? addOrDropProblem(action)
      : { field: "extension", problem: `is not a dot with letters or digits after it, such as ".html"` };
  },
  apply(action, url, { pathStart, pathEnd }) {
    const nameStart = url.lastIndexOf("/", pathEnd - 1) + 1;
    if (nameStart <= pathStart || nameStart >= pathEnd) return undefined;
    if (action.action === "add") {
      if (/[.;]/.test(url.slice(nameStart, pathEnd))) return undefined;
      return url.slice(0, pathEnd) + action.extension + url.slice(pathEnd);
    }
    const start = pathEnd - action.extension.length;
    if (start <= nameStart || !url.startsWith(action.extension, start)) return undefined;
    return url.slice(0, start) + url.slice(pathEnd);
  },
  reverse: turned,
  trigger: (action) =>
    action.action === "drop"
      ? { literal: action.extension, root: "anywhere", check: "atBoundary" }
      : { shape: PATH_ENDS_IN_NAME },
  edit: (action) => ({ operation: `${action.action}-extension`, first: action.extension }),
  requiredText: (action) => (action.action === "drop" ? action.extension : ""),
  isInstance: (action, broader) => action.extension === broader.extension && action.action === broader.action,
  contradicts: (a, b) =>
    a.action !== b.action ? a.extension === b.extension : a.action === "add" && a.extension !== b.extension,
  words: (action) => [
    { text: `${action.action} `, as: "quiet" },
    { text: action.extension, as: action.action === "drop" ? "removed" : "added" },
    { text: " at the end of the path", as: "quiet" },
  ],
  cause: (action) => `${action.action} ${action.extension}`,
  form: [{ type: "text", name: "extension", label: "End", hint: ".html" }, addOrDropField],
};
