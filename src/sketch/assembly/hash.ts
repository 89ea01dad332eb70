/** The fingerprints that ../fingerprinter.ts defines; its constants again, as 64-bit numbers. */
const TEXT_FACTOR: u64 = 0x9e3779b97f4a7c15;
const MIX_FACTOR_1: u64 = 0xff51afd7ed558ccd;
const MIX_FACTOR_2: u64 = 0xc4ceb9fe1a85ec53;
export const SHINGLE_FACTOR: u64 = 0xd6e8feb86659fd93;

/** The finalizer of MurmurHash3. */
export function mix(h: u64): u64 {
  h = (h ^ (h >> 33)) * MIX_FACTOR_1;
  h = (h ^ (h >> 33)) * MIX_FACTOR_2;
  return h ^ (h >> 33);
}

/** A class, since only methods can be inlined: a call for each word would be slow. */
export class Fingerprint {
  /** Of the bytes from `at` to `end`. Reads up to 7 bytes past the end. */
  @inline
  static of(at: usize, end: usize): u64 {
    let rest = end - at;
    let h: u64 = rest;
    for (; rest >= 8; rest -= 8) {
      h = addEight(h, load<u64>(at));
      at += 8;
    }
    if (rest > 0) {
      // The bytes past the end are shifted out, zeros in.
      const unused: u64 = 64 - 8 * rest;
      h = addEight(h, (load<u64>(at) << unused) >> unused);
    }
    return mix(h);
  }
}

function addEight(h: u64, bytes: u64): u64 {
  h = (h ^ bytes) * TEXT_FACTOR;
  return h ^ (h >> 32);
}
