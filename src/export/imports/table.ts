/** A plain table: what to replace, and by what; two columns, of URLs or of parts of URLs. */
import { readRow } from "../../input/csv-row.js";
import { parseUrl } from "../../url/parse.js";
import type { Draft, Found, Skipped } from "./draft.js";

/** Columns are separated by tabs where the first line has one, else by commas. Undefined where most lines are not rows. */
export function readTable(text: string): Found | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const separator = ["\t", ","].find((each) => lines[0]?.includes(each));
  if (separator === undefined) return undefined;
  const rows = lines.map((line) => readRow(line, 0, separator, true)!.fields.map(withoutBlanks));
  if (/^from$/i.test(rows[0]?.[0] ?? "") && /^to$/i.test(rows[0]?.[1] ?? "")) rows.shift();
  const drafts: Draft[] = [];
  const skipped: Skipped[] = [];
  for (const [i, [from, to, ...more]] of rows.entries()) {
    const entry = `row ${i + 1}: ${rows[i]!.join(" ")}`;
    if (from === undefined || to === undefined || more.length > 0) {
      skipped.push({ entry, why: "it has not two columns" });
    } else if (from === to) skipped.push({ entry, why: "both columns are the same" });
    else {
      // A whole URL is that URL and no other.
      const isWhole = /^https?:/i.test(from) && /^https?:/i.test(to) && parseUrl(from) !== undefined;
      drafts.push({ action: { kind: "substring", from, to, start: isWhole, end: isWhole }, scope: {} });
    }
  }
  return drafts.length <= skipped.length ? undefined : [...skipped, ...drafts];
}

/** Without the blanks around it. Other white space may be a part of a URL. */
function withoutBlanks(cell: string): string {
  let [start, end] = [0, cell.length];
  while (start < end && isBlank(cell[start]!)) start++;
  while (end > start && isBlank(cell[end - 1]!)) end--;
  return cell.slice(start, end);
}

const isBlank = (character: string) => character === " " || character === "\t";
