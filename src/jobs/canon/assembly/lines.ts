/** Which lines of a list are URLs that no rule and no alias can change, told from their bytes; and the commonest changes. */
import { FILTERED_BYTES, HASH_FACTOR } from "../../../canon/constants";
import { LONG_LINE } from "../constants";
import { rewrite } from "./rewrite";
import { hasShape, RETURN, scanLine, shapeCount, starts, urlEnd } from "./scan";

export { children, childrenMask, maxRounds, nameRoots, nodes, roots, rulesOfNodes } from "./rewrite";
export {
  beginnings,
  findPlaces,
  hasShape,
  hostClass,
  pairClasses,
  pairs,
  queryClass,
  shapeCount,
  shapeSets,
  starts,
  wantedShapes,
} from "./scan";
/** All that follows in the memory is free. */
export const heap: usize = __heap_base;

/** The filter of an alias table, 0 for none; what is left of a hash after so many bits is the number of one of its words. */
export let filter: usize = 0;
export let filterShift: i32 = 0;

/** How many lines stay as they are, how many were changed, and where the output ends. */
export let quiet: i32 = 0;
export let changed: i32 = 0;
export let outputEnd: usize = 0;

const FACTOR: u32 = HASH_FACTOR;

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
    const found = load<u8>(starts + load<u8>(at)) !== 0 ? -1 : scanLine(at, end);
    if (found === 0 && !(shapeCount > 0 && hasShape(at, urlEnd)) && !mayBeAlias(at, urlEnd)) {
      quiet++;
      at = nextLine(urlEnd);
      continue;
    }
    const feed = lineEnd(at, end);
    const stop = feed > at && load<u8>(feed - 1) === RETURN ? feed - 1 : feed;
    memory.copy(out, from, at - from);
    out += at - from;
    from = at;
    const hasRoom = out + 2 * LONG_LINE + (end - at) < limit;
    const newStop = found > 0 && hasRoom ? rewrite(at, stop, out, places) : 0;
    if (newStop === 0 || mayBeAlias(out, newStop)) {
      store<u32>(others, (out - output) as u32);
      others += 4;
    } else {
      const isSame = newStop - out === stop - at && memory.compare(out, at, stop - at) === 0;
      if (isSame) quiet++;
      else changed++;
      out = newStop;
      from = stop;
    }
    at = feed + 1;
  }
  memory.copy(out, from, end - from);
  outputEnd = out + (end - from);
  return others;
}

/** After the end of a line, which a return may begin. */
function nextLine(end: usize): usize {
  return end + (load<u8>(end) === RETURN ? 2 : 1);
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
  let lanes = i32x4.splat(0);
  const last = end - FILTERED_BYTES;
  for (let at = start; at < last; at += FILTERED_BYTES) lanes = mixed(lanes, v128.load(at));
  lanes = mixed(lanes, v128.load(last));
  let hash: u32 = (end - start) as u32;
  hash = mixedWord(hash, i32x4.extract_lane(lanes, 0));
  hash = mixedWord(hash, i32x4.extract_lane(lanes, 1));
  hash = mixedWord(hash, i32x4.extract_lane(lanes, 2));
  hash = mixedWord(hash, i32x4.extract_lane(lanes, 3));
  const bits: u32 = (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31));
  return (load<u32>(filter + (((hash * FACTOR) >>> filterShift) << 2)) & bits) === bits;
}

function mixed(lanes: v128, bytes: v128): v128 {
  const product = i32x4.mul(v128.xor(lanes, bytes), i32x4.splat(FACTOR));
  return v128.xor(product, i32x4.shr_u(product, 15));
}

function mixedWord(hash: u32, lane: u32): u32 {
  const product = (hash ^ lane) * FACTOR;
  return product ^ (product >>> 15);
}
