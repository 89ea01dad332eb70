import fc from "fast-check";
import { expect, it } from "vitest";
import { columnOf, stringAt, stringsOf } from "#src/string-column.js";

it("strings go into a column and come out as they were, ASCII or not", () => {
  let mixed = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.string({ unit: "grapheme" })), { maxLength: 20 }), (strings) => {
      const column = columnOf(strings);
      expect(column.count).toBe(strings.length);
      expect(strings.map((_, i) => stringAt(column, i))).toEqual(strings);
      expect([...stringsOf(column)]).toEqual(strings);
      expect(Buffer.from(column.bytes).toString()).toBe(strings.join(""));
      if (column.bytes.length > strings.join("").length) mixed++;
    }),
  );
  expect(mixed).toBeGreaterThan(10);
  const many = Array.from({ length: 25_000 }, (_, i) => `http://a.test/${i}${i === 20_001 ? "é" : ""}`);
  for (const strings of [many, many.slice(0, 20_000)]) {
    expect(stringAt(columnOf(strings), strings.length - 1)).toBe(strings.at(-1));
    expect(stringAt(columnOf(strings), 10_000)).toBe(strings[10_000]);
    expect([...stringsOf(columnOf(strings))]).toEqual(strings);
  }
});
