import fc from "fast-check";
import { expect, it } from "vitest";
import { grown } from "#src/tables/grown.js";
import { HashSlots } from "#src/tables/hash-slots.js";
import { NumberColumn } from "#src/tables/number-column.js";

it("grows an array of any type, with what was in it", () => {
  for (const array of [Uint8Array.of(1, 2), Uint32Array.of(1, 2), Int32Array.of(-1, 2), Float64Array.of(0.5, 2)]) {
    const longer = grown(array, 5);
    expect(longer.constructor).toBe(array.constructor);
    expect([...longer]).toEqual([...array, 0, 0, 0]);
  }
  expect(grown(BigUint64Array.of(3n), 2)).toEqual(BigUint64Array.of(3n, 0n));
});

it("keeps all numbers of a column that grows", () => {
  const column = new NumberColumn();
  for (let i = 0; i < 3000; i++) column.push(2 ** 32 - 1 - i);
  expect(column.values).toEqual(Uint32Array.from({ length: 3000 }, (_, i) => 2 ** 32 - 1 - i));
});

it("finds what was put into slots, as a Map does, whatever the hashes are", () => {
  const operations = fc.array(fc.tuple(fc.nat(60), fc.boolean()), { maxLength: 200 });
  // Few distinct hashes, large ones among them: entries meet in the same slots.
  const hashing = fc.constantFrom(
    (key: number) => key,
    (key: number) => key % 3,
    (key: number) => (0xffffffff - (key % 5)) >>> 0,
    (key: number) => Math.imul(key, 0x9e3779b1) >>> 0,
  );
  fc.assert(
    fc.property(operations, hashing, (asked, hashOf) => {
      const slots = new HashSlots(4);
      const keys: number[] = [];
      const known = new Map<number, number>();
      for (const [key, adds] of asked) {
        const hash = hashOf(key);
        let slot = slots.first(hash);
        while (slots.entry(slot) >= 0) {
          if (slots.hash(slot) === hash && keys[slots.entry(slot)] === key) break;
          slot = slots.next(slot);
        }
        expect(slots.entry(slot)).toBe(known.get(key) ?? -1);
        if (!adds || known.has(key)) continue;
        slots.set(slot, keys.length, hash);
        known.set(key, keys.length);
        keys.push(key);
        if (2 * keys.length > slots.size) slots.double();
      }
    }),
  );
});
