import { existsSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

let made = 0;

/**
 * A name beside `file` for what this process needs for a while: FILE.tmp-PROCESS-NUMBER. Beside it, so that both are on
 * one disk; with the process' id, so that what a killed one left behind can be told and is removed here.
 */
export function scratchBeside(file: string): string {
  removeAbandoned(file);
  return `${file}.tmp-${process.pid}-${made++}`;
}

/** The same where there is nothing to be beside of. */
export function scratchInTemporaryFolder(): string {
  return scratchBeside(path.join(tmpdir(), "dustpan"));
}

/** A database leaves a log of its own beside it. */
export function removeScratch(file: string): void {
  rmSync(file, { force: true, recursive: true });
  rmSync(`${file}.wal`, { force: true });
}

function removeAbandoned(file: string): void {
  const folder = path.dirname(file);
  const prefix = `${path.basename(file)}.tmp-`;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, id] = name.startsWith(prefix) ? (/^(\d+)-\d+/.exec(name.slice(prefix.length)) ?? []) : [];
    if (id === undefined || isRunning(Number(id))) continue;
    try {
      rmSync(path.join(folder, name), { force: true, recursive: true });
    } catch {
      // Another user's: it is in nobody's way.
    }
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    // Somebody else's process is one too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
