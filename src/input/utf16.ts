/** UTF-16, as spreadsheets and Windows programs write it: recognised by its first bytes, and made UTF-8. */

/** The encoding that bytes begin in; undefined where it does not take two bytes per character. */
export function utf16Of(head: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  // Without a mark: Latin text has a zero in every second byte, and no other supported input has one so early.
  const looked = head.subarray(0, LOOKED_AT - (LOOKED_AT % 2));
  if (looked.length < 8 || looked.length % 2 !== 0) return undefined;
  const isZero = (parity: number) => looked.every((byte, i) => i % 2 !== parity || byte === 0);
  const isText = (parity: number) => looked.every((byte, i) => i % 2 !== parity || byte >= 0x09);
  if (isZero(1) && isText(0)) return "utf-16le";
  return isZero(0) && isText(1) ? "utf-16be" : undefined;
}

const LOOKED_AT = 64;

/** The same text in UTF-8, without the mark. */
export async function* asUtf8(source: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of source) yield Buffer.from(decoder.decode(chunk, { stream: true }), "utf8");
  yield Buffer.from(decoder.decode(), "utf8");
}
