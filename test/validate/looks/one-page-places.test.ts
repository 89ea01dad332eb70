import { expect, it } from "vitest";
import { OnePagePlaces } from "#src/validate/looks/one-page-places.js";
import { neighbourhoodsOf } from "#src/validate/looks/soft-404.js";

const PLACE = "http://a.test/member?id=<number>";
const urlOf = (id: number) => `http://a.test/member?id=${id}`;

/** What is said of the pages of these members, in turn, where the others listed show what `shows` says. */
async function said(ids: readonly number[], shows: (url: string) => string): Promise<boolean> {
  const places = new OnePagePlaces<string>({
    similar: (a, b) => a === b,
    look: async (url) => shows(url),
    listed: () => Array.from({ length: 30 }, (_, i) => urlOf(i)),
    namesOf: (url) => neighbourhoodsOf(url).find(({ neighbourhood }) => neighbourhood === PLACE)?.names ?? [],
  });
  let last: boolean | undefined = false;
  for (const id of ids) last = await places.isOnePage(PLACE, urlOf(id), shows(urlOf(id)));
  return last === true;
}

it("a place where all names show one page, as others do that are looked at then", async () => {
  expect(await said([1, 2, 3, 4], () => "join us")).toBe(false);
  expect(await said([1, 2, 3, 4, 5], () => "join us")).toBe(true);
});

it("is none where one page differs, now or elsewhere, or where one name is asked for again and again", async () => {
  expect(await said([1, 2, 3, 4, 5], (url) => (url.endsWith("id=7") ? "seven" : "join us"))).toBe(false);
  expect(await said([1, 2, 3, 4, 5, 6], (url) => (url.endsWith("id=2") ? "two" : "join us"))).toBe(false);
  expect(await said([1, 1, 1, 1, 1, 1], () => "join us")).toBe(false);
});
