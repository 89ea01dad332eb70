import { expect, it } from "vitest";
import { describeRule } from "#src/canon/describe.js";
import { mineSite } from "#src/jobs/mine.js";
import { detectDefaults } from "#src/mine/detect.js";
import { eliminateDefaults } from "#src/mine/eliminate.js";
import { quietly } from "#src/model.js";
import { listOf } from "../mine/parameters-lists.js";

async function minedFrom(urls: readonly string[]): Promise<string[]> {
  const list = listOf(urls.map((url) => ({ url })));
  const options = { ...detectDefaults, ...eliminateDefaults };
  const { rules } = await mineSite({ by: "host", name: "a.test" }, list, options, quietly);
  return rules.map((rule) => describeRule({ ...rule, scope: {} }));
}

const pages = Array.from({ length: 30 }, (_, i) => `http://a.test/list${i}`);

it("says no more of a parameter that never has a value than that it is empty", async () => {
  const found = await minedFrom(pages.flatMap((url) => [url, `${url}?q=`]));
  expect(found).toContain("drop empty ?q");
  expect(found).not.toContain("drop ?q");
  const given = await minedFrom(pages.flatMap((url, i) => [url, `${url}?q=${i % 3 === 0 ? "" : i}`]));
  expect(given).toContain("drop ?q");
});
