import fc from "fast-check";
import { expect, it } from "vitest";
import { applyRule } from "#src/canon/apply.js";
import { applySteps, type NumberedRule, validateSteps } from "#src/engine/apply-rules.js";
import type { Row, SqlEngine } from "#src/engine/engine.js";
import { parameterGroupSteps } from "#src/engine/parameter-groups.js";
import { runSteps } from "#src/engine/run-steps.js";
import { detectDefaults } from "#src/mine/detect.js";
import { quietly, type RuleAction } from "#src/model.js";
import { parameterName, pathParameters, queryParameters } from "#src/url/parameters.js";
import { parseUrl } from "#src/url/parse.js";
import { compareByTokens, compareCodePoints } from "#src/url/tokenize.js";
import { SEED } from "./seed.js";
import { type Cell, stage } from "./stage.js";

const site = "x.test";

const urlArbitrary = fc
  .tuple(
    fc.constantFrom("http://x.test", "http://www.x.test", "https://x.test:80", "http://x.test:8080", ""),
    fc.array(
      fc.constantFrom("/a", "/b", "/", "/a1", "/é", "/index.html", ";s=1", ";s=2", ";t", ";u=3", "/a-b", "/😀"),
      {
        maxLength: 4,
        size: "max",
      },
    ),
    fc.array(
      fc.tuple(
        fc.constantFrom("&", "&", ";"),
        fc.constantFrom("id", "sid", "sid", "s", "amp;sid", "view", ""),
        fc.constantFrom("=1", "=2", "=", "", "=a=b"),
      ),
      { maxLength: 4, size: "max" },
    ),
    fc.constantFrom("", "", "", "#f?sid=1"),
  )
  .map(([origin, path, query, fragment]) => {
    const parameters = query.map(([separator, name, value], i) => `${i === 0 ? "?" : separator}${name}${value}`);
    const pathText = path.join("");
    const start = origin === "" && !pathText.startsWith("/") ? "/" : pathText.startsWith(";") ? "/" : "";
    return `${origin}${start}${pathText}${parameters.join("")}${fragment}`;
  });

/** Pieces of URLs of the list in whole tokens, so that rules match, and edges of every sort are met. */
const pieces = [
  "/",
  "//",
  "a",
  "/a",
  "a1",
  "www.",
  ".test",
  "http",
  "http://",
  "?",
  "&sid=1",
  ";s=1",
  "é",
  "-",
  "index.html",
  "/index.html",
  ":80",
  "",
  "id",
  "=",
  "1",
];
const substringArbitrary = fc
  .tuple(fc.constantFrom(...pieces), fc.constantFrom(...pieces), fc.boolean(), fc.boolean())
  .map(([from, to, start, end]): RuleAction => ({ kind: "substring", from, to, start, end }))
  .filter((action) => action.kind === "substring" && compareByTokens(action.from, action.to) > 0);
const removalArbitrary = fc
  .tuple(fc.constantFrom("sid", "id", "amp;sid", "s", "view"), fc.constantFrom("query" as const, "path" as const))
  .map(([name, place]): RuleAction => ({ kind: "parameter", name, place, action: "remove" }));

const listArbitrary = fc.uniqueArray(urlArbitrary, { minLength: 120, maxLength: 200, size: "max" });

async function stageUrls(engine: SqlEngine, urls: readonly string[]): Promise<void> {
  await stage(
    engine,
    "urls",
    ["site VARCHAR", "id BIGINT", "url VARCHAR"],
    urls.map((url, id): Cell[] => [site, id, url]),
  );
}

export function rulesConformance(engine: () => SqlEngine, rounds: number): void {
  it("apply rules and count merges, and validate against known content: as canonization does", async () => {
    let changed = 0;
    let merged = 0;
    const rulesArbitrary = fc.tuple(
      // Each rule is a part of the statement, which an engine far away is slow to plan.
      fc.array(substringArbitrary, rounds === 1 ? { minLength: 12, maxLength: 12 } : { minLength: 30, maxLength: 40 }),
      fc.array(removalArbitrary, { minLength: 3, maxLength: 6 }),
    );
    const contents = fc.array(fc.option(fc.nat(2)), { minLength: 200, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(listArbitrary, rulesArbitrary, contents, async (drawn, [substrings, removals], known) => {
        const rules = [...substrings, ...removals].map((action, number): NumberedRule => ({ number, site, action }));
        // What rules make of the first URLs is in the list too, so that there is something to merge.
        const images = rules.flatMap(({ action }) =>
          drawn.slice(0, 40).map((url) => applyRule({ ...action, scope: {} }, url)),
        );
        const urls = [...new Set([...drawn, ...images.filter((image) => image !== undefined)])];
        await stageUrls(engine(), urls);
        const contentRows = urls.flatMap((_, id): Cell[][] => (known[id] == null ? [] : [[id, known[id]]]));
        await stage(engine(), "contents", ["id BIGINT", "content BIGINT"], contentRows);
        await runSteps(engine(), applySteps(engine().dialect, rules), ["applied", "merge_count"], quietly);
        await runSteps(engine(), validateSteps(engine().dialect), ["rule_verdict"], quietly);
        const expected: Row[] = [];
        const verdicts: Row[] = [];
        for (const { number, action } of rules) {
          const count = { alike: 0, different: 0, unknown: 0 };
          const documents = new Set<number>();
          const first: Record<"alike" | "different", readonly [number, number] | undefined> = {
            alike: undefined,
            different: undefined,
          };
          for (const [id, url] of urls.entries()) {
            const image = applyRule({ ...action, scope: {} }, url);
            if (image === undefined) continue;
            const imageId = urls.indexOf(image);
            expected.push({ rule: number, id, image, image_id: imageId < 0 ? null : imageId });
            if (imageId < 0) continue;
            merged++;
            const content = known[id];
            if (content == null || known[imageId] == null) {
              count.unknown++;
              continue;
            }
            const verdict = content === known[imageId] ? "alike" : "different";
            count[verdict]++;
            first[verdict] ??= [id, imageId];
            if (verdict === "alike") documents.add(content);
          }
          if (count.alike + count.different + count.unknown === 0) continue;
          verdicts.push({
            rule: number,
            ...count,
            documents: documents.size,
            alike_id: first.alike?.[0] ?? null,
            alike_image_id: first.alike?.[1] ?? null,
            different_id: first.different?.[0] ?? null,
            different_image_id: first.different?.[1] ?? null,
          });
        }
        changed += expected.length;
        expect(await engine().rows("applied", "SELECT * FROM applied ORDER BY rule, id")).toEqual(expected);
        expect(await engine().rows("rule_verdict", "SELECT * FROM rule_verdict ORDER BY rule")).toEqual(verdicts);
      }),
      { numRuns: rounds, endOnFailure: true, seed: SEED },
    );
    expect(changed).toBeGreaterThan(100 * rounds);
    expect(merged).toBeGreaterThan(10 * rounds);
  });

  it("parameter groups: buckets of every size, as canonization removes parameters and mining compares", async () => {
    let found = 0;
    let unlikely = 0;
    const sizesArbitrary = fc.array(fc.option(fc.integer({ min: 100, max: 104 })), { minLength: 200, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(
        listArbitrary,
        sizesArbitrary,
        fc.integer({ min: 1, max: 3 }),
        async (drawn, sizes, minSupport) => {
          const images = ["sid", "id", "s"].flatMap((name) =>
            (["query", "path"] as const).flatMap((place) =>
              drawn
                .slice(0, 60)
                .map((url) => applyRule({ kind: "parameter", name, place, action: "remove", scope: {} }, url)),
            ),
          );
          const urls = [...new Set([...drawn, ...images.filter((image) => image !== undefined)])];
          await stageUrls(engine(), urls);
          const sizeOf = (id: number) => sizes[id % sizes.length] ?? null;
          const known = urls.flatMap((_, id): Cell[][] =>
            sizeOf(id) === null ? [] : [[id, 0, sizeOf(id), sizeOf(id)]],
          );
          await stage(engine(), "sizes", ["id BIGINT", "source INT", "min_bytes DOUBLE", "max_bytes DOUBLE"], known);
          const options = { ...detectDefaults, likely: "size", plan: "paper", minSupport } as const;
          await runSteps(engine(), parameterGroupSteps(engine().dialect, options), ["parameter_group"], quietly);
          const columns = "site, place, name, urls, buckets, support, merged, confirmed, unlikely";
          const rows = await engine().rows(
            "parameter_group",
            `SELECT ${columns} FROM parameter_group ORDER BY place, name`,
          );
          const groups = groupsOf(urls, sizeOf).filter(({ support }) => Number(support) >= minSupport);
          const expected = groups.filter((group) => 2 * Number(group.unlikely) <= Number(group.support));
          found += expected.length;
          unlikely += groups.reduce((sum, group) => sum + Number(group.unlikely), 0);
          expect(rows).toEqual(expected);
        },
      ),
      { numRuns: rounds, endOnFailure: true, seed: SEED },
    );
    expect(found).toBeGreaterThan(rounds);
    expect(unlikely).toBeGreaterThan(rounds);
  });
}

function groupsOf(urls: readonly string[], sizeOf: (id: number) => number | null): Row[] {
  const rows: Row[] = [];
  for (const place of ["path", "query"] as const) {
    const namesOf = (url: string) => {
      const parts = parseUrl(url)!;
      const parameters = place === "query" ? queryParameters(url, parts) : pathParameters(url, parts);
      return [...new Set(parameters.map((parameter) => parameterName(url, parameter)))].filter((name) => name !== "");
    };
    const names = [...new Set(urls.flatMap(namesOf))].sort(compareCodePoints);
    for (const name of names) {
      const buckets = new Map<string, number[]>();
      let members = 0;
      for (const [id, url] of urls.entries()) {
        if (!namesOf(url).includes(name)) continue;
        members++;
        const image = applyRule({ kind: "parameter", name, place, action: "remove", scope: {} }, url)!;
        buckets.set(image, [...(buckets.get(image) ?? []), id]);
      }
      const row = { site, place, name, urls: members, buckets: 0, support: 0, merged: 0, confirmed: 0, unlikely: 0 };
      for (const [image, ids] of buckets) {
        const target = urls.indexOf(image);
        if (ids.length + (target < 0 ? 0 : 1) < 2) continue;
        const reference = target < 0 ? ids[0]! : target;
        row.buckets++;
        row.merged += ids.length;
        for (const id of ids.filter((one) => one !== reference)) {
          row.support++;
          if (sizeOf(id) === null || sizeOf(reference) === null) continue;
          if (sizeOf(id) === sizeOf(reference)) row.confirmed++;
          else row.unlikely++;
        }
      }
      rows.push(row);
    }
  }
  return rows;
}
