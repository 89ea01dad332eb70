import { isAscii } from "node:buffer";
import type { Canonizer } from "#src/canon/compile.js";
import { plainPathStart } from "#src/canon/url-bytes.js";

/** What `canon.changed` says of a URL that stands among other bytes; only of plain URLs it is asked. */
export function changedInBytes(canon: Canonizer, url: string): { isPlain: boolean; changed?: string | undefined } {
  const text = `?a${url}a=1;`;
  const bytes = Buffer.from(text);
  const [start, end] = [2, bytes.length - 4];
  const pathStart = isAscii(bytes) ? plainPathStart(bytes, start, end) : -1;
  if (pathStart < 0) return { isPlain: false };
  return { isPlain: true, changed: canon.changed(bytes, text, start, end, pathStart) };
}
