import { expect, it } from "vitest";
import { checkDust } from "#src/jobs/check.js";
import { makeRule } from "../canon/make-rule.js";
import { workspaceOf } from "./workspace.js";

it("counts URLs and requests that are not canonical, and names the rules", async () => {
  const workspace = await workspaceOf([
    ["http://a.test/story?id=1&sid=9", 1],
    ["http://a.test/story?id=1", 6],
    ["http://a.test/story_1", 3],
    ["http://a.test/?sid=1", 2],
  ]);
  const session = makeRule({ kind: "parameter", name: "sid", action: "remove" });
  const story = makeRule({ from: "story?id=", to: "story_" });
  const refuted = makeRule({ from: "story", to: "x", status: "refuted" });
  const circle = makeRule({ from: "story_", to: "story?id=", status: "likely", decision: "accepted" });
  const check = await checkDust(workspace, [session, story, refuted, circle]);
  expect(check).toMatchObject({ urls: 4, dustUrls: 3, requests: 12, dustRequests: 9, dropped: [circle] });
  expect(check.causes).toEqual([
    {
      rule: story,
      urls: 2,
      requests: 7,
      example: { from: "http://a.test/story?id=1", to: "http://a.test/story_1", requests: 6 },
    },
    {
      rule: session,
      urls: 2,
      requests: 3,
      example: { from: "http://a.test/?sid=1", to: "http://a.test/", requests: 2 },
    },
  ]);
  workspace.close();
});
