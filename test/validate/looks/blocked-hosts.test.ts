import { expect, it } from "vitest";
import { BlockedHosts } from "#src/validate/looks/blocked-hosts.js";

const text = (i: number) => `page ${["rose", "oak", "elm", "fir", "ivy", "fern", "moss", "yew"][i % 8]} of many`;
const url = (i: number) => `http://a.test/p${i}?id=x`;

/** The answers to requests for these pages, the control's apart. */
async function watch(
  answers: readonly string[],
  control: string,
  before = ["about us and our garden"],
): Promise<{ blockedAt: number; asked: string[] }> {
  const asked: string[] = [];
  const blocked = new BlockedHosts(async (asking) => {
    asked.push(asking);
    return control;
  });
  blocked.addControl("http://a.test/about", before);
  let blockedAt = -1;
  for (const [i, answer] of answers.entries()) {
    if ((await blocked.add(url(i), answer)) && blockedAt < 0) blockedAt = i;
  }
  expect(blocked.has(url(0))).toBe(blockedAt >= 0);
  return { blockedAt, asked };
}

it("a host that shows one page for everything by now is noticed before a verdict could come of it", async () => {
  const answers = [...Array.from({ length: 8 }, (_, i) => text(i)), ...Array.from({ length: 9 }, () => "have a break")];
  expect(await watch(answers, "have a break")).toMatchObject({ blockedAt: 13, asked: ["http://a.test/about"] });
});

it("whatever it echoes and counts", async () => {
  const answers = Array.from({ length: 9 }, (_, i) => `have a break at ${url(i)} no ${i * 7919}`);
  expect((await watch(answers, "have a break at http://a.test/about no 12")).blockedAt).toBe(5);
});

it("one page under many URLs is none", async () => {
  const answers = Array.from({ length: 66 }, () => "the front page");
  const { blockedAt, asked } = await watch(answers, "about us and our garden");
  expect(blockedAt).toBe(-1);
  // After 6, 12 and 24 more, and so on: those of a site may well be alike.
  expect(asked).toHaveLength(4);
});

it("whatever it adds for each request: a title, a number in letters", async () => {
  const appeal = Array.from({ length: 40 }, (_, i) => `appeal${i}`).join(" ");
  const answers = Array.from({ length: 9 }, (_, i) => `${text(i)} ${appeal} request ${(i + 7).toString(36)}k`);
  expect((await watch(answers, `about us ${appeal} request zz`)).blockedAt).toBe(5);
});

it("pages that are mostly menu and change at every look are not one page", async () => {
  const menu = Array.from({ length: 60 }, (_, i) => `menu${"abcdefghij"[i % 10]}${i}`).join(" ");
  const advertisement = (i: number) => Array.from({ length: 9 }, (_, k) => `offer${i}x${k}`).join(" ");
  const about = (i: number) => `about us and our garden ${menu} ${advertisement(i)}`;
  // The control shows an advertisement of the page before by now, and none of its own earlier ones.
  const answers = Array.from({ length: 9 }, (_, i) => `${text(i)} ${menu} ${advertisement(1)}`);
  expect(await watch(answers, about(1), [about(2), about(3)])).toMatchObject({ blockedAt: -1 });
  expect(await watch(answers, `page ${menu} ${advertisement(1)}`, [about(2), about(3)])).toMatchObject({
    blockedAt: 5,
  });
});
