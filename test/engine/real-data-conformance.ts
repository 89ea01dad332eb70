/** The operators on real crawls and logs, where the folder with them lies beside this one. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { findClusters } from "#src/engine/clusters.js";
import { pairSteps } from "#src/engine/detect.js";
import type { SqlEngine } from "#src/engine/engine.js";
import { runSteps } from "#src/engine/run-steps.js";
import { add } from "#src/jobs/add.js";
import { detectDefaults } from "#src/mine/detect.js";
import { quietly } from "#src/model.js";
import { clusterPages, fromColumns } from "#src/pages/cluster.js";
import { exportUrlList, listFiles } from "#src/store/urls/list-files.js";
import { readUrlList, type SiteChoice } from "#src/store/urls/url-lists.js";
import { Workspace } from "#src/store/workspace.js";
import { ALL_NORMALIZATION_STEPS } from "#src/url/normalize.js";
import { pairQuery, pairRows } from "./detect-conformance.js";
import { type Cell, stage } from "./stage.js";

const data = path.resolve("../shared/data");
const all = { by: "all" } as const;
/** With sketches, with sizes, with neither; of the last, which has hundreds of hosts, the largest. */
const inputs: readonly (readonly [file: string, SiteChoice])[] = [
  ["archives/pywb-iana.warc.gz", all],
  ["logs/nasa-1995-08-01.common.log.xz", all],
  ["crawls/cofc-edu.urls.txt.xz", { by: "host", name: "blogs.cofc.edu" }],
];

export function realDataConformance(engine: () => SqlEngine, most: number): void {
  const there = inputs.slice(0, most).filter(([file]) => existsSync(path.join(data, file)));
  it.each(there)("pairs with support and clusters of %s: as local", { timeout: 240_000 }, async (file, choice) => {
    const folder = mkdtempSync(path.join(tmpdir(), "dustpan-real-data-"));
    const workspace = Workspace.inMemory();
    try {
      const reading = { steps: ALL_NORMALIZATION_STEPS, strict: false, snapshot: "default", text: false };
      await add(workspace, [path.join(data, file)], reading, () => {}, quietly);
      await exportUrlList(workspace, choice, "all", undefined, folder);
      for (const name of listFiles) await engine().view(name, path.join(folder, `${name}.parquet`));
      await runSteps(engine(), pairSteps(engine().dialect, detectDefaults), ["pair"], quietly);
      const list = await readUrlList(workspace, choice);
      const expected = await pairRows("all", 0, list, detectDefaults);
      expect(await engine().rows("pair", pairQuery)).toEqual(expected);
      expect(expected.length).toBeGreaterThan(10);
      await compareClusters(engine(), workspace);
    } finally {
      workspace.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function compareClusters(engine: SqlEngine, workspace: Workspace): Promise<void> {
  const sketches = await workspace.read(async (connection) => {
    const reader = await connection.runAndReadAll(
      "SELECT s0, s1, s2, s3, s4, s5 FROM pages WHERE s0 IS NOT NULL ORDER BY url, fetched",
    );
    return reader.getRows() as bigint[][];
  });
  const columns = ["id BIGINT", ...[0, 1, 2, 3, 4, 5].map((i) => `s${i} BIGINT`)];
  const rows = sketches.map((values, id): Cell[] => [id, ...values]);
  await stage(engine, "documents", columns, rows);
  await findClusters(engine, "similar", quietly);
  const values = new BigUint64Array(6 * sketches.length);
  sketches.forEach((sketch, d) => {
    sketch.forEach((value, i) => {
      values[i * sketches.length + d] = value;
    });
  });
  const map = await clusterPages(fromColumns(values));
  const expected = sketches.map((_, id) => ({ id, root: map.root[id]!, size: map.size[id]! }));
  expect(await engine.rows("cluster", "SELECT id, root, size FROM cluster ORDER BY id")).toEqual(expected);
}
