/**
 * Clusters of a growing crawl: a DuckDB file with URLs and sizes of clusters, and beside it the documents' supershingles and
 * roots (value-file.ts), in the order in which they came. New documents are compared with what is there, not all with all.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { UserError } from "../../errors.js";
import type { JobContext } from "../../model.js";
import { clusterPages, type SupershingleLevel } from "../../pages/cluster.js";
import { makeSets, setSizes } from "../../pages/union-find.js";
import { copyNumbers, copyTo, readChunks, stageTable } from "../columns.js";
import {
  type ClusterChanges,
  compareClusterMaps,
  joinClusters,
  readChanges,
  stageFates,
  writeFates,
} from "../copies/cluster-changes.js";
import { DuckDBInstance, interruptOn } from "../duckdb.js";
import type { TableFormat } from "../output-format.js";
import { privately } from "../private.js";
import type { Connection } from "../workspace.js";
import type { Candidates } from "./candidates.js";
import { clusterTogether } from "./cluster-together.js";
import { Encounter } from "./encounter.js";
import { comingRecords, type GivenDocuments, HashIndex, readGiven } from "./given-documents.js";
import { describeRows, insertUrls } from "./given-rows.js";
import { compareMet, dropRepeated } from "./known-rows.js";
import { copyColumn, RECORD_WORDS, ROOT_WORD } from "./record.js";
import { ValueFile } from "./value-file.js";

export interface AddedDocuments {
  /** Documents that were there before, and those that came. */
  readonly before: number;
  readonly added: number;
  /** Rows of URLs that were there already, with the same sketch or with one of an earlier time. */
  readonly known: number;
  /** URLs that came with another sketch: with any, all documents were clustered again. */
  readonly changed: number;
  /** Known URLs that the server now calls gone (404, 410). They stay, as in a run on all files. */
  readonly gone: number;
  readonly clusters: number;
  readonly clustered: number;
  readonly changes: ClusterChanges;
}

/** Of the file's tables, and of the files beside it. */
const VERSION = 6;
/** With more roots than this share of the documents in the table of merged ones, they are written into the value file. */
const MERGED_SHARE = 1 / 64;

/** Clusters of two documents and more. */
const clusterSizes = (of = "growth") =>
  `SELECT root, sum(documents)::UINTEGER AS size FROM ${of} GROUP BY root HAVING sum(documents) > 0`;

export class ClusterState {
  readonly #instance: DuckDBInstance;
  readonly #connection: Connection;
  readonly #level: SupershingleLevel;
  readonly #file: string;
  /** Which of the value files counts: a run that clusters again writes another one. */
  #generation = 0;
  /** Clusters of two documents and more, and documents in such. */
  #counts = { clusters: 0, clustered: 0 };
  #values: ValueFile | undefined;

  private constructor(instance: DuckDBInstance, connection: Connection, level: SupershingleLevel, file: string) {
    this.#instance = instance;
    this.#connection = connection;
    this.#level = level;
    this.#file = file;
  }

  /** The state in a file, which is made where there is none; it belongs to one level. */
  static async open(file: string, level: SupershingleLevel): Promise<ClusterState> {
    return privately(async () => {
      const isNew = !existsSync(file);
      const instance = await DuckDBInstance.create(file, {
        autoinstall_known_extensions: "false",
        memory_limit: "1GB",
        // What a run adds is written into the tables at once, not to the log first.
        checkpoint_threshold: "1MB",
        threads: String(availableParallelism()),
      });
      const connection = await instance.connect();
      const state = new ClusterState(instance, connection, level, file);
      try {
        if (isNew) await state.#create();
        else await state.#check();
      } catch (error) {
        await state.close();
        throw error;
      }
      return state;
    });
  }

  async close(): Promise<void> {
    await this.#values?.close();
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  #valueFile(generation: number): string {
    return `${this.#file}.values${generation}`;
  }

  async #create(): Promise<void> {
    await this.#connection.run(
      "CREATE TABLE dustpan_clusters (version INTEGER, level VARCHAR, recipe VARCHAR, documents UINTEGER, clusters UINTEGER, clustered UINTEGER, generation UINTEGER)",
    );
    await this.#connection.run(`INSERT INTO dustpan_clusters VALUES (${VERSION}, $1, NULL, 0, 0, 0, 0)`, [this.#level]);
    await this.#connection.run(
      "CREATE TABLE documents (document UINTEGER NOT NULL, time DOUBLE NOT NULL, url VARCHAR NOT NULL)",
    );
    // By how many documents each run made a cluster of two and more grow: rows are added, and few are ever changed.
    await this.#connection.run("CREATE TABLE growth (root UINTEGER NOT NULL, documents INTEGER NOT NULL)");
    // Roots in the value file that became members of an older cluster since.
    await this.#connection.run("CREATE TABLE merged (old UINTEGER NOT NULL, new UINTEGER NOT NULL)");
    this.#values = await ValueFile.create(this.#valueFile(0));
  }

  async #check(): Promise<void> {
    const found = await this.#connection
      .runAndReadAll("SELECT version, level, documents, generation, clusters, clustered FROM dustpan_clusters")
      .catch(() => undefined);
    const [version, level, documents, generation, clusters, clustered] = found?.getRows()[0] ?? [];
    if (version !== VERSION) {
      throw new UserError(
        `${this.#file} is not a file that this version of "dustpan cluster --add" made; name one that is not there yet`,
      );
    }
    if (level !== this.#level)
      throw new UserError(`${this.#file} has clusters of level ${level}: name another file for ${this.#level}`);
    this.#generation = Number(generation);
    this.#counts = { clusters: Number(clusters), clustered: Number(clustered) };
    this.#values = await ValueFile.open(this.#valueFile(this.#generation), Number(documents));
  }

  /** Takes the documents of sketch files. All of it happens, or nothing. */
  async add(files: readonly string[], context: JobContext): Promise<AddedDocuments> {
    return privately(() => this.#add(files, context));
  }

  async #add(files: readonly string[], context: JobContext): Promise<AddedDocuments> {
    const connection = this.#connection;
    const stopInterrupting = interruptOn(context.signal, connection);
    const old = this.#values!;
    const countsBefore = { ...this.#counts };
    try {
      await connection.run("BEGIN");
      await this.#rewriteMerged();
      await this.#sumGrowth();
      context.onProgress({ step: "reading new documents", done: 0, unit: "files" });
      const { rows, recipes, gone } = await describeRows(connection, files);
      await this.#refuseMixed(recipes);
      const given = await readGiven(connection, rows, await this.#count(`SELECT count(*) FROM (${rows})`));
      context.onProgress({ step: "comparing with old documents", done: 0, total: old.documents, unit: "documents" });
      const hashes = new HashIndex(given);
      const { candidates, met } = await this.#meet(given, hashes, context);
      const leftOut = new Uint8Array(given.documents);
      await dropRepeated(connection, given, hashes, rows, leftOut);
      const { known, changed } = await compareMet(connection, old, given, met, rows, leftOut);
      const added = leftOut.reduce((sum, isOut) => sum + 1 - isOut, 0);
      const coming = comingRecords(given, leftOut, added);
      const same =
        changed.size > 0
          ? await this.#clusterAnew(given, coming, added, changed, context)
          : await this.#join(candidates, coming, added, context);
      await insertUrls(connection, rows, leftOut, old.documents);
      const changes = await this.#nameRoots(await readChanges(connection, same));
      const { clusters, clustered } = this.#counts;
      await connection.run(
        "UPDATE dustpan_clusters SET documents = $1, generation = $2, clusters = $3, clustered = $4",
        [this.#values!.documents, this.#generation, clusters, clustered],
      );
      const stillGone = await this.#count(
        `SELECT count(*) FROM documents WHERE url IN (SELECT url FROM (${gone})) AND document < ${old.documents}`,
      );
      await connection.run("COMMIT");
      if (this.#values !== old && this.#values!.name !== old.name) await old.remove();
      return {
        ...{ before: old.documents, added, known, changed: changed.size, gone: stillGone },
        ...{ clusters, clustered, changes },
      };
    } catch (error) {
      stopInterrupting();
      await connection.run("ROLLBACK").catch(() => {});
      if (this.#values!.name !== old.name) {
        await this.#values!.remove();
        this.#generation--;
      }
      this.#values = old;
      this.#counts = countsBefore;
      throw error;
    } finally {
      stopInterrupting();
    }
  }

  /** The cluster map as a file: url, root and size, in the order in which documents came. */
  async writeMap(file: string, format: TableFormat): Promise<void> {
    const root = await this.#roots();
    const document = new Uint32Array(root.length);
    makeSets(document);
    await stageTable(this.#connection, "rooted", { document, root });
    await this.#connection.run(
      copyTo(
        `SELECT d.url, first.url AS root, coalesce(r.size, 1) AS size FROM documents d
         JOIN rooted USING (document) LEFT JOIN (${clusterSizes()}) r ON r.root = rooted.root JOIN documents first ON first.document = rooted.root
         ORDER BY d.document`,
        file,
        format,
      ),
    );
  }

  /** What became of every cluster that the last call of `add` changed, as a file. */
  async writeChanges(file: string, format: TableFormat): Promise<void> {
    const named = "SELECT fates.* REPLACE (url AS root) FROM fates JOIN documents ON document = root";
    await writeFates(this.#connection, named, file, format);
  }

  async #count(sql: string): Promise<number> {
    return Number((await this.#connection.runAndReadAll(sql)).getRows()[0]?.[0]);
  }

  async #refuseMixed(recipes: string): Promise<void> {
    const found = await this.#connection.runAndReadAll(
      `SELECT DISTINCT recipe FROM (${recipes} UNION ALL SELECT recipe FROM dustpan_clusters) WHERE recipe IS NOT NULL ORDER BY recipe`,
    );
    const makings = found.getRows().map(([recipe]) => String(recipe));
    if (makings.length > 1) {
      throw new UserError(`sketches made as ${makings.join(" and ")} cannot be compared: sketch all archives alike`);
    }
    if (makings.length === 1) await this.#connection.run("UPDATE dustpan_clusters SET recipe = $1", [makings[0]!]);
  }

  async #meet(given: GivenDocuments, hashes: HashIndex, context: JobContext): Promise<Encounter> {
    const encounter = new Encounter(hashes, this.#level, await this.#mergedRoots());
    if (given.documents === 0) return encounter;
    const shared = await this.#values!.sharedColumns(given, context);
    for await (const block of this.#values!.blocks(context)) encounter.look(block, shared);
    return encounter;
  }

  /** New documents join what they share enough with. Says how many clusters are what they were, and leaves the others' fates. */
  async #join(candidates: Candidates, coming: Uint32Array, added: number, context: JobContext): Promise<number> {
    const connection = this.#connection;
    const before = this.#values!.documents;
    const together = await clusterTogether(candidates, coming, added, before, this.#level, context);
    for (let row = 0; row < added; row++) coming[row * RECORD_WORDS + ROOT_WORD] = together.roots[row]!;
    const sizes = await this.#sizes(together.old);
    const joined = joinClusters(together, (root) => sizes.get(root) ?? 1, before);
    this.#values = await this.#values!.append(coming, added);
    const { clusters } = this.#counts;
    this.#counts.clusters += joined.moreClusters;
    this.#counts.clustered += joined.moreClustered;
    await stageTable(connection, "sized", {
      root: Uint32Array.from(joined.growth.keys()),
      documents: Int32Array.from(joined.growth.values()),
    });
    await connection.run("INSERT INTO growth SELECT root, documents FROM sized");
    if (joined.renamed.size > 0) {
      await stageTable(connection, "renamed", {
        old: Uint32Array.from(joined.renamed.keys()),
        new: Uint32Array.from(joined.renamed.values()),
      });
      await connection.run("UPDATE merged SET new = renamed.new FROM renamed WHERE merged.new = renamed.old");
      await connection.run("INSERT INTO merged SELECT old, new FROM renamed");
    }
    await stageFates(connection, joined.changed);
    return clusters - joined.ended;
  }

  /** The sizes of those of some clusters that have two documents and more, by root. */
  async #sizes(roots: Uint32Array): Promise<Map<number, number>> {
    await stageTable(this.#connection, "touched", { root: roots });
    const sizes = new Map<number, number>();
    await readChunks(this.#connection, clusterSizes("growth WHERE root IN (FROM touched)"), [], (chunk, count) => {
      const [root, size] = [new Uint32Array(count), new Uint32Array(count)];
      copyNumbers(chunk, 0, count, root, 0);
      copyNumbers(chunk, 1, count, size, 0);
      for (let row = 0; row < count; row++) sizes.set(root[row]!, size[row]!);
    });
    return sizes;
  }

  /** Pages have changed: all documents, with what they are now, as in a first run, into a value file of its own. */
  async #clusterAnew(
    given: GivenDocuments,
    coming: Uint32Array,
    added: number,
    changed: ReadonlyMap<number, number>,
    context: JobContext,
  ): Promise<number> {
    const connection = this.#connection;
    const old = this.#values!;
    const was = await this.#roots();
    let values = await ValueFile.create(this.#valueFile(++this.#generation));
    this.#values = values;
    for await (const { records, first, documents } of old.blocks(context)) {
      for (let row = 0; row < documents; row++) {
        const now = changed.get(first + row);
        if (now === undefined) continue;
        records.set(given.records.subarray(now * RECORD_WORDS, (now + 1) * RECORD_WORDS), row * RECORD_WORDS);
      }
      values = await values.append(records, documents);
    }
    values = await values.append(coming, added);
    this.#values = values;
    const readColumn = async (column: number, into: BigUint64Array) => {
      const words = new Uint32Array(into.buffer, into.byteOffset, 2 * values.documents);
      for await (const { records, first, documents } of values.blocks(context)) {
        copyColumn(records, documents, column, words.subarray(2 * first));
      }
    };
    const { root, size } = await clusterPages(
      { documents: values.documents, readColumn },
      { level: this.#level, ...context },
    );
    await values.rewriteRoots((_, document) => root[document]!);
    await connection.run("DELETE FROM merged");
    await this.#stageMap("was", was, setSizes(was, new Uint8Array(was.length).fill(1)));
    await this.#stageMap("is_now", root, size);
    await connection.run("DELETE FROM growth");
    await connection.run("INSERT INTO growth SELECT root, size FROM is_now WHERE url = root");
    this.#counts = {
      clusters: await this.#count("SELECT count(*) FROM growth"),
      clustered: await this.#count("SELECT count(*) FROM is_now"),
    };
    await stageTable(connection, "times", {
      document: Uint32Array.from(changed.keys()),
      time: Float64Array.from(changed.values(), (row) => given.times[row]!),
    });
    await connection.run("UPDATE documents SET time = times.time FROM times WHERE times.document = documents.document");
    return compareClusterMaps(connection, "was", "is_now");
  }

  /** A cluster map as compareClusterMaps takes it: clusters of two documents and more. */
  async #stageMap(name: string, root: Uint32Array, size: Uint32Array): Promise<void> {
    const inClusters = Uint32Array.from(root.keys()).filter((document) => size[document]! > 1);
    await stageTable(this.#connection, name, {
      url: inClusters,
      root: inClusters.map((document) => root[document]!),
      size: inClusters.map((document) => size[document]!),
    });
  }

  /** What a root of the value file is by now. */
  async #mergedRoots(): Promise<(root: number) => number> {
    const found = await this.#connection.runAndReadAll("SELECT old, new FROM merged");
    if (found.currentRowCount === 0) return (root) => root;
    const into = new Map(found.getRows().map(([old, now]) => [Number(old), Number(now)]));
    return (root) => into.get(root) ?? root;
  }

  /** The root of every document. */
  async #roots(): Promise<Uint32Array> {
    const roots = new Uint32Array(this.#values!.documents);
    const resolve = await this.#mergedRoots();
    for await (const { records, first, documents } of this.#values!.blocks()) {
      for (let row = 0; row < documents; row++) roots[first + row] = resolve(records[row * RECORD_WORDS + ROOT_WORD]!);
    }
    return roots;
  }

  /** The table of merged roots stays short. Interrupted, both say the same of a root that was rewritten. */
  async #rewriteMerged(): Promise<void> {
    const merged = await this.#count("SELECT count(*) FROM merged");
    if (merged <= MERGED_SHARE * this.#values!.documents) return;
    const resolve = await this.#mergedRoots();
    await this.#values!.rewriteRoots(resolve);
    await this.#connection.run("DELETE FROM merged");
  }

  /** One row a cluster again, where runs have added as many rows as there are clusters. */
  async #sumGrowth(): Promise<void> {
    if ((await this.#count("SELECT count(*) FROM growth")) <= 2 * this.#counts.clusters) return;
    await this.#connection.run(`CREATE OR REPLACE TEMP TABLE summed AS ${clusterSizes()}`);
    await this.#connection.run("DELETE FROM growth");
    await this.#connection.run("INSERT INTO growth FROM summed");
  }

  /** Numbers of documents become their URLs. */
  async #nameRoots(changes: ClusterChanges): Promise<ClusterChanges> {
    const roots = changes.largest.map(({ root }) => Number(root));
    if (roots.length === 0) return changes;
    // One number is looked for where the table can have it, a list of them everywhere.
    const found = await this.#connection.runAndReadAll(
      roots.map((root) => `SELECT document, url FROM documents WHERE document = ${root}`).join(" UNION ALL "),
    );
    const urls = new Map(found.getRows().map(([number, url]) => [String(number), String(url)]));
    return { ...changes, largest: changes.largest.map((entry) => ({ ...entry, root: urls.get(entry.root)! })) };
  }
}
