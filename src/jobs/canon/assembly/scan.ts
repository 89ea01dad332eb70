/** Where in a URL something begins that a rule looks for, and which shapes it has, told from its bytes. */
import {
  EIGHT_BEGIN,
  EIGHT_TELL,
  EMPTY_PARAMETER,
  FILTERED_BYTES,
  FOUR_TELL,
  HASH_FACTOR,
  HTTP,
  HTTPS,
  IN_ORIGIN,
  ORIGIN_SHAPES,
  OTHER_HOST,
  PATH_ENDS_IN_NAME,
  PATH_ENDS_IN_SLASH,
  PATH_SHAPES,
  QUERY,
  QUERY_SHAPES,
  REPEATED_PARAMETER,
  REPEATED_SLASH,
  SHORT,
  UNSORTED_PARAMETERS,
  UPPER_CASE_PATH,
  WWW_HOST,
} from "../../../canon/constants";
import { LONG_LINE, MAX_SHAPES } from "../constants";
import { filterBits, filterWord, hashOfUrl, mixed } from "./hash";

/** `TriggerTables`: by the first byte, by two bytes, by the hash of four or eight; and how many sets of shapes, four bytes each. */
export const starts: usize = memory.data(256);
export const pairs: usize = memory.data(1 << 16);
export const beginnings: usize = memory.data(1 << 16);
export const shapeSets: usize = memory.data(4 * MAX_SHAPES);
/**
 * Which pairs of bytes may begin something: first bytes are in eight classes, each a bit, and the second has those of the first bytes that it
 * follows; 16 bytes each for the low and the high half of the first and of the second byte.
 */
export const pairClasses: usize = memory.data(64, 16);
// Classes of ASCII characters: for each low half of a byte the high halves that it may have, as bits.
/** Of a host without user information, port and brackets. */
export const hostClass: usize = memory.data(16, 16);
/** That divide and end a query. */
export const queryClass: usize = memory.data(16, 16);

const FACTOR: u32 = HASH_FACTOR;
const FEED = 0x0a;
export const RETURN = 0x0d;
export const HASH = 0x23;
const DOT = 0x2e;
export const SLASH = 0x2f;
export const EQUALS = 0x3d;
export const QUESTION_MARK = 0x3f;
/** "http" and "://" and "www" as they are loaded. */
const HTTP_WORD: u32 = 0x70747468;
const COLON_SLASHES: u32 = 0x2f2f3a;
/** "amp;" */
const ENTITY: u32 = 0x3b706d61;
const WWW: u32 = 0x777777;
const LOWER_CASE: u32 = 0x202020;
const THREE_BYTES: u32 = 0xffffff;

/** How many sets of shapes there are, and all shapes of them. */
export let shapeCount: i32 = 0;
export let wantedShapes: i32 = 0;

/** The filter of an alias table, 0 for none; what is left of a hash after so many bits is the number of one of its words. */
export let filter: usize = 0;
export let filterShift: i32 = 0;
/** With aliases: of the URL that was looked at last, up to its end. `AliasTable` hashes all but the shortest in this way. */
export let urlHash: u32 = 0;

/** What `findPlaces` found beside places: the first "?", where some rule asks for the query's shape; else 0. */
let question: usize = 0;

/** The bits of those of 16 bytes that are in a class. */
function inClass(bytes: v128, highHalves: v128): i32 {
  // A byte beyond ASCII has the highest bit, and so none of a class.
  const own = i8x16.swizzle(highHalves, v128.and(bytes, i8x16.splat(15)));
  const bit = i8x16.swizzle(i8x16(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0), i8x16.shr_u(bytes, 4));
  return i8x16.bitmask(i8x16.ne(v128.and(own, bit), i8x16.splat(0)));
}

/** The bits of those of 16 bytes from `at` on that are before `end`. */
function before(end: usize, at: usize): i32 {
  return end - at < 16 ? (1 << ((end - at) as i32)) - 1 : 0xffff;
}

/** Where `plainPathStart` finds the path of a URL; 0 where that is none, or not clear at once. */
export function pathStartOf(start: usize, end: usize): usize {
  if (load<u8>(start) === SLASH) return start;
  if (load<u32>(start) !== HTTP_WORD) return 0;
  let at = start + (load<u8>(start, 4) === 0x73 ? 5 : 4);
  if ((load<u32>(at) & THREE_BYTES) !== COLON_SLASHES) return 0;
  at += 3;
  const host = at;
  const ofHost = v128.load(hostClass);
  let run = ctz(~inClass(v128.load(at), ofHost));
  for (; run === 16; run = ctz(~inClass(v128.load(at), ofHost))) at += 16;
  at += run;
  if (at === host || at > end) return 0;
  const next = load<u8>(at);
  // Of a line whose end is not known yet.
  const isLineEnd = next === FEED || next === RETURN;
  return at === end || next === SLASH || next === QUESTION_MARK || next === HASH || isLineEnd ? at : 0;
}

/**
 * Stores the places, as addresses, where something may begin that a rule looks for, as `TriggerIndex` finds them, and gives their
 * number, or -1 where this is not a plain URL. Where `out` is 0, the first place is all that is looked for.
 */
export function findPlaces(start: usize, end: usize, out: usize): i32 {
  return scan(start, end, out, false);
}

/** The same of the line that begins here, up to the first place; where that is none, `urlEnd` is where its URL ends. */
export function scanLine(start: usize, limit: usize): i32 {
  return scan(start, limit, 0, true);
}
export let urlEnd: usize = 0;

function scan(start: usize, limit: usize, out: usize, isLine: bool): i32 {
  if (start === limit || (!isLine && start + LONG_LINE < limit)) return -1;
  const pathStart = pathStartOf(start, limit);
  if (pathStart === 0) return -1;
  const firstLow = v128.load(pairClasses);
  const firstHigh = v128.load(pairClasses, 16);
  const secondLow = v128.load(pairClasses, 32);
  const secondHigh = v128.load(pairClasses, 48);
  const wantsQuery = (wantedShapes & QUERY_SHAPES) !== 0;
  const isHashed = filter !== 0;
  let lanes = i32x4.splat(0);
  let end = limit;
  let count = 0;
  question = 0;
  for (let at = start; at < end; at += 16) {
    const bytes = v128.load(at);
    let inLine = before(end, at);
    // As signed numbers, those beyond ASCII are below 0.
    const plain = v128.andnot(i8x16.gt_s(bytes, i8x16.splat(0x20)), i8x16.eq(bytes, i8x16.splat(0x7f)));
    const others = ~i8x16.bitmask(plain) & inLine;
    if (others !== 0) {
      if (!isLine) return -1;
      end = at + ctz(others);
      if (!endsLine(end, limit)) return -1;
      inLine = before(end, at);
    }
    if (isHashed && at + FILTERED_BYTES <= end) lanes = mixed(lanes, bytes);
    if (wantsQuery && question === 0) {
      const questions = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x3f))) & inLine;
      if (questions !== 0) question = at + ctz(questions);
    }
    const next = v128.load(at, 1);
    const ofFirst = v128.and(
      i8x16.swizzle(firstLow, v128.and(bytes, i8x16.splat(15))),
      i8x16.swizzle(firstHigh, i8x16.shr_u(bytes, 4)),
    );
    const ofSecond = v128.and(
      i8x16.swizzle(secondLow, v128.and(next, i8x16.splat(15))),
      i8x16.swizzle(secondHigh, i8x16.shr_u(next, 4)),
    );
    let places = i8x16.bitmask(i8x16.ne(v128.and(ofFirst, ofSecond), i8x16.splat(0))) & inLine;
    for (; places !== 0; places &= places - 1) {
      const place = at + ctz(places);
      const what: i32 = load<u8>(pairs + load<u16>(place));
      if ((what & ~QUERY) === 0 || ((what & IN_ORIGIN) === 0 && place < pathStart)) continue;
      if ((what & SHORT) === 0 && !tells(place)) continue;
      if (out === 0) return 1;
      store<u32>(out + 4 * count++, place as u32);
    }
  }
  urlEnd = end;
  if (isHashed) urlHash = hashOfUrl(lanes, start, end);
  return start + LONG_LINE < end ? -1 : count;
}

/** Is this the end of a line: its feed, or a return before that or before the end of all? */
function endsLine(at: usize, limit: usize): bool {
  const byte = load<u8>(at);
  return byte === FEED || (byte === RETURN && (at + 1 === limit || load<u8>(at + 1) === FEED));
}

function tells(place: usize): bool {
  const four = load<u32>(place);
  const told: i32 = load<u8>(beginnings + hashOf(four));
  if ((told & FOUR_TELL) !== 0) return true;
  if ((told & EIGHT_TELL) === 0) return false;
  const both = hashOf((four * FACTOR) ^ load<u32>(place, 4));
  return (load<u8>(beginnings + both) & EIGHT_BEGIN) !== 0;
}

function hashOf(four: u32): u32 {
  return (four * FACTOR) >>> 16;
}

/** Is this a URL that others have to look for among the aliases? */
export function isUnhashed(start: usize, end: usize): bool {
  return filter !== 0 && start + FILTERED_BYTES > end;
}

/** May a URL of this hash be an alias's source? */
export function mayBeAlias(hash: u32): bool {
  const bits = filterBits(hash);
  return (load<u32>(filterWord(filter, filterShift, hash)) & bits) === bits;
}

/** Has the URL that `findPlaces` looked at last all shapes of one of the sets? Of what takes longer to know it is said that it may. */
export function hasShape(start: usize, end: usize): bool {
  const wanted = wantedShapes;
  let shapes = 0;
  if ((wanted & ORIGIN_SHAPES) !== 0) shapes |= originShapes(start);
  if ((wanted & PATH_SHAPES) !== 0) shapes |= pathShapes(pathStartOf(start, end), end);
  if ((wanted & QUERY_SHAPES) !== 0 && question !== 0) shapes |= queryShapes(question + 1, end);
  for (let i = 0; i < shapeCount; i++) {
    const set = load<i32>(shapeSets + 4 * i);
    if ((shapes & set) === set) return true;
  }
  return false;
}

function originShapes(start: usize): i32 {
  if (load<u8>(start) === SLASH) return 0;
  const isHttp = load<u8>(start, 4) !== 0x73;
  const host = start + (isHttp ? 7 : 8);
  const hasWww = ((load<u32>(host) | LOWER_CASE) & THREE_BYTES) === WWW && load<u8>(host, 3) === DOT;
  return (isHttp ? HTTP : HTTPS) | (hasWww ? WWW_HOST : OTHER_HOST);
}

function pathShapes(start: usize, end: usize): i32 {
  let shapes = 0;
  let at = start;
  let before: u32 = 0;
  for (; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte === QUESTION_MARK || byte === HASH) break;
    if (byte - 0x41 < 26) shapes |= UPPER_CASE_PATH;
    else if (byte === SLASH && before === SLASH) shapes |= REPEATED_SLASH;
    before = byte;
  }
  if (at === start) return shapes;
  return shapes | (before === SLASH ? PATH_ENDS_IN_SLASH : PATH_ENDS_IN_NAME);
}

function queryShapes(start: usize, end: usize): i32 {
  const ofQuery = v128.load(queryClass);
  let shapes = 0;
  let valueStart: usize = 0;
  let nameStart = skipEntities(start, end);
  for (let at = start; at < end; at += 16) {
    let places = inClass(v128.load(at), ofQuery) & before(end, at);
    for (; places !== 0; places &= places - 1) {
      const place = at + ctz(places);
      if (place < nameStart) continue;
      const byte = load<u8>(place);
      if (byte === EQUALS) {
        if (valueStart === 0) valueStart = place + 1;
        continue;
      }
      if (valueStart === 0 || valueStart === place) shapes |= EMPTY_PARAMETER;
      if (byte === HASH) return shapes;
      shapes |= UNSORTED_PARAMETERS | REPEATED_PARAMETER;
      valueStart = 0;
      nameStart = skipEntities(place + 1, end);
    }
  }
  return valueStart === 0 || valueStart === end ? shapes | EMPTY_PARAMETER : shapes;
}

/** After every "amp;" that a parameter of the query begins with. */
export function skipEntities(start: usize, end: usize): usize {
  let at = start;
  while (at + 4 <= end && load<u32>(at) === ENTITY) at += 4;
  return at;
}
