/** Reads the pairs of an alias file, and makes the table that `AliasTable` of canon/aliases.ts looks them up in. */
import { FILTERED_BYTES } from "../../../canon/constants";
import { filterBits, filterWord, hashOfShortUrl, hashOfUrl, mixed } from "./hash";

const TAB = 9;
const FEED = 10;
/** Of a pair: where its source starts and ends, where its target ends, and the source's hash: four bytes each. */
const PAIR_BYTES: usize = 16;
const HASHED_IN_LANES: u32 = FILTERED_BYTES;

/** Pairs that are too old, and where the last whole line ends that was read. */
export let expired: i32 = 0;
export let readEnd: usize = 0;

let lanes = i32x4.splat(0);

/**
 * Stores the pairs of the whole lines from `start` to `end` that were seen at second `oldest` or later, and gives the end of what
 * was stored, 0 where a line is not a pair. `file` is where the file begins, `isLast` that its last line need not end.
 */
export function readPairs(start: usize, end: usize, isLast: bool, oldest: f64, file: usize, pairs: usize): usize {
  let out = pairs;
  readEnd = start;
  for (let at = start; at < end; ) {
    const fromEnd = fieldEnd(at, end);
    const hash = fromEnd - at < HASHED_IN_LANES ? hashOfShortUrl(at, fromEnd) : hashOfUrl(lanes, at, fromEnd);
    const hasTarget = fromEnd < end && load<u8>(fromEnd) === TAB;
    const toEnd = hasTarget ? fieldEnd(fromEnd + 1, end) : fromEnd;
    const hasSeconds = hasTarget && toEnd < end && load<u8>(toEnd) === TAB;
    let next = toEnd;
    while (next < end && load<u8>(next) === TAB) next = fieldEnd(next + 1, end);
    if (next >= end && !isLast) break;
    if (!hasSeconds) return 0;
    const seconds = numberAt(toEnd + 1, end);
    if (seconds < 0) return 0;
    if (seconds < oldest) expired++;
    else {
      store<u32>(out, (at - file) as u32);
      store<u32>(out, (fromEnd - file) as u32, 4);
      store<u32>(out, (toEnd - file) as u32, 8);
      store<u32>(out, hash, 12);
      out += PAIR_BYTES;
    }
    at = next + 1;
    readEnd = min(at, end);
  }
  return out;
}

/** The next tab or line feed, or the end. `lanes` is then the hash of all whole sixteens before it. */
function fieldEnd(start: usize, end: usize): usize {
  let all = i32x4.splat(0);
  for (let at = start; at < end; at += 16) {
    const bytes = v128.load(at);
    const ends = v128.or(i8x16.eq(bytes, i8x16.splat(0x09)), i8x16.eq(bytes, i8x16.splat(0x0a)));
    const bits = i8x16.bitmask(ends);
    if (bits !== 0 || at + 16 > end) {
      lanes = all;
      return bits === 0 ? end : min(at + ctz(bits), end);
    }
    all = mixed(all, bytes);
  }
  lanes = all;
  return end;
}

/** The decimal number at this place, up to the next tab or line feed; -1 where there is none. */
function numberAt(start: usize, end: usize): f64 {
  let value: f64 = 0;
  let at = start;
  for (; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte === TAB || byte === FEED) break;
    if (byte - 48 > 9) return -1;
    value = 10 * value + (byte - 48);
  }
  return at === start ? -1 : value;
}

/** Puts all pairs into the slots, of which there are a power of two, and the filter. Of two with one source the later one counts. */
export function fillTable(
  file: usize,
  pairs: usize,
  count: u32,
  slots: usize,
  slotCount: u32,
  filter: usize,
  filterShift: i32,
): void {
  const mask = slotCount - 1;
  for (let pair: u32 = 0; pair < count; pair++) {
    const at = pairs + PAIR_BYTES * (pair as usize);
    const hash = load<u32>(at, 12);
    let slot = slots + (((hash & mask) as usize) << 3);
    while (load<u32>(slot) !== 0 && !(load<u32>(slot, 4) === hash && isSame(file, pairs, load<u32>(slot) - 1, pair))) {
      slot = slots + ((slot - slots + 8) & (((slotCount as usize) << 3) - 1));
    }
    store<u32>(slot, pair + 1);
    store<u32>(slot, hash, 4);
    if (load<u32>(at, 4) - load<u32>(at) >= HASHED_IN_LANES) {
      const word = filterWord(filter, filterShift, hash);
      store<u32>(word, load<u32>(word) | filterBits(hash));
    }
  }
}

function isSame(file: usize, pairs: usize, a: u32, b: u32): bool {
  const first = pairs + PAIR_BYTES * (a as usize);
  const second = pairs + PAIR_BYTES * (b as usize);
  const length: usize = load<u32>(first, 4) - load<u32>(first);
  if (length !== load<u32>(second, 4) - load<u32>(second)) return false;
  return memory.compare(file + load<u32>(first), file + load<u32>(second), length) === 0;
}
