// Runs the Spark suites of test/engine on the build, on a cluster of its own on loopback. Installs pyspark into a cache
// folder (DUSTPAN_SPARK_CACHE, or dustpan-spark in the user's cache) the first time; builds nothing.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { installSpark } from "./spark-cluster.mjs";

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), ".."));
if (!existsSync("dist/engine/spark-engine.js")) {
  console.error("nothing is built: npm run build");
  process.exit(2);
}
installSpark();
const { startVitest } = await import("vitest/node");
const vitest = await startVitest("test", process.argv.slice(2), {
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
