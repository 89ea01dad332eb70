/**
 * What could not be read of an input. A damaged record is counted by reason, the first three of each reason are kept
 * with their place, and the reading goes on; with `strict` the first one ends it.
 */
import { DataError } from "../errors.js";
import { maskSecrets } from "../url/mask.js";

/** Where a damaged record is: a 1-based line, or a byte offset (in the decompressed stream unless said otherwise). */
export type DamagePosition = { readonly line: number } | { readonly offset: number };

export interface DamageSample {
  readonly file: string;
  readonly position: DamagePosition;
  /** The beginning of the record, control characters escaped and secrets masked: it goes to terminals. */
  readonly text: string;
}

export interface Damage {
  readonly reason: string;
  readonly count: number;
  readonly samples: readonly DamageSample[];
}

const SAMPLES = 3;
const SAMPLE_CHARS = 200;

/** "access.log:17", "crawl.warc.gz at byte 4711". */
export function placeOf(file: string, position: DamagePosition): string {
  return "line" in position ? `${file}:${position.line}` : `${file} at byte ${position.offset}`;
}

/** Bytes that are not text in any supported encoding: they are not shown to people. */
export function isBinary(bytes: Uint8Array): boolean {
  const looked = bytes.subarray(0, SAMPLE_CHARS);
  const odd = looked.filter((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x1b);
  return looked.includes(0) || odd.length > looked.length / 20;
}

/** Text that can be shown: cut to a length, with secrets masked, and without anything a terminal would obey. */
export function showable(text: string | Uint8Array): string {
  if (isBinary(typeof text === "string" ? Buffer.from(text.slice(0, SAMPLE_CHARS), "latin1") : text)) return "(binary)";
  const beginning = text.slice(0, 4 * SAMPLE_CHARS);
  const whole = maskSecrets(typeof beginning === "string" ? beginning : Buffer.from(beginning).toString("utf8"));
  const cut = whole.length > SAMPLE_CHARS ? `${whole.slice(0, SAMPLE_CHARS)}...` : whole;
  return cut.replace(/\p{C}/gu, (c) => {
    const code = c.codePointAt(0) as number;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}

export class DamageReport {
  readonly #byReason = new Map<string, { count: number; samples: DamageSample[] }>();

  constructor(
    readonly file: string,
    readonly strict: boolean,
  ) {}

  /** Counts one damaged record; `text` is the record, decoded only if it is kept as a sample. */
  add(reason: string, position: DamagePosition, text: string | Uint8Array): void {
    if (this.strict) {
      throw new DataError(text.length === 0 ? reason : `${reason}: ${showable(text)}`, placeOf(this.file, position));
    }
    const entry = this.#entry(reason);
    entry.count++;
    if (entry.samples.length < SAMPLES) entry.samples.push({ file: this.file, position, text: showable(text) });
  }

  /** Adds what another reader found in a later part of the same input, which began after `linesBefore` lines. */
  merge(later: readonly Damage[], linesBefore: number): void {
    for (const { reason, count, samples } of later) {
      const entry = this.#entry(reason);
      entry.count += count;
      for (const sample of samples) {
        if (entry.samples.length === SAMPLES) break;
        const { position } = sample;
        entry.samples.push(
          "line" in position ? { ...sample, position: { line: position.line + linesBefore } } : sample,
        );
      }
    }
  }

  /** Most frequent reason first, then by name. */
  entries(): Damage[] {
    return [...this.#byReason]
      .map(([reason, { count, samples }]) => ({ reason, count, samples }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
  }

  #entry(reason: string): { count: number; samples: DamageSample[] } {
    let entry = this.#byReason.get(reason);
    if (entry === undefined) {
      entry = { count: 0, samples: [] };
      this.#byReason.set(reason, entry);
    }
    return entry;
  }
}
