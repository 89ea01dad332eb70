import fc from "fast-check";
import { expect, it } from "vitest";
import { UserError } from "#src/errors.js";
import { cutPage, readKey, writeKey } from "#src/store/browse/page.js";

it("goes through a list of any length page by page, each row once", () => {
  fc.assert(
    fc.property(fc.nat(40), fc.integer({ min: 1, max: 12 }), (length, limit) => {
      const list = Array.from({ length }, (_, i) => ({ place: i / 2, id: i }));
      const seen: number[] = [];
      for (let after: string | undefined; ; ) {
        const from = after === undefined ? 0 : readKey(after)[1] + 1;
        const { rows, next } = cutPage(list.slice(from, from + limit + 1), limit, ({ place, id }) =>
          writeKey([place, id]),
        );
        seen.push(...rows.map(({ id }) => id));
        if (next === undefined) break;
        expect(rows.length).toBe(limit);
        after = next;
      }
      expect(seen).toEqual(list.map(({ id }) => id));
    }),
  );
});

it("reads the keys that it wrote, and refuses all others", () => {
  const place = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.nat());
  fc.assert(
    fc.property(place, fc.nat(), (sort, tie) => {
      expect(readKey(writeKey([sort, tie]))).toEqual([sort + 0, tie]);
    }),
  );
  for (const text of ["", "_", "1", "1_", "_1", "1_2_3", "x_1", "1_x", "1_1.5", "1e999_1", "1;DROP_2"]) {
    expect(() => readKey(text)).toThrow(UserError);
  }
});
