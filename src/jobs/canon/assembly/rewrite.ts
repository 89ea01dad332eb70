/**
 * The commonest rules on the bytes of a URL: parameters that go, texts that are replaced. What becomes of the URL is what
 * `Engine` of canon/compile.ts makes of it; where another rule may apply, or something is not clear at once, nothing is done here.
 */
import {
  FIRST_BYTE,
  HAS_CHILD,
  HAS_MORE_CHILDREN,
  HAS_RULES,
  HASH_FACTOR,
  LITERAL,
  NAME,
} from "../../../canon/constants";
import {
  AT_END,
  BYTES,
  FIRST_LENGTH,
  FLAGS,
  IS_REPEATED,
  LONG_LINE,
  NUMBER,
  OPERATION,
  REMOVE,
  REMOVE_FROM_PATH,
  SECOND_LENGTH,
} from "../constants";
import {
  EQUALS,
  findPlaces,
  HASH,
  hasShape,
  pairs,
  pathStartOf,
  QUESTION_MARK,
  SLASH,
  skipEntities,
  starts,
} from "./scan";

/** The trie of `TriggerIndex`: children of its roots by byte, nodes, and other children as `HashSlots`. */
export const roots: usize = memory.data(4 * 256);
export const nameRoots: usize = memory.data(4 * 256);
export let nodes: usize = 0;
export let children: usize = 0;
export let childrenMask: u32 = 0;
/** By node: where the list of its rules is: their number, then their addresses, in order; 0 where some are not known here. */
export let rulesOfNodes: usize = 0;
export let maxRounds: i32 = 0;

/** One URL rarely meets more rules than this, or is changed more often. */
const MAX_CANDIDATES = 16;
const MAX_APPLICATIONS = 64;
const candidates: usize = memory.data(4 * MAX_CANDIDATES);
let candidateCount: i32 = 0;

/** Where a URL would end that is not clear; and 0: of one that stays as it is. */
const UNCLEAR: usize = 1;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
/** "amp", as it is loaded. */
const AMP: u32 = 0x706d61;
const THREE_BYTES: u32 = 0xffffff;
const FACTOR: u32 = HASH_FACTOR;

/**
 * Copies the URL from `start` to `end` to `out`, rewrites it there, and gives its end, 0 where others have to look at it. `places` is
 * room for the places in it.
 */
export function rewrite(start: usize, end: usize, out: usize, places: usize): usize {
  memory.copy(out, start, end - start);
  let stop = out + (end - start);
  if (!collect(out, stop, places)) return 0;
  let applications = 0;
  for (let round = 0; round < maxRounds; round++) {
    let hasChanged = false;
    let last: i32 = -1;
    for (let rule = nextCandidate(last); rule !== 0; rule = nextCandidate(last)) {
      last = load<i32>(rule, NUMBER);
      const isRepeated = (load<u32>(rule, FLAGS) & IS_REPEATED) !== 0;
      let isSame = true;
      do {
        const after = apply(rule, out, stop);
        if (after === 0) break;
        if (after === UNCLEAR || after > out + LONG_LINE || ++applications > MAX_APPLICATIONS) return 0;
        stop = after;
        isSame = false;
      } while (isRepeated);
      if (isSame) continue;
      hasChanged = true;
      if (!collect(out, stop, places)) return 0;
    }
    if (!hasChanged) return stop;
  }
  return 0;
}

/** Finds the rules that may apply; false where there is one that is not known here. */
function collect(start: usize, end: usize, places: usize): bool {
  candidateCount = 0;
  if (start < end && load<u8>(starts + load<u8>(start)) !== 0) return false;
  const count = findPlaces(start, end, places);
  if (count < 0 || hasShape(start, end)) return false;
  for (let i = 0; i < count; i++) {
    const at: usize = load<u32>(places + 4 * i);
    const what: i32 = load<u8>(pairs + load<u16>(at));
    const byte: u32 = load<u8>(at);
    if ((what & LITERAL) !== 0 && !(at > start && isAlphanumeric(load<u8>(at - 1)) && isAlphanumeric(byte))) {
      if (!walk(at, end, load<u32>(roots + 4 * byte))) return false;
    }
    if ((what & NAME) !== 0 && at + 1 < end) {
      if (!walk(at + 1, end, load<u32>(nameRoots + 4 * (load<u8>(at + 1) as usize)))) return false;
    }
  }
  return true;
}

/** `TriggerIndex` walks in the same way; what must hold around a literal is seen where its rule is applied. */
function walk(start: usize, end: usize, node: u32): bool {
  for (let next = start + 1, at = node; at !== 0; next++) {
    const kind: u32 = load<u16>(nodes + 2 * at);
    if ((kind & HAS_RULES) !== 0 && !addRules(at)) return false;
    if (next === end || (kind & HAS_CHILD) === 0) return true;
    const byte: u32 = load<u8>(next);
    if ((kind & FIRST_BYTE) === byte) at++;
    else if ((kind & HAS_MORE_CHILDREN) === 0) return true;
    else at = otherChildOf((at << 8) | byte);
  }
  return true;
}

function otherChildOf(key: u32): u32 {
  let hash = key * FACTOR;
  hash ^= hash >>> 16;
  let slot = (hash << 1) & childrenMask;
  while (load<u32>(children + 4 * slot) !== 0 && load<u32>(children + 4 * slot, 4) !== hash) {
    slot = (slot + 2) & childrenMask;
  }
  const child = load<u32>(children + 4 * slot);
  return child === 0 ? 0 : child - 1;
}

function addRules(node: u32): bool {
  const list: usize = load<u32>(rulesOfNodes + 4 * node);
  if (list === 0) return false;
  const count = load<i32>(list);
  if (candidateCount + count > MAX_CANDIDATES) return false;
  memory.copy(candidates + 4 * candidateCount, list + 4, 4 * count);
  candidateCount += count;
  return true;
}

/** The first rule in order after the one of this number, 0 for none. */
function nextCandidate(last: i32): usize {
  let next: usize = 0;
  for (let i = 0; i < candidateCount; i++) {
    const rule: usize = load<u32>(candidates + 4 * i);
    const number = load<i32>(rule, NUMBER);
    if (number > last && (next === 0 || number < load<i32>(next, NUMBER))) next = rule;
  }
  return next;
}

/** Applies the rule to the URL where it is, and gives its end. */
function apply(rule: usize, start: usize, end: usize): usize {
  const operation = load<u32>(rule, OPERATION);
  if (operation === REMOVE) return removeFromQuery(rule, start, end);
  if (operation === REMOVE_FROM_PATH) return removeFromPath(rule, start, end);
  return replace(rule, start, end);
}

function removeFromQuery(rule: usize, start: usize, end: usize): usize {
  const question = pathEndOf(pathStartOf(start, end), end);
  if (question === end || load<u8>(question) === HASH) return 0;
  let queryEnd = question;
  while (queryEnd < end && load<u8>(queryEnd) !== HASH) queryEnd++;
  let hasRemoved = false;
  let kept = question;
  for (let at = question + 1; ; at++) {
    const separator = load<u8>(at - 1);
    let nameEnd: usize = 0;
    const afterEntities = skipEntities(at, queryEnd);
    let stop = afterEntities;
    for (; stop < queryEnd; stop++) {
      const byte = load<u8>(stop);
      if (byte === AMPERSAND || byte === SEMICOLON) break;
      if (byte === EQUALS && nameEnd === 0) nameEnd = stop;
    }
    // With the separator of another parameter it may become an "amp;".
    if (stop - afterEntities === 3 && (load<u32>(afterEntities) & THREE_BYTES) === AMP) return UNCLEAR;
    if (isName(rule, at, nameEnd === 0 ? stop : nameEnd)) hasRemoved = true;
    else {
      // The first that is kept has the "?".
      store<u8>(kept, kept === question ? QUESTION_MARK : separator);
      memory.copy(kept + 1, at, stop - at);
      kept += 1 + (stop - at);
    }
    at = stop;
    if (at >= queryEnd) break;
  }
  if (!hasRemoved) return 0;
  memory.copy(kept, queryEnd, end - queryEnd);
  return kept + (end - queryEnd);
}

function removeFromPath(rule: usize, start: usize, end: usize): usize {
  const pathStart = pathStartOf(start, end);
  const pathEnd = pathEndOf(pathStart, end);
  let kept = pathStart;
  let from = pathStart;
  for (let at = pathStart; at < pathEnd; ) {
    if (load<u8>(at) !== SEMICOLON) {
      at++;
      continue;
    }
    let nameEnd: usize = 0;
    let stop = at + 1;
    for (; stop < pathEnd; stop++) {
      const byte = load<u8>(stop);
      if (byte === SEMICOLON || byte === SLASH) break;
      if (byte === EQUALS && nameEnd === 0) nameEnd = stop;
    }
    if (nameEnd !== 0 && isName(rule, at + 1, nameEnd)) {
      memory.copy(kept, from, at - from);
      kept += at - from;
      from = stop;
    }
    at = stop;
  }
  if (from === pathStart) return 0;
  memory.copy(kept, from, end - from);
  return kept + (end - from);
}

/** Where the path ends that starts here: at its query, its fragment, or with the URL. */
function pathEndOf(start: usize, end: usize): usize {
  let at = start;
  for (; at < end; at++) {
    const byte = load<u8>(at);
    if (byte === QUESTION_MARK || byte === HASH) break;
  }
  return at;
}

function isName(rule: usize, start: usize, end: usize): bool {
  const length: usize = load<u32>(rule, FIRST_LENGTH);
  return end - start === length && memory.compare(rule + BYTES, start, length) === 0;
}

/** `applySubstring` of a text that does not begin the URL, by one that the rule would not find in it again. */
function replace(rule: usize, start: usize, end: usize): usize {
  const length: usize = load<u32>(rule, FIRST_LENGTH);
  if (start + length > end) return 0;
  const isAtEnd = (load<u32>(rule, FLAGS) & AT_END) !== 0;
  const first = load<u8>(rule, BYTES);
  for (let at = isAtEnd ? end - length : start; at + length <= end; at++) {
    if (load<u8>(at) !== first || memory.compare(rule + BYTES, at, length) !== 0 || !fits(rule, at, start, end))
      continue;
    const after = replaceAt(rule, at, start, end);
    if (after !== 0) return after;
  }
  return 0;
}

/** Are both ends of the text between tokens, and would the replacement become part of none? */
function fits(rule: usize, at: usize, start: usize, end: usize): bool {
  const after = at + load<u32>(rule, FIRST_LENGTH);
  const isBefore = at > start && isAlphanumeric(load<u8>(at - 1));
  const isAfter = after < end && isAlphanumeric(load<u8>(after));
  if ((isBefore && isAlphanumeric(load<u8>(at))) || (isAfter && isAlphanumeric(load<u8>(after - 1)))) return false;
  const to = rule + BYTES + load<u32>(rule, FIRST_LENGTH);
  const length: usize = load<u32>(rule, SECOND_LENGTH);
  if (length === 0) return !(isBefore && isAfter);
  return !(isBefore && isAlphanumeric(load<u8>(to))) && !(isAfter && isAlphanumeric(load<u8>(to + length - 1)));
}

/** As `replaceInUrl`: 0, and nothing done, where host and path would not stay on their sides of the border. */
function replaceAt(rule: usize, at: usize, start: usize, end: usize): usize {
  const length: usize = load<u32>(rule, FIRST_LENGTH);
  const newLength: usize = load<u32>(rule, SECOND_LENGTH);
  const border = pathStartOf(start, end);
  const newEnd = end - length + newLength;
  memory.copy(at + newLength, at + length, end - at - length);
  memory.copy(at, rule + BYTES + length, newLength);
  if (at > border) return newEnd;
  const moved = pathStartOf(start, newEnd);
  if (moved === 0) return UNCLEAR;
  const isKept = at + length < border ? moved - border === newLength - length : at <= moved && moved <= at + newLength;
  if (isKept) return newEnd;
  memory.copy(at + length, at + newLength, end - at - length);
  memory.copy(at, rule + BYTES, length);
  return 0;
}

function isAlphanumeric(byte: u32): bool {
  return (byte | 0x20) - 0x61 < 26 || byte - 0x30 < 10;
}
