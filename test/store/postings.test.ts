import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { termsOf } from "#src/pages/terms.js";
import { pageSnapshot } from "#src/store/copies/web-graph.js";
import { buildPostings, hasPostings, rankPages } from "#src/store/pages/postings.js";
import { Workspace } from "#src/store/workspace.js";
import { inFolder } from "../jobs/near-duplicates.js";
import { addTo } from "../jobs/workspace.js";

const word = fc.constantFrom("Boot", "boot", "disk", "kernel", "menü", "menu", "日本", "x86");
const text = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(" "));

/** BM25 as the textbook has it, over all pages. */
function oracle(texts: readonly string[], query: string): Map<number, number> {
  const documents = texts.map(termsOf);
  const average = documents.reduce((sum, terms) => sum + terms.length, 0) / documents.length;
  const scores = new Map<number, number>();
  for (const term of new Set(termsOf(query))) {
    const having = documents.filter((terms) => terms.includes(term)).length;
    const rarity = Math.log(1 + (documents.length - having + 0.5) / (having + 0.5));
    documents.forEach((terms, at) => {
      const occurrences = terms.filter((other) => other === term).length;
      if (occurrences === 0) return;
      const damped = (occurrences * 2.2) / (occurrences + 1.2 * (0.25 + (0.75 * terms.length) / average));
      scores.set(at, (scores.get(at) ?? 0) + rarity * damped);
    });
  }
  return scores;
}

it("ranks as BM25 over all pages does", async () => {
  const workspace = Workspace.inMemory();
  let runs = 0;
  let hits = 0;
  await inFolder(async (folder) => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 12 }), text, async (texts, query) => {
        const pages = texts.map((content, at) => ({ url: `http://a.test/${at}`, status: 200, text: content }));
        const name = `s${++runs}`;
        await addTo(workspace, name, [], pages, path.join(folder, `stage-${runs}`));
        const snapshot = await workspace.read((connection) => pageSnapshot(connection, name));
        expect(await workspace.read((connection) => hasPostings(connection, snapshot))).toBe(false);
        await buildPostings(workspace, snapshot, () => {});
        expect(await workspace.read((connection) => hasPostings(connection, snapshot))).toBe(true);
        const found = await workspace.read((connection) => rankPages(connection, snapshot, query, 100));
        const expected = oracle(texts, query);
        expect(found.matches).toBe(expected.size);
        expect(found.hits.map(({ url }) => url).sort()).toEqual(
          [...expected.keys()].map((at) => `http://a.test/${at}`).sort(),
        );
        for (const { url, score } of found.hits) {
          expect(score).toBeCloseTo(expected.get(Number(url.slice("http://a.test/".length)))!, 9);
        }
        found.hits.forEach(({ score }, at) => {
          if (at > 0) expect(score).toBeLessThanOrEqual(found.hits[at - 1]!.score);
        });
        hits += found.hits.length;
      }),
      { numRuns: 15 },
    );
  });
  workspace.close();
  expect(hits).toBeGreaterThan(30);
});
