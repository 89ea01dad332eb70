/** Heritrix' crawl.log: one line per fetch, with twelve fields separated by white space. */

import { NO_WEB_URL, type RowOutcome } from "../../http/row-outcome.js";
import { isWebUrl, parseDigest, parseMediaType, parseSize, parseStatus, parseTime } from "../../http/values.js";
import type { PageRecord } from "../../model.js";

/** Redirects whose target has not been fetched yet; if there are more, the oldest are given out without a target. */
const MAX_WAITING = 1 << 16;

/**
 * A redirect's line does not name its target, but the target's line does name the redirect (its discovery path ends in R,
 * and the URL that it was found at follows). So redirects wait until their target comes; this changes the order.
 */
export class CrawlLogParser {
  readonly #waiting = new Map<string, PageRecord>();

  /** What the line says, and the redirects that can be given out with it. */
  parse(line: string): RowOutcome[] {
    if (line.trim() === "") return [];
    const [time, status, size, url, path, via, mime, , started, digest] = line.trim().split(/\s+/);
    if (digest === undefined || url === undefined) return ["fewer than ten fields"];
    const timeMs = parseTime(started!.split("+")[0]!) ?? parseTime(time!);
    const parsedStatus = parseStatus(status!);
    if (timeMs === undefined || parsedStatus === undefined) return ["not a crawl.log line"];
    if (!isWebUrl(url)) return [/^[a-z][a-z0-9+.-]*:/i.test(url) ? undefined : NO_WEB_URL];
    const mediaType = parseMediaType(mime!);
    const bodyBytes = parseSize(size!);
    const parsedDigest = parseDigest(digest);
    const page: PageRecord = {
      url,
      status: parsedStatus,
      timeMs,
      ...(mediaType !== undefined && { mediaType }),
      ...(bodyBytes !== undefined && parsedStatus !== 0 && { bodyBytes }),
      ...(parsedDigest !== undefined && { digest: parsedDigest }),
    };
    const outcomes: RowOutcome[] = [];
    const source = path!.endsWith("R") ? this.#waiting.get(via!) : undefined;
    if (source !== undefined) {
      this.#waiting.delete(source.url);
      outcomes.push({ ...source, redirectTo: url });
    }
    if (parsedStatus < 300 || parsedStatus > 399) {
      outcomes.push(page);
      return outcomes;
    }
    const oldest =
      this.#waiting.get(url) ?? (this.#waiting.size < MAX_WAITING ? undefined : this.#waiting.values().next().value);
    if (oldest !== undefined) {
      this.#waiting.delete(oldest.url);
      outcomes.push(oldest);
    }
    this.#waiting.set(url, page);
    return outcomes;
  }

  /** The redirects whose target never came by. */
  end(): PageRecord[] {
    const rest = [...this.#waiting.values()];
    this.#waiting.clear();
    return rest;
  }
}

export const isCrawlLogLine = (line: string): boolean =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z?\s+-?\d+\s+(?:\d+|-)\s+\S+\s+(?:[A-Z]*|-)\s+\S+\s+\S+\s+#\d+\s/.test(line);
