import { readReference } from "./entities.js";

const NOTHING = 0;
const SPACE = 1;
const LINE_END = 2;

/**
 * Collects text with white space collapsed: one space between words, one "\n" between lines, no blank line, none of
 * either at the ends. White space is every control character, the space and U+00A0.
 */
export class TextBuilder {
  private text = "";
  /** What the next word must be parted from the last one by. */
  private separator = NOTHING;

  /** Markup becomes white space (Fetterly et al. 2004, section 2): words do not run together across a tag. */
  space(): void {
    if (this.separator === NOTHING) this.separator = SPACE;
  }

  endLine(): void {
    this.separator = LINE_END;
  }

  /**
   * Adds source[start .. end). `references`: character references are decoded. `lines`: a newline ends the line, as in
   * `pre` and plain text; elsewhere it is a space.
   */
  add(source: string, start: number, end: number, references: boolean, lines: boolean): void {
    const ampersand = references ? 0x26 : -1;
    let at = start;
    while (at < end) {
      let code = source.charCodeAt(at);
      if (code <= 0x20 || code === 0xa0) {
        if (lines && (code === 0x0a || code === 0x0d)) this.separator = LINE_END;
        else if (this.separator === NOTHING) this.separator = SPACE;
        at++;
        continue;
      }
      if (code === ampersand) {
        const reference = readReference(source, at, false);
        if (reference !== undefined) {
          // At most one code point, so this does not recurse further. A reference cut by `end` cannot be: "<" ends both.
          this.add(reference.characters, 0, reference.characters.length, false, false);
          at = reference.end;
          continue;
        }
      }
      // As long as words are parted by one plain space, they are copied as they stand.
      const from = at++;
      for (; at < end; at++) {
        code = source.charCodeAt(at);
        if (code > 0x20 && code !== 0xa0 && code !== ampersand) continue;
        if (code !== 0x20 || at + 1 >= end) break;
        const next = source.charCodeAt(at + 1);
        if (next <= 0x20 || next === 0xa0 || next === ampersand) break;
      }
      this.append(source.slice(from, at));
    }
  }

  toString(): string {
    return this.text;
  }

  private append(words: string): void {
    if (this.separator !== NOTHING) {
      if (this.text !== "") this.text += this.separator === SPACE ? " " : "\n";
      this.separator = NOTHING;
    }
    this.text += words;
  }
}

/** Plain text in the same form as the text of a page: lines with white space collapsed, blank ones dropped. */
export function collapseText(plain: string): string {
  const builder = new TextBuilder();
  builder.add(plain, 0, plain.length, false, true);
  return builder.toString();
}
