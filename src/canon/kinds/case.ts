/** The letter case of the path does not matter: its ASCII letters become lower case. */
import type { UrlParts } from "../../url/parse.js";
import { UPPER_CASE_PATH } from "../constants.js";
import type { ActionOf, RuleKind } from "./kind.js";

export const letterCase: RuleKind<ActionOf<"case">> = {
  title: "write the path in lower case",
  precedence: 9,
  about: "spellings",
  read: () => ({ kind: "case" }),
  plain: ({ kind }) => ({ kind }),
  content: ({ kind }) => [kind],
  apply: (_, url, parts) => lowerPath(url, parts),
  trigger: () => ({ shape: UPPER_CASE_PATH }),
  edit: () => ({ operation: "lower-path" }),
  requiredText: () => "",
  isInstance: () => true,
  words: () => [{ text: "write the path in lower case", as: "quiet" }],
  cause: () => "letter case of the path",
  form: [],
};

/** Percent-encoded bytes keep their case: that is a matter of safe normalization. */
function lowerPath(url: string, parts: UrlParts): string | undefined {
  const path = url.slice(parts.pathStart, parts.pathEnd);
  const lower = path.replace(/%[0-9A-Fa-f]{2}|[A-Z]+/g, (found) => (found[0] === "%" ? found : found.toLowerCase()));
  return lower === path ? undefined : url.slice(0, parts.pathStart) + lower + url.slice(parts.pathEnd);
}
