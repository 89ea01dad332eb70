/** Pages of an archive on their way into the workspace. */
import type { PageRecord } from "../../model.js";
import { digestShingles } from "../../sketch/shingles.js";
import { encodeSketch, SHINGLE_WORDS, sketchRecipes, supershingles } from "../../sketch/sketch.js";
import { appendColumns, known, knownTime, quoted } from "../columns.js";
import { DuckDBInstance } from "../duckdb.js";
import { privately } from "../private.js";
import { supershingleColumns } from "../schema.js";
import type { Connection } from "../workspace.js";

/**
 * Pages on their way into the workspace, in a DuckDB file of their own: reading an archive takes minutes, and the
 * workspace is not held meanwhile. `addSource` moves them over in its one transaction.
 */
export class PageStage {
  readonly #instance: DuckDBInstance;
  readonly #connection: Connection;

  private constructor(
    readonly file: string,
    instance: DuckDBInstance,
    connection: Connection,
  ) {
    this.#instance = instance;
    this.#connection = connection;
  }

  #pages = 0;
  #closed = false;

  static async create(file: string): Promise<PageStage> {
    return privately(() => PageStage.#create(file));
  }

  static async #create(file: string): Promise<PageStage> {
    const instance = await DuckDBInstance.create(file, { autoinstall_known_extensions: "false", memory_limit: "2GB" });
    const connection = await instance.connect();
    await connection.run(
      `CREATE TABLE pages (url VARCHAR, status INTEGER, fetched DOUBLE, address VARCHAR, media_type VARCHAR, body_bytes DOUBLE,
         digest VARCHAR, title VARCHAR, canonical VARCHAR, redirect VARCHAR, shingles_kind UTINYINT, shingles BLOB, sketch BLOB,
         ${supershingleColumns.map((column) => `${column} UBIGINT`).join(", ")}, words INTEGER, text VARCHAR, links VARCHAR)`,
    );
    return new PageStage(file, instance, connection);
  }

  get count(): number {
    return this.#pages;
  }

  async append(pages: readonly PageRecord[]): Promise<void> {
    this.#pages += pages.length;
    const text = (pick: (page: PageRecord) => string | undefined) => pages.map((page) => pick(page) ?? null);
    const columns = supershingleColumns.map(() => new BigUint64Array(pages.length));
    pages.forEach(({ sketch }, row) => {
      if (sketch === undefined) return;
      supershingles(sketch).forEach((value, i) => {
        columns[i]![row] = value;
      });
    });
    const rows = [
      text((page) => page.url),
      Int32Array.from(pages, (page) => page.status),
      Float64Array.from(pages, (page) => page.timeMs ?? Number.NaN),
      text((page) => page.address),
      text((page) => page.mediaType),
      Float64Array.from(pages, (page) => page.bodyBytes ?? Number.NaN),
      text((page) => page.digest),
      text((page) => page.title),
      text((page) => page.canonical),
      text((page) => page.redirectTo),
      Uint8Array.from(pages, shinglesKind),
      { blobs: pages.map(shinglesOf) },
      { blobs: pages.map(({ sketch }) => (sketch === undefined ? null : encodeSketch(sketch))) },
      ...columns,
      Int32Array.from(pages, ({ sketch }) => sketch?.words ?? 0),
      text((page) => page.text),
      // One string per page, split again by the engine: a value for each link would cost more than all the rest.
      text((page) => (page.links === undefined || page.links.length === 0 ? undefined : page.links.join("\n"))),
    ];
    await privately(() => appendColumns(this.#connection, "pages", rows));
  }

  /** Writes the pages as a sketch file (docs/formats-sketches.md): everything but texts and links. */
  async writeSketchFile(file: string): Promise<{ readonly sketches: number }> {
    await this.#connection.run(
      `COPY (
         SELECT url, status::SMALLINT AS status, ${knownTime("fetched")} AS time, address, media_type,
           (${known("body_bytes")})::BIGINT AS bytes, digest, title, canonical, redirect,
           CASE WHEN shingles_kind = 1 THEN shingles END AS shingles, CASE WHEN sketch IS NOT NULL THEN words END AS words,
           ${sketchMaking("sketch")} AS recipe, sketch, ${stagedSupershingles("pages")}
         FROM pages) TO ${quoted(file)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${SKETCH_ROW_GROUP})`,
    );
    const counted = await this.#connection.runAndReadAll("SELECT count(sketch)::DOUBLE FROM pages");
    return { sketches: Number(counted.getRows()[0]?.[0]) };
  }

  /** Ends writing; the file can then be attached. A second call does nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.closeSync();
    this.#instance.closeSync();
  }
}

/** As in model.SketchColumn. A page without words is compared by its digest, as anything binary is. */
function shinglesKind({ shingles, digest }: PageRecord): number {
  if (shingles !== undefined) return 1;
  return digest === undefined ? 0 : 2;
}

function shinglesOf({ shingles, digest }: PageRecord): Uint8Array | null {
  const values = shingles ?? (digest === undefined ? undefined : digestShingles(digest));
  return values === undefined ? null : new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** How a stored sketch was made, as `makingOf` has it. */
export function sketchMaking(sketch: string): string {
  const byte = (at: number) => `('0x' || hex(${sketch}[${at + 1}:${at + 1}]))::INTEGER`;
  const recipes = sketchRecipes.map((recipe) => `'${recipe}'`).join(", ");
  return `([${recipes}][1 + ${byte(1)}] || '/' || ${byte(2)} || '/' || coalesce(nullif(${byte(3)}, 0), ${SHINGLE_WORDS}))`;
}

/** Damage costs a row group: few rows, a multiple of the engine's 2,048, and still megabytes of sketches. */
const SKETCH_ROW_GROUP = 8192;

/** s0 to s5 of staged pages; vectors have no NULL, so a page without a sketch has zeros until here. */
export function stagedSupershingles(pages: string): string {
  return supershingleColumns
    .map((column) => `CASE WHEN ${pages}.sketch IS NOT NULL THEN ${pages}.${column} END AS ${column}`)
    .join(", ");
}
