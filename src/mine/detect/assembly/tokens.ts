/** URLs into token ids, and the dictionary of tokens: the loops of ../tokenize.ts. A module of its own. */
import { END, START } from "../constants";
import { Bytes, Words } from "./arrays";

/** Tokens of the longest URL so far, anchors included. */
export let longest: i32 = 0;
/** By byte: 1 for letters and digits. */
export let isWord = changetype<Bytes>(0);
/** By byte: the id of the token that is this byte alone, or 0. */
export let singles = changetype<Words>(0);

/** The dictionary: open addressing with ids, 0 where a slot is free. */
export let slots = changetype<Words>(0);
export let mask: i32 = 0;
/** By id: its hash, and where its text ends. */
export let hashes = changetype<Words>(0);
export let ends = changetype<Words>(0);
export let distinctText: usize = 0;
/** Ids that are taken. */
export let distinct: i32 = 0;

/**
 * Sets starts[i] to `total` and adds the tokens of URL i to it, for each URL i in text[offsets[i] .. offsets[i + 1]); gives the
 * total.
 */
export function countTokens(text: usize, offsets: Words, urls: i32, starts: Words, total: i32): i32 {
  for (let url = 0; url < urls; url++) {
    starts[url] = total;
    total += 2;
    const end: usize = text + offsets[url + 1];
    let at: usize = text + offsets[url];
    while (at < end) {
      at = isWordAt(at) ? endOfWord(at + 1, end) : at + codePointBytes(at, end);
      total++;
    }
    longest = max(longest, total - starts[url]);
  }
  return total;
}

/** Writes the ids of the URLs' tokens; gives the address after them. The dictionary needs room for as many new ones as bytes. */
export function tokenize(text: usize, offsets: Words, urls: i32, tokens: usize): usize {
  for (let url = 0; url < urls; url++) {
    store<i32>(tokens, START);
    tokens += 4;
    const end: usize = text + offsets[url + 1];
    let at: usize = text + offsets[url];
    while (at < end) {
      const from = at;
      let hash: u32 = load<u8>(at++);
      let id: i32;
      if (isWord[hash]) {
        while (at < end && isWordAt(at)) hash = addByte(hash, load<u8>(at++));
        id = idOf(from, at, hash);
      } else if (hash < 0x80) {
        id = idOfSingle(from, hash);
      } else {
        const next = from + codePointBytes(from, end);
        while (at < next) hash = addByte(hash, load<u8>(at++));
        id = idOf(from, at, hash);
      }
      store<i32>(tokens, id);
      tokens += 4;
    }
    store<i32>(tokens, END);
    tokens += 4;
  }
  return tokens;
}

/**
 * Fills the dictionary's slots, which must be 0, with those of a smaller one. It is the table of tables/hash-slots.ts once more,
 * since WebAssembly cannot call that for every token.
 */
export function rehash(oldSlots: Words, oldLength: i32): void {
  for (let i = 0; i < oldLength; i++) {
    const id = oldSlots[i];
    if (id === 0) continue;
    let slot = placeOf(hashes[id]);
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = id;
  }
}

function isWordAt(at: usize): i32 {
  return isWord[load<u8>(at)];
}

function endOfWord(at: usize, end: usize): usize {
  while (at < end && isWordAt(at)) at++;
  return at;
}

/** Bytes of the code point at `at`, or 1 where the bytes are not UTF-8: such a byte is a token by itself. */
function codePointBytes(at: usize, end: usize): i32 {
  const first: i32 = load<u8>(at);
  if (first < 0xc2 || first > 0xf4) return 1;
  const bytes = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (at + bytes > end) return 1;
  const second: i32 = load<u8>(at, 1);
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 1;
  for (let i = 2; i < bytes; i++) if ((load<u8>(at + i) & 0xc0) !== 0x80) return 1;
  return bytes;
}

function addByte(hash: u32, byte: u32): u32 {
  return (hash * 0x01000193) ^ byte;
}

function placeOf(hash: u32): i32 {
  return (hash ^ (hash >> 13)) & mask;
}

function idOfSingle(at: usize, byte: i32): i32 {
  let id = singles[byte];
  if (id === 0) {
    id = addToken(at, at + 1, 0);
    singles[byte] = id;
  }
  return id;
}

/** The id of the token from `at` to `end`. A hash only leads to candidates, bytes decide. */
function idOf(at: usize, end: usize, bytesHash: u32): i32 {
  const hash: u32 = (bytesHash ^ (bytesHash >> 15)) * 0x2c1b3c6d;
  let slot = placeOf(hash);
  for (let id = slots[slot]; id !== 0; id = slots[slot]) {
    if (hashes[id] === hash && isText(id, at, end)) return id;
    slot = (slot + 1) & mask;
  }
  const id = addToken(at, end, hash);
  slots[slot] = id;
  return id;
}

function isText(id: i32, at: usize, end: usize): bool {
  const begin = ends[id - 1];
  if (ends[id] - begin !== ((end - at) as i32)) return false;
  const known: usize = distinctText + begin - at;
  while (at < end && load<u8>(at) === load<u8>(known + at)) at++;
  return at === end;
}

function addToken(at: usize, end: usize, hash: u32): i32 {
  let to = ends[distinct - 1];
  // Tokens are short: a loop is faster than memory.copy.
  while (at < end) store<u8>(distinctText + to++, load<u8>(at++));
  ends[distinct] = to;
  hashes[distinct] = hash;
  return distinct++;
}
