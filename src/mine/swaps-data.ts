/** Rules that no owner would write: one visitor's session for another's, one year or one commit for another. */
import type { RuleAction } from "../model.js";
import { difference } from "../url/difference.js";

/** A token that is a piece of data: a number of three digits or more, or a long hexadecimal one. */
const isData = (token: string) => /^[0-9]{3,}$/.test(token) || (/^[0-9A-Fa-f]{8,}$/.test(token) && /[0-9]/.test(token));

/** Numbers of three digits are sizes and limits too; longer ones name a thing. */
const isThing = (value: string) => isData(value) && value.length > 3;

/** Does the rule replace one piece of data by another, and nothing else? */
export function swapsData(action: RuleAction): boolean {
  if (action.kind === "parameter" && action.action === "set") return isThing(action.value);
  if (action.kind !== "substring") return false;
  const { from, to } = difference(action.from, action.to);
  return [from, to].every((side) => {
    const words = side.match(/[A-Za-z0-9]+/g) ?? [];
    return words.length > 0 && words.every(isData);
  });
}
