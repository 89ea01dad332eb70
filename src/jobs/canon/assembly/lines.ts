/** Which lines of a list are URLs that no rule and no alias can change, told from their bytes; and the commonest changes. */
import { FILTERED_BYTES, HASH_FACTOR } from "../../../canon/constants";
import { LONG_LINE } from "../constants";
import { rewrite } from "./rewrite";
import { findPlaces, hasShape, shapeCount, starts } from "./scan";

export { children, childrenMask, maxRounds, nameRoots, nodes, roots, rulesOfNodes } from "./rewrite";
export {
  beginningClass,
  beginnings,
  findPlaces,
  hasShape,
  hostClass,
  pairs,
  queryClass,
  shapeCount,
  shapeSets,
  starts,
  wantedShapes,
} from "./scan";
/** All that follows in the memory is free. */
export const heap: usize = __heap_base;

/** The filter of an alias table, 0 for none; what is left of a hash after so many bits is the number of one of its bits. */
export let filter: usize = 0;
export let filterShift: i32 = 0;

/** How many lines stay as they are, how many were changed, and where the output ends. */
export let quiet: i32 = 0;
export let changed: i32 = 0;
export let outputEnd: usize = 0;

const FACTOR: u32 = HASH_FACTOR;
const RETURN = 0x0d;

/**
 * Copies the lines from `block` to `end` to `output`, changed where that can be done here, stores where each line begins there that
 * others have to look at, as bytes from `output` on, and gives the end of what was stored. The last line need not end. Where
 * lines grow so much that the output would reach `limit`, they are left to others, too.
 */
export function copyLines(block: usize, end: usize, output: usize, limit: usize, others: usize, places: usize): usize {
  quiet = 0;
  changed = 0;
  let out = output;
  // From here on nothing is copied yet.
  let from = block;
  for (let at = block; at < end; ) {
    const feed = lineEnd(at, end);
    const urlEnd = feed > at && load<u8>(feed - 1) === RETURN ? feed - 1 : feed;
    const found = at < urlEnd && load<u8>(starts + load<u8>(at)) !== 0 ? -1 : findPlaces(at, urlEnd, 0);
    if (found === 0 && !(shapeCount > 0 && hasShape(at, urlEnd)) && !mayBeAlias(at, urlEnd)) quiet++;
    else {
      memory.copy(out, from, at - from);
      out += at - from;
      from = at;
      const hasRoom = out + 2 * LONG_LINE + (end - at) < limit;
      const stop = found > 0 && hasRoom ? rewrite(at, urlEnd, out, places) : 0;
      if (stop === 0 || mayBeAlias(out, stop)) {
        store<u32>(others, (out - output) as u32);
        others += 4;
      } else {
        const isSame = stop - out === urlEnd - at && memory.compare(out, at, stop - out) === 0;
        if (isSame) quiet++;
        else changed++;
        out = stop;
        from = urlEnd;
      }
    }
    at = feed + 1;
  }
  memory.copy(out, from, end - from);
  outputEnd = out + (end - from);
  return others;
}

function lineEnd(at: usize, end: usize): usize {
  for (; at < end; at += 16) {
    const feeds = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x0a)));
    if (feeds !== 0) return min(at + ctz(feeds), end);
  }
  return end;
}

/** `AliasTable` looks for all but the shortest URLs in this way. */
function mayBeAlias(start: usize, end: usize): bool {
  if (filter === 0) return false;
  if (start + FILTERED_BYTES > end) return true;
  let hash: u32 = (end - start) as u32;
  for (let at = end - FILTERED_BYTES; at < end; at += 4) {
    hash = (hash ^ load<u32>(at)) * FACTOR;
    hash ^= hash >>> 15;
  }
  const bit = (hash * FACTOR) >>> filterShift;
  return ((load<u32>(filter + ((bit >>> 5) << 2)) >>> (bit & 31)) & 1) !== 0;
}
