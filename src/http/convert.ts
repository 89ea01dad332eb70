/**
 * Text of PDF and PostScript, as in the thesis (6.3), by the converters that the machine has: `pdftotext` of poppler
 * and `ps2ascii` of Ghostscript. Without them such documents are compared by their digests.
 */
import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

const converters: Readonly<Record<string, { readonly command: string; readonly args: readonly string[] }>> = {
  "application/pdf": { command: "pdftotext", args: ["-q", "-enc", "UTF-8", "-", "-"] },
  "application/postscript": { command: "ps2ascii", args: [] },
};
/** A document that takes longer is not worth the wait. */
const TIME_LIMIT_MS = 20_000;
const MAX_TEXT_BYTES = 32 << 20;

const missing = new Set<string>();

/**
 * PostScript is a program and need not end. `ps2ascii` is a script that survives SIGTERM, and the processes that it
 * starts survive the script: so it gets a process group, which is ended as a whole. The script removes its own files in
 * its folder.
 */
const converterOptions = {
  killSignal: "SIGKILL",
  detached: true,
  maxBuffer: MAX_TEXT_BYTES,
  stdio: ["pipe", "pipe", "ignore"],
  cwd: tmpdir(),
} satisfies SpawnSyncOptions & { readonly detached: boolean };

/** The document's plain text; undefined where it is of another type, damaged, or its converter is not installed. */
export function convertToText(
  mediaType: string | undefined,
  bytes: Uint8Array,
  timeLimitMs = TIME_LIMIT_MS,
): string | undefined {
  const converter = mediaType === undefined ? undefined : converters[mediaType];
  if (converter === undefined || missing.has(converter.command)) return undefined;
  const options = { ...converterOptions, timeout: timeLimitMs, input: bytes };
  const { stdout, status, error, pid } = spawnSync(converter.command, [...converter.args], options);
  if (status === null) endGroup(pid);
  if (error !== undefined && "code" in error && error.code === "ENOENT") missing.add(converter.command);
  return status === 0 && stdout.length > 0 ? stdout.toString("utf8") : undefined;
}

function endGroup(pid: number): void {
  // 0 would be our own group.
  if (pid <= 0) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All its processes have ended.
  }
}
