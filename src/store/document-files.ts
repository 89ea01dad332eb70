import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { DuckDBBlobValue, DuckDBInstance } from "@duckdb/node-api";
import { InvariantError, UserError } from "../errors.js";
import type { ClusterMap } from "../pages/cluster.js";
import { copyNumbers, quoted, readChunks, stageTable } from "./columns.js";
import { findDamagedRows, type LostRows, parquetFile } from "./damaged-rows.js";
import { supershingleColumns } from "./schema.js";
import { hostOf } from "./sources.js";
import type { Connection } from "./workspace.js";

/** In a column of kinds: what a row of the files is. */
export const WITHOUT_SKETCH = 0;
export const SKETCHED_DOCUMENT = 1;
/** A failed download, or one of a URL that a later row has too. */
export const NO_DOCUMENT = 2;

/** What tables 1 and 2 of Fetterly et al. 2004 say of a large cluster, and the cues to guess its kind from. */
export interface ClusterDetails {
  /** Smallest URL: the root. */
  readonly representative: string;
  /** The first URLs, the representative's among them. */
  readonly urls: readonly string[];
  readonly hosts: readonly { readonly host: string; readonly addresses: readonly string[] }[];
  readonly title?: string;
  readonly text?: string;
  readonly words?: number;
  readonly status?: number;
  /** Members that agree with the representative in all six supershingles. */
  readonly identical: number;
}

/** One document with its sketch, for verification. */
export interface SketchedRow {
  readonly document: number;
  readonly cluster: number;
  readonly sketch: Uint8Array;
}

const urlsShown = 20;

/** An error of the engine: perhaps a damaged file, so that opening it again with `check` is worth the time. */
export function isDamage(error: unknown): boolean {
  return error instanceof Error && error.name === "Error";
}

/**
 * Documents in Parquet files with supershingles, one a row, numbered in the order of the files and rows. An engine of
 * its own scans them as often as needed: only the columns of numbers ever are in memory as a whole.
 */
export class DocumentFiles {
  readonly rows: number;
  readonly lost: readonly LostRows[];

  private constructor(
    private readonly instance: DuckDBInstance,
    private readonly connection: Connection,
    private readonly folder: string,
    private readonly columns: ReadonlySet<string>,
    lost: readonly LostRows[],
    rows: number,
  ) {
    this.lost = lost;
    this.rows = rows;
  }

  /** With `check` every row is read once before, and what cannot be read is left out: see `isDamage`. */
  static async open(files: readonly string[], signal: AbortSignal, check = false): Promise<DocumentFiles> {
    const missing = files.find((file) => !existsSync(file));
    if (missing !== undefined) throw new UserError(`${missing} cannot be read: no such file`);
    const folder = mkdtempSync(path.join(tmpdir(), "dustpan-"));
    const instance = await DuckDBInstance.create(":memory:", {
      autoinstall_known_extensions: "false",
      temp_directory: folder,
      threads: String(availableParallelism()),
      memory_limit: "512MiB",
    });
    const connection = await instance.connect();
    // One statement can take minutes, so that looking at the signal between them is not enough.
    signal.addEventListener("abort", () => connection.interrupt(), { once: true });
    try {
      const { query, lost } = await queryRows(connection, files, check);
      const columns = await columnsOf(connection, query);
      const needed = ["url", ...supershingleColumns].filter((column) => !columns.has(column));
      if (needed.length > 0) {
        throw new UserError(`${files[0]} has no column ${needed.join(", ")}: expected files of "dustpan sketch"`);
      }
      await connection.run(`CREATE TEMP VIEW documents AS ${query}`);
      const counted = await connection.runAndReadAll("SELECT count(*)::DOUBLE FROM documents");
      const rows = Number(counted.getRows()[0]?.[0]);
      // What the engine needs beside scanning grows with the clusters: their smallest URLs, and URLs that repeat.
      await connection.run(`SET memory_limit = '${512 + Math.ceil((24 * rows) / 2 ** 20)}MiB'`);
      return new DocumentFiles(instance, connection, folder, columns, lost, rows);
    } catch (error) {
      connection.closeSync();
      instance.closeSync();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  close(): void {
    this.connection.closeSync();
    this.instance.closeSync();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get hasSketches(): boolean {
    return this.columns.has("sketch");
  }

  /** What each row is. Of several rows of a URL the latest successful one with a sketch counts. */
  async readKinds(): Promise<Uint8Array> {
    const kinds = new Uint8Array(this.rows);
    const succeeded = this.columns.has("status") ? "coalesce(status BETWEEN 200 AND 299, true)" : "true";
    await this.#readNumbers(
      `SELECT CASE WHEN NOT ${succeeded} THEN ${NO_DOCUMENT} WHEN s0 IS NULL THEN ${WITHOUT_SKETCH}
         ELSE ${SKETCHED_DOCUMENT} END::UTINYINT FROM documents`,
      kinds,
    );
    // Two rows of one URL have one hash. So where no hash repeats no URL does, and the URLs never have to be in memory.
    await this.connection.run(
      `CREATE OR REPLACE TEMP TABLE repeated AS
       SELECT hash FROM (SELECT hash(url) AS hash FROM documents WHERE ${succeeded}) GROUP BY hash HAVING count(*) > 1`,
    );
    const time = this.columns.has("time") ? "time" : "NULL";
    await readChunks(
      this.connection,
      `SELECT i FROM (
         SELECT (row_number() OVER () - 1)::UINTEGER AS i, url, ${succeeded} AS ok, ${time} AS fetched, s0 IS NULL AS bare FROM documents)
       WHERE ok AND hash(url) IN (SELECT hash FROM repeated)
       QUALIFY row_number() OVER (PARTITION BY url ORDER BY bare, fetched DESC NULLS LAST, i DESC) > 1`,
      [],
      (chunk, rows) => {
        const superseded = new Uint32Array(rows);
        copyNumbers(chunk, 0, rows, superseded, 0);
        for (const document of superseded) kinds[document] = NO_DOCUMENT;
      },
    );
    return kinds;
  }

  /** Supershingle `column` of every row; 0 where there is none. */
  async readColumn(column: number, into: BigUint64Array): Promise<void> {
    await this.#readNumbers(`SELECT coalesce(${supershingleColumns[column]}, 0)::UBIGINT FROM documents`, into);
  }

  async #readNumbers(sql: string, into: Uint8Array | BigUint64Array): Promise<void> {
    let at = 0;
    await readChunks(this.connection, sql, [], (chunk, rows) => {
      copyNumbers(chunk, 0, rows, into, at);
      at += rows;
    });
    if (at !== this.rows) throw new InvariantError(`${at} rows were read of ${this.rows}`);
  }

  /** These columns of the documents, where the files have them, beside the cluster map. */
  #mapped(...columns: readonly string[]): string {
    // Named: a positional join reads every column of its sides.
    const there = columns.filter((column) => this.columns.has(column));
    return `(SELECT ${there.join(", ")} FROM documents) POSITIONAL JOIN map`;
  }

  /** Takes the cluster map, for what follows. The roots become the smallest URLs of their clusters. */
  async takeMap({ root, size }: ClusterMap): Promise<void> {
    await stageTable(this.connection, "map", { cluster: root, size });
    const id = this.columns.has("id") ? ", arg_min(id, url) AS id" : "";
    await this.connection.run(
      `CREATE OR REPLACE TEMP TABLE roots AS
       SELECT cluster, min(url) AS url${id} FROM ${this.#mapped("url", "id")} WHERE size > 1 GROUP BY cluster`,
    );
  }

  /** The cluster map as a file: url, root, size; and the numbers of URLs where the files have them. */
  async writeMap(file: string, format: "parquet" | "csv"): Promise<void> {
    const id = this.columns.has("id") ? ", d.id, coalesce(roots.id, d.id) AS root_id" : "";
    await this.connection.run(
      `COPY (
         SELECT d.url, coalesce(roots.url, d.url) AS root, d.size${id}
         FROM (SELECT * FROM ${this.#mapped("url", "id")} WHERE size > 0) d
         LEFT JOIN roots ON roots.cluster = d.cluster)
       TO ${quoted(file)} (${format === "csv" ? "FORMAT csv, HEADER" : "FORMAT parquet"})`,
    );
  }

  /** Documents of clusters with their sketches, cluster by cluster. */
  async eachClustered(take: (row: SketchedRow) => void): Promise<void> {
    await readChunks(
      this.connection,
      `SELECT i, cluster, sketch FROM (
         SELECT (row_number() OVER () - 1)::UINTEGER AS i, cluster, size, sketch FROM ${this.#mapped("sketch")})
       WHERE size > 1 ORDER BY cluster, i`,
      [],
      (chunk, rows) => {
        const documents = new Uint32Array(rows);
        const clusters = new Uint32Array(rows);
        copyNumbers(chunk, 0, rows, documents, 0);
        copyNumbers(chunk, 1, rows, clusters, 0);
        chunk.getColumnValues(2).forEach((value, k) => {
          if (!(value instanceof DuckDBBlobValue)) {
            throw new UserError("a document with supershingles has no sketch: --verify needs both");
          }
          take({ document: documents[k]!, cluster: clusters[k]!, sketch: value.bytes });
        });
      },
    );
  }

  /** By number of the cluster. */
  async describeClusters(clusters: readonly number[]): Promise<Map<number, ClusterDetails>> {
    await stageTable(this.connection, "shown", { cluster: Uint32Array.from(clusters) });
    const optional = (column: string, type: string) =>
      this.columns.has(column) ? `${column}::${type} AS ${column}` : `NULL::${type} AS ${column}`;
    await this.connection.run(
      `CREATE OR REPLACE TEMP TABLE members AS
       SELECT cluster, url, ${hostOf("url")} AS host, ${optional("address", "VARCHAR")}, ${optional("title", "VARCHAR")},
         ${optional("text", "VARCHAR")}, ${optional("words", "INTEGER")}, ${optional("status", "INTEGER")},
         [${supershingleColumns.join(", ")}] AS supershingles
       FROM ${this.#mapped("url", "address", "title", "text", "words", "status", ...supershingleColumns)}
       WHERE size > 1 AND cluster IN (FROM shown)`,
    );
    const found = await this.connection.runAndReadAll(
      `WITH representative AS (
         SELECT cluster, min(url) AS url, arg_min(supershingles, url) AS supershingles FROM members GROUP BY cluster)
       SELECT m.cluster, any_value(r.url), min(m.url, ${urlsShown}), arg_min(m.title, m.url) FILTER (m.url = r.url),
         arg_min(m.text, m.url) FILTER (m.url = r.url), arg_min(m.words, m.url) FILTER (m.url = r.url),
         arg_min(m.status, m.url) FILTER (m.url = r.url), (count(*) FILTER (m.supershingles = r.supershingles))::DOUBLE
       FROM members m JOIN representative r USING (cluster) GROUP BY m.cluster`,
    );
    const hosts = new Map<number, Map<string, string[]>>();
    const pairs = await this.connection.runAndReadAll(
      "SELECT DISTINCT cluster, host, address FROM members ORDER BY ALL",
    );
    for (const [cluster, host, address] of pairs.getRows()) {
      const known = hosts.get(Number(cluster)) ?? new Map<string, string[]>();
      hosts.set(Number(cluster), known);
      const addresses = known.get(String(host)) ?? [];
      known.set(String(host), addresses);
      if (address !== null) addresses.push(String(address));
    }
    return new Map(
      found.getRowsJS().map(([cluster, representative, urls, title, text, words, status, identical]) => [
        Number(cluster),
        {
          representative: String(representative),
          urls: (urls as unknown[]).map(String),
          hosts: [...(hosts.get(Number(cluster)) ?? [])].map(([host, addresses]) => ({ host, addresses })),
          ...(title !== null && { title: String(title) }),
          ...(text !== null && { text: String(text) }),
          ...(words !== null && { words: Number(words) }),
          ...(status !== null && { status: Number(status) }),
          identical: Number(identical),
        },
      ]),
    );
  }
}

/** The columns that mean something here; all but url and the supershingles may be missing. */
const meaning = new Set([
  "id",
  "url",
  "status",
  "time",
  "address",
  "title",
  "text",
  "words",
  "sketch",
  ...supershingleColumns,
]);

async function columnsOf(connection: Connection, relation: string): Promise<Set<string>> {
  const described = await connection.runAndReadAll(`DESCRIBE ${relation}`);
  return new Set(described.getRows().map((row) => String(row[0])));
}

/** A query for the rows of the files; with `check`, for those of them that can be read. */
async function queryRows(
  connection: Connection,
  files: readonly string[],
  check: boolean,
): Promise<{ readonly query: string; readonly lost: readonly LostRows[] }> {
  if (!check) {
    return {
      query: `SELECT * FROM read_parquet([${files.map(parquetFile).join(", ")}], union_by_name = true)`,
      lost: [],
    };
  }
  const { sound, lost } = await findDamagedRows(connection, files, meaning);
  if (sound.length === 0) throw new UserError(`nothing of ${files.join(", ")} can be read: ${lost[0]?.reason}`);
  return { query: sound.join(" UNION ALL BY NAME "), lost };
}
