/** A column of numbers below 2^32 that grows. */
import { grown } from "./grown.js";

export class NumberColumn {
  #values = new Uint32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.#values.length) this.#values = grown(this.#values, 2 * this.length);
    this.#values[this.length++] = value;
  }

  get values(): Uint32Array {
    return this.#values.subarray(0, this.length);
  }
}
