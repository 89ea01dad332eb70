/** What a server answered, as a page of the workspace. */
import { hash } from "node:crypto";
import { readContent } from "../http/page-content.js";
import { sitemapLinks } from "../http/sitemap-links.js";
import type { PageRecord } from "../model.js";
import type { AnsweredOutcome } from "./outcome.js";

/** No more of a text is kept: it is enough to see why two pages differ. */
export const MAX_TEXT_LENGTH = 200_000;

/** The page that a server answered with, under the URL that redirects led to. */
export function pageOfAnswer(outcome: AnsweredOutcome): PageRecord {
  const { finalUrl, status, startedAtMs, address, mediaType, body } = outcome;
  const content = readContent(finalUrl, outcome.contentType, body);
  const canonical = content?.canonical ?? outcome.canonical;
  const redirectTo = content?.refreshTo ?? outcome.refreshTo;
  const links = content === undefined ? sitemapLinks(body) : content.links;
  return {
    url: finalUrl,
    status,
    timeMs: startedAtMs,
    ...(address !== undefined && { address }),
    ...(mediaType !== undefined && { mediaType }),
    bodyBytes: body.length,
    digest: `sha1:${hash("sha1", body, "hex")}`,
    ...(content?.title !== undefined && { title: content.title }),
    ...(content?.text !== undefined && { text: content.text.slice(0, MAX_TEXT_LENGTH) }),
    ...(content?.shingles !== undefined && { shingles: content.shingles }),
    ...(content?.sketch !== undefined && { sketch: content.sketch }),
    ...(links !== undefined && { links }),
    ...(redirectTo !== undefined && { redirectTo }),
    ...(canonical !== undefined && { canonical }),
    ...(content?.isOwnLanguage === true && { isOwnLanguage: true }),
  };
}
