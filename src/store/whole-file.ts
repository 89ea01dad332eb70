/** Files that are there whole or not at all: a write that fails leaves the earlier one, and nothing beside it. */
import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Lets `write` make a draft beside the file, and puts it in its place. */
export async function replaceWhole(file: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = draftOf(file);
  try {
    await write(draft);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The same for a text that is at hand. */
export function writeWhole(file: string, text: string): void {
  const draft = draftOf(file);
  try {
    writeFileSync(draft, text);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
}

const draftOf = (file: string) => `${file}.${process.pid}.tmp`;
