/** Files that hold what visitors asked for: nobody but their owner reads them. */
import { isMainThread } from "node:worker_threads";

export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;

let holders = 0;
let usual = 0;

/**
 * Files that `work` makes are the owner's alone, also those that DuckDB makes beside its own. The mask is the process', so
 * nothing that others are to read is written meanwhile.
 */
export async function privately<T>(work: () => Promise<T>): Promise<T> {
  // Only the main thread may set the mask, and only it opens the workspace.
  if (!isMainThread) return work();
  if (holders++ === 0) usual = process.umask(0o077);
  try {
    return await work();
  } finally {
    if (--holders === 0) process.umask(usual);
  }
}
