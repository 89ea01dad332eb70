import { type Code, ifElse, ifThen, leave, returnWith, whileDo } from "../../wasm/assembler.js";
import {
  add,
  and,
  byteAt,
  type Caller,
  eq,
  ge,
  gt,
  increase,
  le,
  lt,
  mul,
  ne,
  or,
  type Program,
  pick,
  put,
  setWord,
  shl,
  shr,
  sub,
  wordAt,
  xor,
} from "../../wasm/program.js";
import { CONFIRMED, UNLIKELY } from "../likely-similar.js";
import { CHUNK_WORDS, FLAGS, KNOWN_SIMILAR, LEFT_ONLY, ROW_WORDS } from "./instances.js";
import type { CountAccess } from "./kernel-order.js";
import { defineWaiting, type SplitFunctions } from "./kernel-split.js";
import { END } from "./tokens.js";

/** Words of an open interval: first position, common suffix, tokens of its shortest and of its longest URL. */
export const OPEN_WORDS = 4;
/** Ranges wait with 4 words each. The smaller half of a range is taken first, so that there are never more than this. */
export const WAITING_WORDS = 4 * 64;

/** The list's tokens and where its rows start, the tokens of the longest URL, and BucketSizes. */
export type ListVariables = Readonly<Record<"tokens" | "starts" | "longest" | "low" | "high", Code>>;

/** What the join asks the outside for. */
export interface JoinImports {
  /** likeness(a, b) of two rows. */
  readonly likeness: Caller;
  /** isMine(from, to, depth): does this share take a node that spans several? */
  readonly isMine: Caller;
  /** addChunk(partition): gives a partition of the instances an empty chunk. */
  readonly addChunk: Caller;
  /** takeEnvelopes(rows, from, to, p0, p1, s0, s1, shortest, longest): counts the envelopes of a box one by one. */
  readonly takeEnvelopes: Caller;
}

/** buckets.ts says what the join does. Defines join(), which works on the program's variables, and addInstance. */
export function defineJoin(
  program: Program,
  { tokens, starts, low, high, longest }: ListVariables,
  counts: CountAccess,
  { findSplit, splitSequence }: SplitFunctions,
  { likeness, isMine, addChunk, takeEnvelopes }: JoinImports,
): void {
  // The list, and its share: see SortedList.
  const list = program.globals("text", "textStarts", "prefixes", "count", "shareFrom", "shareTo");
  const { text, textStarts, prefixes, count, shareFrom, shareTo } = list;
  const { maxTokens, lowBucket, highBucket } = program.globals("maxTokens", "lowBucket", "highBucket");
  // Sequences of the nodes at work, split from one pair of arrays into the other; those of the node at work.
  const sequences = program.globals("rows0", "rows1", "common0", "common1", "rows", "common");
  const { rows0, rows1, common0, common1, rows, common } = sequences;
  // Per position of a sequence: least s of a small bucket.
  const { lowFrom, highFrom } = program.globals("lowFrom", "highFrom");
  const { openIntervals, waiting, waitingCount } = program.globals("openIntervals", "waiting", "waitingCount");
  // By partition: its chunk at work, and the words that are used of it.
  const { partitions, partitionShift } = program.globals("partitions", "partitionShift");

  const start = (row: Code) => wordAt(starts, row);
  const end = (row: Code) => wordAt(starts, add(row, 1));
  const length = (row: Code) => sub(end(row), start(row));
  const lesser = (variable: Code, value: Code) => ifThen(lt(value, variable), put(variable, value));
  const greater = (variable: Code, value: Code) => ifThen(lt(variable, value), put(variable, value));

  /** compareTokens of tokens.ts: is token a the larger one? */
  const isLarger = program.define(
    "isLarger",
    ["a", "b"],
    ["i", "j", "endOfA", "endOfB"],
    ({ a, b, i, j, endOfA, endOfB }) => [
      ifThen(or(le(a, END), le(b, END)), returnWith(lt(b, a))),
      put(i, wordAt(textStarts, a)),
      put(endOfA, wordAt(textStarts, add(a, 1))),
      put(j, wordAt(textStarts, b)),
      put(endOfB, wordAt(textStarts, add(b, 1))),
      whileDo(
        and(lt(i, endOfA), lt(j, endOfB)),
        ifThen(ne(byteAt(text, i), byteAt(text, j)), returnWith(lt(byteAt(text, j), byteAt(text, i)))),
        increase(i, 1),
        increase(j, 1),
      ),
      lt(sub(endOfB, j), sub(endOfA, i)),
    ],
    { result: "i32" },
  );

  /** Line 15, and alpha > beta: more tokens, else the larger first token of the core. */
  const addInstance = program.define(
    "addInstance",
    ["u", "v", "c", "e", "flags"],
    ["known", "longer", "row", "i", "hash", "partition", "at"],
    ({ u, v, c, e, flags, known, longer, row, i, hash, partition, at }) => {
      const mixCore = (of: Code, factor: number) => [
        put(i, add(start(of), c)),
        put(row, sub(end(of), e)),
        whileDo(
          lt(i, row),
          put(hash, mul(xor(xor(shl(hash, 5), shr(hash, 3)), wordAt(tokens, i)), factor)),
          increase(i, 1),
        ),
      ];
      const write = (word: number, value: Code) => setWord(add(at, 4 * word), 0, value);
      return [
        put(known, likeness(u, v)),
        ifThen(eq(known, UNLIKELY), leave),
        put(longer, sub(length(u), length(v))),
        ifThen(
          pick(
            eq(longer, 0),
            eq(isLarger(wordAt(tokens, add(start(u), c)), wordAt(tokens, add(start(v), c))), 0),
            lt(longer, 0),
          ),
          put(row, u),
          put(u, v),
          put(v, row),
        ),
        ...mixCore(u, 0x9e3779b1),
        put(hash, xor(hash, -1)),
        ...mixCore(v, 0x85ebca6b),
        put(hash, mul(xor(hash, shr(hash, 15)), 0x2c1b3c6d)),
        put(hash, xor(hash, shr(hash, 13))),
        put(i, shr(hash, partitionShift)),
        put(partition, add(partitions, shl(i, 3))),
        ifThen(eq(wordAt(partition, 1), CHUNK_WORDS), addChunk(i)),
        put(at, add(wordAt(partition, 0), shl(wordAt(partition, 1), 2))),
        write(0, u),
        write(1, v),
        write(2, add(add(mul(c, FLAGS), flags), mul(eq(known, CONFIRMED), KNOWN_SIMILAR))),
        write(3, e),
        write(4, hash),
        setWord(partition, 1, add(wordAt(partition, 1), ROW_WORDS)),
      ];
    },
  );

  /** A small bucket, the same for all envelopes of the box. Its innermost envelope (p1, s1) is the core of some pairs. */
  const takeBox = program.define(
    "takeBox",
    ["from", "to", "p1", "s0", "s1", "shortestUrl"],
    ["i", "k", "u", "v", "suffix", "next", "isLow", "isTight", "isShortest", "isSameNext"],
    (names) => {
      const { from, to, p1, s0, s1, shortestUrl } = names;
      const { i, k, u, v, suffix, next, isLow, isTight, isShortest, isSameNext } = names;
      return [
        put(isLow, le(sub(to, from), lowBucket)),
        put(isTight, eq(shortestUrl, add(p1, s1))),
        put(i, from),
        whileDo(lt(i, to), counts.set(highFrom, i, s0), ifThen(isLow, counts.set(lowFrom, i, s0)), increase(i, 1)),
        put(i, from),
        whileDo(
          lt(i, to),
          put(u, wordAt(rows, i)),
          put(next, wordAt(tokens, add(start(u), p1))),
          put(isShortest, and(isTight, eq(length(u), shortestUrl))),
          put(suffix, longest),
          put(k, add(i, 1)),
          whileDo(
            lt(k, to),
            lesser(suffix, counts.at(common, k)),
            put(v, wordAt(rows, k)),
            put(isSameNext, eq(wordAt(tokens, add(start(v), p1)), next)),
            ifElse(
              and(eq(suffix, s1), eq(isSameNext, 0)),
              [addInstance(u, v, p1, s1, 0)],
              [
                ifThen(
                  or(isShortest, and(isTight, eq(length(v), shortestUrl))),
                  addInstance(u, v, p1, s1, pick(isSameNext, LEFT_ONLY, 0)),
                ),
              ],
            ),
            increase(k, 1),
          ),
          increase(i, 1),
        ),
      ];
    },
  );

  /** Closes the intervals of a node's sequence, inner ones first. Prefixes of p0 to p1 tokens lead to this node. */
  const takeNode = program.define(
    "takeNode",
    ["from", "to", "p0", "p1"],
    ["i", "suffix", "first", "shortestUrl", "longestUrl", "top", "s0", "s1", "isAnySmall", "cell", "least", "p"],
    (names) => {
      const { from, to, p0, p1, i, suffix, first, shortestUrl, longestUrl, top, s0, s1, isAnySmall } = names;
      const { cell, least, p } = names;
      // `top` is the address after the innermost open interval.
      const openWord = (word: number) => add(top, 4 * (word - OPEN_WORDS));
      const open = (word: number) => wordAt(openWord(word), 0);
      const setOpen = (word: number, value: Code) => setWord(openWord(word), 0, value);
      const [FIRST, COMMON, SHORTEST, LONGEST] = [0, 1, 2, 3] as const;
      const isAnyOpen = ne(top, openIntervals);
      return [
        counts.clear(lowFrom, from, to),
        counts.clear(highFrom, from, to),
        put(top, openIntervals),
        put(i, add(from, 1)),
        whileDo(
          le(i, to),
          put(suffix, pick(lt(i, to), counts.at(common, i), -1)),
          put(first, sub(i, 1)),
          put(shortestUrl, length(wordAt(rows, sub(i, 1)))),
          put(longestUrl, shortestUrl),
          whileDo(
            and(isAnyOpen, gt(open(COMMON), suffix)),
            put(first, open(FIRST)),
            put(s1, open(COMMON)),
            lesser(shortestUrl, open(SHORTEST)),
            greater(longestUrl, open(LONGEST)),
            increase(top, -4 * OPEN_WORDS),
            put(s0, suffix),
            ifThen(isAnyOpen, greater(s0, open(COMMON))),
            increase(s0, 1),
            ifElse(
              or(lt(shortestUrl, add(p1, s1)), gt(longestUrl, add(add(p0, s0), maxTokens))),
              [takeEnvelopes(rows, first, i, p0, p1, s0, s1, shortestUrl, longestUrl)],
              [ifThen(le(sub(i, first), highBucket), put(isAnySmall, 1), takeBox(first, i, p1, s0, s1, shortestUrl))],
            ),
          ),
          ifElse(
            and(isAnyOpen, eq(open(COMMON), suffix)),
            [
              ifThen(lt(shortestUrl, open(SHORTEST)), setOpen(SHORTEST, shortestUrl)),
              ifThen(gt(longestUrl, open(LONGEST)), setOpen(LONGEST, longestUrl)),
            ],
            [
              ifThen(
                ge(suffix, 0),
                increase(top, 4 * OPEN_WORDS),
                setOpen(FIRST, first),
                setOpen(COMMON, suffix),
                setOpen(SHORTEST, shortestUrl),
                setOpen(LONGEST, longestUrl),
              ),
            ],
          ),
          increase(i, 1),
        ),
        put(i, pick(isAnySmall, from, to)),
        whileDo(
          lt(i, to),
          put(least, counts.at(highFrom, i)),
          ifThen(
            ne(least, counts.none),
            put(cell, start(wordAt(rows, i))),
            put(p, p0),
            whileDo(
              le(p, p1),
              counts.set(high, add(cell, p), least),
              counts.set(low, add(cell, p), counts.at(lowFrom, i)),
              increase(p, 1),
            ),
          ),
          increase(i, 1),
        ),
      ];
    },
  );

  const { wait, waitForHalves, takeAll } = defineWaiting(program, "wait", waiting, waitingCount, (from, to) =>
    and(gt(sub(to, from), 1), and(lt(from, shareTo), gt(to, shareFrom))),
  );

  const takeRange = program.define(
    "takeRange",
    ["from", "to", "parentDepth", "side"],
    ["split", "depth"],
    ({ from, to, parentDepth, side, split, depth }) => [
      put(rows, pick(side, rows1, rows0)),
      put(common, pick(side, common1, common0)),
      put(split, findSplit(prefixes, from, to)),
      put(depth, counts.at(prefixes, split)),
      // Otherwise the range is some children of a node that was taken before it was halved.
      ifThen(
        and(gt(depth, parentDepth), or(and(ge(from, shareFrom), le(to, shareTo)), isMine(from, to, depth))),
        takeNode(from, to, add(parentDepth, 1), depth),
      ),
      ifThen(
        gt(sub(to, from), 2),
        splitSequence(rows, common, pick(side, rows0, rows1), pick(side, common0, common1), from, split, to, longest),
        put(side, eq(side, 0)),
        waitForHalves(from, split, to, depth, side),
      ),
    ],
  );

  program.define("join", [], [], () => [put(waitingCount, 0), wait(0, count, -1, 0), takeAll(takeRange)]);
}
