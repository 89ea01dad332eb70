import { describe, expect, it } from "vitest";
import { decodeHtml, utf8Html } from "#src/sketch/charset.js";

const latin = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
};

describe("the encoding of a page", () => {
  it.each([
    ["a byte order mark beats the header", utf8("\ufeffé"), "text/html; charset=iso-8859-1", "é"],
    ["UTF-16 with a mark", utf16("\ufeffé", true), undefined, "é"],
    ["UTF-16 big-endian with a mark", utf16("\ufeffé", false), undefined, "é"],
    ["UTF-16 without a mark", utf16("<p>é", true), undefined, "<p>é"],
    ["the header", latin("\xcf\xf0"), "text/html; Charset = 'windows-1251'", "Пр"],
    [
      "the header beats the page",
      latin("<meta charset=utf-8>\xcf\xf0"),
      'text/html;charset="windows-1251"',
      "<meta charset=utf-8>Пр",
    ],
    [
      "a header with an unknown charset does not",
      latin("<meta charset=koi8-r>\xf0"),
      "text/html; charset=none",
      "<meta charset=koi8-r>П",
    ],
    [
      "meta charset",
      latin("<html><head><META CHARSET='koi8-r' />\xf0"),
      undefined,
      "<html><head><META CHARSET='koi8-r' />П",
    ],
    [
      "meta http-equiv",
      latin(`<meta content="text/html; charset=koi8-r" http-equiv=Content-Type>\xf0`),
      undefined,
      `<meta content="text/html; charset=koi8-r" http-equiv=Content-Type>П`,
    ],
    [
      "another meta's content does not count",
      latin(`<meta name=x content="charset=koi8-r">\xe9!`),
      undefined,
      `<meta name=x content="charset=koi8-r">é!`,
    ],
    [
      "a comment does not count",
      latin("<!--<meta charset=koi8-r>-->\xe9!"),
      undefined,
      "<!--<meta charset=koi8-r>-->é!",
    ],
    [
      "XML declaration",
      latin(`<?xml version="1.0" encoding="koi8-r"?>\xf0`),
      undefined,
      `<?xml version="1.0" encoding="koi8-r"?>П`,
    ],
    ["a page that says UTF-16 in ASCII is UTF-8", utf8("<meta charset=utf-16>é"), undefined, "<meta charset=utf-16>é"],
    ["undeclared, valid UTF-8", utf8("é"), "text/html", "é"],
    ["undeclared, valid UTF-8 except for its cut end", utf8("é€").subarray(0, 4), undefined, "é\ufffd"],
    ["undeclared, not UTF-8: windows-1252", latin("\x93\xe9"), undefined, "\u201cé"],
    ["declared, malformed", latin("\xe9a"), "text/html; charset=utf-8", "\ufffda"],
    ["Shift_JIS", Uint8Array.of(0x82, 0xa0), "text/html; charset=Shift_JIS", "あ"],
    ["nothing", new Uint8Array(0), undefined, ""],
  ])("%s", (_, bytes, contentType, expected) => {
    expect(decodeHtml(bytes, contentType)).toBe(expected);
    expect(new TextDecoder().decode(utf8Html(bytes, contentType))).toBe(expected);
  });

  it("leaves bytes alone that are UTF-8 already, or ASCII under any name", () => {
    const page = utf8("<p>é");
    expect(utf8Html(page, "text/html; charset=utf-8")).toBe(page);
    for (let offset = 0; offset < 5; offset++)
      for (let length = 0; length < 12; length++) {
        const bytes = new Uint8Array(20).fill(0x61).subarray(offset, offset + length);
        expect(utf8Html(bytes, "text/html; charset=windows-1251")).toBe(bytes);
        for (let i = 0; i < length; i++) {
          const other = bytes.slice();
          other[i] = 0xcf;
          const expected = `${"a".repeat(i)}П${"a".repeat(length - i - 1)}`;
          expect(new TextDecoder().decode(utf8Html(other, "text/html; charset=windows-1251"))).toBe(expected);
        }
      }
  });
});
