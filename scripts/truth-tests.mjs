// Runs test/truth on the build: whole validations on sites with known truth, a few minutes. Installs and builds nothing.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), ".."));
if (!existsSync("dist/jobs/validate.js")) {
  console.error("dustpan is not built: npm run build");
  process.exit(2);
}

const { startVitest } = await import("vitest/node");
const vitest = await startVitest("test", process.argv.slice(2), {
  config: false,
  watch: false,
  include: ["test/truth/**/*.test.ts"],
  exclude: [],
  testTimeout: 400_000,
  hookTimeout: 400_000,
  pool: "forks",
});
await vitest?.close();
