import { describe, expect, it } from "vitest";
import { snippetOf, termsOf } from "#src/pages/terms.js";

describe("terms", () => {
  it.each([
    ["Grüße, ab1c!", ["gruße", "ab1c"]],
    ["CAFÉ cafe\u0301 snake_case", ["cafe", "cafe", "snake", "case"]],
    ["日本語テストx", ["日", "本", "語", "テ", "ス", "ト", "x"]],
    ["ガイド", ["ガ", "イ", "ド"]],
    ["हिन्दी 한국어", ["हिन्दी", "한국어"]],
    [`a ${"z".repeat(65)} b`, ["a", "b"]],
    ["... --", []],
  ])("of %j", (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });
});

describe("a snippet", () => {
  const terms = new Set(["usb", "stick"]);
  it("is the line with most of the words, and with more than a heading", () => {
    expect(snippetOf("USB stick\nnothing\nTake the USB stick out before you boot.\nusb", terms)).toBe(
      "Take the USB stick out before you boot.",
    );
    expect(snippetOf("nothing here", terms)).toBe("");
  });

  it("is cut around the first word", () => {
    const found = snippetOf(`${"before ".repeat(60)}the USB stick ${"after ".repeat(60)}`, terms);
    expect(found).toMatch(/^\.\.\. (before )+the USB stick (after )+.*\.\.\.$/);
    expect(found.length).toBeLessThan(215);
    expect(snippetOf(`usb ${"x".repeat(195)}\u{1f600}${"y".repeat(20)}`, terms)).toBe(`usb ${"x".repeat(195)}...`);
  });
});
