/**
 * Clusters of a growing crawl: a DuckDB file with URLs and sizes of clusters, and beside it the documents' supershingles and
 * roots (value-file.ts), in the order in which they came. What comes new is compared with what is there, not all with all.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { UserError } from "../../errors.js";
import type { JobContext } from "../../model.js";
import { clusterPages, type SupershingleLevel } from "../../pages/cluster.js";
import { findRoot, makeSets, setSizes, union } from "../../pages/union-find.js";
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
import { supershingleColumns } from "../schema.js";
import type { Connection } from "../workspace.js";
import type { Candidates } from "./candidates.js";
import { parquetFile } from "./damaged-rows.js";
import { Encounter } from "./encounter.js";
import { type GivenDocuments, HashIndex, readGiven } from "./given-documents.js";
import { HASH_WORD, RECORD_WORDS, ROOT_WORD } from "./record.js";
import { ValueFile } from "./value-file.js";

export interface AddedDocuments {
  /** Documents that were there before, and those that came. */
  readonly before: number;
  readonly added: number;
  /** Rows of URLs that were there already, with the same sketch or with one of an earlier time. */
  readonly known: number;
  /** URLs that came with another sketch: with any, all documents were clustered again. */
  readonly changed: number;
  /** URLs that are there and that the server calls gone now (404, 410). They stay, as in a run on all files. */
  readonly gone: number;
  readonly clusters: number;
  readonly clustered: number;
  readonly changes: ClusterChanges;
}

/** Of the file's tables, and of the files beside it. */
const VERSION = 4;
/** More roots than this share of the documents in the table of merged ones, and the value file is told of them. */
const MERGED_SHARE = 1 / 64;

export class ClusterState {
  readonly #instance: DuckDBInstance;
  readonly #connection: Connection;
  readonly #level: SupershingleLevel;
  readonly #file: string;
  /** Which of the value files counts: a run that clusters again writes another one. */
  #generation = 0;
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
      "CREATE TABLE dustpan_clusters (version INTEGER, level VARCHAR, recipe VARCHAR, documents UINTEGER, generation UINTEGER)",
    );
    await this.#connection.run(`INSERT INTO dustpan_clusters VALUES (${VERSION}, $1, NULL, 0, 0)`, [this.#level]);
    await this.#connection.run(
      "CREATE TABLE documents (document UINTEGER NOT NULL, time DOUBLE NOT NULL, url VARCHAR NOT NULL)",
    );
    // Clusters of two and more.
    await this.#connection.run("CREATE TABLE roots (root UINTEGER NOT NULL, size UINTEGER NOT NULL)");
    // Roots in the value file that became members of an older cluster since.
    await this.#connection.run("CREATE TABLE merged (old UINTEGER NOT NULL, new UINTEGER NOT NULL)");
    this.#values = await ValueFile.create(this.#valueFile(0));
  }

  async #check(): Promise<void> {
    const found = await this.#connection
      .runAndReadAll("SELECT version, level, documents, generation FROM dustpan_clusters")
      .catch(() => undefined);
    const [version, level, documents, generation] = found?.getRows()[0] ?? [];
    if (version !== VERSION) {
      throw new UserError(
        `${this.#file} is not a file that this version of "dustpan cluster --add" made; name one that is not there yet`,
      );
    }
    if (level !== this.#level)
      throw new UserError(`${this.#file} has clusters of level ${level}: name another file for ${this.#level}`);
    this.#generation = Number(generation);
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
    try {
      await connection.run("BEGIN");
      await this.#rewriteMerged();
      context.onProgress({ step: "reading new documents", done: 0, unit: "files" });
      const { rows, gone } = await this.#describe(files);
      const given = await readGiven(connection, rows, await this.#count(`SELECT count(*) FROM (${rows})`));
      context.onProgress({ step: "comparing with old documents", done: 0, total: old.documents, unit: "documents" });
      const hashes = new HashIndex(given);
      const { candidates, met } = await this.#meet(given, hashes, context);
      const leftOut = new Uint8Array(given.documents);
      await this.#dropRepeated(given, hashes, rows, leftOut);
      const { known, changed } = await this.#compareMet(given, met, rows, leftOut);
      const added = leftOut.reduce((sum, isOut) => sum + 1 - isOut, 0);
      const coming = comingRecords(given, leftOut, added);
      const same =
        changed.size > 0
          ? await this.#clusterAnew(given, coming, added, changed, context)
          : await this.#join(candidates, coming, added, context);
      await this.#insertUrls(rows, given, leftOut, old.documents);
      const [clusters, clustered] = [
        await this.#count("SELECT count(*) FROM roots"),
        await this.#count("SELECT coalesce(sum(size), 0) FROM roots"),
      ];
      const changes = await this.#nameRoots(await readChanges(connection, same));
      await connection.run("UPDATE dustpan_clusters SET documents = $1, generation = $2", [
        this.#values!.documents,
        this.#generation,
      ]);
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
         JOIN rooted USING (document) LEFT JOIN roots r ON r.root = rooted.root JOIN documents first ON first.document = rooted.root
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

  /** Queries for the rows of files that are documents, in their order, and for URLs that the server called gone. */
  async #describe(files: readonly string[]): Promise<{ rows: string; gone: string }> {
    const parts: { source: string; status: string; time: string; recipe: string }[] = [];
    for (const file of files) {
      const described = await this.#connection.runAndReadAll(
        `DESCRIBE SELECT * FROM read_parquet(${parquetFile(file)})`,
      );
      const columns = new Set(described.getRows().map(([name]) => String(name)));
      const has = (name: string, otherwise: string) => (columns.has(name) ? name : otherwise);
      parts.push({
        source: `read_parquet(${parquetFile(file)})`,
        status: has("status", "200"),
        time: has("time", "NULL::TIMESTAMP"),
        recipe: has("recipe", "NULL::VARCHAR"),
      });
    }
    const all = (select: (part: (typeof parts)[number]) => string) => parts.map(select).join(" UNION ALL ");
    const isDocument = (status: string) =>
      `s0 IS NOT NULL AND coalesce(${status} BETWEEN 200 AND 299 OR ${status} = 304, true)`;
    await this.#refuseMixed(
      all(({ source, status, recipe }) => `SELECT ${recipe} AS recipe FROM ${source} WHERE ${isDocument(status)}`),
    );
    return {
      rows: all(
        ({ source, status, time }) =>
          `SELECT url, ${supershingleColumns.join(", ")}, ${time} AS time FROM ${source} WHERE ${isDocument(status)}`,
      ),
      gone: all(({ source, status }) => `SELECT url FROM ${source} WHERE ${status} IN (404, 410)`),
    };
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

  /** Of several rows of a URL the latest counts, as in any run. */
  async #dropRepeated(given: GivenDocuments, hashes: HashIndex, rows: string, leftOut: Uint8Array): Promise<void> {
    const suspects: number[] = [];
    for (let row = 0; row < given.documents; row++) {
      let alike = 0;
      hashes.each(given.records, row * RECORD_WORDS + HASH_WORD, () => alike++);
      if (alike > 1) suspects.push(row);
    }
    const latest = new Map<string, number>();
    for (const [row, url] of await this.#urlsOfRows(rows, suspects)) {
      const other = latest.get(url);
      if (other !== undefined) leftOut[isLater(given.times[row]!, given.times[other]!) ? other : row] = 1;
      if (other === undefined || leftOut[other] === 1) latest.set(url, row);
    }
  }

  /** Rows by their place, ascending, with their URL. */
  async #urlsOfRows(rows: string, wanted: readonly number[]): Promise<[number, string][]> {
    if (wanted.length === 0) return [];
    await stageTable(this.#connection, "wanted", { place: Uint32Array.from(wanted) });
    const found = await this.#connection.runAndReadAll(
      `SELECT place, url FROM (SELECT row_number() OVER () - 1 AS place, url FROM (${rows}))
       WHERE place IN (SELECT place FROM wanted) ORDER BY place`,
    );
    return found.getRows().map(([place, url]) => [Number(place), String(url)]);
  }

  /** Marks rows of known URLs as left out; those with a later and other sketch are returned by document. */
  async #compareMet(
    given: GivenDocuments,
    met: Encounter["met"],
    rows: string,
    leftOut: Uint8Array,
  ): Promise<{ known: number; changed: Map<number, number> }> {
    const changed = new Map<number, number>();
    const asked = met.filter(([, row]) => leftOut[row] === 0);
    if (asked.length === 0) return { known: 0, changed };
    const urls = new Map(
      await this.#urlsOfRows(
        rows,
        asked.map(([, row]) => row),
      ),
    );
    await stageTable(this.#connection, "wanted", { document: Uint32Array.from(asked, ([document]) => document) });
    const found = await this.#connection.runAndReadAll(
      "SELECT document, url, time FROM documents WHERE document IN (SELECT document FROM wanted)",
    );
    const old = new Map(
      found.getRows().map(([document, url, time]) => [Number(document), { url, time: Number(time) }]),
    );
    let known = 0;
    const same = await this.#sameValues(given, asked);
    for (const [at, [document, row]] of asked.entries()) {
      const { url, time } = old.get(document)!;
      if (url !== urls.get(row)) continue;
      leftOut[row] = 1;
      if (same[at] === 1 || !isLater(given.times[row]!, time)) known++;
      else changed.set(document, row);
    }
    return { known, changed };
  }

  async #sameValues(given: GivenDocuments, asked: Encounter["met"]): Promise<Uint8Array> {
    const same = new Uint8Array(asked.length);
    const order = asked.map((_, at) => at).sort((a, b) => asked[a]![0] - asked[b]![0]);
    let next = 0;
    for await (const { records, first, documents } of this.#values!.blocks()) {
      for (; next < order.length && asked[order[next]!]![0] < first + documents; next++) {
        const [document, row] = asked[order[next]!]!;
        const at = (document - first) * RECORD_WORDS;
        let isSame = 1;
        for (let word = 0; word < HASH_WORD; word++) {
          if (records[at + word] !== given.records[row * RECORD_WORDS + word]) isSame = 0;
        }
        same[order[next]!] = isSame;
      }
    }
    return same;
  }

  /** New documents join what they share enough with. Says how many clusters are what they were, and leaves the others' fates. */
  async #join(candidates: Candidates, coming: Uint32Array, added: number, context: JobContext): Promise<number> {
    const connection = this.#connection;
    const { olds, roots } = await this.#clusterTogether(candidates, coming, added, context);
    for (let row = 0; row < added; row++) coming[row * RECORD_WORDS + ROOT_WORD] = roots[row]!;
    await stageTable(connection, "touched", { root: Uint32Array.from(olds.keys()) });
    const sizes = new Map<number, number>();
    await readChunks(connection, "SELECT root, size FROM roots WHERE root IN (FROM touched)", [], (chunk, count) => {
      const [root, size] = [new Uint32Array(count), new Uint32Array(count)];
      copyNumbers(chunk, 0, count, root, 0);
      copyNumbers(chunk, 1, count, size, 0);
      for (let row = 0; row < count; row++) sizes.set(root[row]!, size[row]!);
    });
    const joined = joinClusters(olds, (root) => sizes.get(root) ?? 1, roots);
    this.#values = await this.#values!.append(coming, added);
    const clusters = await this.#count("SELECT count(*) FROM roots");
    await connection.run("DELETE FROM roots WHERE root IN (FROM touched)");
    await stageTable(connection, "sized", {
      root: Uint32Array.from(joined.sizes.keys()),
      size: Uint32Array.from(joined.sizes.values()),
    });
    await connection.run("INSERT INTO roots SELECT root, size FROM sized ORDER BY root");
    if (joined.renamed.size > 0) {
      await stageTable(connection, "renamed", {
        old: Uint32Array.from(joined.renamed.keys()),
        new: Uint32Array.from(joined.renamed.values()),
      });
      await connection.run("UPDATE merged SET new = renamed.new FROM renamed WHERE merged.new = renamed.old");
      await connection.run("INSERT INTO merged SELECT old, new FROM renamed");
    }
    await stageFates(connection, joined.changed);
    return clusters - joined.touched + joined.unchanged;
  }

  /** The old clusters that were looked at with the root that each has by now, and the roots of new documents. */
  async #clusterTogether(
    { count, records }: Candidates,
    coming: Uint32Array,
    added: number,
    context: JobContext,
  ): Promise<{ olds: Map<number, number>; roots: Uint32Array }> {
    const before = this.#values!.documents;
    const rows = count + added;
    const readColumn = (column: number, into: BigUint64Array) => {
      const words = new Uint32Array(into.buffer, into.byteOffset, 2 * rows);
      copyColumn(records, count, column, words);
      copyColumn(coming, added, column, words.subarray(2 * count));
    };
    // Few enough that threads would cost more to start than they save.
    const { root: place } = await clusterPages(
      { documents: rows, readColumn },
      { level: this.#level, threads: 0, ...context },
    );
    const parent = place.slice();
    // The first document of the cluster that a row is in already, and some row of each old cluster.
    const known = new Uint32Array(rows);
    const rowOf = new Map<number, number>();
    for (let row = 0; row < rows; row++) {
      known[row] = row < count ? records[row * RECORD_WORDS + ROOT_WORD]! : before + row - count;
      if (row >= count) continue;
      const other = rowOf.get(known[row]!);
      if (other === undefined) rowOf.set(known[row]!, row);
      else union(parent, other, row);
    }
    const oldest = known.slice();
    for (let row = 0; row < rows; row++) {
      const top = findRoot(parent, row);
      oldest[top] = Math.min(oldest[top]!, known[row]!);
    }
    const rootOf = (row: number) => oldest[findRoot(parent, row)]!;
    return {
      olds: new Map(Array.from(rowOf, ([old, row]) => [old, rootOf(row)])),
      roots: Uint32Array.from({ length: added }, (_, row) => rootOf(count + row)),
    };
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
    await connection.run("DELETE FROM roots");
    await connection.run("INSERT INTO roots SELECT root, size FROM is_now WHERE url = root ORDER BY root");
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

  async #insertUrls(rows: string, given: GivenDocuments, leftOut: Uint8Array, before: number): Promise<void> {
    const places = Uint32Array.from(leftOut.keys()).filter((row) => leftOut[row] === 0);
    if (places.length === 0) return;
    // Most often all rows are new: then none has to be looked for.
    if (places.length < given.documents) await stageTable(this.#connection, "coming", { place: places });
    const some = places.length < given.documents ? "WHERE place IN (SELECT place FROM coming)" : "";
    await this.#connection.run(
      `INSERT INTO documents
       SELECT (row_number() OVER (ORDER BY place) - 1 + ${before})::UINTEGER, coalesce(epoch_ms(time)::DOUBLE, 'NaN'::DOUBLE), url
       FROM (SELECT row_number() OVER () - 1 AS place, time, url FROM (${rows})) ${some} ORDER BY place`,
    );
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

/** One supershingle of each record, two words each. */
function copyColumn(records: Uint32Array, documents: number, column: number, words: Uint32Array): void {
  for (let row = 0; row < documents; row++) {
    words[2 * row] = records[row * RECORD_WORDS + 2 * column]!;
    words[2 * row + 1] = records[row * RECORD_WORDS + 2 * column + 1]!;
  }
}

function comingRecords({ records, documents }: GivenDocuments, leftOut: Uint8Array, added: number): Uint32Array {
  if (added === documents) return records;
  const coming = new Uint32Array(added * RECORD_WORDS);
  let at = 0;
  for (let row = 0; row < documents; row++) {
    if (leftOut[row] === 1) continue;
    coming.set(records.subarray(row * RECORD_WORDS, (row + 1) * RECORD_WORDS), at);
    at += RECORD_WORDS;
  }
  return coming;
}

/** Whether what comes later in the files was also fetched later, as far as that is known (NaN where it is not). */
function isLater(time: number, other: number): boolean {
  return Number.isNaN(other) || time >= other;
}
