// Inputs from a seed: what a target's own samples become when they are cut, repeated, mixed and damaged.
import { randomNumbers } from "#src/demo/text.js";

/** The same inputs on every machine. */
export function diceFrom(seed) {
  const next = randomNumbers(seed);
  const below = (limit) => Math.floor(next() * limit);
  return { below, chance: (share) => next() < share, oneOf: (list) => list[below(list.length)] };
}

const MAX_BYTES = 1 << 16;
const oddBytes = [0, 1, 9, 10, 13, 32, 34, 38, 44, 45, 47, 60, 62, 91, 92, 123, 127, 128, 0xbf, 0xc3, 0xed, 0xfe, 0xff];

/** One sample or several words, and up to eight changes. */
export function makeInput(dice, { seeds, words }) {
  let bytes = dice.chance(0.25) ? fromWords(dice, words) : Buffer.from(dice.oneOf(seeds));
  for (let changes = dice.below(9); changes > 0; changes--) bytes = change(dice, bytes, seeds, words);
  return bytes.subarray(0, MAX_BYTES);
}

function fromWords(dice, words) {
  return Buffer.concat(Array.from({ length: 1 + dice.below(60) }, () => Buffer.from(dice.oneOf(words))));
}

function change(dice, bytes, seeds, words) {
  const at = dice.below(bytes.length + 1);
  const end = at + dice.below(bytes.length - at + 1);
  const [before, between, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (dice.below(8)) {
    case 0:
      return Buffer.concat([before, after]);
    case 1:
      return Buffer.concat([before, Buffer.from(dice.oneOf(words)), bytes.subarray(at)]);
    case 2:
      return Buffer.concat([before, Buffer.from(dice.oneOf(words)), after]);
    case 3:
      return Buffer.concat([before, ...new Array(1 + dice.below(20)).fill(between.subarray(0, 2000)), after]);
    case 4:
      return Buffer.concat([before, Buffer.from(dice.oneOf(seeds)), bytes.subarray(at)]);
    case 5:
      return before;
    case 6:
      return Buffer.concat([
        before,
        Buffer.of(dice.chance(0.5) ? dice.oneOf(oddBytes) : dice.below(256)),
        bytes.subarray(at + 1),
      ]);
    default: {
      const flipped = Buffer.from(bytes);
      if (at < bytes.length) flipped[at] ^= 1 << dice.below(8);
      return flipped;
    }
  }
}

/** The bytes in pieces of any length: what a stream may be given. */
export function cutAnywhere(dice, bytes) {
  const pieces = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + (dice.chance(0.5) ? dice.below(8) : dice.below(4000));
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
