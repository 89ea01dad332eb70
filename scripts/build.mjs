// Compiles src/ into dist/. Type errors fail the build, but the JavaScript is still written.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
};

run("npx", "--no-install", "tsc", "-p", "tsconfig.json");
// setup.mjs compares this file's time with the sources'.
writeFileSync("dist/.built", "");
