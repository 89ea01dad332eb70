import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { containsDefaults, findParts } from "#src/jobs/contains.js";
import { collectReport } from "#src/jobs/report.js";
import { context, inFolder, prose, type TestPage, workspaceOf } from "./near-duplicates.js";

const menu = prose(9999, 40);
/** Threads in three pages each and as a whole; notes of their own that share only the menu. */
const pages: TestPage[] = Array.from({ length: 12 }, (_, t): TestPage[] => {
  const posts = [1, 2, 3].map((i) => prose(100 * t + i, 90));
  return [
    ...posts.map((post, i) => ({ url: `http://f.test/t/${t}?page=${i + 1}`, text: `${menu} ${post}` })),
    { url: `http://f.test/t/${t}?page=all`, text: `${menu} ${posts.join(" ")}` },
    { url: `http://f.test/note/${t}`, text: `${menu} ${prose(5000 + t, 60)}` },
  ];
}).flat();

it("finds the parts of larger pages, by their own text, and what their URLs differ in", async () => {
  await inFolder(async (folder) => {
    const workspace = await workspaceOf(folder, { default: pages });
    const output = path.join(folder, "parts.jsonl");
    const found = await findParts(workspace, { ...containsDefaults, output }, context);
    const written = readFileSync(output, "utf8").trim().split("\n");
    expect(written.map((line) => JSON.parse(line))).toEqual(
      found.pairs.map(({ part, whole, partWords, wholeWords, containment, isExact }) => ({
        ...{ part, whole, part_words: partWords, whole_words: wholeWords, containment, is_exact: isExact },
      })),
    );
    expect(found.patterns).toMatchObject([{ part: "?page={n}", whole: "?page=all" }]);
    expect(found.parts).toBeGreaterThan(30);
    for (const { part, whole } of found.pairs) {
      expect(whole).toBe(part.replace(/page=\d/, "page=all"));
    }
    const { copies } = await collectReport(
      workspace,
      { rules: [], settings: {} },
      { unmask: true, rulesFile: "rules.json" },
      context,
    );
    expect(copies?.parts).toMatchObject({ parts: found.parts, patterns: { shown: [{ pairs: found.pairs.length }] } });
  });
});

it("hears a cancellation, and keeps nothing then", async () => {
  await inFolder(async (folder) => {
    const workspace = await workspaceOf(folder, { default: pages });
    const signal = AbortSignal.abort();
    await expect(findParts(workspace, containsDefaults, { ...context, signal })).rejects.toThrow("nothing was kept");
    const kept = await workspace.read((connection) =>
      connection.runAndReadAll("SELECT count(*)::INTEGER FROM analyses WHERE name = 'contains'"),
    );
    expect(kept.getRows()).toEqual([[0]]);
  });
});
