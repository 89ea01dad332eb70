/** Templates are matched as the regular expression does that says the same, and in time of the text's length. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { capturesOf, captureTypes, matchTemplate, parseTemplate } from "#src/canon/kinds/template-pattern.js";

const classes = { number: "[0-9]", hex: "[0-9A-Fa-f]", word: "[A-Za-z0-9_-]", segment: "[^/?&;=]", rest: "[^]" };

const literal = fc.string({ unit: fc.constantFrom(..."-/a7.?=é$"), minLength: 1, maxLength: 2 });
const template = fc
  .tuple(literal, fc.array(fc.tuple(fc.constantFrom(...captureTypes), literal), { maxLength: 4 }))
  .map(([head, rest]) => `/${head}${rest.map(([type, text], i) => `{c${i}:${type}}${text}`).join("")}`);

it("agrees with backtracking", () => {
  let matched = 0;
  fc.assert(
    fc.property(template, fc.string({ unit: fc.constantFrom(..."--/a7.?=é$"), maxLength: 12 }), (from, text) => {
      const parts = parseTemplate(from);
      if (typeof parts === "string") throw new Error(parts);
      const pattern = parts.map((part) =>
        typeof part === "string" ? part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&") : `(${classes[part.type]}+)`,
      );
      // A text that matches, and one that mostly does not.
      const example = parts.map((part) => (typeof part === "string" ? part : `7${text}`)).join("");
      for (const each of [example, `/${text}`]) {
        const found = new RegExp(`^${pattern.join("")}$`).exec(each);
        if (found !== null && capturesOf(parts).length > 1) matched++;
        const taken = matchTemplate(parts, each);
        expect(taken?.filter((_, i) => typeof parts[i] === "object")).toEqual(found?.slice(1));
        if (taken !== undefined) expect(taken.join("")).toBe(each);
      }
    }),
    { seed: 7, numRuns: 5000 },
  );
  expect(matched).toBeGreaterThan(300);
});

it("ends on long texts that can be divided in many ways", () => {
  const parts = parseTemplate("/{a:segment}-{b:segment}-{c:segment}-{d:segment}.html") as Exclude<
    ReturnType<typeof parseTemplate>,
    string
  >;
  expect(matchTemplate(parts, `/${"-".repeat(20_000)}`)).toBeUndefined();
  const taken = ["/", "-".repeat(19_994), "-", "-", "-", "-", "-", "-", ".html"];
  expect(matchTemplate(parts, taken.join(""))).toEqual(taken);
});
