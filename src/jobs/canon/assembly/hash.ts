/** How `AliasTable` of canon/aliases.ts hashes a URL, and where its filter has the bits of a hash. */
import { FILTERED_BYTES, HASH_FACTOR } from "../../../canon/constants";

const FACTOR: u32 = HASH_FACTOR;

/** `lanes` has all whole sixteens of the URL's bytes; the last sixteen, which overlap them, are taken here. */
export function hashOfUrl(lanes: v128, start: usize, end: usize): u32 {
  lanes = mixed(lanes, v128.load(end - FILTERED_BYTES));
  let hash: u32 = (end - start) as u32;
  hash = mixedWord(hash, i32x4.extract_lane(lanes, 0));
  hash = mixedWord(hash, i32x4.extract_lane(lanes, 1));
  hash = mixedWord(hash, i32x4.extract_lane(lanes, 2));
  return mixedWord(hash, i32x4.extract_lane(lanes, 3));
}

/** Of a URL that is shorter than what is loaded at once. */
export function hashOfShortUrl(start: usize, end: usize): u32 {
  let hash: u32 = (end - start) as u32;
  for (let at = start; at < end; at++) hash = mixedWord(hash, load<u8>(at));
  return hash;
}

export function mixed(lanes: v128, bytes: v128): v128 {
  const product = i32x4.mul(v128.xor(lanes, bytes), i32x4.splat(FACTOR));
  return v128.xor(product, i32x4.shr_u(product, 15));
}

function mixedWord(hash: u32, lane: u32): u32 {
  const product = (hash ^ lane) * FACTOR;
  return product ^ (product >>> 15);
}

/** The word of a filter that has the bits of a hash; what is left of it after `shift` bits is the word's number. */
export function filterWord(filter: usize, shift: i32, hash: u32): usize {
  return filter + (((hash * FACTOR) >>> shift) << 2);
}

export function filterBits(hash: u32): u32 {
  return (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31)) | (1 << ((hash >>> 10) & 31));
}
