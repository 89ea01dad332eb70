/** Files that are there whole or not at all: a write that fails leaves the earlier one, and nothing beside it. */
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

/** Lets `write` make a draft beside the file, and puts it in its place. */
export async function replaceWhole(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  if (!isReplaceable(file)) return await write(file);
  const draft = draftOf(file);
  try {
    await write(draft);
    renameSync(draft, linkedFile(file));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The same for a text that is at hand. */
export function writeWhole(file: string, text: string): void {
  if (!isReplaceable(file)) {
    writeFileSync(file, text);
    return;
  }
  const draft = draftOf(file);
  try {
    writeFileSync(draft, text);
    renameSync(draft, linkedFile(file));
  } finally {
    rmSync(draft, { force: true });
  }
}

/** A device or a pipe, such as /dev/stdout, is written to: a file in its place would be no use to anybody. */
function isReplaceable(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
}

/** Beside what a link leads to, which may be on another disk than the link. */
const draftOf = (file: string) => `${linkedFile(file)}.${process.pid}.tmp`;

/** A link stays one: what it leads to is replaced. */
function linkedFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
