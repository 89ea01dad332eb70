/** Arrays of token counts, COUNT_BYTES each: the kernel is compiled once for each width, see scripts/kernels.mjs. */

@unmanaged
export class Counts {
  [key: number]: i32;

  @inline
  @operator("[]")
  at(index: i32): i32 {
    if (COUNT_BYTES === 1) return load<u8>(changetype<usize>(this) + index);
    if (COUNT_BYTES === 2) return load<u16>(changetype<usize>(this) + (index << 1));
    return load<i32>(changetype<usize>(this) + (index << 2));
  }

  @inline
  @operator("[]=")
  set(index: i32, value: i32): void {
    if (COUNT_BYTES === 1) store<u8>(changetype<usize>(this) + index, value);
    else if (COUNT_BYTES === 2) store<u16>(changetype<usize>(this) + (index << 1), value);
    else store<i32>(changetype<usize>(this) + (index << 2), value);
  }

  /** Sets the elements from..to-1 to NO_COUNT. */
  @inline
  clear(from: i32, to: i32): void {
    memory.fill(changetype<usize>(this) + from * COUNT_BYTES, 0xff, (to - from) * COUNT_BYTES);
  }
}

/** The largest value of its width means "none". */
export const NO_COUNT: i32 = COUNT_BYTES === 1 ? 0xff : COUNT_BYTES === 2 ? 0xffff : -1;
