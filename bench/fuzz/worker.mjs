// Runs one fuzz target in a thread of its own, so that who started it can tell when it hangs, and end it.
import { parentPort, workerData } from "node:worker_threads";
import { cutAnywhere, diceFrom, makeInput } from "./dice.mjs";
import { growthRatio } from "./growth.mjs";
import { targets } from "./targets.mjs";

const { name, seed, first, inputs, seconds, withGrowth } = workerData;
const target = targets.find((each) => each.name === name);
const until = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * seconds;

/** Each input has dice of its own: it can be made again without those before it. */
const diceOf = (number) => diceFrom(seed + Math.imul(number + 1, 0x9e3779b1));

const tell = (doing) => parentPort.postMessage({ doing });

for (let number = first; number < first + inputs && performance.now() < until; number++) {
  tell(`input ${number}`);
  const dice = diceOf(number);
  const bytes = makeInput(dice, target);
  try {
    const whole = JSON.stringify(await target.run([bytes]));
    const cut = JSON.stringify(await target.run(cutAnywhere(dice, bytes)));
    if (whole !== cut)
      throw new Error(`in pieces it is read otherwise:\n  ${whole.slice(0, 400)}\n  ${cut.slice(0, 400)}`);
  } catch (error) {
    parentPort.postMessage({ finding: `input ${number}: ${error instanceof Error ? error.stack : error}` });
  }
  parentPort.postMessage({ done: 1 });
}
if (withGrowth) {
  for (const [label, pattern] of Object.entries(target.growth)) {
    tell(`growth by ${label}`);
    const { bytes, ratio, isLinear } = await growthRatio(target.run, pattern, () => tell(`growth by ${label}`));
    parentPort.postMessage({ grown: { label, bytes, ratio } });
    if (!isLinear) {
      parentPort.postMessage({
        finding: `growth by ${label}: four times ${bytes} bytes take ${ratio.toFixed(1)} times as long`,
      });
    }
  }
}
