import { describe, expect, it } from "vitest";
import { describeRule } from "#src/canon/describe.js";
import { InterruptedError } from "#src/errors.js";
import { mineSiteHere } from "#src/jobs/mine/mine-site.js";
import { mineSite } from "#src/jobs/mine.js";
import { detectDefaults } from "#src/mine/detect.js";
import { eliminateDefaults } from "#src/mine/eliminate.js";
import { type Progress, quietly } from "#src/model.js";
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

describe("a long list", () => {
  const urls = Array.from({ length: 4000 }, (_, i) => `http://a.test/story?id=${i}`);
  const list = listOf(
    urls.flatMap((url) => [url, `${url}&ref=mail`, `${url.replace("//", "//www.")}`].map((url) => ({ url }))),
  );
  const options = { ...detectDefaults, ...eliminateDefaults, announce: () => {} };

  it("is mined in a thread, with the rules and the progress that it has without one", async () => {
    const [steps, stepsHere] = [new Set<string>(), new Set<string>()];
    const telling = (told: Set<string>) => ({ ...quietly, onProgress: ({ step }: Progress) => void told.add(step) });
    const mined = await mineSite({ by: "all" }, list, options, telling(steps));
    expect(mined.rules.length).toBeGreaterThan(1);
    expect(mined).toEqual(await mineSiteHere({ by: "all" }, list, options, telling(stepsHere)));
    expect(steps).toEqual(stepsHere);
  });

  it("can be given up in the middle of a step", async () => {
    const interrupt = new AbortController();
    // The thread goes on with its step while this is heard.
    const context = { onProgress: () => interrupt.abort(), signal: interrupt.signal };
    await expect(mineSite({ by: "all" }, list, options, context)).rejects.toThrow(
      new InterruptedError("no rule was written"),
    );
  });
});
