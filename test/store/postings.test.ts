import path from "node:path";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { termsOf } from "#src/pages/terms.js";
import { pageSnapshot } from "#src/store/copies/web-graph.js";
import { buildPostings } from "#src/store/pages/build-postings.js";
import { hasPostings, rankPages } from "#src/store/pages/postings.js";
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

const manyPages = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => ({
    url: `http://a.test/${from + i}`,
    status: 200,
    text: Array.from({ length: 40 }, (_, at) => `word${((from + i) * 31 + at * at) % 997}`).join(" "),
  }));

/** A workspace in a file with 2,000 pages. */
async function withPages(work: (workspace: Workspace, folder: string) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const workspace = Workspace.at(path.join(folder, "dustpan.duckdb"));
    await addTo(workspace, "s", [], manyPages(0, 2000), path.join(folder, "stage"));
    await work(workspace, folder);
  });
}

const snapshotOf = (workspace: Workspace) => workspace.read((connection) => pageSnapshot(connection, "s"));
const rowsOf = (workspace: Workspace) =>
  workspace.read(async (connection) => {
    const rows = await connection.runAndReadAll(
      "SELECT (SELECT count(*) FROM postings), (SELECT count(*) FROM search_terms), (SELECT count(*) FROM search_pages), (SELECT count(*) FROM meta WHERE key LIKE 'indexing%')",
    );
    return rows.getRows()[0]!.map(Number);
  });

it("lets others look at the workspace while the index is made", async () => {
  await withPages(async (workspace) => {
    const snapshot = await snapshotOf(workspace);
    const builder = Workspace.at(workspace.file);
    const transactions = [vi.spyOn(builder, "read"), vi.spyOn(builder, "write")];
    let isDone = false;
    const building = buildPostings(builder, snapshot, () => {}).finally(() => {
      isDone = true;
    });
    let looks = 0;
    while (!isDone) {
      await workspace.read(async () => {});
      looks++;
    }
    const { pages, terms, postings } = await building;
    const made = transactions.reduce((sum, { mock }) => sum + mock.calls.length, 0);
    expect(made).toBeGreaterThan(5);
    // Whoever waits has a turn after each transaction, but for the last.
    expect(looks).toBeGreaterThanOrEqual(made - 1);
    expect(await rowsOf(workspace)).toEqual([postings, terms, pages, 0]);
  });
});

it("is whole or not there, also where others make it, add pages or break off", async () => {
  await withPages(async (workspace, folder) => {
    const snapshot = await snapshotOf(workspace);
    const isThere = () => workspace.read((connection) => hasPostings(connection, snapshot));
    const broken = buildPostings(workspace, snapshot, (done) => {
      if (done === 900) throw new Error("stopped");
    });
    await expect(broken).rejects.toThrow("stopped");
    expect(await isThere()).toBe(false);

    const both = await Promise.allSettled([1, 2].map(() => buildPostings(workspace, snapshot, () => {})));
    const made = both.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(made.length).toBeGreaterThan(0);
    for (const result of both) {
      if (result.status === "rejected") expect(String(result.reason)).toContain("another process has begun");
    }
    expect(await rowsOf(workspace)).toEqual([made[0]!.postings, made[0]!.terms, 2000, 0]);

    let adding: Promise<unknown> | undefined;
    const overtaken = buildPostings(workspace, snapshot, (done) => {
      if (done === 1) adding = addTo(workspace, "s", [], manyPages(2000, 2010), path.join(folder, "more"));
    });
    await expect(overtaken).rejects.toThrow("have changed");
    await adding;
    expect(await isThere()).toBe(false);
    expect((await buildPostings(workspace, snapshot, () => {})).pages).toBe(2010);
    expect(await isThere()).toBe(true);
  });
});
