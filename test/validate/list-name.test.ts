import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { drive, toTheEnd } from "#src/progress.js";
import { listName } from "#src/validate/list-name.js";

const plainly = (urls: readonly string[]) =>
  createHash("sha1")
    .update([...urls].sort().join("\n"))
    .digest("hex")
    .slice(0, 16);
// Neither sorted nor without repetitions, and characters on both sides of the surrogates.
const urls = (count: number) =>
  Array.from(
    { length: count },
    (_, i) => `http://a.test/${(i * 7919) % 100_003}${["\u00e9", "\u{1f600}", "\uff01"][i % 3]}`,
  );

it.each([0, 1, 2, 4096, 4097, 32_768, 32_769, 150_000])("names a list of %d URLs by their sorted text", (count) => {
  expect(toTheEnd(listName(urls(count)))).toBe(plainly(urls(count)));
});

it("does not depend on the order", () => {
  expect(toTheEnd(listName(urls(1000).reverse()))).toBe(toTheEnd(listName(urls(1000))));
});

it("hears that it is to end", async () => {
  const context = { onProgress: () => {}, signal: AbortSignal.abort() };
  await expect(drive(listName(urls(900_000)), context, "nothing was changed")).rejects.toThrow("nothing was changed");
});
