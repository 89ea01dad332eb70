// Runs the Spark suites of test/engine on the build, on a cluster of its own on loopback. Installs pyspark into a cache
// folder (DUSTPAN_SPARK_CACHE, or dustpan-spark in the user's cache) the first time; builds nothing. Without Java or pip there is
// no Spark: then it says so, and is skipped. With -t only the tests whose names match.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installSpark, lackForSpark } from "./spark-cluster.mjs";

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), ".."));
if (!existsSync("dist/engine/spark-engine.js")) {
  console.error("nothing is built: npm run build");
  process.exit(2);
}
const lack = lackForSpark();
if (lack !== undefined) {
  console.log(`SKIPPED: scripts/spark-tests.mjs, since this machine has no ${lack}`);
  process.exit(0);
}
installSpark();
const { startVitest } = await import("vitest/node");
const { values, positionals } = parseArgs({ options: { t: { type: "string", short: "t" } }, allowPositionals: true });
const vitest = await startVitest("test", positionals, {
  ...(values.t !== undefined && { testNamePattern: values.t }),
  config: false,
  watch: false,
  reporters: ["verbose"],
  include: ["test/engine/*.suite.ts"],
  exclude: [],
  testTimeout: 600_000,
  hookTimeout: 600_000,
  pool: "forks",
  fileParallelism: false,
});
await vitest?.close();
