/** Marks that need no percent-encoding where they stand are written as they are: "Ls%281%29" is "Ls(1)". */
import type { ActionOf, RuleKind } from "./kind.js";

/**
 * What RFC 3986 lets stand in a path, and what more in a query. Left out: "&", "=", "+" and ";", which divide parameters or
 * stand for others; ".", which makes dot segments; letters and digits, which nobody encodes and which could complete
 * another encoding ("%4%31"): so one pass does all there is to do.
 */
export const MARKS_IN_PATH = "-_~!$'()*,:@";
/** In addition to those of the path. */
export const MARKS_IN_QUERY = "/?";

const ENCODED = /%[2-7][0-9A-F]/gi;

function decode(text: string, marks: string): string {
  return text.replace(ENCODED, (encoded) => {
    const mark = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return marks.includes(mark) ? mark : encoded;
  });
}

export const percentEncoding: RuleKind<ActionOf<"percentEncoding">> = {
  title: "write marks that need no percent-encoding as they are",
  precedence: 8,
  about: "spellings",
  read: () => ({ kind: "percentEncoding" }),
  plain: ({ kind }) => ({ kind }),
  content: ({ kind }) => [kind],
  apply(_, url, { pathStart, pathEnd, queryEnd }) {
    const path = decode(url.slice(pathStart, pathEnd), MARKS_IN_PATH);
    const query = decode(url.slice(pathEnd, queryEnd), MARKS_IN_PATH + MARKS_IN_QUERY);
    const decoded = url.slice(0, pathStart) + path + query + url.slice(queryEnd);
    return decoded === url ? undefined : decoded;
  },
  trigger: () => ({ literal: "%", root: "anywhere", check: "atBoundary" }),
  edit: () => ({ operation: "decode-marks" }),
  requiredText: () => "%",
  isInstance: () => true,
  words: () => [{ text: "write marks such as %28 as they are", as: "quiet" }],
  cause: () => "percent-encoding",
  form: [],
};
