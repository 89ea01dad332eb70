import { expect, it } from "vitest";
import { FetchJournal, finishRun, openRun } from "#src/store/runs/runs.js";
import { Workspace } from "#src/store/workspace.js";

const settings = { plan: "sequential", count: 1, epsilon: 0.05, seed: 1, similarity: "text", sites: [], rules: [] };
const look = {
  url: "http://a.test/",
  attempt: 0,
  timeMs: 0,
  kind: "ok",
  text: "a story",
  media: "1.jpg\nsays a story",
};

it("what pages say is kept for a run that goes on, and afterwards only where texts are wanted", async () => {
  for (const keepText of [true, false]) {
    const workspace = Workspace.inMemory();
    const { run } = await openRun(workspace, settings);
    const journal = new FetchJournal(workspace, run);
    await journal.append(look);
    await journal.move();
    expect((await openRun(workspace, settings)).fetches).toEqual([look]);
    await finishRun(workspace, run, [], keepText);
    const kept = await workspace.read(async (connection) =>
      (await connection.runAndReadAll("SELECT text, media FROM fetches")).getRows(),
    );
    expect(kept).toEqual([keepText ? [look.text, look.media] : [null, null]]);
  }
});

it("a run goes on with its own rules or with more, and rather with its own", async () => {
  const workspace = Workspace.inMemory();
  const runOf = async (...rules: string[]) => (await openRun(workspace, { ...settings, rules })).run;
  const both = await runOf("a", "b");
  const one = await runOf("a");
  expect(one).not.toBe(both);
  expect(await runOf("a", "b")).toBe(both);
  expect(await runOf("c", "a")).toBe(one);
  expect(await runOf("c", "b", "a")).toBe(one);
});
