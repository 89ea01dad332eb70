/** The chunks of pages, gathered page by page. */
import { type Chunking, chunkFingerprints } from "../sketch/chunks.js";
import { grown } from "../tables/grown.js";
import type { DocChunks } from "./chunk-lists.js";

/** DocChunks (section 5.1) of one text after the other, so that only one is in memory at a time. */
export class DocChunksBuilder {
  readonly #offsets: Uint32Array;
  readonly #whole: BigUint64Array;
  #fingerprints = new BigUint64Array(1024);
  #page = 0;

  constructor(
    readonly pages: number,
    readonly chunking: Chunking,
  ) {
    this.#offsets = new Uint32Array(pages + 1);
    this.#whole = new BigUint64Array(pages);
  }

  /** The next page's text; empty where it has none. */
  add(text: string): void {
    const start = this.#offsets[this.#page]!;
    const chunks = chunkFingerprints(text, this.chunking);
    const end = start + chunks.length;
    if (end > this.#fingerprints.length) {
      this.#fingerprints = grown(this.#fingerprints, Math.max(end, 2 * this.#fingerprints.length));
    }
    this.#fingerprints.set(chunks, start);
    this.#whole[this.#page++] = chunkFingerprints(text, "document")[0] ?? 0n;
    this.#offsets[this.#page] = end;
  }

  finish(): DocChunks {
    const fingerprints = this.#fingerprints.subarray(0, this.#offsets[this.#page]!);
    return { pages: this.pages, offsets: this.#offsets, fingerprints, whole: this.#whole };
  }
}
