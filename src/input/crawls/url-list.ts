/** Plain lists: one URL per line; empty lines and lines that begin with # are skipped. */
import { NO_WEB_URL, type RowOutcome } from "../../http/row-outcome.js";
import { absoluteUrl } from "../../http/values.js";

export function parseUrlLine(line: string, base?: string): RowOutcome {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return undefined;
  const url = absoluteUrl(text, base);
  return url === undefined ? NO_WEB_URL : { url, status: 0 };
}

/** A path of a site whose origin is known, or a URL. */
export const isUrlOrPathLine = (line: string): boolean => /^\s*\/[^\s"]*\s*$/.test(line) || isUrlLine(line);

/** A URL and nothing else: no white space, which every log and table has, and no quotes, which tables have. */
export const isUrlLine = (line: string): boolean => /^\s*(?:https?:)?\/\/[^\s/?#"]+[^\s"]*\s*$/i.test(line);
