import { describe, expect, it } from "vitest";
import { Frontier } from "#src/fetch/frontier.js";
import { type AvoidMatcher, compileAvoidList } from "#src/url/avoid-list.js";

const open = (avoids: AvoidMatcher = () => undefined) =>
  new Frontier({
    canon: (url) => url.replace(/\?sid=.*/, ""),
    avoids,
    isAllowed: (url) => !url.includes("outside"),
  });

describe("the frontier", () => {
  it("gives each canonical URL once, hosts taking turns", () => {
    const frontier = open();
    for (const url of [
      "http://a/1",
      "http://a/2?sid=1",
      "http://a/2",
      "http://b/1",
      "http://outside/",
      "http://a/1?sid=2",
    ]) {
      frontier.add(url);
    }
    const order: string[] = [];
    for (let next = frontier.next(new Set()); next !== undefined; next = frontier.next(new Set())) order.push(next.url);
    expect(order).toEqual(["http://a/1", "http://b/1", "http://a/2"]);
    expect(frontier).toMatchObject({ found: 5, spared: 2, avoided: 0, waiting: 0 });
  });

  it("leaves busy hosts alone", () => {
    const frontier = open();
    frontier.add("http://a/1");
    frontier.add("http://b/1");
    expect(frontier.next(new Set(["a"]))).toEqual({ url: "http://b/1", host: "b" });
    expect(frontier.next(new Set(["a"]))).toBeUndefined();
    expect(frontier.waiting).toBe(1);
  });

  it("does not ask for what a redirect has answered, and gives no rule the credit", () => {
    const frontier = open();
    frontier.add("http://a/old");
    frontier.next(new Set());
    frontier.answer("http://a/old");
    frontier.answer("http://a/new");
    frontier.add("http://a/new");
    expect(frontier).toMatchObject({ found: 2, spared: 0, waiting: 0 });
    frontier.add("http://a/new?sid=1");
    expect(frontier).toMatchObject({ found: 3, spared: 1, waiting: 0 });
  });

  it("leaves out what the avoid-list names", () => {
    const frontier = open(compileAvoidList([{ kind: "prefix", value: "a.test/copy/" }]));
    for (const url of ["http://a.test/1", "http://a.test/copy/1", "http://a.test/copy/1?sid=3"]) frontier.add(url);
    expect(frontier).toMatchObject({ found: 3, avoided: 2, spared: 0, waiting: 1 });
  });
});
