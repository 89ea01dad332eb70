import { readFileSync } from "node:fs";
import { UserError } from "../../errors.js";
import { parseAvoidFile } from "../../url/avoid-file.js";
import { type AvoidMatcher, combineAvoidLists, compileAvoidList } from "../../url/avoid-list.js";
import type { Workspace } from "../workspace.js";
import { readAvoidLists } from "./avoid-entries.js";

/** The name that stands for what `collections` and `mirrors` found, in the workspace. */
export const STORED_AVOID_LIST = "workspace";

/** The avoid-list of a file or of the workspace. Entries whose time has come to be looked at again are left out. */
export async function readAvoidList(name: string, workspace: Workspace, nowMs: number): Promise<AvoidMatcher> {
  if (name === STORED_AVOID_LIST) {
    const entries = combineAvoidLists(await readAvoidLists(workspace));
    if (entries.length === 0) {
      throw new UserError(
        `--avoid ${name}: there is no avoid-list in ${workspace.file}; "dustpan collections" and "dustpan mirrors" make one`,
      );
    }
    return compileAvoidList(entries, nowMs);
  }
  let text: string;
  try {
    text = readFileSync(name, "utf8");
  } catch (error) {
    throw new UserError(`--avoid ${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return compileAvoidList(parseAvoidFile(text, name), nowMs);
}
