import { afterAll, beforeAll, expect, it } from "vitest";
import { documentOf } from "#src/demo/pages.js";
import { type DemoSite, startDemoSite } from "#src/demo/site.js";

let site: DemoSite;
beforeAll(async () => {
  site = await startDemoSite({ port: 0 });
});
afterAll(() => site.close());

/** The page without what changes from one request to the next. */
async function fetchStable(url: string): Promise<string> {
  const { hostname, pathname, search } = new URL(url);
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    request({ port: site.port, path: pathname + search, headers: { host: hostname } }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => resolve(body.replace(/<p>(Advertisement|Seen).*<\/p>/g, "")));
    })
      .on("error", reject)
      .end();
  });
}

it.each([
  ["http://forum.test/story?id=7", "http://www.forum.test/story_7?sid=abc"],
  ["http://forum.test/story.php?id=7", "http://forum.test/story?LastView=&Close=&id=7"],
  ["http://movies.forum.test/thread?rep=3&start=10", "http://movies.forum.test/thread_3?start=10"],
  ["http://forum.test/", "http://forum.test/index.html"],
  ["http://forum.test/archive/2005/", "http://forum.test/archive/2005/index.html"],
  ["http://forum.test/help/faq", "http://forum.test/help/FAQ"],
  ["http://forum.test/search?q=film&page=2", "http://forum.test/search?page=2&q=film"],
])("the same document at %s and %s", async (a, b) => {
  expect(documentOf(a)).toBeDefined();
  expect(documentOf(b)).toBe(documentOf(a));
  expect(await fetchStable(b)).toBe(await fetchStable(a));
});

it.each([
  ["http://forum.test/story?id=7", "http://movies.forum.test/story?id=7"],
  ["http://forum.test/story?id=7", "http://forum.test/story?id=7&view=print"],
  ["http://forum.test/thread?rep=3", "http://forum.test/thread?rep=3&start=10"],
  ["http://forum.test/img/pic-1.gif", "http://forum.test/img/pic-2.gif"],
])("different documents at %s and %s", async (a, b) => {
  expect(documentOf(b)).not.toBe(documentOf(a));
  expect(await fetchStable(b)).not.toBe(await fetchStable(a));
});

it("what does not exist is not a document, also where the site answers 200", async () => {
  expect(documentOf("http://forum.test/story_99999")).toBeUndefined();
  expect(documentOf("http://forum.test/tag/film/index.html")).toBeUndefined();
  expect(await fetchStable("http://forum.test/story_99999")).toBe(await fetchStable("http://forum.test/story_88888"));
});
