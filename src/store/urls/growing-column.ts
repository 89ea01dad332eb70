/** A column of numbers below 2^32 that grows. */
export class NumberColumn {
  #values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(2 * this.length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.length++] = value;
  }

  get values(): Uint32Array {
    return this.#values.subarray(0, this.length);
  }
}
