/** Text in the form in which words are read: the same for everything that compares pages by words. */

/**
 * Increases when the same page would give different words: 1 since text is normalized (NFC), so that a letter with an
 * accent is the same however it is written. Sketches of different versions are not compared.
 */
export const TEXT_VERSION = 1;

const encoder = new TextEncoder();

/** UTF-8, in NFC. */
export function encodeText(text: string): Uint8Array {
  // No character below U+0300 combines, so most texts need no normalization.
  return encoder.encode(/[\u0300-\uffff]/.test(text) ? text.normalize("NFC") : text);
}
