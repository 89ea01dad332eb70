/** For many rules at once: which of many URLs each of them may change. */
import { requiredText } from "../canon/kinds.js";
import type { RuleAction } from "../model.js";
import { tokenize } from "../url/tokenize.js";

/** For each rule the rows, ascending, that have the rarest token of the text without which it changes nothing. */
export function findApplicable(actions: readonly RuleAction[], texts: readonly string[]): (readonly number[])[] {
  const wanted = actions.map((action) => tokenize(requiredText(action)));
  const rowsWith = new Map(wanted.flatMap((tokens) => tokens.map((token) => [token, [] as number[]])));
  for (const [row, text] of texts.entries()) {
    for (const token of tokenize(text)) {
      const rows = rowsWith.get(token);
      if (rows !== undefined && rows.at(-1) !== row) rows.push(row);
    }
  }
  const all = texts.map((_, row) => row);
  return wanted.map((tokens) => {
    const lists = tokens.map((token) => rowsWith.get(token)!);
    return lists.reduce((least, rows) => (rows.length < least.length ? rows : least), all);
  });
}
