/**
 * Clusters of a growing crawl, in a DuckDB file of their own: documents with their supershingles in the order in which they came,
 * and the first document of each one's cluster. What comes new is compared with the old tables, not all with all.
 */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { UserError } from "../../errors.js";
import type { JobContext } from "../../model.js";
import { clusterPages, fromColumns, type SupershingleLevel } from "../../pages/cluster.js";
import { findRoot, flatten, makeSets, union } from "../../pages/union-find.js";
import { SUPERSHINGLES } from "../../sketch/sketch.js";
import { copyNumbers, copyTo, readChunks, stageTable } from "../columns.js";
import { type ClusterChanges, compareClusterMaps } from "../copies/cluster-changes.js";
import { DuckDBInstance } from "../duckdb.js";
import type { TableFormat } from "../output-format.js";
import { supershingleColumns } from "../schema.js";
import type { Connection } from "../workspace.js";
import { parquetFile } from "./damaged-rows.js";

export interface AddedDocuments {
  /** Documents that were there before, and those that came. */
  readonly before: number;
  readonly added: number;
  /** Rows of URLs that were there already, with the same sketch. */
  readonly known: number;
  /** URLs that came with another sketch: with any, all documents were clustered anew. */
  readonly changed: number;
  readonly clusters: number;
  readonly clustered: number;
  readonly changes: ClusterChanges;
}

const VALUES = supershingleColumns.join(", ");

export class ClusterState {
  readonly #instance: DuckDBInstance;
  readonly #connection: Connection;
  readonly #level: SupershingleLevel;

  private constructor(instance: DuckDBInstance, connection: Connection, level: SupershingleLevel) {
    this.#instance = instance;
    this.#connection = connection;
    this.#level = level;
  }

  /** The state in a file, which is made where there is none; it belongs to one level. */
  static async open(file: string, level: SupershingleLevel): Promise<ClusterState> {
    const isNew = !existsSync(file);
    const instance = await DuckDBInstance.create(file, {
      autoinstall_known_extensions: "false",
      memory_limit: "1GB",
      threads: String(availableParallelism()),
    });
    const connection = await instance.connect();
    const state = new ClusterState(instance, connection, level);
    try {
      if (isNew) await state.#create();
      else await state.#check(file);
    } catch (error) {
      state.close();
      throw error;
    }
    return state;
  }

  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #create(): Promise<void> {
    await this.#connection.run("CREATE TABLE dustpan_clusters (level VARCHAR NOT NULL, recipe VARCHAR)");
    await this.#connection.run("INSERT INTO dustpan_clusters VALUES ($1, NULL)", [this.#level]);
    await this.#connection.run(
      `CREATE TABLE documents (document UINTEGER NOT NULL, hash UBIGINT NOT NULL,
         ${supershingleColumns.map((column) => `${column} UBIGINT NOT NULL`).join(", ")}, root UINTEGER NOT NULL, url VARCHAR NOT NULL)`,
    );
    // Clusters of two and more.
    await this.#connection.run("CREATE TABLE roots (root UINTEGER NOT NULL, size UINTEGER NOT NULL)");
  }

  async #check(file: string): Promise<void> {
    const found = await this.#connection.runAndReadAll("SELECT level FROM dustpan_clusters").catch(() => undefined);
    const level = found?.getRows()[0]?.[0];
    if (level === undefined)
      throw new UserError(`${file} is not a file of "dustpan cluster --add"; name one that is not there yet`);
    if (level !== this.#level)
      throw new UserError(`${file} has clusters of level ${level}: name another file for ${this.#level}`);
  }

  /** Takes the documents of sketch files. All of it happens, or nothing. */
  async add(files: readonly string[], context: JobContext): Promise<AddedDocuments> {
    const connection = this.#connection;
    const interrupt = () => connection.interrupt();
    context.signal.addEventListener("abort", interrupt);
    try {
      await connection.run("BEGIN");
      context.onProgress({ step: "reading new documents", done: 0, unit: "files" });
      const before = await this.#count("SELECT count(*) FROM documents");
      const { known, changed } = await this.#stage(files);
      const added = await this.#count("SELECT count(*) FROM coming");
      const changes = changed > 0 ? await this.#clusterAnew(context) : await this.#join(before, context);
      const [clusters, clustered] = [
        await this.#count("SELECT count(*) FROM roots"),
        await this.#count("SELECT coalesce(sum(size), 0) FROM roots"),
      ];
      await connection.run("COMMIT");
      return { before, added, known, changed, clusters, clustered, changes };
    } catch (error) {
      await connection.run("ROLLBACK").catch(() => {});
      throw error;
    } finally {
      context.signal.removeEventListener("abort", interrupt);
    }
  }

  /** The cluster map as a file: url, root and size, in the order in which documents came. */
  async writeMap(file: string, format: TableFormat): Promise<void> {
    await this.#connection.run(
      copyTo(
        `SELECT d.url, first.url AS root, coalesce(r.size, 1) AS size FROM documents d
         LEFT JOIN roots r ON r.root = d.root JOIN documents first ON first.document = d.root ORDER BY d.document`,
        file,
        format,
      ),
    );
  }

  async #count(sql: string): Promise<number> {
    return Number((await this.#connection.runAndReadAll(sql)).getRows()[0]?.[0]);
  }

  /** Leaves `coming`: what is new, numbered on from the last document, and `changed`: URLs with another sketch than before. */
  async #stage(files: readonly string[]): Promise<{ known: number; changed: number }> {
    const connection = this.#connection;
    const parts: string[] = [];
    for (const [number, file] of files.entries()) {
      const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM read_parquet(${parquetFile(file)})`);
      const columns = new Set(described.getRows().map(([name]) => String(name)));
      const has = (name: string, otherwise: string) => (columns.has(name) ? name : otherwise);
      parts.push(
        `SELECT url, ${VALUES}, ${has("recipe", "NULL")} AS recipe, ${has("time", "NULL::TIMESTAMP")} AS time, ${number} AS file, file_row_number AS row
         FROM read_parquet(${parquetFile(file)}, file_row_number = true)
         WHERE s0 IS NOT NULL AND coalesce(${has("status", "200")} BETWEEN 200 AND 299 OR ${has("status", "200")} = 304, true)`,
      );
    }
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE given AS
       SELECT url, hash(url)::UBIGINT AS hash, ${VALUES}, recipe, file, row FROM (${parts.join(" UNION ALL ")})
       QUALIFY row_number() OVER (PARTITION BY url ORDER BY time DESC NULLS LAST, file DESC, row DESC) = 1`,
    );
    await this.#refuseMixed();
    // By hash first, and by nothing else where no hash is known: reading all URLs would take longer than all else.
    await connection.run(
      "CREATE OR REPLACE TEMP TABLE suspects AS SELECT document FROM documents WHERE hash IN (SELECT hash FROM given)",
    );
    const isSuspected = (await this.#count("SELECT count(*) FROM suspects")) > 0;
    const old = isSuspected ? "documents WHERE document IN (SELECT document FROM suspects)" : "documents LIMIT 0";
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE met AS
       SELECT d.document, d.url, ${supershingleColumns.map((s) => `d.${s} = g.${s}`).join(" AND ")} AS is_same
       FROM given g JOIN (SELECT * FROM ${old}) d ON d.hash = g.hash AND d.url = g.url`,
    );
    const known = await this.#count("SELECT count(*) FROM met WHERE is_same");
    const changed = await this.#count("SELECT count(*) FROM met WHERE NOT is_same");
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE coming AS
       SELECT (row_number() OVER (ORDER BY file, row) - 1 + (SELECT count(*) FROM documents))::UINTEGER AS document, url, hash, ${VALUES}
       FROM given WHERE url NOT IN (SELECT url FROM met)`,
    );
    return { known, changed };
  }

  async #refuseMixed(): Promise<void> {
    const rows = await this.#connection.runAndReadAll(
      `SELECT DISTINCT recipe FROM (SELECT recipe FROM given UNION ALL SELECT recipe FROM dustpan_clusters) WHERE recipe IS NOT NULL ORDER BY recipe`,
    );
    const makings = rows.getRows().map(([recipe]) => String(recipe));
    if (makings.length > 1) {
      throw new UserError(`sketches made as ${makings.join(" and ")} cannot be compared: sketch all archives alike`);
    }
    if (makings.length === 1) await this.#connection.run("UPDATE dustpan_clusters SET recipe = $1", [makings[0]!]);
  }

  /** New documents join what they share enough with. Only old documents that share that many values at all are looked at. */
  async #join(before: number, context: JobContext): Promise<ClusterChanges> {
    const connection = this.#connection;
    const least = this.#level === "similar" ? 2 : SUPERSHINGLES;
    context.onProgress({ step: "comparing with old documents", done: 0, total: before, unit: "documents" });
    const joins = supershingleColumns
      .map((s) => `LEFT JOIN (SELECT DISTINCT ${s} AS v FROM coming) v${s} ON v${s}.v = d.${s}`)
      .join(" ");
    const shared = supershingleColumns.map((s) => `(v${s}.v IS NOT NULL)::UTINYINT`).join(" + ");
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE candidates AS
       SELECT d.document, d.root, ${supershingleColumns.map((s) => `d.${s}`).join(", ")} FROM documents d ${joins} WHERE ${shared} >= ${least}`,
    );
    const { document, root } = await this.#cluster(
      `SELECT document, root, ${VALUES} FROM candidates UNION ALL SELECT document, document, ${VALUES} FROM coming ORDER BY document`,
      context,
    );
    await stageTable(connection, "rooted", { document, root });
    // Old roots that are no longer: their clusters belong to an older one now.
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE renamed AS
       SELECT DISTINCT c.root AS old, r.root AS new FROM candidates c JOIN rooted r ON r.document = c.document WHERE c.root <> r.root`,
    );
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE touched AS
       SELECT DISTINCT root FROM (SELECT c.root FROM candidates c UNION ALL SELECT r.root FROM rooted r) WHERE root < ${before}`,
    );
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE touched_before AS
       SELECT d.document AS url, d.root, coalesce(r.size, 1) AS size FROM documents d LEFT JOIN roots r ON r.root = d.root
       WHERE d.root IN (SELECT root FROM touched)`,
    );
    if ((await this.#count("SELECT count(*) FROM renamed")) > 0) {
      await connection.run("UPDATE documents SET root = renamed.new FROM renamed WHERE documents.root = renamed.old");
    }
    await connection.run(
      `INSERT INTO documents SELECT c.document, c.hash, ${supershingleColumns.map((s) => `c.${s}`).join(", ")}, r.root, c.url
       FROM coming c JOIN rooted r ON r.document = c.document ORDER BY c.document`,
    );
    // Sizes of the clusters that were looked at: old members by the table before, new ones by their number.
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE touched_after AS
       SELECT url, root, (count(*) OVER (PARTITION BY root))::UINTEGER AS size FROM (
         SELECT b.url, coalesce(n.new, b.root) AS root FROM touched_before b LEFT JOIN renamed n ON n.old = b.root
         UNION ALL SELECT r.document, r.root FROM rooted r WHERE r.document >= ${before})`,
    );
    await connection.run("DELETE FROM roots WHERE root IN (SELECT root FROM touched)");
    await connection.run(
      "INSERT INTO roots SELECT DISTINCT root, size FROM touched_after WHERE size > 1 ORDER BY root",
    );
    return this.#changes("touched_before", "touched_after");
  }

  /** Pages have changed: all documents, with what they are now, as in a first run. */
  async #clusterAnew(context: JobContext): Promise<ClusterChanges> {
    const connection = this.#connection;
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE was AS
       SELECT d.document AS url, d.root, coalesce(r.size, 1) AS size FROM documents d LEFT JOIN roots r ON r.root = d.root`,
    );
    await connection.run(
      `UPDATE documents SET ${supershingleColumns.map((s) => `${s} = g.${s}`).join(", ")}
       FROM given g JOIN met ON met.url = g.url WHERE documents.document = met.document`,
    );
    await connection.run(
      `INSERT INTO documents SELECT document, hash, ${VALUES}, document, url FROM coming ORDER BY document`,
    );
    const { document, root } = await this.#cluster(
      `SELECT document, document AS root, ${VALUES} FROM documents ORDER BY document`,
      context,
    );
    await stageTable(connection, "rooted", { document, root });
    await connection.run(
      "UPDATE documents SET root = rooted.root FROM rooted WHERE rooted.document = documents.document",
    );
    await connection.run("DELETE FROM roots");
    await connection.run(
      "INSERT INTO roots SELECT root, count(*) FROM documents GROUP BY root HAVING count(*) > 1 ORDER BY root",
    );
    await connection.run(
      `CREATE OR REPLACE TEMP TABLE is_now AS
       SELECT d.document AS url, d.root, coalesce(r.size, 1) AS size FROM documents d LEFT JOIN roots r ON r.root = d.root`,
    );
    return this.#changes("was", "is_now");
  }

  /** The clusters of some documents, given with the first document of the cluster that each is in already. */
  async #cluster(sql: string, context: JobContext): Promise<{ document: Uint32Array; root: Uint32Array }> {
    const rows = await this.#count(`SELECT count(*) FROM (${sql})`);
    const document = new Uint32Array(rows);
    const known = new Uint32Array(rows);
    const columns = new BigUint64Array(SUPERSHINGLES * rows);
    let at = 0;
    await readChunks(this.#connection, sql, [], (chunk, count) => {
      copyNumbers(chunk, 0, count, document, at);
      copyNumbers(chunk, 1, count, known, at);
      for (let s = 0; s < SUPERSHINGLES; s++) {
        copyNumbers(chunk, 2 + s, count, columns.subarray(s * rows, (s + 1) * rows), at);
      }
      at += count;
    });
    const { root: place } = await clusterPages(fromColumns(columns), { level: this.#level, ...context });
    const parent = new Uint32Array(rows);
    makeSets(parent);
    const placeOf = new Map<number, number>();
    // The oldest document of each cluster, in these rows or not.
    const oldest = document.slice();
    for (let row = 0; row < rows; row++) {
      oldest[row] = known[row]!;
      union(parent, place[row]!, row);
      const other = placeOf.get(known[row]!);
      if (other === undefined) placeOf.set(known[row]!, row);
      else union(parent, other, row);
    }
    flatten(parent);
    for (let row = 0; row < rows; row++) {
      const top = findRoot(parent, row);
      oldest[top] = Math.min(oldest[top]!, known[row]!);
    }
    return { document, root: parent.map((top) => oldest[top]!) };
  }

  async #changes(before: string, after: string): Promise<ClusterChanges> {
    const changes = await compareClusterMaps(this.#connection, before, after);
    const roots = changes.largest.map(({ root }) => Number(root));
    if (roots.length === 0) return changes;
    const found = await this.#connection.runAndReadAll(
      `SELECT document, url FROM documents WHERE document IN (${roots.join(", ")})`,
    );
    const urls = new Map(found.getRows().map(([number, url]) => [String(number), String(url)]));
    return { ...changes, largest: changes.largest.map((entry) => ({ ...entry, root: urls.get(entry.root)! })) };
  }
}
