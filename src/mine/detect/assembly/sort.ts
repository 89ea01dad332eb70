/**
 * Sorts sequences of tokens that end with an anchor, by token ids: any order that keeps equal beginnings together serves.
 * Multikey quicksort (Bentley and Sedgewick 1997), two tokens at a time as one 64-bit key.
 */
import { END, FEW, START } from "../constants";
import { LongWords, Words } from "./arrays";
import { Counts } from "./counts";
import { tokens } from "./list";

/** Ranges of at most this many keys are sorted by insertion. */
const FEW_KEYS = 16;

/** Item i begins at token first[i] and goes on by `step`, to the token `last` or for `limit` tokens. */
let first = changetype<Words>(0);
let step: i32 = 0;
let last: i32 = 0;
let limit: i32 = 0;
/** What is sorted, its keys beside it, and the tokens that each item has in common with the one before. */
let items = changetype<Words>(0);
let keys = changetype<LongWords>(0);
let common = changetype<Counts>(0);
/** Ranges that are still to be sorted: low, high, depth. */
let pending = changetype<Words>(0);
let pendingCount: i32 = 0;

/** All URLs, from their first token (step 1) or from their last (-1); `firsts` is room for a word a URL. */
export function sortUrls(
  urlStarts: Words,
  count: i32,
  by: i32,
  firsts: Words,
  order: Words,
  equal: Counts,
  longest: i32,
  keyRoom: LongWords,
  pendingRoom: Words,
): void {
  for (let url = 0; url < count; url++) {
    order[url] = url;
    firsts[url] = by === 1 ? urlStarts[url] : urlStarts[url + 1] - 1;
  }
  sortSequences(firsts, by, order, equal, count, longest, keyRoom, pendingRoom);
}

/**
 * Sorts `count` items. Sets equal[k] to the tokens that the k-th item has in common with the one before, equal[0] to 0. `keyRoom`
 * has 8 bytes an item, `pendingRoom` 3 words for every FEW items.
 */
export function sortSequences(
  firsts: Words,
  by: i32,
  sequence: Words,
  equal: Counts,
  count: i32,
  most: i32,
  keyRoom: LongWords,
  pendingRoom: Words,
): void {
  first = firsts;
  step = by;
  last = by === 1 ? END : START;
  items = sequence;
  common = equal;
  limit = most;
  keys = keyRoom;
  pending = pendingRoom;
  if (count > 0) common[0] = 0;
  if (count <= FEW || limit === 0) {
    sortFew(0, count, 0);
    return;
  }
  pendingCount = 0;
  sortLater(0, count, 0);
  while (pendingCount > 0) {
    pendingCount -= 3;
    sortRange(pending[pendingCount], pending[pendingCount + 1], pending[pendingCount + 2]);
  }
}

function sortLater(low: i32, high: i32, depth: i32): void {
  pending[pendingCount] = low;
  pending[pendingCount + 1] = high;
  pending[pendingCount + 2] = depth;
  pendingCount += 3;
}

/** Sorts items[low .. high), whose first `depth` tokens are equal, by the next two tokens, and sees to what these leave equal. */
function sortRange(low: i32, high: i32, depth: i32): void {
  const width = depth + 1 < limit ? 2 : 1;
  if (readKeys(low, high, depth, width)) sortByKeys(low, high);
  for (let from = low, to = low; from < high; from = to) {
    const key = keys[from];
    const token = (key >> 32) as i32;
    to++;
    while (to < high && keys[to] === key) to++;
    if (from > low) common[from] = depth + i32(((keys[from - 1] >> 32) as i32) === token);
    if (to - from === 1) continue;
    if (token === last || depth + width >= limit || (width === 2 && (key as i32) === last)) {
      const equal = depth + (token === last ? 1 : width);
      for (let i = from + 1; i < to; i++) common[i] = equal;
    } else if (to - from <= FEW) sortFew(from, to, depth + width);
    else sortLater(from, to, depth + width);
  }
}

/** Sets the keys of items[low .. high); is one of them different from the first? */
function readKeys(low: i32, high: i32, depth: i32, width: i32): bool {
  let isMixed = false;
  let firstKey: u64 = 0;
  for (let i = low; i < high; i++) {
    const at = first[items[i]] + step * depth;
    const token = tokens[at];
    const second = width === 2 && token !== last ? tokens[at + step] : 0;
    const key = ((token as u64) << 32) | (second as u64);
    keys[i] = key;
    if (i === low) firstKey = key;
    else if (key !== firstKey) isMixed = true;
  }
  return isMixed;
}

/** Three-way quicksort of keys[low .. high), items with them. */
function sortByKeys(low: i32, high: i32): void {
  while (high - low > FEW_KEYS) {
    const pivot = medianOfThree(keys[low], keys[(low + high) >>> 1], keys[high - 1]);
    let less = low;
    let more = high;
    for (let i = low; i < more; ) {
      const key = keys[i];
      if (key === pivot) i++;
      else if (key < pivot) swap(i++, less++, key);
      else swap(i, --more, key);
    }
    // The larger part in this loop, so that the stack stays small.
    if (less - low < high - more) {
      sortByKeys(low, less);
      low = more;
    } else {
      sortByKeys(more, high);
      high = less;
    }
  }
  insertByKeys(low, high);
}

function medianOfThree(a: u64, b: u64, c: u64): u64 {
  return max(min(a, b), min(max(a, b), c));
}

/** `key` is that of the first one. */
function swap(i: i32, k: i32, key: u64): void {
  const item = items[i];
  keys[i] = keys[k];
  items[i] = items[k];
  keys[k] = key;
  items[k] = item;
}

function insertByKeys(low: i32, high: i32): void {
  for (let i = low + 1; i < high; i++) {
    const key = keys[i];
    const item = items[i];
    let k = i;
    for (; k > low && keys[k - 1] > key; k--) {
      keys[k] = keys[k - 1];
      items[k] = items[k - 1];
    }
    keys[k] = key;
    items[k] = item;
  }
}

/** Sorts items[low .. high) by insertion, and sets what they have in common. */
function sortFew(low: i32, high: i32, depth: i32): void {
  for (let i = low + 1; i < high; i++) {
    const item = items[i];
    let k = i;
    for (; k > low && compareItems(item, items[k - 1], depth) & 1; k--) items[k] = items[k - 1];
    items[k] = item;
  }
  for (let i = low + 1; i < high; i++) common[i] = compareItems(items[i - 1], items[i], depth) >>> 1;
}

/** 2 * the tokens that two items have in common, up to the limit; 1 more if a comes before b. `depth` are known. */
function compareItems(a: i32, b: i32, depth: i32): i32 {
  let atA = first[a] + step * depth;
  let atB = first[b] + step * depth;
  for (; depth < limit; depth++) {
    const token = tokens[atA];
    if (token !== tokens[atB]) return (depth << 1) + i32(token < tokens[atB]);
    if (token === last) return (depth + 1) << 1;
    atA += step;
    atB += step;
  }
  return depth << 1;
}
