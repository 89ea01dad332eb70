// Whether sketches estimate resemblance as the 2004 paper says, for both families of functions: over pairs of texts with
// exactly known resemblance p, features agree with rate p, supershingles with p^14, and two of six with the probability
// that follows (the paper: almost 90% at 0.95, 2.6% at 0.80).
//   node bench/accuracy/sketch.mjs [PAIRS=4000]
// Prints a table with z-scores (deviations in units of the sampling error); fails where one is beyond 4.
import { sketchText, supershingles } from "../../dist/sketch/index.js";

const pairs = Number(process.argv[2] ?? 4000);

// Words nobody has written before, so that every pair is new to the fixed functions. (xorshift32 and a counter.)
let state = 2004;
let counter = 0;
const freshWord = () => {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return `${(state >>> 0).toString(36)}x${(counter++).toString(36)}`;
};
const freshWords = (count) => Array.from({ length: count }, freshWord);

/**
 * Two texts of `own + common` words with `common` shingles in common: a run of common + 4 words in both, then words of
 * their own. Every shingle that reaches beyond the run differs, so p = common / (common + 2 own).
 */
function textPair(common, own) {
  const run = freshWords(common + 4);
  return [0, 1].map(() => [...run, ...freshWords(own - 4)].join(" "));
}

const twoOfSix = (q) => 1 - (1 - q) ** 6 - 6 * q * (1 - q) ** 5;

let failures = 0;
const zScore = (hits, trials, expected) => {
  const z = (hits - trials * expected) / Math.sqrt(trials * expected * (1 - expected));
  if (Math.abs(z) > 4) failures++;
  return z.toFixed(2);
};
const percent = (share) => `${(100 * share).toFixed(2)}%`;

// common and own words: short and long texts, the paper's 0.95 and 0.80 among them.
const cases = [
  [10, 5],
  [40, 5],
  [160, 20],
  [90, 5],
  [190, 5],
  [760, 20],
  [990, 5],
];
console.log(`${pairs} pairs a row; z-scores in parentheses`);
console.log("family  words     p  features agree   supershingles (p^14)     two of six (expected)");
for (const family of ["affine", "rabin"])
  for (const [common, own] of cases) {
    const p = common / (common + 2 * own);
    // Rabin's functions are slow: fewer pairs of long texts, at least 500.
    const count = family === "rabin" ? Math.max(500, Math.min(pairs, Math.floor(400_000 / (common + own)))) : pairs;
    let features = 0;
    let supers = 0;
    let joined = 0;
    for (let pair = 0; pair < count; pair++) {
      const [a, b] = textPair(common, own).map((text) => sketchText(text, { family }));
      for (let i = 0; i < 84; i++) if (a.features[i] === b.features[i]) features++;
      const [superA, superB] = [supershingles(a), supershingles(b)];
      let equal = 0;
      for (let i = 0; i < 6; i++) if (superA[i] === superB[i]) equal++;
      supers += equal;
      if (equal >= 2) joined++;
    }
    const q = p ** 14;
    console.log(
      family.padEnd(6),
      String(common + own).padStart(6),
      p.toFixed(3),
      `${percent(features / count / 84)} (${zScore(features, count * 84, p)})`.padStart(15),
      `${percent(supers / count / 6)} of ${percent(q)} (${zScore(supers, count * 6, q)})`.padStart(25),
      `${percent(joined / count)} of ${percent(twoOfSix(q))} (${zScore(joined, count, twoOfSix(q))})`.padStart(25),
      count === pairs ? "" : `${count} pairs`,
    );
  }
console.log(failures === 0 ? "all within sampling error" : `${failures} beyond 4 standard deviations`);
process.exitCode = failures === 0 ? 0 : 1;
