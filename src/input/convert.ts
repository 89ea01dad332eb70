/**
 * Text of PDF and PostScript, as the thesis (6.3) has it, by the converters that the machine has: `pdftotext` of poppler and
 * `ps2ascii` of Ghostscript. Without them such documents are compared by their digests.
 */
import { spawnSync } from "node:child_process";

const CONVERTERS: Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>> = {
  "application/pdf": { command: "pdftotext", args: ["-q", "-enc", "UTF-8", "-", "-"] },
  "application/postscript": { command: "ps2ascii", args: [] },
};
/** A document that takes longer is not worth the wait. */
const TIME_LIMIT_MS = 20_000;
const MAX_TEXT_BYTES = 32 << 20;

const missing = new Set<string>();

/** The document's plain text; undefined where it is of another type, damaged, or its converter is not installed. */
export function convertToText(mediaType: string | undefined, bytes: Uint8Array): string | undefined {
  const converter = mediaType === undefined ? undefined : CONVERTERS[mediaType];
  if (converter === undefined || missing.has(converter.command)) return undefined;
  const { stdout, status, error } = spawnSync(converter.command, [...converter.args], {
    input: bytes,
    timeout: TIME_LIMIT_MS,
    maxBuffer: MAX_TEXT_BYTES,
    stdio: ["pipe", "pipe", "ignore"],
  });
  if (error !== undefined && "code" in error && error.code === "ENOENT") missing.add(converter.command);
  return status === 0 && stdout.length > 0 ? stdout.toString("utf8") : undefined;
}
