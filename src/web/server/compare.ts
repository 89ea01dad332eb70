/** Two pages side by side. */
import type { SeenPage } from "../../model.js";
import { diffLines } from "./diff.js";
import { type Answer, documentOf } from "./routes.js";

export function compare(left: SeenPage, right: SeenPage): Answer {
  const rows =
    left.text === undefined || right.text === undefined
      ? undefined
      : diffLines(left.text.split("\n"), right.text.split("\n"));
  const side = ({ text, ...page }: SeenPage) => ({ ...page, hasText: text !== undefined });
  return documentOf("dustpan-pair", { left: side(left), right: side(right), ...(rows !== undefined && { rows }) });
}
