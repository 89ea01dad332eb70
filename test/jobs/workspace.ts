import { SightingTable } from "#src/input/sightings.js";
import type { PageRecord } from "#src/model.js";
import { PageStage } from "#src/store/pages/page-stage.js";
import { addSource } from "#src/store/urls/sources.js";
import { Workspace } from "#src/store/workspace.js";

/** A workspace in memory with these URLs and their hits, and with these pages. */
export async function workspaceOf(
  urls: readonly (readonly [string, number])[],
  pages: readonly PageRecord[] = [],
  stageFile?: string,
): Promise<Workspace> {
  const workspace = Workspace.inMemory();
  await addTo(workspace, "default", urls, pages, stageFile);
  return workspace;
}

/** Adds the same to a snapshot of a workspace: much faster than a workspace for each of many. */
export async function addTo(
  workspace: Workspace,
  snapshot: string,
  urls: readonly (readonly [string, number])[],
  pages: readonly PageRecord[],
  stageFile?: string,
): Promise<void> {
  const table = new SightingTable();
  for (const [url, hits] of urls) for (let i = 0; i < hits; i++) table.add(url, { status: 200 });
  for (const { url, status, timeMs } of pages) table.add(url, { status, ...(timeMs !== undefined && { timeMs }) });
  let stage: PageStage | undefined;
  if (stageFile !== undefined) {
    stage = await PageStage.create(stageFile);
    await stage.append(pages);
    stage.close();
  }
  const entry = { name: "log", series: "log", format: "list", compression: "none", bytes: 0, lines: 0, records: 0 };
  const about = { snapshot, settings: {}, damage: [] };
  await addSource(workspace, { ...entry, ...about }, table.finish(), stage?.file);
}
