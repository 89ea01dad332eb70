import { MessageChannel } from "node:worker_threads";
import { expect, it } from "vitest";
import { InterruptedError } from "#src/errors.js";
import { type Progress, quietly } from "#src/model.js";
import { drive, inTurns, pause } from "#src/progress.js";

/** Computes for longer than a turn between two steps. */
function* countTo(total: number): Generator<Progress, string> {
  for (let done = 0; done < total; done++) {
    for (const start = performance.now(); performance.now() - start < 60; );
    yield { step: "counting", done, total, unit: "numbers" };
  }
  return "counted";
}

it("tells how far a computation is, and gives what it returns", async () => {
  const seen: number[] = [];
  expect(await drive(countTo(3), { ...quietly, onProgress: ({ done }) => seen.push(done) }, "nothing")).toBe("counted");
  expect(seen).toEqual([0, 1, 2]);
});

it("hears between two steps what came in meanwhile", async () => {
  const interrupt = new AbortController();
  const seen: number[] = [];
  // As a signal does: from the event loop, not from the computation.
  setTimeout(() => interrupt.abort(), 0);
  const run = drive(countTo(100), { signal: interrupt.signal, onProgress: ({ done }) => seen.push(done) }, "nothing");
  await expect(run).rejects.toThrow(new InterruptedError("nothing"));
  expect(seen).toEqual([0]);
});

it("hears a signal also where a thread's answer led to the computation", async () => {
  const interrupt = new AbortController();
  const once = () => interrupt.abort();
  process.once("SIGUSR2", once);
  const { port1, port2 } = new MessageChannel();
  const answered = new Promise((resolve) => port1.once("message", resolve));
  port2.postMessage("done");
  await answered;
  process.kill(process.pid, "SIGUSR2");
  await expect(pause({ ...quietly, signal: interrupt.signal }, "nothing")).rejects.toThrow(InterruptedError);
  port1.close();
  process.off("SIGUSR2", once);
});

it("lets the event loop have its turn between items that only computing makes, such as decompressed blocks", async () => {
  async function* blocks() {
    for (let i = 0; i < 40; i++) {
      for (const begin = performance.now(); performance.now() - begin < 5; );
      yield i;
    }
  }
  let heardAt = -1;
  const taken: number[] = [];
  setTimeout(() => {
    heardAt = taken.length;
  });
  for await (const block of inTurns(blocks())) taken.push(block);
  expect(taken).toEqual(Array.from({ length: 40 }, (_, i) => i));
  expect(heardAt).toBeGreaterThan(0);
  expect(heardAt).toBeLessThan(40);
});
