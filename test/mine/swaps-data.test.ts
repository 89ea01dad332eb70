import { expect, test } from "vitest";
import { swapsData } from "#src/mine/swaps-data.js";

test.each([
  ["?sid=8d3fa1c202", "?sid=77aa01bc93", true],
  ["/2012/", "/2014/", true],
  ["id=1301&", "id=1305&", true],
  ["/story_", "/story?id=", false],
  ["/14.x/", "/13.x/", false],
  ["&s=12345", "", false],
  ["/2012/x", "/2014/y", false],
])("%s -> %s", (from, to, expected) => {
  expect(swapsData({ kind: "substring", from, to, start: false, end: false })).toBe(expected);
});
