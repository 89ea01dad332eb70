/** Rows of tables with a delimiter (RFC 4180 and what spreadsheets make of it): where a field ends, and what it says. */

export const delimiters = [",", ";", "\t", "|"] as const;
/** The header is among these: Screaming Frog writes a title line above it, Excel a line "sep=;". */
export const HEADER_LINES = 5;

const QUOTE = 0x22;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

export interface CsvFields {
  readonly fields: readonly string[];
  /** Position after the row and its line end. */
  readonly end: number;
  /** Every quotation mark is where the format has one. */
  readonly regular: boolean;
}

/** The row that starts at `from`; undefined if its end is not in the text (and more text may come). */
export function readRow(text: string, from: number, delimiter: string, last: boolean): CsvFields | undefined {
  const feed = text.indexOf("\n", from);
  if (feed < 0 && !last) return undefined;
  const lineEnd = feed < 0 ? text.length : feed;
  const line = text.slice(from, withoutReturn(text, from, lineEnd));
  if (!line.includes('"')) return { fields: line.split(delimiter), end: feed < 0 ? lineEnd : feed + 1, regular: true };
  const fields: string[] = [];
  let regular = true;
  for (let at = from; ; ) {
    const end = fieldEnd(text, at, delimiter, last);
    if (end < 0) return undefined;
    const isLast = isRowEnd(text, end);
    const field = text.slice(at, isLast ? withoutReturn(text, at, end) : end);
    const value = unquoted(field);
    if (value === undefined) regular = false;
    fields.push(value ?? field);
    if (isLast) return { fields, end: Math.min(text.length, end + 1), regular };
    at = end + 1;
  }
}

/** The position of the delimiter or line end after the field at `at`; -1 where that is not in the text yet. */
export function fieldEnd(text: string, at: number, delimiter: string, last: boolean): number {
  let end = at;
  if (text.charCodeAt(at) === QUOTE) {
    for (end = at + 1; ; end += 2) {
      end = text.indexOf('"', end);
      if (end < 0) return last ? text.length : -1;
      if (text.charCodeAt(end + 1) !== QUOTE) break;
    }
    end++;
  }
  const separator = delimiter.charCodeAt(0);
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === separator || code === LINE_FEED) return end;
  }
  return last ? end : -1;
}

/** Does the row end where the field does? */
export function isRowEnd(text: string, end: number): boolean {
  return end === text.length || text.charCodeAt(end) === LINE_FEED;
}

/** `end`, or the position before it where a carriage return belongs to the line end. */
export function withoutReturn(text: string, start: number, end: number): number {
  return end > start && text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end;
}

/** What a field says, without its quotes; undefined where its quotation marks do not match. */
export function unquoted(field: string): string | undefined {
  if (!field.startsWith('"')) return field;
  if (field.length < 2 || !field.endsWith('"')) return undefined;
  const inner = field.slice(1, -1);
  const value = inner.replaceAll('""', '"');
  // Each mark inside stands for two: one alone closed the field before its end.
  return 2 * (inner.length - value.length) === inner.length - inner.replaceAll('"', "").length ? value : undefined;
}
