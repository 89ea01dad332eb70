/** The rel=canonical target of a Link header (RFC 8288, RFC 6596), absolute, or undefined. */
import { requestUrl } from "../url/request-url.js";

/** One "<target>; name=value; ..." with everything up to the comma that ends it; commas in quotes and targets do not. */
const LINK = /<([^>]*)>((?:\s*;\s*[^\s=;,"]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g;
const REL = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i;

export function canonicalOf(header: string, base: URL): string | undefined {
  for (const [, target = "", parameters = ""] of header.matchAll(LINK)) {
    const rel = REL.exec(parameters);
    // Only the first rel counts (RFC 8288, 3.3). A link with an anchor is about another page.
    const relations = (rel?.[1] ?? rel?.[2] ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("canonical") && !/;\s*anchor\s*=/i.test(parameters)) return requestUrl(target, base)?.href;
  }
  return undefined;
}
