/**
 * Where the reading of an input stopped, in a form that recognises it again: by a digest of its first bytes and of
 * those before the stop, whatever its name is then and however it is compressed. A log that has the same bytes at its
 * beginning and before that place is the same log, grown.
 */
import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import type { Input } from "./open.js";

/** Bytes that each digest covers at most. */
const DIGEST_BYTES = 4096;

export interface ResumePoint {
  /** Where "offset" counts: in the decompressed bytes of a log, or in a crawl's file as it is on disk. */
  readonly of: "log" | "file";
  /** Bytes read. A log is read up to a line's end, if its last line was not finished. */
  readonly offset: number;
  readonly lines: number;
  /** Hex SHA-256 of the first min(offset, 4096) bytes, and of as many before the offset. */
  readonly headDigest: string;
  readonly tailDigest: string;
}

/** Follows a stream and digests its head and what comes before a stop. */
export class ResumeTracker {
  #head: Uint8Array = new Uint8Array(0);
  #tail: Uint8Array = new Uint8Array(0);
  #offset = 0;

  get offset(): number {
    return this.#offset;
  }

  push(chunk: Uint8Array): void {
    if (this.#head.length < DIGEST_BYTES) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, DIGEST_BYTES - this.#head.length)]);
    }
    // Kept long enough that a point may lie before the end by a line's length.
    const kept = chunk.length >= TAIL_BYTES ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = Buffer.from(kept.subarray(Math.max(0, kept.length - TAIL_BYTES)));
    this.#offset += chunk.length;
  }

  /**
   * The point `before` bytes back from the end of what was pushed; undefined where that is farther back than what was
   * kept.
   */
  point(of: ResumePoint["of"], lines: number, before = 0): ResumePoint | undefined {
    const offset = this.#offset - before;
    const bytes = Math.min(offset, DIGEST_BYTES);
    const tailEnd = this.#tail.length - before;
    if (tailEnd < bytes) return undefined;
    return {
      of,
      offset,
      lines,
      headDigest: digest(this.#head.subarray(0, bytes)),
      tailDigest: digest(this.#tail.subarray(tailEnd - bytes, tailEnd)),
    };
  }
}

const TAIL_BYTES = DIGEST_BYTES + (1 << 17);

/** The point for a file of which the first `offset` bytes were read. */
export function resumePointOfFile(path: string, of: ResumePoint["of"], offset: number, lines: number): ResumePoint {
  const file = openSync(path, "r");
  try {
    const bytes = Math.min(offset, DIGEST_BYTES);
    return {
      of,
      offset,
      lines,
      headDigest: digest(readAt(file, 0, bytes)),
      tailDigest: digest(readAt(file, offset - bytes, bytes)),
    };
  } finally {
    closeSync(file);
  }
}

/** Those of the known points that the input has got past, the farthest first. */
export async function findResumePoints(input: Input, known: readonly ResumePoint[]): Promise<ResumePoint[]> {
  const candidates = known
    .filter((point) => point.offset > 0 && (point.of === "file" || headMatches(input.sample, point)))
    .sort((a, b) => b.offset - a.offset);
  if (candidates.length === 0 || input.path === undefined) return [];
  const { path, sizeBytes = 0 } = input;
  const same = (a: ResumePoint, b: ResumePoint) => a.headDigest === b.headDigest && a.tailDigest === b.tailDigest;
  const ofFile = candidates.filter((point) => {
    const asFile = point.of === "file" || input.compression === "none";
    if (!asFile || (point.of === "file" ? point.offset !== sizeBytes : point.offset > sizeBytes)) return false;
    return same(point, resumePointOfFile(path, point.of, point.offset, point.lines));
  });
  if (ofFile.length > 0 || input.compression === "none") return ofFile;
  return await findInStream(
    input,
    candidates.filter((point) => point.of === "log"),
    same,
  );
}

async function findInStream(
  input: Input,
  candidates: readonly ResumePoint[],
  same: (a: ResumePoint, b: ResumePoint) => boolean,
): Promise<ResumePoint[]> {
  const waiting = candidates.toReversed();
  const tracker = new ResumeTracker();
  const found: ResumePoint[] = [];
  for await (const chunk of input.chunks(() => {})) {
    let at = 0;
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const upTo = next.offset - tracker.offset;
      if (at + upTo > chunk.length && upTo > chunk.length - at) break;
      tracker.push(chunk.subarray(at, at + upTo));
      at += upTo;
      const here = tracker.point("log", next.lines);
      if (here !== undefined && same(here, next)) found.unshift(next);
      waiting.shift();
    }
    if (waiting.length === 0) break;
    tracker.push(chunk.subarray(at));
  }
  return found;
}

function headMatches(sample: Uint8Array, point: ResumePoint): boolean {
  const bytes = Math.min(point.offset, DIGEST_BYTES);
  return sample.length >= bytes && digest(sample.subarray(0, bytes)) === point.headDigest;
}

function readAt(file: number, position: number, bytes: number): Uint8Array {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, position));
}

function digest(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
