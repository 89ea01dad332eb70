/** Looks up the values of many old documents among those of the new ones. */
import { BUCKETS, ENTRY_BITS, PLACE_BITS } from "../constants";

const PLACES: u32 = (1 << PLACE_BITS) - 1;

/** All that follows in the memory is free. */
export const heap: usize = __heap_base;

/**
 * Sets a bit for each document of a run whose value may be among the new ones. `column` is where every bucket of values ends and then the
 * entries, in ascending order; `filter` a bit for each beginning of a value without its last `shift` bits; `shared` a byte for each document.
 */
export function markRun(column: usize, filter: usize, shift: u32, shared: usize, bit: u32): void {
  const entries = column + BUCKETS * 4;
  let at = entries;
  for (let bucket: u32 = 0; bucket < (BUCKETS as u32); bucket++) {
    const first = bucket << ENTRY_BITS;
    const end = entries + (load<u32>(column + bucket * 4) as usize) * 4;
    for (; at < end; at += 4) {
      const entry = load<u32>(at);
      const place = (first | (entry >>> PLACE_BITS)) >>> shift;
      if (((load<u8>(filter + (place >>> 3)) >>> (place & 7)) & 1) === 0) continue;
      const document = shared + (entry & PLACES);
      store<u8>(document, load<u8>(document) | bit);
    }
  }
}
