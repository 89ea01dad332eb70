/** Files of one process beside the workspace, and those that dead processes left. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";

/**
 * A process' id means something only where it was given: containers that share a volume each have a process 1. Host name,
 * start of the system and namespace of ids together tell such places apart; without /proc, the host name has to do.
 */
const PLACE = createHash("sha256")
  .update(hostname())
  .update(orNothing(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")))
  .update(orNothing(() => readlinkSync("/proc/self/ns/pid")))
  .digest("hex")
  .slice(0, 12);

/** Files of another place that have not changed for this long are nobody's: from here nobody can tell whether its process runs. */
const ABANDONED_MS = 7 * 24 * 3600 * 1000;

let made = 0;

/**
 * A name beside `file` for what this process needs for a while: FILE.tmp-PLACE-PROCESS-NUMBER. Beside it, so that both are
 * on one disk; with the process' id, so that what a killed one left behind can be recognised, and is removed here.
 */
export function scratchBeside(file: string): string {
  removeAbandoned(file);
  return `${file}.tmp-${PLACE}-${process.pid}-${made++}`;
}

/** The same where there is no file to be next to. */
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
    const [, where, id] = name.startsWith(prefix)
      ? (/^([0-9a-f]+)-(\d+)-\d+/.exec(name.slice(prefix.length)) ?? [])
      : [];
    if (where === undefined) continue;
    const scratch = path.join(folder, name);
    try {
      const isAbandoned =
        where === PLACE ? !isRunning(Number(id)) : statSync(scratch).mtimeMs < Date.now() - ABANDONED_MS;
      if (isAbandoned) rmSync(scratch, { force: true, recursive: true });
    } catch {
      // Another user's, or gone by now: it is in nobody's way.
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

function orNothing(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
