import { expect, test } from "vitest";
import { contentClasses } from "#src/mine/content-classes.js";
import { listOf } from "./parameters-lists.js";

test("sketches name a class, else a size that is one; what is unknown or alone is in none", () => {
  const list = listOf([
    { url: "http://a.test/1", sketch: [1, 2, 3, 4], size: 7 },
    { url: "http://a.test/2", size: 7 },
    { url: "http://a.test/3", sketch: [1, 2, 3, 4], size: 9 },
    { url: "http://a.test/4", size: [7, 8] },
    { url: "http://a.test/5" },
    { url: "http://a.test/6", size: 7 },
    { url: "http://a.test/7", sketch: [1, 2, 3, 5] },
  ]);
  const classes = contentClasses(list, "auto")!;
  expect([...classes.rows]).toEqual([0, 1, 2, 5]);
  expect(classes.classOf[0]).toBe(classes.classOf[2]);
  expect(classes.classOf[1]).toBe(classes.classOf[3]);
  expect(classes.classOf[0]).not.toBe(classes.classOf[1]);
  expect(contentClasses(list, "none")).toBeUndefined();
  expect([...contentClasses(list, "size")!.rows]).toEqual([0, 1, 5]);
});
