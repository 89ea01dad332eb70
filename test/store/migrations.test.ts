import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { UserError } from "#src/errors.js";
import { OLDEST_VERSION, SCHEMA_VERSION } from "#src/store/schema.js";
import { type Connection, Workspace } from "#src/store/workspace.js";

const golden = fileURLToPath(new URL("golden/", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-migrations-"));
afterAll(() => rmSync(folder, { recursive: true }));

const versions = readdirSync(golden).map((name) => Number(/^workspace-(\d+)\.duckdb\.gz$/.exec(name)?.[1]));
function unpack(version: number, name: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, gunzipSync(readFileSync(path.join(golden, `workspace-${version}.duckdb.gz`))));
  return file;
}

async function rowsOf(connection: Connection, sql: string) {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}
const structure = (workspace: Workspace) =>
  workspace.read((connection) =>
    rowsOf(
      connection,
      `SELECT table_name, column_name, data_type, is_nullable, column_default FROM duckdb_columns()
       WHERE NOT internal ORDER BY table_name, column_index`,
    ),
  );

it("has a golden workspace of every version before the present one", () => {
  const older = Array.from({ length: SCHEMA_VERSION - OLDEST_VERSION }, (_, i) => OLDEST_VERSION + i);
  expect(versions.filter((version) => version < SCHEMA_VERSION).sort()).toEqual(older);
});

describe.each(versions.filter((version) => version < SCHEMA_VERSION))("a workspace of version %i", (version) => {
  it("gets the tables of the present version, and loses nothing that cannot be made again", async () => {
    const workspace = Workspace.at(unpack(version, `${version}.duckdb`));
    const fresh = Workspace.at(path.join(folder, `${version}-fresh.duckdb`));
    await fresh.write(async () => {});
    const counts = await workspace.read((connection) =>
      rowsOf(
        connection,
        `SELECT (SELECT count(*)::INT FROM urls), (SELECT count(*)::INT FROM sightings), (SELECT count(*)::INT FROM crawler_hits),
           (SELECT count(*)::INT FROM pages WHERE text <> '' AND octet_length(sketch) > 600), (SELECT count(*)::INT FROM links),
           (SELECT count(*)::INT FROM fetches), (SELECT count(*)::INT FROM draws), (SELECT count(*)::INT FROM collection_pages)`,
      ),
    );
    // A validation looks at more pages since then.
    const [fetches, draws] = version < 6 ? [20, 9] : [36, 11];
    expect(counts).toEqual([[44, 70, 18, 52, 96, fetches, draws, 26]]);
    expect(await structure(workspace)).toEqual(await structure(fresh));
    expect(
      await workspace.read((connection) => rowsOf(connection, "SELECT value FROM meta WHERE key = 'schema'")),
    ).toEqual([[String(SCHEMA_VERSION)]]);
  });

  it("is left as it is where it cannot be written, with an error that says why", async () => {
    const file = unpack(version, `${version}-read-only.duckdb`);
    chmodSync(file, 0o444);
    const before = readFileSync(file);
    const reading = Workspace.at(file).read((connection) => rowsOf(connection, "SELECT 1"));
    // root writes whatever the mode says.
    if (process.getuid?.() === 0) await reading;
    else {
      await expect(reading).rejects.toThrow(UserError);
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });

  it("is migrated once where several processes and calls come at the same time", async () => {
    const file = unpack(version, `${version}-several.duckdb`);
    const count = () => Workspace.at(file).read((connection) => rowsOf(connection, "SELECT count(*)::INT FROM urls"));
    expect(await Promise.all([count(), count(), count()])).toEqual([[[44]], [[44]], [[44]]]);
  });
});

it.each([
  [OLDEST_VERSION - 1, /too old to be brought along/],
  [SCHEMA_VERSION + 1, /is of a newer dustpan/],
])("a workspace of version %i is refused", async (version, message) => {
  const file = path.join(folder, `refused-${version}.duckdb`);
  await Workspace.at(file).write((connection) => connection.run(`UPDATE meta SET value = '${version}'`));
  await expect(Workspace.at(file).read(async () => {})).rejects.toThrow(message);
  await expect(Workspace.at(file).write(async () => {})).rejects.toThrow(message);
});
