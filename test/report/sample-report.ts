import type { Evidence, Rule } from "#src/model.js";
import type { Workspace } from "#src/store/workspace.js";
import { makeRule } from "../canon/make-rule.js";
import { workspaceOf } from "../jobs/workspace.js";

/** What must never run, in every place where an input can put it. */
export const attack = `"><img src=x onerror=alert(1)><script>alert(1)</script>'`;

export function evidence(words: Partial<Evidence> = {}): Evidence {
  return {
    positive: 31,
    negative: 0,
    similarity: "shingles-4/4",
    redirected: 0,
    canonicalised: 0,
    canonicalConflicts: 0,
    examples: [],
    counterExamples: [],
    checkedAt: "2026-11-15T23:00:00.000Z",
    ...words,
  };
}

const hostilePair = { from: `http://forum.test/${attack}?sid=b299875dff51e5f8`, to: "javascript:alert(1)" };

/** A small site with rules of every fate, and with inputs that try to break out. */
export const sampleRules: readonly Rule[] = [
  makeRule({
    kind: "parameter",
    name: "sid",
    action: "remove",
    support: 40,
    confirmed: 38,
    example: { from: "http://forum.test/story_1?sid=b299875dff51e5f8", to: "http://forum.test/story_1" },
    evidence: evidence({
      examples: [
        { from: "http://forum.test/story_1?sid=b299875dff51e5f8", to: "http://forum.test/story_1" },
        { from: "http://forum.test/story_2?a=1", to: "http://forum.test/story_2" },
        hostilePair,
      ],
      counterExamples: [{ ...hostilePair, why: attack }],
    }),
    note: attack,
  }),
  makeRule({ from: "story?id=", to: "story_", support: 20, confirmed: 20, evidence: evidence() }),
  makeRule({ from: "/old/", to: "/", support: 9, evidence: evidence({ redirected: 31 }) }),
  makeRule({
    from: attack,
    to: "x",
    status: "refuted",
    support: 12,
    example: hostilePair,
    evidence: evidence({ positive: 1, negative: 2, counterExamples: [{ ...hostilePair, why: "different text" }] }),
  }),
  makeRule({
    from: "a/",
    to: "b/",
    status: "undecided",
    support: 3,
    scope: { path: `/${attack}` },
    evidence: evidence({ positive: 0, skipped: [{ why: `5${attack}`, count: 2 }] }),
  }),
  makeRule({ from: "c/", to: "d/", status: "likely", support: 3 }),
];

export const sampleUrls: readonly (readonly [string, number])[] = [
  ...Array.from({ length: 20 }, (_, i) => [`http://forum.test/story_${i}`, 2] as const),
  ...Array.from({ length: 20 }, (_, i) => [`http://forum.test/story?id=${i}&sid=b299875dff51e5f${i % 10}`, 1] as const),
  ["http://forum.test/only?sid=1", 1],
  ["http://forum.test/only?sid=2", 3],
  ["http://forum.test/old/about", 1],
  ["http://forum.test/about", 1],
  [`http://forum.test/${attack.replaceAll(" ", "")}`, 1],
];

export const sampleWorkspace = (): Promise<Workspace> => workspaceOf(sampleUrls);
