/** Which lines of a list are URLs that no rule and no alias can change, told from their bytes; and the commonest changes. */
import { CHANGED, LONG_LINE, OTHER, STAYS } from "../constants";
import { rewrite } from "./rewrite";
import {
  filter,
  hasShape,
  isUnhashed,
  mayBeAlias,
  RETURN,
  scanLine,
  shapeCount,
  starts,
  urlEnd,
  urlHash,
} from "./scan";

export { children, childrenMask, maxRounds, nameRoots, nodes, roots, rulesOfNodes } from "./rewrite";
export {
  beginnings,
  filter,
  filterShift,
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

/** How many lines stay as they are, how many were changed, and where the output ends. */
export let quiet: i32 = 0;
export let changed: i32 = 0;
export let outputEnd: usize = 0;

/**
 * Copies the lines from `block` to `end` to `output`, changed where that can be done here, stores at `others` which of them others
 * have to look at, and gives the end of what was stored. The last line need not end. Where lines grow so much that the
 * output would reach `limit`, they are left to others, too.
 */
export function copyLines(block: usize, end: usize, output: usize, limit: usize, others: usize, places: usize): usize {
  quiet = 0;
  changed = 0;
  const firstOther = others;
  let out = output;
  // From here on nothing is copied yet.
  let from = block;
  for (let at = block; at < end; ) {
    const found = load<u8>(starts + load<u8>(at)) !== 0 ? -1 : scanLine(at, end);
    if (found === 0 && !(shapeCount > 0 && hasShape(at, urlEnd)) && !isUnhashed(at, urlEnd)) {
      if (filter === 0) quiet++;
      else others = note(others, out + (at - from) - output, urlEnd - at, STAYS);
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
    if (newStop === 0 || isUnhashed(out, newStop)) others = note(others, out - output, 0, OTHER);
    else {
      const isSame = newStop - out === stop - at && memory.compare(out, at, stop - at) === 0;
      if (filter !== 0) others = note(others, out - output, newStop - out, isSame ? STAYS : CHANGED);
      else if (isSame) quiet++;
      else changed++;
      out = newStop;
      from = stop;
    }
    at = feed + 1;
  }
  memory.copy(out, from, end - from);
  outputEnd = out + (end - from);
  return filter === 0 ? others : keepAliases(firstOther, others);
}

/** Counts and forgets the lines that are no source. Apart and without a branch, so that a processor waits for many words of the filter at once. */
function keepAliases(first: usize, end: usize): usize {
  let kept = first;
  for (let at = first; at < end; at += 16) {
    const what = load<i32>(at, 12);
    const isKept = i32(what === OTHER) | i32(mayBeAlias(load<u32>(at, 8)));
    v128.store(kept, v128.load(at));
    kept += isKept << 4;
    quiet += i32(what === STAYS) & ~isKept;
    changed += i32(what === CHANGED) & ~isKept;
  }
  return kept;
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

/** Where a line begins in the output; of one that may be an alias's source, its URL's length and hash. */
function note(others: usize, start: usize, length: usize, what: i32): usize {
  store<u32>(others, start as u32);
  store<u32>(others, length as u32, 4);
  store<u32>(others, urlHash, 8);
  store<i32>(others, what, 12);
  return others + 16;
}
