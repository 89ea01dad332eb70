/**
 * Bytes of a stream that were read and are not yet consumed, contiguous, so that a parser can treat them as one array.
 * The result of `bytes` is valid until the next `append`.
 */
export class ByteWindow {
  #buffer = Buffer.allocUnsafe(1 << 16);
  #start = 0;
  #end = 0;
  /** Position in the stream of the first unconsumed byte. */
  position = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  append(chunk: Uint8Array): void {
    const needed = this.length + chunk.length;
    if (this.#end + chunk.length > this.#buffer.length) {
      // Doubling keeps the cost linear in the appended bytes; a buffer that one huge record made large is dropped
      // again.
      const roomy = this.#buffer.length >= 2 * needed && this.#buffer.length <= 8 * needed + (1 << 20);
      const target = roomy ? this.#buffer : Buffer.allocUnsafe(Math.max(1 << 16, 2 * needed));
      this.#buffer.copy(target, 0, this.#start, this.#end);
      this.#buffer = target;
      this.#end -= this.#start;
      this.#start = 0;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  consume(count: number): void {
    const taken = Math.min(count, this.length);
    this.#start += taken;
    this.position += taken;
    if (this.#start === this.#end) {
      this.#start = 0;
      this.#end = 0;
    }
  }
}
