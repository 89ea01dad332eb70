/** The DataView of a buffer, remembered: a reader works through one buffer for thousands of strings. */
export class WordView {
  #buffer: Uint8Array | undefined;
  #view: DataView = new DataView(new ArrayBuffer(0));

  of(buffer: Uint8Array): DataView {
    if (buffer !== this.#buffer) {
      this.#buffer = buffer;
      this.#view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
    }
    return this.#view;
  }
}
