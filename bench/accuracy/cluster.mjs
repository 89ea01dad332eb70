// Is every planted cluster found with the predicted probability, and nothing else?
//   node bench/accuracy/cluster.mjs [PAIRS=20000] [CLUSTERS=20000]
import { clusterPages, fromColumns } from "../../dist/pages/cluster.js";
import { countClusters } from "../../dist/pages/cluster-numbers.js";
import { bruteForceRoots, drawSize, joinProbability, plantClusters, randomNumbers } from "./cluster-planted.mjs";

const pairs = Number(process.argv[2] ?? 20_000);
const clusters = Number(process.argv[3] ?? 20_000);
let failures = 0;
const check = (holds, text) => {
  console.log(`${holds ? "ok  " : "FAIL"} ${text}`);
  if (!holds) failures++;
};

console.log(
  `pairs of known resemblance, ${pairs} each: share joined against the probability of two common supershingles`,
);
for (const p of [0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.99, 1]) {
  const made = plantClusters({ sizes: Array(pairs).fill(2), resemblances: Array(pairs).fill(p), seed: p * 1000 });
  const { size } = await clusterPages(fromColumns(made.supershingles));
  const joined = size.reduce((sum, members) => sum + Number(members > 1), 0) / 2 / pairs;
  const expected = joinProbability(p);
  const sigma = Math.sqrt((expected * (1 - expected)) / pairs);
  check(
    Math.abs(joined - expected) <= 4 * sigma + 1e-9,
    `p=${p}: ${(100 * joined).toFixed(2)}%, expected ${(100 * expected).toFixed(2)}% ± ${(400 * sigma).toFixed(2)}`,
  );
}

console.log(`${clusters} clusters with power-law sizes, resemblances 0.8 to 1`);
const random = randomNumbers(7);
const sizes = Array.from({ length: clusters }, () => (random() % 3 === 0 ? drawSize(random, 2.5, 2000) : 1));
const made = plantClusters({
  sizes,
  resemblances: sizes.map(() => 0.8 + (0.2 * (random() % 1000)) / 999),
  seed: 11,
});
for (const threads of [0, 2]) {
  const { root } = await clusterPages(fromColumns(made.supershingles), { threads });
  const across = root.reduce((sum, to, document) => sum + Number(made.planted[to] !== made.planted[document]), 0);
  check(across === 0, `${threads} threads: ${across} of ${made.documents} documents joined across planted clusters`);
  const expected = bruteForceRoots(made);
  const wrong = root.reduce((sum, to, document) => sum + Number(to !== expected[document]), 0);
  check(wrong === 0, `${threads} threads: ${wrong} roots differ from comparing all pairs of each planted cluster`);
}

console.log("power law: planted exponent 2.5 in exact copies");
const copies = Array.from({ length: clusters }, () => drawSize(random, 2.5, 2000));
const exact = plantClusters({ sizes: copies, resemblances: copies.map(() => 1), seed: 13 });
const { powerLaw } = countClusters(await clusterPages(fromColumns(exact.supershingles)));
check(
  Math.abs(powerLaw.exponent - 2.5) < 0.1,
  `exponent ${powerLaw.exponent.toFixed(3)} ± ${powerLaw.error.toFixed(3)} from size ${powerLaw.smallest} on`,
);
process.exitCode = failures === 0 ? 0 : 1;
