/**
 * Counts what one list of chunks has in common with 128 others at a time. Each chunk is a row of bits, one for each list of a block.
 * The rows of a list's chunks are added up column by column; the sums are kept in binary, one vector for all columns' lowest bit,
 * one for the next, and so on (full adders: eight rows become one vector of eights).
 */
import { GROUPS } from "../constants";

/** Bits of a sum: no list is longer than 2^20 chunks here. */
const PLANES = 20;
const VECTOR: usize = 16;

const planes: usize = memory.data(PLANES * 16, 16);
/** For each group of columns the last answer, as bits. */
export const answers: usize = memory.data(GROUPS * 16, 16);
/** All that follows in the memory is free. */
export const heap: usize = __heap_base;

/**
 * Which columns of those groups have more than `tooFew` chunks of a list: as bits in `answers`, of those groups that are in the result.
 * The list is given by the addresses of its rows, from `start` to `end`.
 */
export function moreThan(start: usize, end: usize, tooFew: u32, groups: u32): u32 {
  let found: u32 = 0;
  for (; groups !== 0; groups &= groups - 1) {
    const group = ctz(groups);
    const offset = (group as usize) * VECTOR;
    const sharing = sumsAbove(start, end, offset, tooFew);
    v128.store(answers + offset, sharing);
    if (v128.any_true(sharing)) found |= 1 << group;
  }
  return found;
}

function row(list: usize, offset: usize): v128 {
  return v128.load((load<u32>(list) as usize) + offset);
}

/** Of three bits in a column: whether two or all are set. */
function majority(a: v128, b: v128, c: v128): v128 {
  return v128.or(v128.and(a, b), v128.and(v128.xor(a, b), c));
}

function odd(a: v128, b: v128, c: v128): v128 {
  return v128.xor(v128.xor(a, b), c);
}

function sumsAbove(start: usize, end: usize, offset: usize, tooFew: u32): v128 {
  const height = 32 - clz<u32>(((end - start) >> 2) as u32);
  if (tooFew >>> height !== 0) return i32x4.splat(0);
  const top: usize = planes + (height as usize) * VECTOR;
  for (let plane = planes; plane < top; plane += VECTOR) v128.store(plane, i32x4.splat(0));
  let ones = i32x4.splat(0);
  let twos = i32x4.splat(0);
  let fours = i32x4.splat(0);
  let at = start;
  for (; at + 32 <= end; at += 32) {
    let a = row(at, offset);
    let b = row(at + 4, offset);
    let twosA = majority(ones, a, b);
    ones = odd(ones, a, b);
    a = row(at + 8, offset);
    b = row(at + 12, offset);
    let twosB = majority(ones, a, b);
    ones = odd(ones, a, b);
    const foursA = majority(twos, twosA, twosB);
    twos = odd(twos, twosA, twosB);
    a = row(at + 16, offset);
    b = row(at + 20, offset);
    twosA = majority(ones, a, b);
    ones = odd(ones, a, b);
    a = row(at + 24, offset);
    b = row(at + 28, offset);
    twosB = majority(ones, a, b);
    ones = odd(ones, a, b);
    const foursB = majority(twos, twosA, twosB);
    twos = odd(twos, twosA, twosB);
    const eights = majority(fours, foursA, foursB);
    fours = odd(fours, foursA, foursB);
    carry(planes + 3 * VECTOR, eights);
  }
  for (; at < end; at += 4) {
    const bits = row(at, offset);
    const two = v128.and(ones, bits);
    ones = v128.xor(ones, bits);
    const four = v128.and(twos, two);
    twos = v128.xor(twos, two);
    const eights = v128.and(fours, four);
    fours = v128.xor(fours, four);
    carry(planes + 3 * VECTOR, eights);
  }
  v128.store(planes, ones);
  v128.store(planes, twos, VECTOR);
  v128.store(planes, fours, 2 * VECTOR);
  return above(height, tooFew);
}

/** Adds bits to the sums, from that plane on. */
function carry(plane: usize, bits: v128): void {
  for (; v128.any_true(bits); plane += VECTOR) {
    const sum = v128.load(plane);
    v128.store(plane, v128.xor(sum, bits));
    bits = v128.and(sum, bits);
  }
}

/** From the highest bit on: more where the sum has a one and the bound has none, as long as they are equal above. */
function above(height: u32, tooFew: u32): v128 {
  let more = i32x4.splat(0);
  let equal = i32x4.splat(-1);
  for (let bit = height; bit > 0; bit--) {
    const sum = v128.load(planes + ((bit - 1) as usize) * VECTOR);
    if (((tooFew >>> (bit - 1)) & 1) === 0) {
      more = v128.or(more, v128.and(equal, sum));
      equal = v128.andnot(equal, sum);
    } else equal = v128.and(equal, sum);
  }
  return more;
}
