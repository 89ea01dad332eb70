/**
 * What a page gives to scripts to show: sentences, and rows of numbers. An application's pages say the same as long as no script
 * runs, and a chart's numbers are nowhere else.
 */
import { createHash } from "node:crypto";
import { wordsOf } from "../validate/looks/align-words.js";

/** Fewer words are a name, an address or a setting. */
const LEAST_WORDS = 5;
/** Of a value, before it is read. */
const LEAST_CHARACTERS = 8;
/** Longer ones are cut, so that what differs in one place differs in few. */
const WORDS_AT_ONCE = 20;
/** Fewer numbers that follow each other are an address, a date or a version; more are cut. */
const LEAST_NUMBERS = 6;
const NUMBERS_AT_ONCE = 50;
/** Of what may stand between two numbers of a row: `}, {"x": `. */
const MOST_BETWEEN = 24;
/** As much as is kept of a page's text. Of what is more, only a digest is. */
const MOST_CHARACTERS = 200_000;

/** One sentence or row, or the digest of all that are not kept. */
export interface PageData {
  readonly kind: "says" | "numbers" | "rest";
  readonly words: readonly string[];
}

export function dataOf(html: string): PageData[] {
  const data: PageData[] = [];
  let room = MOST_CHARACTERS;
  const rest = createHash("sha1");
  const add = (kind: PageData["kind"], words: readonly string[], atOnce: number) => {
    for (let i = 0; i < words.length; i += atOnce) {
      const part = words.slice(i, i + atOnce);
      const text = part.join(" ");
      room -= text.length;
      if (room < 0) rest.update(`${kind} ${text}\n`);
      else data.push({ kind, words: part });
    }
  };
  const addSentence = (text: string) => {
    const words = wordsOf(text).filter((word) => !/^\p{N}+$/u.test(word));
    if (words.length >= LEAST_WORDS && /\s\S+\s|[^\0-\u{2fff}]{5}/u.test(text)) add("says", words, WORDS_AT_ONCE);
  };
  for (const script of scriptsOf(html)) {
    for (const literal of literalsOf(script)) addSentence(unescaped(literal));
    for (const row of rowsOf(script)) add("numbers", row, NUMBERS_AT_ONCE);
  }
  for (const [, double, single] of html.matchAll(GIVEN)) {
    const given = double ?? single ?? "";
    if (given.length < LEAST_CHARACTERS) continue;
    const value = given.replace(/&(?:quot|#34);/g, '"').replace(/&(?:#39|apos);/g, "'");
    if (!/[[{]/.test(value)) {
      addSentence(value);
      continue;
    }
    for (const literal of literalsOf(value)) addSentence(unescaped(literal));
    for (const row of rowsOf(value)) add("numbers", row, NUMBERS_AT_ONCE);
  }
  return room < 0 ? [...data, { kind: "rest", words: [rest.digest("hex").slice(0, 16)] }] : data;
}

/** Attributes for scripts, and those that say something to readers. With a least length in the expression, long values overflow V8's stack. */
const GIVEN = /\s(?:(?:data-|:|x-)[a-z][\w.-]*|alt|title|aria-label)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

function* scriptsOf(html: string): Generator<string> {
  const opening = /<script\b/gi;
  const closing = /<\/script/gi;
  for (let open = opening.exec(html); open !== null; open = opening.exec(html)) {
    const start = html.indexOf(">", opening.lastIndex) + 1;
    closing.lastIndex = opening.lastIndex;
    const end = closing.exec(html)?.index;
    if (start === 0 || end === undefined) return;
    if (start < end) yield html.slice(start, end);
    opening.lastIndex = end;
  }
}

/** What stands between quotes. */
function* literalsOf(script: string): Generator<string> {
  const quote = /["'`\n\\]/g;
  let open: { readonly at: number; readonly quote: string } | undefined;
  for (let found = quote.exec(script); found !== null; found = quote.exec(script)) {
    const [character] = found;
    if (character === "\\") quote.lastIndex++;
    else if (character === "\n") open = open?.quote === "`" ? open : undefined;
    else if (open === undefined) open = { at: quote.lastIndex, quote: character };
    else if (character === open.quote) {
      yield script.slice(open.at, found.index);
      open = undefined;
    }
  }
}

function unescaped(literal: string): string {
  return literal
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\./g, " ");
}

/** Numbers with hardly anything between them but what parts the members of a list. */
function* rowsOf(script: string): Generator<string[]> {
  let row: string[] = [];
  let end = 0;
  for (const found of script.matchAll(/-?\d+(?:\.\d+)?/g)) {
    const between = script.slice(end, Math.min(found.index, end + MOST_BETWEEN + 1));
    const isNext = between.length <= MOST_BETWEEN && /^[\s,[\]{}"':\w.-]*$/.test(between) && /[,\s[]/.test(between);
    if (!isNext) {
      if (row.length >= LEAST_NUMBERS) yield row;
      row = [];
    }
    row.push(found[0]);
    end = found.index + found[0].length;
  }
  if (row.length >= LEAST_NUMBERS) yield row;
}
