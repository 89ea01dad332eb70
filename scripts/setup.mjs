// Makes a bare clone runnable: installs the packages that package-lock.json names and builds what is older than its
// source. Does nothing, quickly, where both are up to date. With --clean, as npm calls it before it links or packs a clone, it
// builds in any case, from clean, and installs only where nothing was: npm does not before `npm install -g .` and `npm pack`.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), ".."));

const modified = (file) => (existsSync(file) ? statSync(file).mtimeMs : 0);
const newest = (folder) =>
  Math.max(
    0,
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modified(path.join(entry.parentPath, entry.name))),
  );
// What npm was told about its own work is not about ours: with "global" it would install elsewhere.
const env = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^npm_config_(?:global|location|prefix|local_prefix|omit)$/i.test(name),
  ),
);
const run = (...command) => {
  const { status } = spawnSync(command[0], command.slice(1), {
    env,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
};

const isClean = process.argv.includes("--clean");
const hasPackages = isClean
  ? existsSync("node_modules/vite")
  : modified("node_modules/.package-lock.json") >= modified("package-lock.json");
if (!hasPackages) {
  console.error("installing packages ...");
  run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
}
const sources = Math.max(newest("src"), newest("scripts"), modified("tsconfig.json"), modified("package.json"));
if (isClean || modified("dist/.built") < sources) {
  console.error("building ...");
  run("node", "scripts/build.mjs", ...(isClean ? ["--clean"] : []));
}
