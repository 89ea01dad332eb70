import { type Code, fillBytes, i32, i64, ifElse, ifThen, returnWith, whileDo } from "../../wasm/assembler.js";
import {
  add,
  and,
  byteAt,
  type Caller,
  eq,
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
  setByte,
  setWord,
  shl,
  shr,
  sub,
  type Value,
  wordAt,
} from "../../wasm/program.js";
import { END, START } from "./tokens.js";

/** How the code reads and writes arrays of token counts (Counts): 1, 2 or 4 bytes each. */
export interface CountAccess {
  readonly at: (array: Code, index: Value) => Code;
  readonly set: (array: Code, index: Value, value: Value) => Code;
  /** Fills array[from .. to) with the largest value, which means "none". */
  readonly clear: (array: Code, from: Code, to: Code) => Code;
  readonly none: number;
}

export function countAccess(bytes: number): CountAccess {
  const place = (array: Code, index: Value) => add(array, mul(index, bytes));
  const clear = (array: Code, from: Code, to: Code) =>
    fillBytes(place(array, from), i32.const(0xff), mul(sub(to, from), bytes));
  if (bytes === 1) return { at: byteAt, set: setByte, clear, none: 0xff };
  if (bytes === 4) return { at: wordAt, set: setWord, clear, none: -1 };
  const code = (value: Value) => (typeof value === "number" ? i32.const(value) : value);
  return {
    at: (array, index) => i32.load16u(place(array, index)),
    set: (array, index, value) => i32.store16(place(array, index), code(value)),
    clear,
    none: 0xffff,
  };
}

/** Ranges of at most this many sequences are sorted by insertion. */
export const FEW = 10;

/**
 * Sorts sequences of tokens that end with an anchor, by token ids: any order that keeps equal beginnings together serves.
 * Multikey quicksort (Bentley and Sedgewick 1997), two tokens at a time as one 64-bit key.
 *
 * Defines sortSequences(first, step, items, common, count, limit, keys, pending): sorts `count` items. Item i begins at token
 * first[i] and goes on by step (1 or -1), to its anchor or for `limit` tokens. Sets common[k] to the tokens that the k-th
 * item has in common with the one before, common[0] to 0. `keys` has room for 8 bytes an item, `pending` for 3 words for
 * every FEW items.
 */
export function defineSort(program: Program, tokens: Code, counts: CountAccess): void {
  const sorting = program.globals(
    "first",
    "step",
    "last",
    "items",
    "sharedTokens",
    "limit",
    "keys",
    "pending",
    "pendingCount",
  );
  const { first, step, last, items, sharedTokens, limit, keys, pending, pendingCount } = sorting;
  const tokenAt = (item: Code, depth: Code) => wordAt(tokens, add(wordAt(first, item), mul(step, depth)));
  const keyAt = (index: Value) => i64.load(add(keys, shl(index, 3)));
  const setKey = (index: Value, key: Code) => i64.store(add(keys, shl(index, 3)), key);
  const firstToken = (key: Code) => i32.wrap(i64.shrU(key, i64.const(32n)));

  /** 2 * the tokens that two items have in common, up to the limit; 1 more if a comes before b. `depth` are known. */
  const compare = program.define(
    "compareSequences",
    ["a", "b", "depth"],
    ["token"],
    ({ a, b, depth, token }) => [
      put(a, add(wordAt(first, a), mul(step, depth))),
      put(b, add(wordAt(first, b), mul(step, depth))),
      whileDo(
        lt(depth, limit),
        put(token, wordAt(tokens, a)),
        ifThen(ne(token, wordAt(tokens, b)), returnWith(add(shl(depth, 1), lt(token, wordAt(tokens, b))))),
        increase(depth, 1),
        ifThen(eq(token, last), returnWith(shl(depth, 1))),
        increase(a, step),
        increase(b, step),
      ),
      shl(depth, 1),
    ],
    { result: "i32" },
  );

  const sortFew = program.define(
    "sortFew",
    ["low", "high", "depth"],
    ["i", "k", "item", "isPlaced"],
    ({ low, high, depth, i, k, item, isPlaced }) => {
      const before = wordAt(items, sub(k, 1));
      return [
        put(i, add(low, 1)),
        whileDo(
          lt(i, high),
          put(item, wordAt(items, i)),
          put(k, i),
          put(isPlaced, 0),
          whileDo(
            and(lt(low, k), eq(isPlaced, 0)),
            ifElse(
              i32.and(compare(item, before, depth), i32.const(1)),
              [setWord(items, k, before), increase(k, -1)],
              [put(isPlaced, 1)],
            ),
          ),
          setWord(items, k, item),
          increase(i, 1),
        ),
        put(i, add(low, 1)),
        whileDo(
          lt(i, high),
          counts.set(sharedTokens, i, shr(compare(wordAt(items, sub(i, 1)), wordAt(items, i), depth), 1)),
          increase(i, 1),
        ),
      ];
    },
  );

  /** Three-way quicksort of keys[low .. high), items with them. */
  const sortByKeys = program.define(
    "sortByKeys",
    ["low", "high"],
    ["less", "more", "i", "other", "item", "key", "pivot", "a", "b", "c"],
    ({ low, high, less, more, i, other, item, key, pivot, a, b, c }, self) => {
      const swap = [
        put(item, wordAt(items, i)),
        setKey(i, keyAt(other)),
        setWord(items, i, wordAt(items, other)),
        setKey(other, key),
        setWord(items, other, item),
      ].flat();
      const ordered = (x: Code, y: Code) => ifThen(i64.ltU(y, x), put(pivot, x), put(x, y), put(y, pivot));
      return [
        whileDo(
          lt(16, sub(high, low)),
          put(a, keyAt(low)),
          put(b, keyAt(shr(add(low, high), 1))),
          put(c, keyAt(sub(high, 1))),
          // The median of three.
          ordered(a, b),
          ordered(b, c),
          ordered(a, b),
          put(pivot, b),
          put(less, low),
          put(more, high),
          put(i, low),
          whileDo(
            lt(i, more),
            put(key, keyAt(i)),
            ifElse(
              i64.eq(key, pivot),
              [increase(i, 1)],
              [
                ifElse(
                  i64.ltU(key, pivot),
                  [put(other, less), swap, increase(less, 1), increase(i, 1)],
                  [increase(more, -1), put(other, more), swap],
                ),
              ],
            ),
          ),
          ifElse(
            lt(sub(less, low), sub(high, more)),
            [self(low, less), put(low, more)],
            [self(more, high), put(high, less)],
          ),
        ),
        put(i, add(low, 1)),
        whileDo(
          lt(i, high),
          put(key, keyAt(i)),
          put(item, wordAt(items, i)),
          put(other, i),
          whileDo(
            and(lt(low, other), i64.ltU(key, keyAt(sub(other, 1)))),
            setKey(other, keyAt(sub(other, 1))),
            setWord(items, other, wordAt(items, sub(other, 1))),
            increase(other, -1),
          ),
          setKey(other, key),
          setWord(items, other, item),
          increase(i, 1),
        ),
      ];
    },
    { wide: ["key", "pivot", "a", "b", "c"] },
  );

  const sortRange = program.define(
    "sortRange",
    ["low", "high", "depth"],
    ["i", "token", "key", "width", "isMixed", "from", "to", "equal"],
    ({ low, high, depth, i, token, key, width, isMixed, from, to, equal }) => {
      const item = wordAt(items, i);
      const second = pick(and(eq(width, 2), ne(token, last)), tokenAt(item, add(depth, 1)), 0);
      const isDone = or(or(eq(token, last), le(limit, add(depth, width))), and(eq(width, 2), eq(i32.wrap(key), last)));
      return [
        put(width, pick(lt(add(depth, 1), limit), 2, 1)),
        put(i, low),
        whileDo(
          lt(i, high),
          put(token, tokenAt(item, depth)),
          put(key, i64.or(i64.shl(i64.extendU(token), i64.const(32n)), i64.extendU(second))),
          setKey(i, key),
          ifThen(i64.ne(key, keyAt(low)), put(isMixed, 1)),
          increase(i, 1),
        ),
        ifThen(isMixed, sortByKeys(low, high)),
        put(from, low),
        whileDo(
          lt(from, high),
          put(key, keyAt(from)),
          put(token, firstToken(key)),
          put(to, add(from, 1)),
          whileDo(and(lt(to, high), i64.eq(keyAt(to), key)), increase(to, 1)),
          ifThen(lt(low, from), counts.set(sharedTokens, from, add(depth, eq(firstToken(keyAt(sub(from, 1))), token)))),
          ifThen(
            gt(sub(to, from), 1),
            ifElse(
              isDone,
              [
                put(equal, add(depth, pick(eq(token, last), 1, width))),
                put(i, add(from, 1)),
                whileDo(lt(i, to), counts.set(sharedTokens, i, equal), increase(i, 1)),
              ],
              [
                ifElse(
                  le(sub(to, from), FEW),
                  [sortFew(from, to, add(depth, width))],
                  [
                    setWord(pending, pendingCount, from),
                    setWord(pending, add(pendingCount, 1), to),
                    setWord(pending, add(pendingCount, 2), add(depth, width)),
                    increase(pendingCount, 3),
                  ],
                ),
              ],
            ),
          ),
          put(from, to),
        ),
      ];
    },
    { wide: ["key"] },
  );

  const parameters = ["starts", "by", "sequence", "equal", "count", "most", "keyRoom", "pendingRoom"] as const;
  const sortSequences: Caller = program.define("sortSequences", parameters, [], (given) => [
    put(first, given.starts),
    put(step, given.by),
    put(last, pick(eq(given.by, 1), END, START)),
    put(items, given.sequence),
    put(sharedTokens, given.equal),
    put(limit, given.most),
    put(keys, given.keyRoom),
    put(pending, given.pendingRoom),
    ifThen(given.count, counts.set(sharedTokens, 0, 0)),
    ifElse(
      or(le(given.count, FEW), eq(limit, 0)),
      [sortFew(0, given.count, 0)],
      [
        setWord(pending, 0, 0),
        setWord(pending, 1, given.count),
        setWord(pending, 2, 0),
        put(pendingCount, 3),
        whileDo(
          pendingCount,
          increase(pendingCount, -3),
          sortRange(
            wordAt(pending, pendingCount),
            wordAt(pending, add(pendingCount, 1)),
            wordAt(pending, add(pendingCount, 2)),
          ),
        ),
      ],
    ),
  ]);

  /** sortUrls(starts, count, by, first, order, common, longest, keys, pending): all URLs, from their first or last token. */
  program.define(
    "sortUrls",
    ["starts", "count", "by", "firsts", "order", "equal", "longest", "keyRoom", "pendingRoom"],
    ["url"],
    ({ starts, count, by, firsts, order, equal, longest, keyRoom, pendingRoom, url }) => [
      whileDo(
        lt(url, count),
        setWord(order, url, url),
        setWord(firsts, url, pick(eq(by, 1), wordAt(starts, url), sub(wordAt(starts, add(url, 1)), 1))),
        increase(url, 1),
      ),
      sortSequences(firsts, by, order, equal, count, longest, keyRoom, pendingRoom),
    ],
  );
}
