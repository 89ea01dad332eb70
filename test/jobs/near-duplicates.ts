import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { add } from "#src/jobs/add.js";
import type { JobContext } from "#src/model.js";
import { Workspace } from "#src/store/workspace.js";
import { httpResponse, warcRecord } from "../input/crawls/build.js";

export const context: JobContext = { onProgress: () => {}, signal: new AbortController().signal };

/** A folder that ends with the test. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), "dustpan-test-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function sql(statement: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "500MB" });
  const connection = await instance.connect();
  const rows = (await connection.runAndReadAll(statement)).getRowObjectsJS();
  connection.closeSync();
  instance.closeSync();
  return rows as Record<string, unknown>[];
}

export interface TestPage {
  readonly url: string;
  readonly text?: string;
  readonly status?: number;
  readonly address?: string;
}

export function writeWarc(file: string, pages: readonly TestPage[]): void {
  const records = pages.map(({ url, text = "", status = 200, address }) =>
    warcRecord({
      url,
      headers: {
        "Content-Type": "application/http; msgtype=response",
        ...(address !== undefined && { "WARC-IP-Address": address }),
      },
      block: httpResponse(
        `<html><title>A page</title><body>${text}</body></html>`,
        { "Content-Type": "text/html" },
        status,
      ),
    }),
  );
  writeFileSync(file, Buffer.concat(records));
}

/** Words that depend on the seed only. */
export function prose(seed: number, words = 200): string {
  let state = seed * 2654435761 + 1;
  return Array.from({ length: words }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return `w${(state >>> 8) % 5000}`;
  }).join(" ");
}

/** A workspace in the folder with one snapshot for each list of pages. */
export async function workspaceOf(
  folder: string,
  snapshots: Readonly<Record<string, readonly TestPage[]>>,
): Promise<Workspace> {
  const workspace = Workspace.at(path.join(folder, "w.duckdb"));
  for (const [snapshot, pages] of Object.entries(snapshots)) {
    const file = path.join(folder, `${snapshot}.warc`);
    writeWarc(file, pages);
    await add(workspace, [file], { snapshot, text: true }, () => {}, context);
  }
  return workspace;
}
