import { expect, it } from "vitest";
import { BlockedHosts } from "#src/validate/blocked-hosts.js";

const text = (i: number) => `page ${["rose", "oak", "elm", "fir", "ivy", "fern", "moss", "yew"][i % 8]} of many`;
const url = (i: number) => `http://a.test/p${i}?id=x`;

/** The answers to requests for these pages, the control's apart. */
async function watch(answers: readonly string[], control: string): Promise<{ blockedAt: number; asked: string[] }> {
  const asked: string[] = [];
  const blocked = new BlockedHosts(async (asking) => {
    asked.push(asking);
    return control;
  });
  blocked.addControl("http://a.test/about", "about us and our garden");
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
