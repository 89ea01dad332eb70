/**
 * Terms of a text, for searching: runs of letters, digits and marks, without case and accents. Chinese and Japanese are
 * written without spaces, so each of their characters is a term. Pages and queries are read alike.
 */
const TERM =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{M}\p{N}])+/gu;
/** Those of Latin, Greek and Cyrillic letters. The vowel signs of other scripts are not accents. */
const ACCENTS = /[\u0300-\u036f]/g;
const ONLY_ASCII = /^[\x20-\x7e\n]*$/;

/** Nobody looks for longer ones: they are encoded data. */
const MOST_CHARACTERS = 64;

export function termsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const plain = ONLY_ASCII.test(lower) ? lower : lower.normalize("NFD").replace(ACCENTS, "").normalize("NFC");
  return (plain.match(TERM) ?? []).filter((term) => term.length <= MOST_CHARACTERS);
}

const SNIPPET_CHARACTERS = 200;

/** The line of a page's text with the most terms of a query, cut around the first of them. */
export function snippetOf(text: string, terms: ReadonlySet<string>): string {
  let best = "";
  let most = 0;
  for (const line of text.split("\n")) {
    const found = new Set(termsOf(line).filter((term) => terms.has(term))).size;
    // Headings come first, and are what the title says already: of lines with as many terms, the first that says more.
    if (found < most || found === 0 || (found === most && best.length >= SNIPPET_CHARACTERS / 2)) continue;
    if (found > most || line.length > best.length) best = line;
    most = found;
  }
  if (best.length <= SNIPPET_CHARACTERS) return best;
  const words = best.split(" ");
  const first = words.findIndex((word) => termsOf(word).some((term) => terms.has(term)));
  // A few words before the first hit, unless the end of the line is near.
  let start = Math.max(0, first);
  let room = SNIPPET_CHARACTERS / 4;
  while (start > 0 && room >= words[start - 1]!.length + 1) room -= words[--start]!.length + 1;
  const rest = words.slice(start).join(" ");
  const cut = rest.length > SNIPPET_CHARACTERS ? `${cutAtCharacter(rest, SNIPPET_CHARACTERS)}...` : rest;
  return start > 0 ? `... ${cut}` : cut;
}

/** The first characters; a pair of surrogates is never split. */
function cutAtCharacter(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
