// Compiles src/ into dist/, and the web app into dist/web/client. Type errors fail the build, but the JavaScript is
// still written.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
};

run("npx", "--no-install", "tsc", "-p", "tsconfig.json");
run("npx", "--no-install", "vite", "build", "--config", "src/web/client/vite.config.ts", "--logLevel", "warn");
// setup.mjs compares this file's time with the sources'.
writeFileSync("dist/.built", "");
