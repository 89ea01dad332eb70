/** Slashes that follow each other in a path are one: "/docs//a" and "/docs/a". */
import { REPEATED_SLASH } from "../constants.js";
import type { ActionOf, RuleKind } from "./kind.js";

export const repeatedSlash: RuleKind<ActionOf<"repeatedSlash">> = {
  title: "make one slash of several in the path",
  precedence: 1,
  about: "spellings",
  read: () => ({ kind: "repeatedSlash" }),
  plain: ({ kind }) => ({ kind }),
  content: ({ kind }) => [kind],
  apply(_, url, { pathStart, pathEnd }) {
    const at = url.indexOf("//", pathStart);
    if (at < 0 || at + 1 >= pathEnd) return undefined;
    return url.slice(0, at) + url.slice(at, pathEnd).replace(/\/+/g, "/") + url.slice(pathEnd);
  },
  // One application does all there is to do.
  trigger: () => ({ shape: REPEATED_SLASH }),
  edit: () => ({ operation: "single-slash" }),
  requiredText: () => "//",
  isInstance: () => true,
  words: () => [{ text: "make one slash of several in the path", as: "quiet" }],
  cause: () => "repeated slashes",
  form: [],
};
