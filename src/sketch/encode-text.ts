/** Text as its words are read, one way for all that compares pages by words. */

/**
 * Counts up when the same page gives other words: 1 since text is normalized (NFC), so that a letter with an accent is the
 * same however it is written. Sketches of different versions are not compared.
 */
export const TEXT_VERSION = 1;

const encoder = new TextEncoder();

/** UTF-8, in NFC. */
export function encodeText(text: string): Uint8Array {
  // Nothing below U+0300 combines, so that most texts need no second look.
  return encoder.encode(/[\u0300-\uffff]/.test(text) ? text.normalize("NFC") : text);
}
