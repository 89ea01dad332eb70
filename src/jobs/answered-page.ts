import { createHash } from "node:crypto";
import type { AnsweredOutcome } from "../fetch/outcome.js";
import { sitemapLinks } from "../input/crawls/sitemap-links.js";
import { readContent } from "../input/page-content.js";
import type { PageRecord } from "../model.js";

/** Of a text no more is kept: enough to see why two pages differ. */
export const maxTextLength = 200_000;

/** The page that a server answered with, under the URL that redirects led to. */
export function pageOfAnswer(outcome: AnsweredOutcome): PageRecord {
  const { finalUrl, status, startedAtMs, address, mediaType, body } = outcome;
  const content = readContent(finalUrl, outcome.contentType, body);
  const canonical = content?.canonical ?? outcome.canonical;
  const links = content === undefined ? sitemapLinks(body) : content.links;
  return {
    url: finalUrl,
    status,
    timeMs: startedAtMs,
    ...(address !== undefined && { address }),
    ...(mediaType !== undefined && { mediaType }),
    bodyBytes: body.length,
    digest: `sha1:${createHash("sha1").update(body).digest("hex")}`,
    ...(content?.title !== undefined && { title: content.title }),
    ...(content?.text !== undefined && { text: content.text.slice(0, maxTextLength) }),
    ...(content?.shingles !== undefined && { shingles: content.shingles }),
    ...(content?.sketch !== undefined && { sketch: content.sketch }),
    ...(links !== undefined && { links }),
    ...(content?.refreshTo !== undefined && { redirectTo: content.refreshTo }),
    ...(canonical !== undefined && { canonical }),
  };
}
