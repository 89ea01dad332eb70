import { describe, expect, it } from "vitest";
import { describeProgress } from "#src/cli/terminal.js";
import type { FetchStats } from "#src/fetch/fetcher.js";
import { requestsNote } from "#src/fetch/requests-note.js";

describe("the progress line", () => {
  it("of a validation shows rules decided, time left, requests and their rate", () => {
    let nowMs = 5000;
    const sent = (requests: number) => ({ requests }) as FetchStats;
    const note = requestsNote(sent(2), () => nowMs);
    nowMs += 60_000;
    const progress = { step: "validating", done: 20, total: 80, unit: "rules", note: note(sent(92)) };
    expect(describeProgress(progress, 60)).toBe("validating  25%  20 rules  3 min 0 s left  92 requests (1.5/s)");
  });

  it("shows a rate where there is something every second", () => {
    const progress = { step: "reading", done: 4096, unit: "lines" };
    expect(describeProgress(progress, 0.1)).toBe("reading  4,096 lines");
    expect(describeProgress(progress, 2)).toBe("reading  4,096 lines  2,048 lines/s");
    expect(describeProgress({ ...progress, done: 3 }, 60)).toBe("reading  3 lines");
  });
});
