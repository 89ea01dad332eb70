import fc from "fast-check";
import { expect, it } from "vitest";
import { cut, renderLikelyRules } from "#src/cli/render-rules.js";
import type { Terminal } from "#src/cli/terminal.js";
import { difference } from "#src/url/difference.js";
import { makeRule } from "../canon/make-rule.js";

it("cuts two texts to the room there is, and what differs last", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 40 });
  fc.assert(
    fc.property(text, text, text, text, fc.integer({ min: 4, max: 60 }), (head, a, b, tail, room) => {
      const whole = difference(`${head}${a}${tail}`, `${head}${b}${tail}`);
      const { prefix, from, to, suffix } = cut(whole, room);
      for (const side of [from, to]) expect((prefix + side + suffix).length).toBeLessThanOrEqual(room);
      if (Math.max(whole.from.length, whole.to.length) <= room - 2) expect([from, to]).toEqual([whole.from, whole.to]);
      const longest = Math.max(whole.from.length, whole.to.length) + whole.prefix.length + whole.suffix.length;
      if (longest <= room) expect({ prefix, from, to, suffix }).toEqual(whole);
      expect(whole.prefix.endsWith(prefix.replace("…", ""))).toBe(true);
      expect(whole.suffix.startsWith(suffix.replace("…", ""))).toBe(true);
    }),
  );
});

it.each([40, 60, 80, 120, undefined])("likely rules fit a terminal of %s columns; a pipe gets them whole", (width) => {
  const nothing = () => {};
  const terminal: Terminal = {
    out: nothing,
    err: nothing,
    write: async () => {},
    color: false,
    unmask: false,
    width,
    progress: nothing,
    clear: nothing,
  };
  const long = "http://www.example.com/a/very/long/folder/of/many/names/and/more/names/forum/";
  const from = `${long}showthread.php?t=12345&page=2`;
  const to = `${long}printthread.php?t=12345&page=2`;
  const rule = makeRule({ from: `${long}show`, to: `${long}print`, start: true, support: 1234, example: { from, to } });
  const shown = renderLikelyRules(terminal, [rule], 5000);
  const lines = shown.split("\n");
  for (const line of lines) expect(line.length).toBeLessThan(width ?? Number.POSITIVE_INFINITY);
  expect(lines.some((line) => line.includes("showthread"))).toBe(true);
  expect(lines.some((line) => line.includes("printthread"))).toBe(true);
  if (width === undefined) expect(shown).toContain(from);
});
