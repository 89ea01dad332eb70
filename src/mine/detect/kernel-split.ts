import { type Code, ifElse, ifThen, whileDo } from "../../wasm/assembler.js";
import {
  add,
  and,
  type Caller,
  eq,
  increase,
  le,
  lt,
  or,
  type Program,
  put,
  setWord,
  shr,
  sub,
  wordAt,
} from "../../wasm/program.js";
import type { CountAccess } from "./kernel-order.js";

/**
 * Two orders of the same items, joined: items are numbered by one order, in which those with a common beginning are an
 * interval [from, to); a sequence holds an interval's items in the other order, with what each has in common with the one
 * before it. Halving an interval and its sequence again and again, from all items down, gives every interval's sequence
 * without sorting any.
 */
export interface SplitFunctions {
  /** findSplit(common, from, to): the boundary of least common beginning in an interval of two or more items, the one nearest to the middle. */
  readonly findSplit: Caller;
  /** splitSequence(items, common, nextItems, nextCommon, from, split, to, largest): the items below `split` and the others, each in their order. */
  readonly splitSequence: Caller;
}

export function defineSplit(program: Program, counts: CountAccess): SplitFunctions {
  const findSplit = program.define(
    "findSplit",
    ["common", "from", "to"],
    ["middle", "split", "least", "i", "value"],
    ({ common, from, to, middle, split, least, i, value }) => [
      put(middle, shr(add(from, to), 1)),
      put(split, add(from, 1)),
      put(least, counts.at(common, split)),
      put(i, add(from, 2)),
      whileDo(
        lt(i, to),
        put(value, counts.at(common, i)),
        // Up to the middle later is nearer; beyond it the first one may be nearer than the last before it.
        ifThen(
          or(lt(value, least), and(eq(value, least), or(le(i, middle), lt(sub(i, middle), sub(middle, split))))),
          put(least, value),
          put(split, i),
        ),
        increase(i, 1),
      ),
      split,
    ],
    { result: "i32" },
  );

  const splitSequence = program.define(
    "splitSequence",
    ["items", "common", "nextItems", "nextCommon", "from", "split", "to", "largest"],
    ["left", "right", "leftCommon", "rightCommon", "i", "item", "value"],
    (names) => {
      const { items, common, nextItems, nextCommon, from, split, to, largest } = names;
      const { left, right, leftCommon, rightCommon, i, item, value } = names;
      const append = (at: Code, least: Code) => [
        setWord(nextItems, at, item),
        counts.set(nextCommon, at, least),
        increase(at, 1),
        put(least, largest),
      ];
      return [
        put(left, from),
        put(right, split),
        put(leftCommon, largest),
        put(rightCommon, largest),
        put(i, from),
        whileDo(
          lt(i, to),
          put(item, wordAt(items, i)),
          put(value, counts.at(common, i)),
          ifThen(lt(value, leftCommon), put(leftCommon, value)),
          ifThen(lt(value, rightCommon), put(rightCommon, value)),
          ifElse(lt(item, split), append(left, leftCommon), append(right, rightCommon)),
          increase(i, 1),
        ),
      ];
    },
  );
  return { findSplit, splitSequence };
}

/** Intervals that wait for their turn on a stack of 4 words each: from, to, depth, side. */
export interface WaitingIntervals {
  readonly wait: Caller;
  /** Both halves wait, the smaller one on top: so there are never more than the logarithm of the items. */
  readonly waitForHalves: (from: Code, split: Code, to: Code, depth: Code, side: Code) => Code;
  /** Takes what waits, until nothing does. */
  readonly takeAll: (take: Caller) => Code;
}

/** `isWanted` tells which intervals are worth a turn. */
export function defineWaiting(
  program: Program,
  name: string,
  stack: Code,
  height: Code,
  isWanted: (from: Code, to: Code) => Code,
): WaitingIntervals {
  const wait = program.define(name, ["from", "to", "depth", "side"], [], ({ from, to, depth, side }) => [
    ifThen(
      isWanted(from, to),
      [from, to, depth, side].flatMap((value, word) => setWord(stack, add(height, word), value)),
      increase(height, 4),
    ),
  ]);
  const word = (number: number) => wordAt(stack, add(height, number));
  return {
    wait,
    waitForHalves: (from, split, to, depth, side) =>
      ifElse(
        lt(sub(split, from), sub(to, split)),
        [wait(split, to, depth, side), wait(from, split, depth, side)],
        [wait(from, split, depth, side), wait(split, to, depth, side)],
      ),
    takeAll: (take) => whileDo(height, increase(height, -4), take(word(0), word(1), word(2), word(3))),
  };
}
