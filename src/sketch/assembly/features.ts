/**
 * Shingles, and the features of a text: for each function the shingle with the smallest image. Four functions per
 * vector.
 */
import { BLOCK_SHINGLES, FEATURES, SEGMENT_SHINGLES } from "../constants";
import { mix, SHINGLE_FACTOR } from "./hash";

/** A block holds the low halves of its shingles, then the high halves: a vector of either is one load. */
const HIGH_HALVES: usize = BLOCK_SHINGLES * 4;
const BLOCK_BYTES: usize = BLOCK_SHINGLES * 8;
const SEGMENT_BLOCKS = SEGMENT_SHINGLES / BLOCK_SHINGLES;

/** By function, 4 bytes each: its multiplier, and the high half of the smallest image so far. */
export const multipliers: usize = memory.data(FEATURES * 4, 16);
export const minima: usize = memory.data(FEATURES * 4, 16);
/** By function, 8 bytes: the pre-image of that minimum. */
export const features: usize = memory.data(FEATURES * 8, 16);
/** A segment's shingles, in blocks, and for each block the smallest image of each function. */
const blocks: usize = memory.data(SEGMENT_SHINGLES * 8, 16);
const blockMinima: usize = memory.data(SEGMENT_BLOCKS * FEATURES * 4, 16);

/**
 * Brings minima and features of the first `functions` functions up to date with `count` shingles of `length` words, the first of
 * which begins at `word`.
 */
export function addSegment(word: usize, count: i32, length: i32, functions: i32): void {
  const stride: usize = functions * 4;
  const filled = fillBlocks(word, count, length);
  findMinima(filled, stride);
  findPreImages(filled, functions, stride);
}

/** Fills blocks with the fingerprints of the shingles; returns the number of blocks. */
function fillBlocks(word: usize, count: i32, length: i32): i32 {
  let sum: u64 = 0;
  let power: u64 = 1;
  let next = word;
  for (let i = 0; i < length; i++) {
    sum = sum * SHINGLE_FACTOR + load<u64>(next);
    power *= SHINGLE_FACTOR;
    next += 8;
  }
  let shingle: u64 = 0;
  let index = 0;
  while (index < count) {
    shingle = mix(sum);
    storeShingle(index++, shingle);
    // The sum rolls on: without the shingle's first word, with the next one.
    sum = sum * SHINGLE_FACTOR - load<u64>(word) * power + load<u64>(next);
    word += 8;
    next += 8;
  }
  // The last block is filled up with a shingle that is already there: the set stays the same.
  while (index % BLOCK_SHINGLES !== 0) storeShingle(index++, shingle);
  return index / BLOCK_SHINGLES;
}

function storeShingle(index: usize, shingle: u64): void {
  const place = blocks + (index / BLOCK_SHINGLES) * BLOCK_BYTES + (index % BLOCK_SHINGLES) * 4;
  store<u32>(place, shingle as u32);
  store<u32>(place, (shingle >> 32) as u32, HIGH_HALVES);
}

/** For each block of shingles and each function the smallest image's high half. */
function findMinima(count: i32, stride: usize): void {
  let block = blocks;
  let out = blockMinima;
  for (; count > 0; count--) {
    for (let at: usize = 0; at < stride; at += 16) v128.store(out + at, i8x16.splat(-1));
    for (let four = block; four < block + HIGH_HALVES; four += 16) takeFour(four, out, stride);
    block += BLOCK_BYTES;
    out += stride;
  }
}

/** Four shingles at a time share the loading and storing of the minima. */
function takeFour(shingles: usize, out: usize, stride: usize): void {
  const low0 = v128.load_splat<u32>(shingles);
  const low1 = v128.load_splat<u32>(shingles, 4);
  const low2 = v128.load_splat<u32>(shingles, 8);
  const low3 = v128.load_splat<u32>(shingles, 12);
  const high0 = v128.load_splat<u32>(shingles, HIGH_HALVES);
  const high1 = v128.load_splat<u32>(shingles, HIGH_HALVES + 4);
  const high2 = v128.load_splat<u32>(shingles, HIGH_HALVES + 8);
  const high3 = v128.load_splat<u32>(shingles, HIGH_HALVES + 12);
  for (let at: usize = 0; at < stride; at += 16) {
    const factors = v128.load(multipliers + at);
    let least = v128.load(out + at);
    least = i32x4.min_u(least, i32x4.add(high0, i32x4.mul(low0, factors)));
    least = i32x4.min_u(least, i32x4.add(high1, i32x4.mul(low1, factors)));
    least = i32x4.min_u(least, i32x4.add(high2, i32x4.mul(low2, factors)));
    least = i32x4.min_u(least, i32x4.add(high3, i32x4.mul(low3, factors)));
    v128.store(out + at, least);
  }
}

/**
 * Brings minima and features up to date with the blocks. Every shingle that attains a minimum is seen, so that of equal high
 * halves of images the smaller low half wins, whatever the order.
 */
function findPreImages(count: i32, functions: i32, stride: usize): void {
  for (let index = 0; index < functions; index += 4) {
    const from = blockMinima + index * 4;
    const to = from + (count as usize) * stride;
    const minimum = leastOf(minima + index * 4, from, to, stride);
    setMinima(index, minimum);
    let block = blocks;
    for (let at = from; at < to; at += stride) {
      if (v128.any_true(i32x4.eq(minimum, v128.load(at)))) {
        for (let i = 0; i < 4; i++) {
          if (load<u32>(minima + (index + i) * 4) === load<u32>(at + i * 4)) searchBlock(index + i, block);
        }
      }
      block += BLOCK_BYTES;
    }
  }
}

function leastOf(known: usize, from: usize, to: usize, stride: usize): v128 {
  let least = v128.load(known);
  for (let at = from; at < to; at += stride) least = i32x4.min_u(least, v128.load(at));
  return least;
}

/** Of four functions. A new minimum has no pre-image yet: all ones gives way to any. */
function setMinima(index: i32, minimum: v128): void {
  const isOld = i32x4.bitmask(i32x4.eq(minimum, v128.load(minima + index * 4)));
  for (let i = 0; i < 4; i++) if ((isOld & (1 << i)) === 0) store<u64>(features + (index + i) * 8, -1);
  v128.store(minima + index * 4, minimum);
}

/** Makes the function's feature the pre-image of its minimum in the block, if smaller. */
function searchBlock(index: i32, block: usize): void {
  const minimum = load<u32>(minima + index * 4);
  const multiplier = load<u32>(multipliers + index * 4);
  const feature = features + index * 8;
  const sought = i32x4.splat(minimum);
  const factors = i32x4.splat(multiplier);
  for (let four = block; four < block + HIGH_HALVES; four += 16) {
    const images = i32x4.add(v128.load(four, HIGH_HALVES), i32x4.mul(v128.load(four), factors));
    if (!v128.any_true(i32x4.eq(images, sought))) continue;
    for (let at = four; at < four + 16; at += 4) {
      const low = load<u32>(at);
      const high = load<u32>(at, HIGH_HALVES);
      if (high + low * multiplier === minimum && low <= load<u32>(feature)) {
        store<u32>(feature, low);
        store<u32>(feature, high, 4);
      }
    }
  }
}
