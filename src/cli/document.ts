/** The JSON documents of `--json`. */
import type { Documents } from "../documents.js";
import type { Terminal } from "./terminal.js";

/** What `--json` prints: one document, versioned, on stdout. What the web API has too is one definition. */
export function printDocument<F extends string>(
  terminal: Terminal,
  format: F,
  content: F extends keyof Documents ? Documents[F] : object,
): void {
  terminal.out(JSON.stringify({ format, version: 1, ...content }, null, 2));
}
