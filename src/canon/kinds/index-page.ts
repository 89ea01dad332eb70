/** The page that a folder shows: "/docs/index.html" is "/docs/". */

import type { ActionOf, RuleKind } from "./kind.js";
import { containsAny } from "./parameter-name.js";

export const indexPage: RuleKind<ActionOf<"indexPage">> = {
  title: "drop the name of a folder's own page",
  precedence: 2,
  about: "spellings",
  read: (fields) => ({ kind: "indexPage", name: fields.text("name") }),
  plain: ({ kind, name }) => ({ kind, name }),
  content: ({ kind, name }) => [kind, name],
  problem({ name }) {
    if (name === "") return { field: "name", problem: "is empty" };
    return containsAny(name, "/;?#")
      ? { field: "name", problem: "contains one of /;?#: expected the last segment of a path" }
      : undefined;
  },
  apply({ name }, url, { pathStart, pathEnd }) {
    const start = pathEnd - name.length;
    if (start <= pathStart || url.charCodeAt(start - 1) !== 0x2f || !url.startsWith(name, start)) return undefined;
    return url.slice(0, start) + url.slice(pathEnd);
  },
  trigger: ({ name }) => ({ literal: `/${name}`, root: "anywhere", check: "atBoundary", isAfterHost: true }),
  edit: ({ name }) => ({ operation: "drop-name", first: name }),
  requiredText: ({ name }) => name,
  isInstance: (action, broader) => action.name === broader.name,
  words: ({ name }) => [
    { text: "drop ", as: "quiet" },
    { text: name, as: "removed" },
    { text: " at the end of the path", as: "quiet" },
  ],
  cause: ({ name }) => `drop ${name}`,
  form: [{ type: "text", name: "name", label: "Name", hint: "index.html" }],
};
