/** A byte stream from which a decoder takes pieces of the sizes it wants. */
export class ByteQueue {
  readonly #source: AsyncIterator<Uint8Array>;
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Bytes that can be taken at once. */
  get length(): number {
    return this.#bytes.length - this.#at;
  }

  /** Whether there are as many bytes; waits for them. */
  async has(count: number): Promise<boolean> {
    while (this.length < count && !this.#ended) {
      const { done, value } = await this.#source.next();
      if (done) {
        this.#ended = true;
      } else if (this.length === 0) {
        this.#bytes = value;
        this.#at = 0;
      } else {
        this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), value]);
        this.#at = 0;
      }
    }
    return this.length >= count;
  }

  async need(count: number): Promise<void> {
    if (!(await this.has(count))) throw new Error("unexpected end of file");
  }

  byte(at: number): number {
    return this.#bytes[this.#at + at]!;
  }

  /** Takes one byte, which must be there. */
  next(): number {
    return this.#bytes[this.#at++]!;
  }

  /** Little-endian. */
  uint32(at: number): number {
    return (this.byte(at) | (this.byte(at + 1) << 8) | (this.byte(at + 2) << 16) | (this.byte(at + 3) << 24)) >>> 0;
  }

  /** The next bytes, which must be there and stay. */
  peek(count: number): Uint8Array {
    return this.#bytes.subarray(this.#at, this.#at + count);
  }

  /** The next bytes, which must be there. */
  take(count: number): Uint8Array {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  /** Drops bytes that need not be there yet. */
  async skip(count: number): Promise<void> {
    let left = count;
    while (left > 0) {
      await this.need(1);
      const step = Math.min(left, this.length);
      this.#at += step;
      left -= step;
    }
  }
}
