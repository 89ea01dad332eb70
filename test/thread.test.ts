import { afterEach, describe, expect, it } from "vitest";
import { DataError, InterruptedError, InvariantError, UserError } from "#src/errors.js";
import { leastBusy, Thread, type ThreadOptions } from "#src/thread.js";

interface Answer {
  readonly data: unknown;
  readonly question: unknown;
  readonly bytes: Uint8Array;
}

const started: Thread<unknown, Answer, string>[] = [];
const start = (options: ThreadOptions<string> = {}) => {
  const thread = new Thread<unknown, Answer, string>(new URL("./thread-worker.mjs", import.meta.url), options);
  started.push(thread);
  return thread;
};
afterEach(async () => {
  await Promise.all(started.splice(0).map((thread) => thread.end()));
});

describe("a thread", () => {
  it("answers in the order of the questions, also where one takes its time, and says what it has to say before", async () => {
    const notes: string[] = [];
    const thread = start({ data: { own: 1 }, onNote: (note) => notes.push(note) });
    const asked = [1, 2, 3].map((question) => thread.ask(question));
    expect(thread.load).toBe(3);
    const answers = await Promise.all(asked);
    expect(answers.map(({ question }) => question)).toEqual([1, 2, 3]);
    expect(answers[0]).toMatchObject({ data: { own: 1 }, bytes: Uint8Array.of(1, 2, 3) });
    expect(notes).toEqual(["asked 1", "asked 2", "asked 3"]);
    expect(thread.load).toBe(0);
  });

  it("takes over the buffers that it is given", async () => {
    const thread = start();
    const bytes = Uint8Array.of(4, 5);
    const answer = thread.ask(bytes, [bytes.buffer]);
    expect(bytes.length).toBe(0);
    expect((await answer).question).toEqual(Uint8Array.of(4, 5));
  });

  it("throws what users have to know with its class, and goes on", async () => {
    const thread = start();
    await expect(thread.ask("user")).rejects.toThrow(new UserError("not like this"));
    const error = await thread.ask("data").catch((thrown) => thrown);
    expect(error).toBeInstanceOf(DataError);
    expect(error).toMatchObject({ message: "a.csv:3: not a number", place: "a.csv:3" });
    expect((await thread.ask("more")).question).toBe("more");
  });

  it.each([
    ["bug", TypeError, "undefined is not a function"],
    ["exit", InvariantError, "a thread ended early, with code 7"],
  ])("that is gone by a %s leaves nobody waiting", async (question, type, message) => {
    const thread = start();
    const [failed, after] = [thread.ask(question), thread.ask("after")];
    const error = await failed.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(type);
    expect(error.message).toBe(message);
    await expect(after).rejects.toBe(error);
    await expect(thread.ask("later")).rejects.toBe(error);
  });

  it("ends when it is interrupted, however busy, and says what remains", async () => {
    const interrupt = new AbortController();
    const thread = start({ signal: interrupt.signal, remainder: "half of it" });
    await thread.ask("first");
    const busy = thread.ask("forever");
    interrupt.abort();
    await expect(busy).rejects.toThrow(new InterruptedError("half of it"));
    await expect(thread.ask("more")).rejects.toBeInstanceOf(InterruptedError);
    await expect(start({ signal: interrupt.signal }).ask("late")).rejects.toBeInstanceOf(InterruptedError);
  });
});

it("the least busy of some is the first with the fewest questions", () => {
  expect(leastBusy([])).toBeUndefined();
  expect(leastBusy([{ load: 2 }, { load: 1 }, { load: 1 }])).toEqual({ load: 1 });
});
