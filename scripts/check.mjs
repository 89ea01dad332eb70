// Formatting and lints, types, and unused code: all at the same time, since none of them keeps two cores busy. What one of them
// finds is printed as a whole when it ends.
import { execFile } from "node:child_process";

const checks = [
  ["biome", "check", "--error-on-warnings", "."],
  ["tsc", "--noEmit", "-p", "tsconfig.test.json"],
  ["tsc", "--noEmit", "-p", "src/web/client"],
  ["knip"],
];

const run = ([program, ...args]) =>
  new Promise((resolve) => {
    // `npm run` has put the packages' programs on the path.
    execFile(program, args, { shell: process.platform === "win32", maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      if (error !== null) console.error(`${[program, ...args].join(" ")} failed`);
      resolve(error === null);
    });
  });

const isGood = await Promise.all(checks.map(run));
process.exitCode = isGood.every(Boolean) ? 0 : 1;
