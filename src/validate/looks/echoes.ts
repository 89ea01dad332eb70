import { percentDecoded } from "../../url/percent-decoded.js";
import { wordsOf } from "./align-words.js";

/** Words of a URL in a row that no text has by chance. */
const ECHO_WORDS = 4;
/** Words of its URL that a page says this often, and the other page does not, are what it is about. */
const LEAST_OF_SUBJECT = 8;

/** A URL, and where it led, if that is another one: what a page says of itself is often that. */
export interface Addressed {
  readonly url: string;
  readonly finalUrl?: string;
}

/** What pages say about their own URLs: the words in which two URLs differ, and a URL's words in a row. */
export class Echoes {
  readonly words: ReadonlySet<string>;
  /** In lower case. */
  readonly rows = new Set<string>();
  /** The words that rows begin with. */
  readonly #firsts = new Set<string>();

  constructor(u: Addressed, v: Addressed) {
    const [ofU, ofV] = [urlWords(u.url), urlWords(v.url)];
    const [inU, inV] = [new Set(ofU), new Set(ofV)];
    this.words = new Set([...ofU.filter((word) => !inV.has(word)), ...ofV.filter((word) => !inU.has(word))]);
    const led = [u.finalUrl, v.finalUrl].filter((url) => url !== undefined).map(urlWords);
    for (const words of [ofU, ofV, ...led]) {
      for (let i = 0; i + ECHO_WORDS <= words.length; i++) {
        const row = words.slice(i, i + ECHO_WORDS).map((word) => word.toLowerCase());
        this.rows.add(row.join(" "));
        this.#firsts.add(row[0]!);
      }
    }
  }

  cut(text: readonly string[]): string[] {
    const kept: string[] = [];
    let echoEnds = 0;
    for (const [i, word] of text.entries()) {
      if (this.#firsts.has(word.toLowerCase()) && this.#isRow(text, i)) echoEnds = i + ECHO_WORDS;
      if (i >= echoEnds && !this.words.has(word)) kept.push(word);
    }
    return kept;
  }

  /** Is what would be left out what one of the pages is about? A text about each town, with its name in every sentence, echoes nothing. */
  areSubject(u: readonly string[], v: readonly string[]): boolean {
    const more = new Map<string, number>();
    for (const word of u) if (this.words.has(word)) more.set(word, (more.get(word) ?? 0) + 1);
    for (const word of v) if (this.words.has(word)) more.set(word, (more.get(word) ?? 0) - 1);
    let [ofU, ofV] = [0, 0];
    for (const count of more.values()) {
      if (count > 0) ofU += count;
      else ofV -= count;
    }
    return Math.max(ofU, ofV) >= LEAST_OF_SUBJECT;
  }

  /** Upper or lower case: a site that takes both writes one of them. */
  #isRow(text: readonly string[], at: number): boolean {
    return this.rows.has(
      text
        .slice(at, at + ECHO_WORDS)
        .join(" ")
        .toLowerCase(),
    );
  }
}

function urlWords(url: string): string[] {
  const plain = wordsOf(url);
  const decoded = wordsOf(percentDecoded(url));
  return decoded.length === plain.length ? plain : decoded;
}
