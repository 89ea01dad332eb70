import type { Terminal } from "./terminal.js";

/** What `--json` prints: one document, versioned, on stdout. */
export function printDocument(terminal: Terminal, format: string, content: object): void {
  terminal.out(JSON.stringify({ format, version: 1, ...content }, null, 2));
}
