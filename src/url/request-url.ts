/** URLs as they are requested: without the parts that are never sent. */

/**
 * An absolute URL as it is requested, or undefined. Credentials and the fragment are dropped here, once, so that no
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
