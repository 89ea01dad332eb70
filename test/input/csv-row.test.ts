import fc from "fast-check";
import { expect, it } from "vitest";
import { CsvParser } from "#src/input/crawls/csv.js";
import { delimiters, readRow, unquoted } from "#src/input/csv-row.js";
import { urlFields } from "#src/input/url-fields.js";

const field = fc.string({ unit: fc.constantFrom("a", '"', ",", ";", "\t", "|", "\n", "\r", " ", "é"), maxLength: 6 });
const rowOfFields = fc.array(field, { minLength: 2, maxLength: 4 });
const written = (value: string) => (/[",;\t|\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

it("reads the rows that were written, and says so where the text ends too early", () => {
  fc.assert(
    fc.property(
      fc.array(rowOfFields, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...delimiters),
      fc.constantFrom("\n", "\r\n"),
      (rows, delimiter, lineEnd) => {
        const text = rows.map((row) => row.map(written).join(delimiter) + lineEnd).join("");
        let at = 0;
        for (const row of rows) {
          const read = readRow(text, at, delimiter, true)!;
          expect(read.regular).toBe(true);
          expect(read.fields).toEqual(row);
          for (let cut = at; cut < read.end; cut++) {
            expect(readRow(text.slice(0, cut), at, delimiter, false)).toBeUndefined();
          }
          at = read.end;
        }
        expect(at).toBe(text.length);
      },
    ),
  );
});

it.each([
  ['"a""b"', 'a"b'],
  ['""', ""],
  ['"', undefined],
  ['"a', undefined],
  ['"a"b', undefined],
  ['"a"b"', undefined],
  ['"a"b"c"', undefined],
  ['"""', undefined],
  ['a"b', 'a"b'],
])("%s says %s", (text, value) => {
  expect(unquoted(text)).toBe(value);
});

it("means the same by a table whether it is added or copied through", () => {
  const cell = fc.constantFrom("x", '"x"', '"x', 'x"', '"x"y', '"x,y"', '"x\ny"', '""', '"x""y"', "");
  const rows = fc.array(fc.tuple(cell, fc.nat(9)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(rows, (made) => {
      const text = `title,url\n${made.map(([title, i]) => `${title},http://a.test/${i}\n`).join("")}`;
      const sound = [...new CsvParser().push(text, true)].every(({ outcome }) => typeof outcome !== "string");
      fc.pre(sound);
      const added = [...new CsvParser().push(text, true)].map(({ outcome }) => (outcome as { url: string }).url);
      const fields = urlFields(Buffer.from(text), "url", "table.csv");
      const copied: string[] = [];
      for (let at = 0; at < text.length; ) {
        at = fields.next(text, at, true);
        if (fields.start >= 0) copied.push(fields.read(text.slice(fields.start, fields.end)));
      }
      expect(copied).toEqual(added);
    }),
  );
});
