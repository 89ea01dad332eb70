/** Arrays in the memory that the kernel shares with TypeScript: a reference is the address of element 0. Nobody checks bounds. */

@unmanaged
export class Bytes {
  [key: number]: i32;

  @inline
  @operator("[]")
  at(index: i32): i32 {
    return load<u8>(changetype<usize>(this) + index);
  }

  @inline
  @operator("[]=")
  set(index: i32, value: i32): void {
    store<u8>(changetype<usize>(this) + index, value);
  }
}

@unmanaged
export class Words {
  [key: number]: i32;

  @inline
  @operator("[]")
  at(index: i32): i32 {
    return load<i32>(changetype<usize>(this) + (index << 2));
  }

  @inline
  @operator("[]=")
  set(index: i32, value: i32): void {
    store<i32>(changetype<usize>(this) + (index << 2), value);
  }
}

@unmanaged
export class LongWords {
  [key: number]: u64;

  @inline
  @operator("[]")
  at(index: i32): u64 {
    return load<u64>(changetype<usize>(this) + (index << 3));
  }

  @inline
  @operator("[]=")
  set(index: i32, value: u64): void {
    store<u64>(changetype<usize>(this) + (index << 3), value);
  }
}
