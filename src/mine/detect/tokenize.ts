import type { StringColumn } from "../../model.js";
import type { Heap } from "../../wasm/heap.js";
import { compile, instantiate, type Variable, type WasmModule } from "../../wasm/module.js";
import { tokensCode } from "./kernel-code.js";
import { isWordByte, type TokenTable } from "./tokens.js";

/** Bytes of URLs that are read at a time, unless one alone has more, and how many URLs at most. */
const BLOCK_BYTES = 1 << 14;
const BLOCK_URLS = 1 << 10;

/** The functions and variables of assembly/tokens.ts. */
interface TokensCode {
  countTokens(text: number, offsets: number, urls: number, starts: number, total: number): number;
  tokenize(text: number, offsets: number, urls: number, tokens: number): number;
  rehash(oldSlots: number, oldLength: number): void;
  readonly longest: Variable;
  readonly isWord: Variable;
  readonly singles: Variable;
  readonly slots: Variable;
  readonly mask: Variable;
  readonly hashes: Variable;
  readonly ends: Variable;
  readonly distinctText: Variable;
  readonly distinct: Variable;
}

/** Compiled when it is first needed. */
let compiled: WasmModule | undefined;

export function tokenizeColumn(urls: StringColumn, heap: Heap): TokenTable {
  compiled ??= compile(tokensCode);
  const code = instantiate<TokensCode>(compiled, heap.memory);
  const blocks = new UrlBlocks(urls, heap);
  const byByte = heap.bytes(256);
  for (let byte = 0; byte < 256; byte++) byByte[byte] = isWordByte(byte) ? 1 : 0;
  code.isWord.value = byByte.byteOffset;
  const starts = heap.words(urls.count + 1);
  let total = 0;
  blocks.each((text, offsets, from, count) => {
    total = code.countTokens(text, offsets, count, starts.byteOffset + 4 * from, total);
  });
  starts[urls.count] = total;

  const tokens = heap.words(total);
  const dictionary = new Dictionary(code, heap);
  let next = tokens.byteOffset;
  blocks.each((text, offsets, _, count, bytes) => {
    dictionary.reserve(bytes);
    next = code.tokenize(text, offsets, count, next) >>> 0;
  });
  blocks.release();
  return { count: urls.count, starts, tokens, longest: code.longest.value, ...dictionary.finish() };
}

/** URLs, copied to the heap some at a time: a list may be larger than the heap. */
class UrlBlocks {
  readonly #urls: StringColumn;
  readonly #heap: Heap;
  readonly #text: Uint8Array;
  readonly #offsets: Uint32Array;

  constructor(urls: StringColumn, heap: Heap) {
    this.#urls = urls;
    this.#heap = heap;
    let longest = BLOCK_BYTES;
    for (let i = 0; i < urls.count; i++) longest = Math.max(longest, urls.offsets[i + 1]! - urls.offsets[i]!);
    this.#text = heap.bytes(longest);
    this.#offsets = heap.words(BLOCK_URLS + 1);
  }

  /** Hands over addresses: of the text (less the first offset) and of the offsets; first URL, URLs and bytes. */
  each(take: (text: number, offsets: number, from: number, count: number, bytes: number) => void): void {
    const { bytes, offsets, count } = this.#urls;
    for (let from = 0; from < count; ) {
      const begin = offsets[from]!;
      let to = from + 1;
      while (to < count && to - from < BLOCK_URLS && offsets[to + 1]! - begin <= this.#text.length) to++;
      this.#text.set(bytes.subarray(begin, offsets[to]!));
      this.#offsets.set(offsets.subarray(from, to + 1));
      take(this.#text.byteOffset - begin, this.#offsets.byteOffset, from, to - from, offsets[to]! - begin);
      from = to;
    }
  }

  release(): void {
    this.#heap.release(this.#text);
    this.#heap.release(this.#offsets);
  }
}

/** Room for the tokens' texts, and an index of them by hash. */
class Dictionary {
  readonly #code: TokensCode;
  readonly #heap: Heap;
  #slots: Uint32Array;
  #hashes: Uint32Array;
  #ends: Uint32Array;
  #text: Uint8Array;

  constructor(code: TokensCode, heap: Heap) {
    this.#code = code;
    this.#heap = heap;
    code.singles.value = heap.words(128).fill(0).byteOffset;
    this.#slots = heap.words(1 << 12).fill(0);
    this.#hashes = heap.words(1 << 11);
    // The anchors are there already, without text.
    this.#ends = heap.words(1 << 11).fill(0, 0, 2);
    code.distinct.value = 2;
    this.#text = heap.bytes(1 << 14);
    this.#publish();
  }

  /** Makes room for as many new tokens as could come in a text. */
  reserve(bytes: number): void {
    const distinct = this.#code.distinct.value;
    const textBytes = this.#ends[distinct - 1]! + bytes;
    if (textBytes > this.#text.length) this.#text = this.#heap.grown(this.#text, 2 * textBytes);
    const most = distinct + bytes;
    const old = this.#slots;
    if (most > this.#ends.length) {
      this.#hashes = this.#heap.grown(this.#hashes, 2 * most);
      this.#ends = this.#heap.grown(this.#ends, 2 * most);
      this.#slots = this.#heap.words(2 ** Math.ceil(Math.log2(4 * most))).fill(0);
    }
    this.#publish();
    if (old === this.#slots) return;
    this.#code.rehash(old.byteOffset, old.length);
    this.#heap.release(old);
  }

  finish(): { textStarts: Uint32Array; text: Uint8Array } {
    const distinct = this.#code.distinct.value;
    const textStarts = this.#heap.words(distinct + 1);
    textStarts[0] = 0;
    textStarts.set(this.#ends.subarray(0, distinct), 1);
    this.#heap.release(this.#slots);
    this.#heap.release(this.#hashes);
    this.#heap.release(this.#ends);
    return { textStarts, text: this.#text };
  }

  #publish(): void {
    this.#code.slots.value = this.#slots.byteOffset;
    this.#code.mask.value = this.#slots.length - 1;
    this.#code.hashes.value = this.#hashes.byteOffset;
    this.#code.ends.value = this.#ends.byteOffset;
    this.#code.distinctText.value = this.#text.byteOffset;
  }
}
