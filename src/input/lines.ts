/**
 * Cuts a byte stream into lines, copying no more than the line that crosses two chunks, and a file where lines begin.
 */
import { readSync } from "node:fs";

/** Takes buffer[start .. end), without its line end; a carriage return before it is removed too. */
export type OnLine = (buffer: Buffer, start: number, end: number) => void;

export class LineSplitter {
  /** The beginning of a line whose end has not come yet. */
  #carry: Buffer = Buffer.alloc(0);
  /** Bytes of the current line that were dropped because the line is too long. */
  #dropped = 0;

  constructor(
    readonly maxLineBytes: number,
    readonly onLine: OnLine,
    /** A line longer than maxLineBytes: its beginning and its length. Called once, when its end is found. */
    readonly onLongLine: (head: Buffer, bytes: number) => void,
  ) {}

  /** Bytes of an unfinished last line. */
  get pending(): number {
    return this.#carry.length + this.#dropped;
  }

  push(chunk: Uint8Array): void {
    const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let start = 0;
    if (this.pending > 0) {
      const newline = buffer.indexOf(10);
      if (newline < 0) {
        this.#keep(buffer, 0);
        return;
      }
      this.#keep(buffer.subarray(0, newline), 0);
      this.#finishLine();
      start = newline + 1;
    }
    for (;;) {
      const newline = buffer.indexOf(10, start);
      if (newline < 0) break;
      if (newline - start > this.maxLineBytes) {
        this.onLongLine(buffer.subarray(start, start + this.maxLineBytes), newline - start);
      } else {
        this.onLine(buffer, start, newline > start && buffer[newline - 1] === 13 ? newline - 1 : newline);
      }
      start = newline + 1;
    }
    if (start < buffer.length) this.#keep(buffer, start);
  }

  /** The last line, if it has no line end. */
  end(): void {
    if (this.pending > 0) this.#finishLine();
  }

  /** Returns and forgets the unfinished last line; undefined if it is too long to be a line. */
  takePending(): Buffer | undefined {
    const carry = this.#carry;
    const isLong = this.pending > this.maxLineBytes;
    this.#carry = Buffer.alloc(0);
    this.#dropped = 0;
    return isLong ? undefined : carry;
  }

  #keep(buffer: Buffer, start: number): void {
    const room = Math.max(0, this.maxLineBytes + 1 - this.#carry.length);
    const kept = buffer.subarray(start, start + room);
    // The chunk's buffer must not stay alive for the sake of its last line.
    if (kept.length > 0) this.#carry = Buffer.concat([this.#carry, kept]);
    this.#dropped += buffer.length - start - kept.length;
  }

  #finishLine(): void {
    const carry = this.#carry;
    const bytes = this.pending;
    this.#carry = Buffer.alloc(0);
    this.#dropped = 0;
    if (bytes > this.maxLineBytes) this.onLongLine(carry, bytes);
    else this.onLine(carry, 0, carry[carry.length - 1] === 13 ? carry.length - 1 : carry.length);
  }
}

/** The start of the line after the one that position - 1 is in; `end` where none begins before it. */
export function lineStart(file: number, position: number, end: number): number {
  if (position === 0) return 0;
  const buffer = Buffer.allocUnsafe(1 << 12);
  for (let at = position - 1; at < end; ) {
    const bytes = readSync(file, buffer, 0, Math.min(buffer.length, end - at), at);
    if (bytes === 0) break;
    const newline = buffer.subarray(0, bytes).indexOf(10);
    if (newline >= 0) return at + newline + 1;
    at += bytes;
  }
  return end;
}
