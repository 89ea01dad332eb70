/** Rules that no owner would write: one visitor's session for another's, one year or one commit for another. */
import type { RuleAction } from "../model.js";
import { difference } from "../url/difference.js";

/** A token that is a piece of data: a number of three digits or more, or a long hexadecimal one. */
const isData = (token: string) => /^[0-9]{3,}$/.test(token) || (/^[0-9A-Fa-f]{8,}$/.test(token) && /[0-9]/.test(token));

/** Numbers of three digits are sizes and limits too; longer ones name a thing. */
const isThing = (value: string) => isData(value) && value.length > 3;

const isNumber = (text: string) => /^[0-9]+$/.test(text);
const wordsOf = (text: string) => text.match(/[A-Za-z0-9]+/g) ?? [];

/** A value that is longer is a text or an address, not a choice. */
const LONGEST_CHOICE = 40;

/** Does the rule replace one piece of data by another, and nothing else? */
export function swapsData(action: RuleAction): boolean {
  if (action.kind === "parameter" && action.action === "set") {
    // A number is a count or a place in a list: even if it matters nowhere yet, somebody may ask for another one.
    return isNumber(action.value) || action.value.length > LONGEST_CHOICE || wordsOf(action.value).some(isThing);
  }
  if (action.kind !== "substring") return false;
  const { from, to } = difference(action.from, action.to);
  const isAllData = (side: string) => wordsOf(side).length > 0 && wordsOf(side).every(isData);
  return (isAllData(from) && isAllData(to)) || swapsParameters(action.from, action.to);
}

/**
 * Does one text have parameters with their values where the other has different ones: "&start=15&order=asc" for "&view=previous", or
 * "&order=asc&start=0"? What is alike about such pages is that none of these parameters matters.
 */
function swapsParameters(from: string, to: string): boolean {
  const [olds, news] = [valuesIn(from), valuesIn(to)];
  if (olds.size === 0 || news.size === 0) return false;
  const isOther = (name: string, value: string, others: ReadonlyMap<string, string>) => {
    const other = others.get(name);
    return other === undefined || (other !== value && isNumber(value) && isNumber(other));
  };
  return (
    [...news].some(([name, value]) => isOther(name, value, olds)) &&
    [...olds].some(([name, value]) => isOther(name, value, news))
  );
}

/** The parameters that the text has with all of their value, which is not empty; of the first the name may be cut off. */
function valuesIn(text: string): Map<string, string> {
  return new Map(
    Array.from(text.matchAll(/(?<=[?&;]|^)([^?&;=/]*)=([^?&;=/]+)(?=[&;]|$)/g), ([, name, value]) => [name!, value!]),
  );
}
