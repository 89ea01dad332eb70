// Random choices that a seed repeats, and words that a key repeats: what random sites are made of.
import { randomNumbers } from "../cluster-planted.mjs";

/** A number in [0, 1) that depends on the text alone. */
export function shareOf(text) {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Choices in a row: each call draws the next. */
export function diceOf(key) {
  const numbers = randomNumbers(Math.floor(shareOf(key) * 2 ** 32));
  const next = () => numbers() / 2 ** 32;
  const below = (n) => Math.floor(next() * n);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    between: (low, high) => low + next() * (high - low),
    integer: (low, high) => low + below(high - low + 1),
    /** Small ones as often as large ones: 30 to 300 as often as 300 to 3,000. */
    scale: (low, high) => Math.round(low * (high / low) ** next()),
    pick: (list) => list[below(list.length)],
    /** Each as often as its weight says. */
    weighted(list, weightOf) {
      let left = next() * list.reduce((sum, item) => sum + weightOf(item), 0);
      for (const item of list) {
        left -= weightOf(item);
        if (left < 0) return item;
      }
      return list[0];
    },
    shuffled(list) {
      const mixed = [...list];
      for (let i = mixed.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [mixed[i], mixed[j]] = [mixed[j], mixed[i]];
      }
      return mixed;
    },
    hex: (digits) => Array.from({ length: digits }, () => below(16).toString(16)).join(""),
  };
}

const ONSETS = [
  "b",
  "br",
  "c",
  "d",
  "dr",
  "f",
  "g",
  "gl",
  "h",
  "j",
  "k",
  "l",
  "m",
  "n",
  "p",
  "pl",
  "r",
  "s",
  "st",
  "t",
  "v",
];
const VOWELS = ["a", "e", "i", "o", "u", "ai", "ea"];
const ENDS = ["", "n", "r", "l", "s", "t", "nd"];

function makeWord(dice) {
  const syllables = dice.integer(2, 3);
  return Array.from({ length: syllables }, () => dice.pick(ONSETS) + dice.pick(VOWELS) + dice.pick(ENDS)).join("");
}

/** Words of one language; common ones are drawn more often. */
export function vocabularyOf(key, size = 2000) {
  const dice = diceOf(`vocabulary ${key}`);
  const words = Array.from({ length: size }, () => makeWord(dice));
  return (textKey, count) => {
    const text = diceOf(textKey);
    return Array.from({ length: count }, () => words[Math.floor(text.next() ** 1.5 * size)]);
  };
}
