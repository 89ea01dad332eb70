import fc from "fast-check";
import { expect, it } from "vitest";
import { bytes, count, counted, duration, expectedPages, percent } from "#src/numbers.js";

it("counts are grouped, and their nouns agree", () => {
  expect([0, 999, 1000, 1234567, -4321].map(count)).toEqual(["0", "999", "1,000", "1,234,567", "-4,321"]);
  expect([counted(1, "URL"), counted(2, "URL"), counted(0, "copy", "copies")]).toEqual(["1 URL", "2 URLs", "0 copies"]);
  expect([0.02, 1, 11.6].map(expectedPages)).toEqual(["less than one page", "about 1 page", "about 12 pages"]);
});

it("bytes have two digits, or three before the unit", () => {
  const shown = [0, 812, 999, 1000, 15_400, 999_499, 999_500, 9_949, 9_950, 1e15].map(bytes);
  expect(shown).toEqual([
    ...["0 B", "812 B", "999 B", "1.0 kB", "15 kB", "999 kB", "1.0 MB", "9.9 kB", "10 kB", "1000 TB"],
  ]);
  fc.assert(
    fc.property(fc.nat(1e12), (value) => {
      expect(bytes(value)).toMatch(/^(?:\d{1,3} B|\d\.\d [kMGT]B|\d{2,3} [kMGT]B)$/);
    }),
  );
});

it("shares have two digits, and only all is 100%, only nothing 0%", () => {
  const shown = [0, 0.482, 0.0482, 0.09949, 0.0995, 1 / 3, 0.9899, 0.99951, 0.999999, 1].map(percent);
  expect(shown).toEqual(["0%", "48%", "4.8%", "9.9%", "10%", "33%", "99%", "99.9%", "99.9%", "100%"]);
  expect([1e-9, 0.00009, 0.0001, 1.5].map(percent)).toEqual(["<0.01%", "<0.01%", "0.010%", "150%"]);
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (share) => {
      expect(percent(share)).toMatch(/^<0\.01%$|^\d\d?(?:\.\d{1,3})?%$/);
      expect(["0%", "100%"]).not.toContain(percent(share));
    }),
  );
});

it("a duration never has sixty seconds", () => {
  expect([0, 9.94, 9.96, 59.2, 119.7, 3599.6, 7199.9].map(duration)).toEqual([
    ...["0.0 s", "9.9 s", "10 s", "1 min 0 s", "2 min 0 s", "1 h 0 min", "2 h 0 min"],
  ]);
});
