import { type Code, i32, ifElse, ifThen, leave, returnWith, whileDo } from "../../wasm/assembler.js";
import {
  add,
  and,
  bits,
  byteAt,
  type Caller,
  eq,
  ge,
  gt,
  increase,
  le,
  lt,
  ne,
  or,
  type Program,
  pick,
  put,
  setWord,
  sub,
  wordAt,
} from "../../wasm/program.js";
import { KNOWN_SIMILAR, LEFT_ONLY } from "./instances.js";
import type { ListVariables } from "./kernel-join.js";
import type { CountAccess } from "./kernel-order.js";
import { defineWaiting, type SplitFunctions } from "./kernel-split.js";

/** Words of an open right context: first position, common tokens. */
export const OPEN_RIGHT_WORDS = 2;

/** What the walk asks the outside for. */
export interface ContextImports {
  /** bucketClass(row, p, s): 0 for a bucket of more than T_high URLs, 1 for one of at most T_high, 2 of at most T_low. */
  readonly bucketClass: Caller;
  /**
   * addPair(example, a, b, from, to, first, low, high, confirmed): a pair with support. The instances with its a tokens of
   * left context are [from, to); `first` is one with its b tokens of right context.
   */
  readonly addPair: Caller;
}

/**
 * The contexts of a core; supports.ts says what is done. Defines walk(count), which works on the program's variables: the
 * columns of Group, by the same names.
 */
export function defineContexts(
  program: Program,
  { starts, low, high, longest }: ListVariables,
  counts: CountAccess,
  { findSplit, splitSequence }: SplitFunctions,
  { bucketClass, addPair }: ContextImports,
): void {
  const instances = program.globals("alphaRow", "betaRow", "before", "after", "flags", "left");
  const { alphaRow, betaRow, before, after, flags, left } = instances;
  const sequences = program.globals("sequence0", "sequence1", "right0", "right1");
  const { sequence0, sequence1, right0, right1 } = sequences;
  const { live, liveRight, lowLimit, highLimit } = program.globals("live", "liveRight", "lowLimit", "highLimit");
  const { openRights, contexts, contextCount } = program.globals("openRights", "contexts", "contextCount");
  const { order, keepsAll, maxContext, minSupport } = program.globals("order", "keepsAll", "maxContext", "minSupport");
  const isLeftOnly = (member: Code) => bits(byteAt(flags, member), LEFT_ONLY);

  const isEarlier = program.define(
    "isEarlier",
    ["a", "b"],
    ["difference"],
    ({ a, b, difference }) => {
      const between = (rows: Code) => sub(wordAt(order, wordAt(rows, a)), wordAt(order, wordAt(rows, b)));
      return [
        put(difference, between(alphaRow)),
        ifThen(eq(difference, 0), put(difference, between(betaRow))),
        lt(difference, 0),
      ];
    },
    { result: "i32" },
  );

  /** The pairs of live[first .. end) with a tokens of left and b0 to b1 of right context. */
  const takeContexts = program.define(
    "takeContexts",
    ["first", "end", "from", "to", "a", "b0", "b1"],
    ["b", "lows", "highs", "confirmed", "example", "i", "member", "isLow", "isHigh", "size"],
    (names) => {
      const { first, end, from, to, a, b0, b1 } = names;
      const { b, lows, highs, confirmed, example, i, member, isLow, isHigh, size } = names;
      const isMaybeException = and(and(keepsAll, eq(isLow, 0)), or(eq(b, 0), eq(isLeftOnly(member), 0)));
      return [
        put(b, b0),
        whileDo(
          le(b, b1),
          put(lows, 0),
          put(highs, 0),
          put(confirmed, 0),
          put(example, -1),
          put(i, first),
          whileDo(
            lt(i, end),
            put(member, wordAt(live, i)),
            put(isHigh, le(b, wordAt(highLimit, i))),
            put(isLow, le(b, wordAt(lowLimit, i))),
            ifThen(
              isMaybeException,
              put(
                size,
                bucketClass(wordAt(alphaRow, member), sub(wordAt(before, member), a), sub(wordAt(after, member), b)),
              ),
              put(isHigh, ne(size, 0)),
              put(isLow, eq(size, 2)),
            ),
            increase(highs, isHigh),
            ifThen(
              isLow,
              increase(lows, 1),
              increase(confirmed, ne(bits(byteAt(flags, member), KNOWN_SIMILAR), 0)),
              ifThen(or(lt(example, 0), isEarlier(member, example)), put(example, member)),
            ),
            increase(i, 1),
          ),
          ifElse(
            ge(lows, minSupport),
            [addPair(example, a, b, from, to, wordAt(live, first), lows, highs, confirmed)],
            [ifThen(eq(keepsAll, 0), leave)],
          ),
          increase(b, 1),
        ),
      ];
    },
  );

  const lesserOf = (a: Code, b: Code) => pick(lt(a, b), a, b);

  /** Right contexts of the live instances, which are in their order; inner (longer) ones are closed first. */
  const takeRights = program.define(
    "takeRights",
    ["count", "from", "to", "a"],
    ["limit", "top", "i", "value", "first", "shortest", "most"],
    ({ count, from, to, a, limit, top, i, value, first, shortest, most }) => {
      // `top` is the address after the innermost open context.
      const openWord = (word: number) => add(top, 4 * (word - OPEN_RIGHT_WORDS));
      const openFirst = wordAt(openWord(0), 0);
      const openCommon = wordAt(openWord(1), 0);
      const isAnyOpen = ne(top, openRights);
      return [
        put(limit, sub(maxContext, a)),
        put(top, openRights),
        put(i, 1),
        whileDo(
          le(i, count),
          put(value, pick(lt(i, count), wordAt(liveRight, i), -1)),
          put(first, sub(i, 1)),
          ifThen(
            le(minSupport, 1),
            put(most, pick(isLeftOnly(wordAt(live, first)), 0, wordAt(after, wordAt(live, first)))),
            put(shortest, value),
            ifThen(and(gt(first, 0), gt(wordAt(liveRight, first), value)), put(shortest, wordAt(liveRight, first))),
            takeContexts(first, i, from, to, a, add(shortest, 1), lesserOf(limit, most)),
          ),
          whileDo(
            and(isAnyOpen, gt(openCommon, value)),
            put(first, openFirst),
            put(most, openCommon),
            increase(top, -4 * OPEN_RIGHT_WORDS),
            ifThen(
              ge(sub(i, first), minSupport),
              put(shortest, value),
              ifThen(and(isAnyOpen, gt(openCommon, value)), put(shortest, openCommon)),
              takeContexts(first, i, from, to, a, add(shortest, 1), lesserOf(limit, most)),
            ),
          ),
          ifThen(
            and(ge(value, 0), or(eq(top, openRights), lt(openCommon, value))),
            increase(top, 4 * OPEN_RIGHT_WORDS),
            setWord(openWord(0), 0, first),
            setWord(openWord(1), 0, value),
          ),
          increase(i, 1),
        ),
      ];
    },
  );

  /** The instances [from, to) share left contexts of a0 to a1 tokens. 0 if no longer one can have support. */
  const takeLeft = program.define(
    "takeLeft",
    ["from", "to", "a0", "a1", "side"],
    ["a", "count", "lows", "least", "i", "member", "cell", "rest", "most", "lowest", "highest"],
    (names) => {
      const { from, to, a0, a1, side, a, count, lows, least, i, member, cell } = names;
      const { rest, most, lowest, highest } = names;
      // The bucket at (p, s) is small if s = after - b is at least the cell's value: up to which b that is.
      const limitOf = (sizes: Code) =>
        pick(eq(counts.at(sizes, cell), counts.none), -1, sub(rest, counts.at(sizes, cell)));
      return [
        put(a, a0),
        whileDo(
          le(a, a1),
          put(count, 0),
          put(lows, 0),
          put(least, longest),
          put(i, from),
          whileDo(
            lt(i, to),
            put(member, wordAt(pick(side, sequence1, sequence0), i)),
            put(most, counts.at(pick(side, right1, right0), i)),
            ifThen(lt(most, least), put(least, most)),
            put(cell, sub(add(wordAt(starts, wordAt(alphaRow, member)), wordAt(before, member)), a)),
            put(rest, wordAt(after, member)),
            put(highest, limitOf(high)),
            ifThen(
              or(ge(highest, 0), keepsAll),
              put(lowest, limitOf(low)),
              put(most, pick(isLeftOnly(member), 0, rest)),
              setWord(live, count, member),
              setWord(liveRight, count, least),
              setWord(lowLimit, count, lesserOf(most, lowest)),
              setWord(highLimit, count, lesserOf(most, highest)),
              increase(lows, ge(lowest, 0)),
              increase(count, 1),
              put(least, longest),
            ),
            increase(i, 1),
          ),
          ifThen(lt(pick(keepsAll, count, lows), minSupport), returnWith(i32.const(0))),
          takeRights(count, from, to, a),
          increase(a, 1),
        ),
        i32.const(1),
      ];
    },
    { result: "i32" },
  );

  const { wait, waitForHalves, takeAll } = defineWaiting(
    program,
    "waitForContexts",
    contexts,
    contextCount,
    (from, to) => ge(sub(to, from), minSupport),
  );

  /** The instances [from, to), which share left contexts of more than `shorter` tokens; the halves of them wait. */
  const takeInstances = program.define(
    "takeInstances",
    ["from", "to", "shorter", "side"],
    ["split", "most"],
    ({ from, to, shorter, side, split, most }) => [
      put(split, to),
      put(most, wordAt(before, from)),
      ifThen(gt(sub(to, from), 1), put(split, findSplit(left, from, to)), put(most, counts.at(left, split))),
      put(most, lesserOf(most, maxContext)),
      // Otherwise the range is some extensions of a context that was taken before it was halved.
      ifThen(gt(most, shorter), ifThen(eq(takeLeft(from, to, add(shorter, 1), most, side), 0), leave)),
      ifThen(or(eq(sub(to, from), 1), eq(most, maxContext)), leave),
      splitSequence(
        pick(side, sequence1, sequence0),
        pick(side, right1, right0),
        pick(side, sequence0, sequence1),
        pick(side, right0, right1),
        from,
        split,
        to,
        longest,
      ),
      put(side, eq(side, 0)),
      waitForHalves(from, split, to, most, side),
    ],
  );

  /** Left contexts from the empty one outwards. */
  program.define("walk", ["count"], [], ({ count }) => [
    put(contextCount, 0),
    wait(0, count, -1, 0),
    takeAll(takeInstances),
  ]);
}
