/** Hands what a reader finds to the frame: sightings for the URL list, and pages in batches. */

import type { RowOutcome } from "../../http/row-outcome.js";
import type { PageRecord } from "../../model.js";
import type { DamagePosition } from "../damage.js";
import type { CrawlSink } from "../format.js";

const BATCH_PAGES = 512;
const BATCH_CHARS = 4 << 20;

export class PageSink {
  readonly #sink: CrawlSink;
  #batch: PageRecord[] = [];
  #chars = 0;

  constructor(sink: CrawlSink) {
    this.#sink = sink;
  }

  /**
   * One record of the input; its `text` is shown if it is damaged. `skipped` names the kind of rows that are not pages.
   */
  row(outcome: RowOutcome, position: DamagePosition, text: string, skipped: string): void {
    this.#sink.record();
    if (typeof outcome === "string") this.#sink.damage.add(outcome, position, text);
    else if (outcome === undefined) this.#sink.skip(skipped);
    else this.page(outcome);
  }

  page(page: PageRecord): void {
    const { url, status, timeMs, bodyBytes, redirectTo } = page;
    this.#sink.table.add(url, {
      status,
      ...(timeMs !== undefined && { timeMs }),
      ...(bodyBytes !== undefined && { bytes: bodyBytes }),
      ...(redirectTo !== undefined && { redirectTo }),
    });
    // A URL alone is a sighting; a page is something that was downloaded.
    if (status === 0 && page.digest === undefined && page.text === undefined) return;
    this.#batch.push(page);
    this.#chars += page.text?.length ?? 0;
  }

  get isFull(): boolean {
    return this.#batch.length >= BATCH_PAGES || this.#chars >= BATCH_CHARS;
  }

  /** To be awaited whenever `isFull`, and at the end. */
  async flush(): Promise<void> {
    this.#sink.checkpoint();
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#chars = 0;
    await this.#sink.pages(batch);
  }
}
