// biome-ignore-all lint/suspicious/noControlCharactersInRegex: they are what must not reach a terminal
import { describe, expect, it } from "vitest";
import { escaped } from "#src/cli/document.js";
import { droppedLines } from "#src/cli/render-rules.js";
import { shownUrl } from "#src/cli/shown-url.js";
import { describeProgress, openTerminal, paint, table } from "#src/cli/terminal.js";
import type { FetchStats } from "#src/fetch/fetcher.js";
import { requestsNote } from "#src/fetch/requests-note.js";
import { makeRule } from "../canon/make-rule.js";

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

describe("what reaches a terminal", () => {
  const opened = (isTTY: boolean) => {
    const pieces: string[] = [];
    const stream = { isTTY, columns: 80, write: (text: string) => pieces.push(text) > 0 };
    const terminal = openTerminal(stream as never, stream as never, { TERM: "xterm" });
    return { terminal, written: () => pieces.join("") };
  };

  it.each([true, false])("is not a code that somebody else wrote (terminal: %s)", (isTTY) => {
    const { terminal, written } = opened(isTTY);
    const hostile = "week\x1b]0;owned\x07\x1b[2J\x1b[8mhidden\x9b31m\r\u202eback";
    terminal.out(`${paint(terminal, "red", "a snapshot")} ${hostile}\nnext`);
    terminal.err(hostile);
    terminal.progress({ step: hostile, done: 1, unit: "lines" });
    const own = /\x1b\[(?:31|39)m|\r\x1b\[2K/g;
    expect(written().replace(own, "")).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/);
    expect(written()).toContain("next");
    expect(written().includes("\x1b[31ma snapshot\x1b[39m")).toBe(isTTY);
  });

  it("is not one of our own colours either, where somebody else wrote it", () => {
    const { terminal, written } = opened(true);
    terminal.out(`${paint(terminal, "green", "ok")} \x1b[31mfailed\x1b[39m`);
    expect(written()).toBe("\x1b[32mok\x1b[39m \ufffd[31mfailed\ufffd[39m\n");
  });

  it("is clean where bytes are copied through, too; a file gets them as they are", async () => {
    const line = "http://a.test/\u00e9\x1b]0;owned\x07\n";
    for (const isTTY of [true, false]) {
      const pieces: Buffer[] = [];
      const write = (piece: string | Uint8Array, taken: () => void) => {
        pieces.push(Buffer.from(piece as string));
        taken();
      };
      const stream = { isTTY, columns: 80, write } as never;
      const terminal = openTerminal(stream, stream, { TERM: "xterm" });
      const bytes = Buffer.from(line + paint(terminal, "red", "rule"));
      await terminal.write(bytes.subarray(0, 15));
      await terminal.write(bytes.subarray(15).toString("latin1"));
      const written = Buffer.concat(pieces).toString();
      if (isTTY) expect(written).toMatch(/^http:\/\/a\.test\/\u00e9[^\x00-\x1f]*\n\x1b\[31mrule\x1b\[39m$/);
      else expect(written).toBe(`${line}rule`);
    }
  });

  it("is a table of any length, whose colours take no room", () => {
    const { terminal, written } = opened(true);
    const rows = Array.from({ length: 200_000 }, (_, i) => [paint(terminal, "red", String(i)), "x"]);
    terminal.out(table([{ title: "n" }, { title: "m" }], rows));
    const lines = written().split("\n");
    expect([lines[0], lines[1], lines.length]).toEqual(["n       m", "\x1b[31m0\x1b[39m       x", 200_002]);
  });

  it("names some of the rules that go round in circles, however many there are", () => {
    const { terminal } = opened(false);
    const rules = Array.from({ length: 2000 }, (_, i) => makeRule({ from: `/a${i}/`, to: `/b${i}/` }));
    const lines = droppedLines(terminal, rules, () => rules);
    expect(lines).toHaveLength(11);
    expect(lines[0]).toMatch(/^not used, it would undo \/a0\/ -> \/b0\/ .*\/a2\/ -> \/b2\/ .* and 1,997 more: \/a0\//);
    expect(lines[10]).toBe("1,990 more are not used: each would undo another rule");
    expect(droppedLines(terminal, rules.slice(0, 1))[0]).toContain("it would undo another rule: /a0/ -> /b0/");
  });

  it("is masked unless it is asked for", () => {
    const { terminal } = opened(false);
    const url = "http://a.test/x?sid=5601c567fbb5522e";
    expect(shownUrl(terminal, url)).not.toContain("5601c567");
    expect(shownUrl({ ...terminal, unmask: true }, url)).toBe(url);
  });

  it("is whole in JSON", () => {
    const text = "a\x9bb\u202ec\n";
    expect(escaped(JSON.stringify(text))).not.toMatch(/[\x7f-\x9f\u202a-\u202e]/);
    expect(JSON.parse(escaped(JSON.stringify(text)))).toBe(text);
  });
});
