import { createHash } from "node:crypto";

/**
 * The one hash of the operators, the same in TypeScript, DuckDB and Spark: the first eight bytes of the text's MD5, read
 * with the lowest byte first, without the lowest four bits. 60 bits, never negative. It brings candidates together;
 * whether they are equal is asked of the texts themselves.
 */
export function hashText(text: string): bigint {
  return createHash("md5").update(text).digest().readBigUInt64LE(0) >> 4n;
}
