import type { AvoidEntry } from "./avoid.js";

/** An avoid-list as a file: a JSON document with one entry a line, which `dustpan crawl --avoid` reads. */
export function formatAvoidFile(entries: readonly AvoidEntry[]): string {
  const lines = entries.map((entry) => JSON.stringify(entry)).join(",\n");
  return `{ "format": "dustpan-avoid", "version": 1, "avoid": [\n${lines}\n] }\n`;
}
