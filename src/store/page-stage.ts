import { rmSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import type { PageRecord } from "../model.js";
import { appendColumns } from "./columns.js";
import type { Connection } from "./workspace.js";

/** A page with what its text says: what the workspace keeps of it. */
export interface SketchedPage {
  readonly page: PageRecord;
  /** 0 none, 1 shingles of the text, 2 digest of the bytes: as in model.SketchColumn. */
  readonly shinglesKind: number;
  /** 4 values of 8 bytes, little-endian. */
  readonly shingles?: Uint8Array;
  readonly sketch?: Uint8Array;
  readonly words?: number;
}

/**
 * Pages on their way into the workspace, in a DuckDB file of their own: reading an archive takes minutes, and the
 * workspace is not held meanwhile. `store/sources` moves them over in its one transaction.
 */
export class PageStage {
  private constructor(
    readonly file: string,
    private readonly instance: DuckDBInstance,
    private readonly connection: Connection,
  ) {}

  #pages = 0;

  static async create(file: string): Promise<PageStage> {
    removeStage(file);
    const instance = await DuckDBInstance.create(file, { autoinstall_known_extensions: "false", memory_limit: "2GB" });
    const connection = await instance.connect();
    await connection.run(
      `CREATE TABLE pages (url VARCHAR, status INTEGER, fetched DOUBLE, address VARCHAR, media_type VARCHAR, body_bytes DOUBLE,
         digest VARCHAR, title VARCHAR, canonical VARCHAR, redirect VARCHAR, shingles_kind UTINYINT, shingles BLOB, sketch BLOB,
         words INTEGER, text VARCHAR, links VARCHAR)`,
    );
    return new PageStage(file, instance, connection);
  }

  get count(): number {
    return this.#pages;
  }

  async append(pages: readonly SketchedPage[]): Promise<void> {
    this.#pages += pages.length;
    const text = (pick: (page: PageRecord) => string | undefined) => pages.map(({ page }) => pick(page) ?? null);
    await appendColumns(this.connection, "pages", [
      text((page) => page.url),
      Int32Array.from(pages, ({ page }) => page.status),
      Float64Array.from(pages, ({ page }) => page.timeMs ?? Number.NaN),
      text((page) => page.address),
      text((page) => page.mediaType),
      Float64Array.from(pages, ({ page }) => page.bodyBytes ?? Number.NaN),
      text((page) => page.digest),
      text((page) => page.title),
      text((page) => page.canonical),
      text((page) => page.redirectTo),
      Uint8Array.from(pages, (sketched) => sketched.shinglesKind),
      { blobs: pages.map((sketched) => sketched.shingles ?? null) },
      { blobs: pages.map((sketched) => sketched.sketch ?? null) },
      Int32Array.from(pages, (sketched) => sketched.words ?? 0),
      text((page) => page.text),
      // One string per page, split again by the engine: a value for each link would cost more than all the rest.
      text((page) => (page.links === undefined || page.links.length === 0 ? undefined : page.links.join("\n"))),
    ]);
  }

  /** Ends writing; the file can then be attached. */
  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
  }
}

export function removeStage(file: string): void {
  rmSync(file, { force: true });
  rmSync(`${file}.wal`, { force: true });
}
