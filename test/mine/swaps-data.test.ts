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
  ["&amp;start=0&amp;order=asc&amp;sid=", "&amp;view=previous&amp;sid=", true],
  ["&start=15&order=asc", "&order=asc&start=0", true],
  ["&start=0&order=asc", "&order=asc", false],
  ["?C=S;O=", "?C=D;O=", false],
  ["&a=1&b=2", "&b=2&a=1", false],
  ["?lang=en", "/en/", false],
  ["/en/?lang=en", "/en/?hl=en", true],
  ["?lang=", "?hl=", false],
  ["=3", "=1", true],
  ["=old", "=new", false],
])("%s -> %s", (from, to, expected) => {
  expect(swapsData({ kind: "substring", from, to, start: false, end: false })).toBe(expected);
});

test.each([
  ["20", true],
  ["grid", false],
  ["2019", true],
  ["20190617,view=grid", true],
  ["http%3A%2F%2Fa.test%2Fsome%2Flong%2Faddress.php", true],
])("set to %s", (value, expected) => {
  expect(swapsData({ kind: "parameter", name: "p", place: "query", action: "set", value })).toBe(expected);
});
