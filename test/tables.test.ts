import fc from "fast-check";
import { expect, it } from "vitest";
import { GroupSlots } from "#src/tables/group-slots.js";
import { grown } from "#src/tables/grown.js";
import { cellsFor, HashSlots } from "#src/tables/hash-slots.js";
import { ByteHash, hashString, hashWords } from "#src/tables/hashes.js";
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
    (key: number) => -1 - (key % 5),
    (key: number) => Math.imul(key, 0x9e3779b1),
  );
  fc.assert(
    fc.property(operations, hashing, (asked, hashOf) => {
      const slots = HashSlots.ofSize(4);
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

it("takes slots that another has filled, as threads do", () => {
  const cells = new Uint32Array(cellsFor(5));
  expect(cells.length).toBe(16);
  new HashSlots(cells).insert(7, -2);
  const slots = new HashSlots(cells);
  const slot = slots.first(-2);
  expect([slots.entry(slot), slots.hash(slot), slots.size]).toEqual([7, -2, 8]);
});

it("groups by equal keys, one group-by after the other, as a Map does", () => {
  const slots = new GroupSlots();
  const hashing = fc.constantFrom(
    (key: number) => key,
    () => -1,
    (key: number) => hashWords(key, 0),
  );
  const keys = fc.array(fc.nat(40), { maxLength: 3000 });
  fc.assert(
    fc.property(keys, hashing, fc.boolean(), (list, hashOf, inserts) => {
      slots.reset(list.length);
      const first = new Map<number, number>();
      for (const [place, key] of list.entries()) {
        let slot = slots.first(hashOf(key));
        while (slots.entry(slot) >= 0 && list[slots.entry(slot)] !== key) slot = slots.next(slot);
        expect(slots.entry(slot)).toBe(first.get(key) ?? -1);
        if (first.has(key)) continue;
        first.set(key, place);
        if (inserts) slots.insert(place, hashOf(key));
        else slots.set(slot, place);
      }
    }),
  );
});

it("hashes words one to one, and the same bytes alike wherever they are", () => {
  expect(new Set(Array.from({ length: 1 << 16 }, (_, word) => hashWords(word << 8, 0))).size).toBe(1 << 16);
  const hash = new ByteHash();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(9), (bytes, at) => {
      const moved = new Uint8Array(new SharedArrayBuffer(bytes.length + 20)).fill(1);
      moved.set(bytes, at);
      const value = hash.of(bytes, 0, bytes.length);
      expect(hash.of(moved, at, at + bytes.length)).toBe(value);
      expect(value).toBe(value | 0);
    }),
  );
  // Every byte counts, and so does the length.
  const strings = new Set<number>();
  for (let length = 0; length <= 20; length++) {
    strings.add(hash.of(new Uint8Array(length), 0, length));
    for (let i = 0; i < length; i++) strings.add(hash.of(new Uint8Array(length).fill(1, i, i + 1), 0, length));
  }
  expect(strings.size).toBe(21 + 210);
});

it("hashes strings as ever: a seed promises the order of draws", () => {
  expect([hashString("", 0), hashString("http://a.test/", 0x811c9dc5), hashString("é", 1)]).toEqual([
    0, 2031805983, 334620575,
  ]);
});
