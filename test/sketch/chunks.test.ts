import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chunking, chunkFingerprints, chunkFingerprints32 } from "#src/sketch/index.js";
import { fingerprint } from "./oracle.js";

const of = (...chunks: string[]) => chunks.map((chunk) => fingerprint(new TextEncoder().encode(chunk)));

describe("chunks", () => {
  const text = "one\ntwo\nthree. And more\nfour\nfive";
  it.each<[Chunking, string[]]>([
    ["document", [text]],
    ["four-lines", ["one\ntwo\nthree. And more\nfour", "five"]],
    ["two-lines", ["one\ntwo", "three. And more\nfour", "five"]],
    ["sentences", ["one", "two", "three.", "And more", "four", "five"]],
  ])("by %s", (chunking, chunks) => {
    expect([...chunkFingerprints(text, chunking)]).toEqual(of(...chunks));
    const high = of(...chunks).map((value) => Number(value >> 32n));
    expect([...chunkFingerprints32(text, chunking)]).toEqual(high);
  });

  it.each<[string, string[]]>([
    ['He said "No." Then (at 3.14 p.m.) he left!', ['He said "No."', "Then (at 3.14 p.m.)", "he left!"]],
    ["これは文です。次の文！終わり", ["これは文です。", "次の文！", "終わり"]],
    ["wait... what?! e.g. this", ["wait...", "what?!", "e.g.", "this"]],
  ])("sentences of %s", (line, sentences) => {
    expect([...chunkFingerprints(line, "sentences")]).toEqual(of(...sentences));
  });

  it("of an empty text are none", () => {
    for (const chunking of ["document", "four-lines", "two-lines", "sentences"] as const)
      expect(chunkFingerprints("", chunking)).toHaveLength(0);
  });

  it("of n lines are as many as n lines fill, wherever the text ends", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-c é]{1,5}$/), { minLength: 1, maxLength: 20 }), (lines) => {
        for (const [chunking, size] of [
          ["four-lines", 4],
          ["two-lines", 2],
        ] as const) {
          const chunks = Array.from({ length: Math.ceil(lines.length / size) }, (_, i) =>
            lines.slice(i * size, (i + 1) * size),
          );
          expect([...chunkFingerprints(lines.join("\n"), chunking)]).toEqual(
            of(...chunks.map((chunk) => chunk.join("\n"))),
          );
        }
      }),
    );
  });
});
