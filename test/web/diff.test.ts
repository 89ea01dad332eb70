import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "#src/web/server/diff.js";

/** Length of a longest common subsequence, by the table that everybody knows. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      lengths[i]![j] =
        a[i - 1] === b[j - 1] ? lengths[i - 1]![j - 1]! + 1 : Math.max(lengths[i - 1]![j]!, lengths[i]![j - 1]!);
    }
  }
  return lengths[a.length]![b.length]!;
}

const text = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 14 });

describe("texts side by side", () => {
  it("have both texts whole and in order, and as many equal lines as can be", () => {
    let withBoth = 0;
    fc.assert(
      fc.property(text, text, (left, right) => {
        const rows = diffLines(left, right);
        expect(rows.flatMap((row) => row.left ?? [])).toEqual(left);
        expect(rows.flatMap((row) => row.right ?? [])).toEqual(right);
        const same = rows.filter((row) => row.same);
        expect(same.every((row) => row.left === row.right)).toBe(true);
        expect(same).toHaveLength(commonLength(left, right));
        if (same.length > 0 && same.length < rows.length) withBoth++;
      }),
      { numRuns: 500 },
    );
    expect(withBoth).toBeGreaterThan(200);
  });

  it("do not take long where nothing is equal", () => {
    const left = Array.from({ length: 4000 }, (_, i) => `left ${i}`);
    const right = Array.from({ length: 3000 }, (_, i) => `right ${i}`);
    expect(diffLines(left, right)).toHaveLength(4000);
  });
});
