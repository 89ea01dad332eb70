// How many pairs of real pages are found by each level of `cluster`, by their resemblance, counted exactly.
//   node bench/accuracy/related.mjs CRAWL... [SEED=1]
// Natural pairs: pages of the same path on two hosts of the crawl (editions, mirrors). Planted pairs: a page of the crawl and itself with a
// run of its words replaced by those of another page, so that every resemblance occurs. A pair is found where the test of the level joins the two directly; clusters also join by chains.
import { readSource } from "../../dist/input/read-source.js";
import { BAND_FEATURES, BANDS, candidateChance, RELATED_RESEMBLANCE } from "../../dist/pages/related.js";
import { FEATURES } from "../../dist/sketch/constants.js";
import { commonFeatures, sketchText, supershingles } from "../../dist/sketch/sketch.js";

const inputs = process.argv.slice(2).filter((argument) => Number.isNaN(Number(argument)));
let state = Number(process.argv.slice(2).find((argument) => !Number.isNaN(Number(argument))) ?? 1) * 7919;
const random = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const pages = new Map();
for (const input of inputs) {
  const onPages = (batch) => {
    for (const { url, status, text } of batch) if (status === 200 && text !== undefined) pages.set(url, text);
  };
  await readSource(input, { onPages }, { onProgress: () => {}, signal: new AbortController().signal });
}

/** Shingles as sketches have them: five words, and around the end. */
const shinglesOf = (text) => {
  const words =
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.map((_, at) => [0, 1, 2, 3, 4].map((more) => words[(at + more) % words.length]).join(" ")));
};
const resemblance = (left, right) => {
  const [a, b] = [shinglesOf(left), shinglesOf(right)];
  let shared = 0;
  for (const shingle of a) if (b.has(shingle)) shared++;
  return shared / (a.size + b.size - shared);
};
const tests = (left, right) => {
  const [a, b] = [sketchText(left), sketchText(right)];
  if (a === undefined || b === undefined) return undefined;
  const [superA, superB] = [supershingles(a), supershingles(b)];
  const shared = superA.reduce((sum, value, column) => sum + Number(value === superB[column]), 0);
  const bands = Array.from({ length: BANDS }, (_, band) => band * BAND_FEATURES);
  const isCandidate = bands.some((from) =>
    Array.from({ length: BAND_FEATURES }, (_, at) => from + at).every((at) => a.features[at] === b.features[at]),
  );
  return {
    similar: shared >= 2,
    related: isCandidate && commonFeatures(a, b) >= Math.ceil(RELATED_RESEMBLANCE * FEATURES),
  };
};

const all = [...pages];
const byPath = new Map();
for (const [url, text] of all) {
  const { pathname } = new URL(url);
  byPath.set(pathname, [...(byPath.get(pathname) ?? []), text]);
}
const natural = [...byPath.values()].flatMap((texts) =>
  texts.flatMap((left, at) => texts.slice(at + 1).map((right) => [left, right])),
);
const planted = Array.from({ length: 4000 }, () => {
  const text = all[random(all.length)][1].split(/\s+/);
  const other = all[random(all.length)][1].split(/\s+/);
  const length = random(Math.ceil(text.length / 2));
  const from = random(text.length - length);
  return [text.join(" "), [...text.slice(0, from), ...other.slice(0, length), ...text.slice(from + length)].join(" ")];
});

const percent = (part, of) => (of === 0 ? "" : `${((100 * part) / of).toFixed(1)}%`);
for (const [name, pairs] of [
  ["natural", natural],
  ["planted", planted],
]) {
  const rows = Array.from({ length: 10 }, () => ({ pairs: 0, similar: 0, related: 0 }));
  const joined = {
    similar: 0,
    related: 0,
    similarUnlike: 0,
    relatedUnlike: 0,
    alike: 0,
    similarAlike: 0,
    relatedAlike: 0,
  };
  for (const [left, right] of pairs) {
    const found = tests(left, right);
    if (found === undefined) continue;
    const exact = resemblance(left, right);
    const row = rows[Math.min(9, Math.floor(exact * 10 + 1e-9))];
    row.pairs++;
    const isAlike = exact >= RELATED_RESEMBLANCE;
    if (isAlike) joined.alike++;
    for (const level of ["similar", "related"]) {
      if (!found[level]) continue;
      row[level]++;
      joined[level]++;
      joined[`${level}${isAlike ? "Alike" : "Unlike"}`]++;
    }
  }
  console.log(`\n## ${name}: ${rows.reduce((sum, row) => sum + row.pairs, 0)} pairs`);
  console.log(
    "| resemblance | pairs | similar | related | a band in common, predicted for the middle |\n|---|--:|--:|--:|--:|",
  );
  rows.forEach((row, at) => {
    const predicted = percent(candidateChance((at + 0.5) / 10), 1);
    console.log(
      `| ${(at / 10).toFixed(1)} to ${((at + 1) / 10).toFixed(1)} | ${row.pairs} | ${percent(row.similar, row.pairs)} | ${percent(row.related, row.pairs)} | ${predicted} |`,
    );
  });
  for (const level of ["similar", "related"]) {
    console.log(
      `${level}: ${percent(joined[`${level}Alike`], joined.alike)} of the ${joined.alike} pairs of a resemblance of .7 and more; of the ${joined[level]} pairs found ${percent(joined[`${level}Alike`], joined[level])} are such`,
    );
  }
}
