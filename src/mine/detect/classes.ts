/** Divides buckets by content: a token for each URL's class stands before ^, so that URLs of one bucket are of one class. */
import type { Heap } from "../../wasm/heap.js";
import type { TokenTable } from "./tokens.js";

/** Tokens of a URL that stand before ^ where buckets are divided. */
export const CLASS_TOKENS = 1;

/**
 * The table with the class of each URL as its first token. Two URLs of different classes then share no prefix but the empty
 * one, and no pair of substrings ever includes the class: sorting and contexts end at ^.
 */
export function divideByClass(table: TokenTable, classOf: Uint32Array, heap: Heap): TokenTable {
  const { count, starts, tokens, textStarts } = table;
  const distinct = textStarts.length - 1;
  const divided = { starts: heap.words(count + 1), tokens: heap.words(tokens.length + count) };
  for (let i = 0; i < count; i++) {
    const from = starts[i]! + i;
    divided.starts[i] = from;
    divided.tokens[from] = distinct + classOf[i]!;
    divided.tokens.set(tokens.subarray(starts[i]!, starts[i + 1]!), from + CLASS_TOKENS);
  }
  divided.starts[count] = tokens.length + count;
  heap.release(starts);
  heap.release(tokens);
  return { ...table, ...divided, longest: table.longest + CLASS_TOKENS };
}
