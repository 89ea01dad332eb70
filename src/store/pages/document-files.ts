/** Sketch files as documents to cluster, without a workspace. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { InvariantError, UserError } from "../../errors.js";
import type { JobContext } from "../../model.js";
import type { ClusterMap } from "../../pages/cluster.js";
import { FEATURES } from "../../sketch/constants.js";
import { decodeSketch } from "../../sketch/sketch.js";
import { copyNumbers, copyTo, numbersOf, quoted, readChunks, stageTable } from "../columns.js";
import { type ClusterChanges, compareClusterMaps, readChanges, writeFates } from "../copies/cluster-changes.js";
import {
  DuckDBBlobValue,
  type DuckDBDataChunk,
  DuckDBInstance,
  DuckDBScalarFunction,
  interruptOn,
  UINTEGER,
} from "../duckdb.js";
import { type TableFormat, tableFormat } from "../output-format.js";
import { hasSupershingles, supershingleColumns } from "../schema.js";
import { RepeatFilter } from "../urls/repeat-filter.js";
import { hostInSql } from "../urls/sources.js";
import type { Connection } from "../workspace.js";
import type { LostRows } from "./damaged-rows.js";
import { querySketches } from "./sketch-rows.js";

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

const URLS_SHOWN = 20;

/** What `cluster_of` says of a document in no cluster, and of a row that is not a document or has no sketch. */
const ALONE = 0xffff_fffe;
const LEFT_OUT = 0xffff_ffff;

/**
 * Documents in Parquet files with supershingles, one per row, numbered in the order of the files and rows. An engine of
 * its own scans them as often as needed: only columns of numbers are ever in memory as a whole, and those not in the
 * engine. It asks for the cluster of a document with `cluster_of(document)`. That keeps its scans parallel: joined with a table of the clusters it
 * would scan the files on one thread, or hash all documents.
 */
export class DocumentFiles {
  #map: ClusterMap = { root: new Uint32Array(0), size: new Uint32Array(0) };

  readonly #connection: Connection;
  readonly #columns: ReadonlySet<string>;

  private constructor(
    connection: Connection,
    columns: ReadonlySet<string>,
    readonly lost: readonly LostRows[],
    readonly rows: number,
    readonly close: () => void,
  ) {
    this.#connection = connection;
    this.#columns = columns;
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({
        name: "cluster_of",
        parameterTypes: [UINTEGER],
        returnType: UINTEGER,
        mainFunction: (_, chunk, output) => {
          const documents = numbersOf<Uint32Array>(chunk.getColumnVector(0));
          const clusters = numbersOf<Uint32Array>(output);
          const { root, size } = this.#map;
          for (let row = 0; row < chunk.rowCount; row++) {
            const document = documents[row]!;
            const members = size[document]!;
            clusters[row] = members > 1 ? root[document]! : members === 1 ? ALONE : LEFT_OUT;
          }
          output.flush();
        },
      }),
    );
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
    const stopInterrupting = interruptOn(signal, connection);
    const close = () => {
      stopInterrupting();
      connection.closeSync();
      instance.closeSync();
      rmSync(folder, { recursive: true, force: true });
    };
    try {
      const { query, columns, rows, lost } = await querySketches(connection, files, check);
      await connection.run(`CREATE TEMP VIEW documents AS ${query}`);
      // What the engine needs besides scanning grows with the clusters: their smallest URLs, and URLs that repeat.
      await connection.run(`SET memory_limit = '${512 + Math.ceil((24 * rows) / 2 ** 20)}MiB'`);
      return new DocumentFiles(connection, columns, lost, rows, close);
    } catch (error) {
      close();
      throw error;
    }
  }

  get hasSketches(): boolean {
    return this.#columns.has("sketch");
  }

  /** What each row is. Of several rows of a URL the latest successful one with a sketch counts. */
  async readKinds(): Promise<Uint8Array> {
    const kinds = new Uint8Array(this.rows);
    const filter = new RepeatFilter(this.rows);
    const succeeded = this.#columns.has("status")
      ? `coalesce(status BETWEEN 200 AND 299 OR (status = 304 AND ${hasSupershingles}), true)`
      : "true";
    await this.#readRows(
      `SELECT CASE WHEN url IS NULL OR NOT ${succeeded} THEN ${NO_DOCUMENT} WHEN ${hasSupershingles} THEN ${SKETCHED_DOCUMENT}
         ELSE ${WITHOUT_SKETCH} END::UTINYINT, hash(url)::UBIGINT FROM documents`,
      (chunk, rows, at) => {
        copyNumbers(chunk, 0, rows, kinds, at);
        filter.add(numbersOf<BigUint64Array>(chunk.getColumnVector(1)).subarray(0, rows));
      },
    );
    const repeated = await this.#repeatedHashes(filter.suspects());
    if (repeated === 0) return kinds;
    const time = this.#columns.has("time") ? "time" : "NULL";
    await readChunks(
      this.#connection,
      `SELECT document FROM documents
       WHERE ${succeeded} AND hash(url) IN (SELECT hash FROM repeated)
       QUALIFY row_number() OVER (PARTITION BY url ORDER BY (${hasSupershingles}) DESC, ${time} DESC NULLS LAST, document DESC) > 1`,
      [],
      (chunk, rows) => {
        const superseded = new Uint32Array(rows);
        copyNumbers(chunk, 0, rows, superseded, 0);
        for (const document of superseded) kinds[document] = NO_DOCUMENT;
      },
    );
    return kinds;
  }

  /** Keeps the hashes that really repeat. Two rows of one URL have one hash, so where no hash repeats no URL does. */
  async #repeatedHashes(suspects: BigUint64Array): Promise<number> {
    if (suspects.length === 0) return 0;
    await stageTable(this.#connection, "suspects", { hash: suspects });
    await this.#connection.run(
      `CREATE OR REPLACE TEMP TABLE repeated AS
       SELECT hash FROM (SELECT hash(url) AS hash FROM documents) WHERE hash IN (FROM suspects)
       GROUP BY hash HAVING count(*) > 1`,
    );
    const counted = await this.#connection.runAndReadAll("SELECT count(*)::DOUBLE FROM repeated");
    return Number(counted.getRows()[0]?.[0]);
  }

  /** Supershingle `column` of every row; 0 where there is none. */
  async readColumn(column: number, into: BigUint64Array): Promise<void> {
    await this.#readRows(
      `SELECT coalesce(${supershingleColumns[column]}, 0)::UBIGINT FROM documents`,
      (chunk, rows, at) => copyNumbers(chunk, 0, rows, into, at),
    );
  }

  /** The supershingles of the sketched documents as Parquet, by number. */
  async writeSupershingles(file: string, sketched: Uint8Array): Promise<void> {
    this.#map = { root: new Uint32Array(0), size: Uint32Array.from(sketched) };
    await this.#connection.run(
      copyTo(
        `SELECT document AS id, ${supershingleColumns.join(", ")} FROM documents WHERE cluster_of(document) <> ${LEFT_OUT}`,
        file,
        "parquet",
      ),
    );
  }

  /** The cluster map of the sketched documents, from a file of those that are not alone: id, root, size. */
  async readClusters(file: string, sketched: Uint8Array): Promise<ClusterMap> {
    const root = Uint32Array.from(sketched, (_, document) => document);
    const size = Uint32Array.from(sketched);
    const sql = `SELECT id::UINTEGER, root::UINTEGER, size::UINTEGER FROM read_parquet(${quoted(file)})`;
    await readChunks(this.#connection, sql, [], (chunk, rows) => {
      const [ids, roots, sizes] = [0, 1, 2].map((column) => numbersOf<Uint32Array>(chunk.getColumnVector(column)));
      for (let row = 0; row < rows; row++) {
        root[ids![row]!] = roots![row]!;
        size[ids![row]!] = sizes![row]!;
      }
    });
    return { root, size };
  }

  /** The 84 features of every row with a sketch; zeros elsewhere. All of them are in memory: 672 bytes a row. */
  async readFeatures(sketched: Uint8Array, { onProgress }: JobContext): Promise<BigUint64Array> {
    const features = new BigUint64Array(FEATURES * this.rows);
    await this.#readRows("SELECT sketch FROM documents", (chunk, rows, at) => {
      const values = chunk.getColumnValues(0);
      for (let row = 0; row < rows; row++) {
        const value = values[row];
        if (sketched[at + row] === 0) continue;
        if (!(value instanceof DuckDBBlobValue)) throw noSketch();
        features.set(decodeSketch(value.bytes).features, FEATURES * (at + row));
      }
      onProgress({ step: "reading sketches", done: at + rows, total: this.rows, unit: "documents" });
    });
    return features;
  }

  /** A scan gives the documents in order, so that their numbers need not be read with them. */
  async #readRows(sql: string, take: (chunk: DuckDBDataChunk, rows: number, at: number) => void): Promise<void> {
    let at = 0;
    await readChunks(this.#connection, sql, [], (chunk, rows) => {
      take(chunk, rows, at);
      at += rows;
    });
    if (at !== this.rows) throw new InvariantError(`${at} rows were read of ${this.rows}`);
  }

  /** Takes the cluster map, for what follows. The roots become the smallest URLs of their clusters. */
  async takeMap(map: ClusterMap): Promise<void> {
    this.#map = map;
    const id = this.#columns.has("id") ? ", arg_min(id, url) AS id" : "";
    await this.#connection.run(
      `CREATE OR REPLACE TEMP TABLE roots AS
       SELECT cluster_of(document) AS cluster, min(url) AS url, count(*)::UINTEGER AS size${id}
       FROM documents WHERE cluster < ${ALONE} GROUP BY cluster`,
    );
  }

  /** The cluster map as a file: url, root, size; and the numbers of URLs where the files have them. */
  async writeMap(file: string, format: TableFormat): Promise<void> {
    const id = this.#columns.has("id") ? ", d.id, coalesce(roots.id, d.id) AS root_id" : "";
    await this.#connection.run(
      copyTo(
        `SELECT d.url, coalesce(roots.url, d.url) AS root, coalesce(roots.size, 1) AS size${id}
         FROM (SELECT *, cluster_of(document) AS cluster FROM documents WHERE cluster <> ${LEFT_OUT}) d
         LEFT JOIN roots ON roots.cluster = d.cluster`,
        file,
        format,
      ),
    );
  }

  /** What became of the clusters that an earlier run's map has. */
  async changesSince(file: string): Promise<ClusterChanges> {
    const format = tableFormat(file);
    if (format === undefined || !existsSync(file)) {
      throw new UserError(`--since ${file}: expected the cluster map of an earlier run, as --output writes it`);
    }
    await this.#connection.run(
      `CREATE OR REPLACE TEMP VIEW map AS
       SELECT d.url, coalesce(roots.url, d.url) AS root, coalesce(roots.size, 1) AS size
       FROM (SELECT *, cluster_of(document) AS cluster FROM documents WHERE cluster < ${ALONE}) d JOIN roots ON roots.cluster = d.cluster`,
    );
    const same = await compareClusterMaps(this.#connection, `read_${format}(${quoted(file)})`, "map");
    return readChanges(this.#connection, same);
  }

  /** What became of every cluster that has changed, as a file; after `changesSince`. */
  async writeChanges(file: string, format: TableFormat): Promise<void> {
    await writeFates(this.#connection, "FROM fates", file, format);
  }

  /** Documents of clusters with their sketches, cluster by cluster. */
  async eachClustered(take: (row: SketchedRow) => void): Promise<void> {
    await readChunks(
      this.#connection,
      `SELECT document, cluster_of(document) AS cluster, sketch FROM documents
       WHERE cluster < ${ALONE} ORDER BY cluster, document`,
      [],
      (chunk, rows) => {
        const documents = new Uint32Array(rows);
        const clusters = new Uint32Array(rows);
        copyNumbers(chunk, 0, rows, documents, 0);
        copyNumbers(chunk, 1, rows, clusters, 0);
        chunk.getColumnValues(2).forEach((value, k) => {
          if (!(value instanceof DuckDBBlobValue)) {
            throw noSketch();
          }
          take({ document: documents[k]!, cluster: clusters[k]!, sketch: value.bytes });
        });
      },
    );
  }

  /** By number of the cluster. */
  async describeClusters(clusters: readonly number[]): Promise<Map<number, ClusterDetails>> {
    await stageTable(this.#connection, "shown", { cluster: Uint32Array.from(clusters) });
    const optional = (column: string, type: string) =>
      this.#columns.has(column) ? `${column}::${type} AS ${column}` : `NULL::${type} AS ${column}`;
    await this.#connection.run(
      `CREATE OR REPLACE TEMP TABLE members AS
       SELECT cluster_of(document) AS cluster, url, ${hostInSql("url")} AS host, ${optional("address", "VARCHAR")}, ${optional("title", "VARCHAR")},
         ${optional("text", "VARCHAR")}, ${optional("words", "INTEGER")}, ${optional("status", "INTEGER")},
         [${supershingleColumns.join(", ")}] AS supershingles
       FROM documents WHERE cluster IN (FROM shown)`,
    );
    const found = await this.#connection.runAndReadAll(
      `WITH representative AS (
         SELECT cluster, min(url) AS url, arg_min(supershingles, url) AS supershingles FROM members GROUP BY cluster)
       SELECT m.cluster, any_value(r.url), min(m.url, ${URLS_SHOWN}), arg_min(m.title, m.url) FILTER (m.url = r.url),
         arg_min(m.text, m.url) FILTER (m.url = r.url), arg_min(m.words, m.url) FILTER (m.url = r.url),
         arg_min(m.status, m.url) FILTER (m.url = r.url), (count(*) FILTER (m.supershingles = r.supershingles))::DOUBLE
       FROM members m JOIN representative r USING (cluster) GROUP BY m.cluster`,
    );
    const hosts = new Map<number, Map<string, string[]>>();
    const pairs = await this.#connection.runAndReadAll(
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

const noSketch = () => new UserError("a document with supershingles has no sketch, and both are needed here");
