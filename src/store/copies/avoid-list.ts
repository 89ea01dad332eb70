/** Avoid-lists as `crawl` takes them: the workspace's own, a file of dustpan or of people, or a table. */
import { readFileSync, writeFileSync } from "node:fs";
import { DataError, UserError } from "../../errors.js";
import { checkEntry, formatAvoidFile, parseAvoidFile } from "../../url/avoid-file.js";
import { type AvoidEntry, type AvoidMatcher, combineAvoidLists, compileAvoidList } from "../../url/avoid-list.js";
import { copyTo, quoted, stageTable } from "../columns.js";
import { tableFormat } from "../output-format.js";
import { type Connection, Workspace } from "../workspace.js";
import { readAvoidLists } from "./avoid-entries.js";

/** The name that stands for what `collections`, `mirrors` and `evolve` found, in the workspace. */
export const STORED_AVOID_LIST = "workspace";

/**
 * The avoid-list of a file or of the workspace. Entries that are due to be looked at again are left out. The workspace may have
 * none if there are rules, which also say what to leave out.
 */
export async function readAvoidList(
  name: string,
  workspace: Workspace,
  nowMs: number,
  hasRules = false,
): Promise<AvoidMatcher> {
  if (name === STORED_AVOID_LIST) {
    const entries = combineAvoidLists(await readAvoidLists(workspace));
    if (entries.length === 0 && !hasRules) {
      throw new UserError(
        `--avoid ${name}: there is neither an avoid-list in ${workspace.file} nor a rule that holds; "dustpan collections", "mirrors" and "evolve" make a list, "dustpan validate" proves rules`,
      );
    }
    return compileAvoidList(entries, nowMs);
  }
  if (tableFormat(name) !== undefined) return compileAvoidList(await readAvoidTable(name), nowMs);
  let text: string;
  try {
    text = readFileSync(name, "utf8");
  } catch (error) {
    throw new UserError(`--avoid ${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return compileAvoidList(parseAvoidFile(text, name), nowMs);
}

/** Writes a list as `readAvoidList` reads it: as a table where the name ends so, else as a document. */
export async function writeAvoidFile(file: string, entries: readonly AvoidEntry[]): Promise<void> {
  const format = tableFormat(file);
  if (format === undefined) {
    writeFileSync(file, formatAvoidFile(entries));
    return;
  }
  await inMemory(async (connection) => {
    await stageTable(connection, "avoided", {
      kind: entries.map(({ kind }) => kind),
      value: entries.map(({ value }) => value),
      keep: entries.map(({ keep }) => keep ?? null),
      pages: Uint32Array.from(entries, ({ pages }) => pages ?? 0),
      why: entries.map(({ why }) => why ?? null),
      look_again: entries.map(({ lookAgainMs }) =>
        lookAgainMs === undefined ? null : new Date(lookAgainMs).toISOString(),
      ),
    });
    await connection.run(copyTo("SELECT * FROM avoided", file, format));
  });
}

const columnsOfKind: Readonly<Record<string, readonly string[]>> = {
  value: ["value", "skip", "avoid"],
  keep: ["keep", "fetch"],
  kind: ["kind"],
  pages: ["pages"],
  why: ["why"],
  lookAgain: ["look_again", "lookAgain"],
};

/** A table with the columns that avoid-lists have, or with "skip" and "fetch", as `evolve --output` has them. */
async function readAvoidTable(file: string): Promise<AvoidEntry[]> {
  const format = tableFormat(file)!;
  return inMemory(async (connection) => {
    const options = format === "csv" ? ", all_varchar = true, header = true" : "";
    const rows = await connection
      .runAndReadAll(`SELECT * FROM read_${format}(${quoted(file)}${options})`)
      .catch((error: unknown) => {
        throw new DataError(error instanceof Error ? error.message.split("\n")[0]! : String(error), file);
      });
    const names = rows.columnNames();
    const columnOf = (field: string) => columnsOfKind[field]!.map((name) => names.indexOf(name)).find((at) => at >= 0);
    if (columnOf("value") === undefined) {
      throw new DataError(`no column "value" or "skip" says what to avoid; it has ${names.join(", ")}`, file);
    }
    return rows.getRows().map((row, at) => {
      const field = (name: string) => {
        const value = row[columnOf(name) ?? -1];
        return value === null || value === undefined || value === "" ? undefined : value;
      };
      const [pages, lookAgain] = [field("pages"), field("lookAgain")];
      return checkEntry(
        {
          kind: field("kind") ?? "page",
          value: field("value"),
          keep: field("keep"),
          why: field("why"),
          ...(pages !== undefined && { pages: Number(pages) }),
          ...(lookAgain !== undefined && { lookAgain: String(lookAgain) }),
        },
        `${file}, row ${at + 1}`,
      );
    });
  });
}

async function inMemory<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
  const workspace = Workspace.inMemory();
  try {
    return await workspace.write(work);
  } finally {
    workspace.close();
  }
}
