import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { urlOf } from "#src/collections/replicas.js";
import type { PageRecord } from "#src/model.js";
import { pageSnapshot, readTexts, readWeb } from "#src/store/copies/web-graph.js";
import { Workspace } from "#src/store/workspace.js";
import { inFolder } from "../jobs/near-duplicates.js";
import { addTo } from "../jobs/workspace.js";

/** Few URLs, some of them with a session that `canon` drops, so that they often meet. */
const url = fc
  .tuple(fc.constantFrom("a.test", "b.test"), fc.nat(3), fc.constantFrom("", "", "?sid=1", "?sid=2"))
  .map(([host, page, query]) => `http://${host}/${page}${query}`);
const canon = (text: string) => text.replace(/\?sid=\d$/, "");

const page = fc.record({
  url,
  kind: fc.constantFrom("page", "page", "page", "redirect", "failed", "image"),
  links: fc.uniqueArray(url, { maxLength: 4 }),
  target: url,
});
type TestPage = typeof page extends fc.Arbitrary<infer T> ? T : never;

function asRecord({ url: at, kind, links, target }: TestPage): PageRecord {
  if (kind === "redirect") return { url: at, status: 301, redirectTo: target };
  if (kind === "failed") return { url: at, status: 404, text: "gone", links };
  if (kind === "image") return { url: at, status: 200, mediaType: "image/png", bodyBytes: 1 };
  return { url: at, status: 200, mediaType: "text/html", bodyBytes: at.length, text: `text of ${at}`, links };
}

/** Slow and obvious: pages by key, links between pages as pairs of URLs. */
function oracle(pages: readonly TestPage[], key: (text: string) => string) {
  const representative = new Map<string, TestPage>();
  for (const candidate of [...pages].sort((a, b) => (a.url < b.url ? -1 : 1))) {
    if (candidate.kind !== "page") continue;
    const known = representative.get(key(candidate.url));
    if (known === undefined || (candidate.url === key(candidate.url) && known.url !== candidate.url)) {
      representative.set(key(candidate.url), candidate);
    }
  }
  const resolve = (start: string): string | undefined => {
    let at = start;
    for (let hops = 0; hops <= 10; hops++) {
      const found = representative.get(key(at));
      if (found !== undefined) return found.url;
      const here = at;
      const redirect = pages.find((candidate) => candidate.url === here && candidate.kind === "redirect");
      if (redirect === undefined) return undefined;
      at = redirect.target;
    }
    return undefined;
  };
  const kept = [...representative.values()].sort((a, b) => (a.url < b.url ? -1 : 1));
  const links = new Set<string>();
  for (const { url: from, links: targets } of kept) {
    for (const target of targets) {
      const to = resolve(target);
      if (to !== undefined && to !== from) links.add(`${from} ${to}`);
    }
  }
  return { urls: kept.map((known) => known.url), links: [...links].sort(), resolve };
}

it("reads the pages, redirects and links of a snapshot as going through them one by one does", async () => {
  let merged = 0;
  let redirected = 0;
  let linked = 0;
  let runs = 0;
  const workspace = Workspace.inMemory();
  await inFolder(async (folder) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(page, { selector: (one) => one.url, minLength: 10, maxLength: 18, size: "max" }),
        fc.constantFrom(true, true, false),
        async (pages, withRules) => {
          fc.pre(pages.some(({ kind }) => kind === "page"));
          const snapshotName = `s${++runs}`;
          await addTo(workspace, snapshotName, [], pages.map(asRecord), path.join(folder, `stage-${runs}`));
          const snapshot = await workspace.read((connection) => pageSnapshot(connection, snapshotName));
          const key = withRules ? canon : (text: string) => text;
          const expected = oracle(pages, key);
          const texts: string[] = [];
          const { source, names } = await workspace.read(async (connection) => {
            const found = await readWeb(connection, snapshot, withRules ? canon : undefined);
            await readTexts(connection, (text) => texts.push(text));
            const rows = await connection.runAndReadAll("SELECT url FROM urls ORDER BY id");
            return { source: found, names: rows.getRows().map(([name]) => String(name)) };
          });
          const { web, links, pageOf } = source;
          const urls = Array.from({ length: web.count }, (_, at) => urlOf(web, at));
          expect(urls).toEqual(expected.urls);
          expect(texts).toEqual(urls.map((text) => `text of ${text}`));
          expect([...source.id].map((id) => names[id])).toEqual(urls);
          expect([...source.bodyBytes]).toEqual(urls.map((text) => text.length));
          expect([...web.site].map((site) => site === web.site[0])).toEqual(
            urls.map((text) => new URL(text).host === new URL(urls[0]!).host),
          );
          const found = urls.flatMap((from, at) =>
            [...links.dest.subarray(links.offsets[at]!, links.offsets[at + 1]!)].map((to) => `${from} ${urls[to]}`),
          );
          expect(found.sort()).toEqual(expected.links);
          for (const [id, name] of names.entries()) expect(urls[pageOf[id]!]).toBe(expected.resolve(name));
          merged += source.merged;
          linked += found.length;
          redirected += pages.filter(({ kind, url: at }) => kind === "redirect" && expected.resolve(at)).length;
        },
      ),
      { numRuns: 25 },
    );
  });
  workspace.close();
  expect(Math.min(merged, redirected, linked)).toBeGreaterThan(5);
});
