import { describe, expect, it } from "vitest";
import { Neighbours } from "#src/validate/looks/neighbours.js";

describe("the neighbours of a URL", () => {
  const scripts = Array.from({ length: 30 }, (_, i) => `http://a.test/help/show?id=${i}`);
  const names = Array.from({ length: 30 }, (_, i) => `http://a.test/docs/part/item-${i}?tab=1`);
  const near = new Neighbours([...scripts, ...names, "http://a.test/docs/other/x", "http://b.test/docs/part/item-3"]);

  it("are what one script shows, with other parameters", () => {
    const some = near.of("http://a.test/help/show?id=7");
    expect(some).toHaveLength(12);
    expect(some.every((url) => scripts.includes(url))).toBe(true);
    expect(some).not.toContain("http://a.test/help/show?id=7");
  });

  it("are other names of one folder, whatever the parameters and the host of its own are", () => {
    const some = near.of("http://a.test/docs/part/item-3?sid=9");
    expect(some).toHaveLength(12);
    expect(some.some((url) => url.includes("/item-3"))).toBe(false);
    expect(some.every((url) => url.includes("/docs/part/"))).toBe(true);
  });

  it("come from the folder above where there are few", () => {
    const some = near.of("http://a.test/docs/other/y");
    expect(some).toHaveLength(12);
    expect(some.every((url) => url.includes("/docs/"))).toBe(true);
    expect(new Neighbours(["http://a.test/x"]).of("http://a.test/x")).toEqual([]);
    expect(near.of("no URL")).toEqual([]);
  });
});
