// Hostile inputs for every parser: nothing but a clear error may come of them, none may hang, however the bytes are cut
// into pieces the same is read, and the time grows with the length and no faster.
//   node scripts/fuzz.mjs [TARGET...] [--inputs N | --seconds S] [--seed S] [--only NUMBER] [--verbose]
// For each target N inputs (default 1,000), or as many as fit into S seconds. A finding names the input's number: --only
// with it and the same seed runs that input alone.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { targets } from "../bench/fuzz/targets.mjs";

/** Of processor time, since a busy machine gives little of it; and by the clock, for what waits without working. */
const HANG_MS = 30_000;
const WAIT_MS = 600_000;
const MAX_HEAP_MB = 1024;
const DEFAULT_INPUTS = 1000;
const DEFAULT_SEED = 15;

const { values, positionals } = parseArgs({
  options: {
    inputs: { type: "string" },
    seconds: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const numberOf = (name) => {
  if (values[name] === undefined) return undefined;
  const number = Number(values[name]);
  if (Number.isFinite(number) && number >= 0) return number;
  console.error(`--${name} ${values[name]}: expected a number`);
  process.exit(2);
};
const names = targets.map(({ name }) => name);
const unknown = positionals.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`${unknown}: expected one of ${names.join(", ")}`);
  process.exit(2);
}
const seed = numberOf("seed") ?? DEFAULT_SEED;
const seconds = numberOf("seconds");
const only = numberOf("only");
const inputs =
  only !== undefined ? 1 : (numberOf("inputs") ?? (seconds === undefined ? DEFAULT_INPUTS : Number.MAX_SAFE_INTEGER));

const workerFile = path.join(path.dirname(fileURLToPath(import.meta.url)), "../bench/fuzz/worker.mjs");

function busyMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Runs one target to its end, or to the first thing that ends it. */
function fuzz(name) {
  return new Promise((resolve) => {
    const findings = [];
    let done = 0;
    let doing = "the start";
    const worker = new Worker(workerFile, {
      workerData: { name, seed, first: only ?? 0, inputs, seconds, withGrowth: only === undefined },
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    let last = { at: performance.now(), busyMs: busyMs() };
    const timer = setInterval(() => {
      if (busyMs() - last.busyMs < HANG_MS && performance.now() - last.at < WAIT_MS) return;
      findings.push(`${doing}: hangs, nothing for ${HANG_MS / 1000} s`);
      clearInterval(timer);
      void worker.terminate();
    }, 1000);
    worker.on("message", (message) => {
      last = { at: performance.now(), busyMs: busyMs() };
      doing = message.doing ?? doing;
      done += message.done ?? 0;
      if (message.finding !== undefined) findings.push(message.finding);
      if (values.verbose && message.grown !== undefined) {
        const { label, bytes, ratio } = message.grown;
        console.log(
          `  ${label}: ${ratio === undefined ? "no time" : `${ratio.toFixed(1)} times`} for four times ${bytes} bytes`,
        );
      }
    });
    worker.on("error", (error) => findings.push(`${doing}: ${error.stack ?? error}`));
    worker.on("exit", () => {
      clearInterval(timer);
      resolve({ done, findings });
    });
  });
}

let isSound = true;
for (const name of positionals.length > 0 ? positionals : names) {
  const { done, findings } = await fuzz(name);
  console.log(`${name}: ${done.toLocaleString("en")} inputs with seed ${seed}, ${findings.length} findings`);
  for (const finding of findings.slice(0, 5)) console.log(`  ${finding}`);
  if (findings.length > 0 || done === 0) isSound = false;
}
process.exitCode = isSound ? 0 : 1;
