import { ReferenceReader } from "./entities.js";

const NOTHING = 0;
const SPACE = 1;
const LINE_END = 2;

const AMPERSAND = 0x26;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** How text is read from its source. */
export interface TextMode {
  /** Character references are decoded. */
  readonly references: boolean;
  /** A newline ends the line, as in `pre` and plain text; elsewhere it is a space. */
  readonly lines: boolean;
  /** "<" ends the text. */
  readonly tags: boolean;
}

/**
 * Collects UTF-8 text with white space collapsed: one space between words, one "\n" between lines, no blank line,
 * neither at the ends. White space is every control character, the space and U+00A0.
 */
export class TextBuilder {
  readonly #reader = new ReferenceReader();
  #length = 0;
  /** What must separate the next word from the last one. */
  #separator = NOTHING;
  readonly #bytes: Uint8Array;

  /**
   * `bytes` receives the text. It needs no more room than the source: a reference is never shorter than what it stands
   * for, and markup is never shorter than the separator it leaves.
   */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Markup becomes white space (Fetterly et al. 2004, section 2): words do not run together across a tag. */
  space(): void {
    if (this.#separator === NOTHING) this.#separator = SPACE;
  }

  endLine(): void {
    this.#separator = LINE_END;
  }

  /** Adds source[start .. end); returns the index where it stopped: `end` or that of a "<". */
  add(source: Uint8Array, start: number, end: number, { references, lines, tags }: TextMode): number {
    const bytes = this.#bytes;
    const stop = tags ? 0x3c : -1;
    const ampersand = references ? AMPERSAND : -1;
    let length = this.#length;
    let separator = this.#separator;
    let at = start;
    while (at < end) {
      let byte = source[at]!;
      if (byte <= 0x20) {
        if (lines && (byte === 0x0a || byte === 0x0d)) separator = LINE_END;
        else if (separator === NOTHING) separator = SPACE;
        at++;
        continue;
      }
      if (byte === stop) break;
      let character = -1;
      if (byte === 0xc2 && source[at + 1] === 0xa0) {
        character = 0xa0;
        this.#reader.end = at + 2;
      } else if (byte === ampersand) {
        character = this.#reader.read(source, at, false);
      }
      if (character >= 0 && (character <= 0x20 || character === 0xa0)) {
        if (separator === NOTHING) separator = SPACE;
        at = this.#reader.end;
        continue;
      }
      if (separator !== NOTHING) {
        if (length > 0) bytes[length++] = separator === SPACE ? 0x20 : 0x0a;
        separator = NOTHING;
      }
      if (character >= 0) {
        length = putCharacter(bytes, length, character);
        at = this.#reader.end;
        continue;
      }
      do {
        bytes[length++] = byte;
        byte = source[++at]!;
      } while (at < end && byte > 0x20 && byte !== stop && byte !== ampersand && byte !== 0xc2);
    }
    this.#length = length;
    this.#separator = separator;
    return at;
  }

  toString(): string {
    return decoder.decode(this.#bytes.subarray(0, this.#length));
  }
}

/** Collects values of attributes: references decoded, white space at the ends and every newline and tab removed. */
export class ValueBuilder {
  readonly #reader = new ReferenceReader();
  #length = 0;
  #count = 0;
  readonly #bytes: Uint8Array;

  /** `bytes` receives the values, each followed by a newline: as much room as the source has is enough. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Adds source[start .. end) unless it is empty. */
  add(source: Uint8Array, start: number, end: number): void {
    const bytes = this.#bytes;
    const first = this.#length;
    let length = this.#length;
    for (let at = start; at < end; ) {
      const byte = source[at]!;
      const decoded = byte === AMPERSAND ? this.#reader.read(source, at, true) : -1;
      at = decoded >= 0 ? this.#reader.end : at + 1;
      const character = decoded >= 0 ? decoded : byte;
      if (isNewlineOrTab(character) || (character <= 0x20 && length === first)) continue;
      if (decoded >= 0) length = putCharacter(bytes, length, decoded);
      else bytes[length++] = byte;
    }
    while (length > first && bytes[length - 1]! <= 0x20) length--;
    if (length === first) return;
    bytes[length++] = 0x0a;
    this.#length = length;
    this.#count++;
  }

  toArray(): string[] {
    if (this.#count === 0) return [];
    return decoder.decode(this.#bytes.subarray(0, this.#length - 1)).split("\n");
  }
}

function isNewlineOrTab(character: number): boolean {
  return character === 0x0a || character === 0x0d || character === 0x09;
}

/** Appends a code point in UTF-8; returns the new length. */
export function putCharacter(bytes: Uint8Array, at: number, codePoint: number): number {
  if (codePoint < 0x80) {
    bytes[at] = codePoint;
    return at + 1;
  }
  if (codePoint < 0x800) {
    bytes[at] = 0xc0 | (codePoint >> 6);
    bytes[at + 1] = 0x80 | (codePoint & 0x3f);
    return at + 2;
  }
  if (codePoint < 0x10000) {
    bytes[at] = 0xe0 | (codePoint >> 12);
    bytes[at + 1] = 0x80 | ((codePoint >> 6) & 0x3f);
    bytes[at + 2] = 0x80 | (codePoint & 0x3f);
    return at + 3;
  }
  bytes[at] = 0xf0 | (codePoint >> 18);
  bytes[at + 1] = 0x80 | ((codePoint >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((codePoint >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (codePoint & 0x3f);
  return at + 4;
}

/** Plain text in the same form as the text of a page: lines with white space collapsed, blank ones dropped. */
export function collapseText(plain: string): string {
  const source = new TextEncoder().encode(plain);
  const builder = new TextBuilder(new Uint8Array(source.length));
  builder.add(source, 0, source.length, { references: false, lines: true, tags: false });
  return builder.toString();
}
