/** The texts that a simple regular expression matches, where these are few. */

/** More alternatives than this are not a list of names. */
const MAX_TEXTS = 64;
/** And groups nested deeper than this were not written by people. */
const MAX_DEPTH = 32;

/** All texts that the whole pattern matches; undefined if there are many, or if it has syntax that is not read here. */
export function expandPattern(pattern: string): string[] | undefined {
  const reader = new Reader(pattern);
  const texts = reader.alternatives();
  return texts !== undefined && reader.isAtEnd ? [...new Set(texts)] : undefined;
}

class Reader {
  #at = 0;
  #depth = 0;
  readonly #pattern: string;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#pattern.length;
  }

  alternatives(): string[] | undefined {
    const all: string[] = [];
    do {
      const texts = this.#sequence();
      if (texts === undefined || all.length + texts.length > MAX_TEXTS) return undefined;
      all.push(...texts);
    } while (this.#take("|"));
    return all;
  }

  #sequence(): string[] | undefined {
    let texts = [""];
    while (!this.isAtEnd && this.#pattern[this.#at] !== "|" && this.#pattern[this.#at] !== ")") {
      let items = this.#item();
      if (items === undefined) return undefined;
      if (this.#take("?")) items = [...items, ""];
      if (!this.isAtEnd && "*+{?".includes(this.#pattern[this.#at]!)) return undefined;
      if (texts.length * items.length > MAX_TEXTS) return undefined;
      texts = texts.flatMap((text) => items.map((item) => text + item));
    }
    return texts;
  }

  #item(): string[] | undefined {
    if (this.#take("(?:") || this.#take("(")) {
      if (this.#pattern[this.#at] === "?" || this.#depth === MAX_DEPTH) return undefined;
      this.#depth++;
      const texts = this.alternatives();
      this.#depth--;
      return this.#take(")") ? texts : undefined;
    }
    if (this.#take("[")) return this.#characters();
    const character = this.#character();
    return character === undefined ? undefined : [character];
  }

  /** A set such as [fd] or [a-c], but not a negated one. */
  #characters(): string[] | undefined {
    const found: string[] = [];
    while (!this.isAtEnd && !this.#take("]")) {
      if (this.#pattern[this.#at] === "^" && found.length === 0) return undefined;
      const first = this.#pattern[this.#at] === "-" ? this.#pattern[this.#at++] : this.#character();
      if (first === undefined) return undefined;
      const isRange = this.#pattern[this.#at] === "-" && this.#pattern[this.#at + 1] !== "]";
      if (isRange) this.#at++;
      const last = isRange ? this.#character() : first;
      if (last === undefined || last.charCodeAt(0) - first.charCodeAt(0) > MAX_TEXTS) return undefined;
      for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++) found.push(String.fromCharCode(code));
    }
    return found;
  }

  /** A character that stands for itself, escaped or not. */
  #character(): string | undefined {
    const next = this.#pattern[this.#at++];
    if (next === "\\") {
      const escaped = this.#pattern[this.#at++];
      return escaped === undefined || /[A-Za-z0-9]/.test(escaped) ? undefined : escaped;
    }
    return next === undefined || ".^$*+?{}()|".includes(next) ? undefined : next;
  }

  #take(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
