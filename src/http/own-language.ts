/** Which of several addresses with the same text is the site's address for that text's language. */
import type { HtmlDocument } from "../sketch/html.js";
import { resolveUrl } from "./values.js";

/**
 * Is the URL the one that the site gives for the page's language? By rel=alternate and hreflang where they name that
 * language, else by "x-default", else by the address: a page in English at "/da/x.html" belongs at "/en/x.html".
 */
export function isOwnLanguage(
  url: string,
  base: string,
  { language, alternates = [] }: Pick<HtmlDocument, "language" | "alternates">,
): boolean {
  const namedFor = (wanted: string) => alternates.filter((link) => link.language === wanted);
  const named = [language, "x-default"].map((wanted) => (wanted === undefined ? [] : namedFor(wanted)));
  const links = named.find((some) => some.length > 0);
  if (links !== undefined) return links.some((link) => resolveUrl(link.url, base) === url);
  if (language === undefined || !URL.canParse(url)) return false;
  const { hostname, pathname, searchParams } = new URL(url);
  const parts = [...hostname.split("."), ...pathname.split("/"), ...searchParams.values()];
  const tags = [language, language.split("-", 1)[0]];
  return parts.some((part) => tags.includes(part.toLowerCase().replace("_", "-")));
}
