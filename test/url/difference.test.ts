import fc from "fast-check";
import { expect, it } from "vitest";
import { difference } from "#src/url/difference.js";
import { isTokenBoundary } from "#src/url/tokenize.js";

it("tells whole tokens", () => {
  expect(difference("/story_12", "/s/12")).toEqual({ prefix: "/", from: "story_", to: "s/", suffix: "12" });
  expect(difference("a.php?x=1", "a.html?x=1")).toEqual({ prefix: "a.", from: "php", to: "html", suffix: "?x=1" });
  expect(difference("/x", "/x")).toEqual({ prefix: "/x", from: "", to: "", suffix: "" });
});

it("puts both strings together again, cut at token boundaries", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "1", "/", "?", "=", "\u{1f600}"), maxLength: 8 });
  fc.assert(
    fc.property(piece, piece, piece, piece, (p, x, y, s) => {
      const [a, b] = [p + x + s, p + y + s];
      const { prefix, from, to, suffix } = difference(a, b);
      expect([prefix + from + suffix, prefix + to + suffix]).toEqual([a, b]);
      for (const [text, middle] of [
        [a, from],
        [b, to],
      ] as const) {
        expect(isTokenBoundary(text, prefix.length)).toBe(true);
        expect(isTokenBoundary(text, prefix.length + middle.length)).toBe(true);
      }
    }),
  );
});
