/** URLs as they are asked for: without what never goes onto the wire. */

/**
 * An absolute URL as it is asked for, or undefined. Credentials and the fragment are dropped here, once, so that no
 * later step can send, store or print them.
 */
export function requestUrl(text: string, base?: URL): URL | undefined {
  if (!URL.canParse(text, base?.href)) return undefined;
  const url = new URL(text, base);
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}

/** Text that is not a URL, fit for lists and messages: it may hold credentials too. */
export function printableUrl(text: string): string {
  return text.replace(/\/\/[^/?#]*@/g, "//");
}
