/** How a gzip member begins (RFC 1952). */

/** Length of the member header at the start of `bytes`; 0 if it is not one; undefined if more bytes are needed. */
export function gzipHeaderLength(bytes: Uint8Array): number | undefined {
  if (bytes.length < 10) return bytes[0] === 0x1f || bytes.length === 0 ? undefined : 0;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) return 0;
  const flags = bytes[3]!;
  if ((flags & 0xe0) !== 0) return 0;
  let at = 10;
  if (flags & 4) {
    if (bytes.length < at + 2) return undefined;
    at += 2 + bytes[at]! + bytes[at + 1]! * 256;
  }
  // File name and comment end at a zero byte.
  for (const flag of [8, 16]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, at);
    if (zero < 0) return undefined;
    at = zero + 1;
  }
  if (flags & 2) at += 2;
  return at <= bytes.length ? at : undefined;
}
