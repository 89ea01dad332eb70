// Runs test/browser on the build with Debian's Chromium (or the one that CHROMIUM names). Installs and builds nothing.
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), ".."));
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(chromium)) {
  console.error(`no browser at ${chromium}: apt-get install chromium, or name one with CHROMIUM=/path/to/chromium`);
  process.exit(2);
}
if (!existsSync("dist/web/client/index.html")) {
  console.error("the web app is not built: npm run build");
  process.exit(2);
}

const { startVitest } = await import("vitest/node");
const vitest = await startVitest("test", process.argv.slice(2), {
  config: false,
  watch: false,
  include: ["test/browser/**/*.test.ts"],
  exclude: [],
  testTimeout: 120_000,
  hookTimeout: 240_000,
  pool: "forks",
  fileParallelism: false,
});
await vitest?.close();
