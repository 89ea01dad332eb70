// Compiles src/ into dist/ (AssemblyScript by kernels.mjs), the web app into dist/web/client, and what exported JavaScript carries into
// dist/export/runtimes; sources in other languages are copied there. Type errors fail the build, but the JavaScript is
// still written. With --clean what older sources left in dist/ goes first.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { build } from "vite";
import { compileKernels } from "./kernels.mjs";

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
};

if (process.argv.includes("--clean")) rmSync("dist", { recursive: true, force: true });
await compileKernels();
run("npx", "--no-install", "tsc", "-p", "tsconfig.json");
run("npx", "--no-install", "vite", "build", "--config", "src/web/client/vite.config.ts", "--logLevel", "warn");
await build({
  configFile: false,
  logLevel: "warn",
  build: {
    outDir: "dist/export/runtimes",
    minify: false,
    lib: {
      entry: "dist/export/javascript-runtime.js",
      formats: ["iife"],
      name: "dustpan",
      fileName: () => "javascript.js",
    },
  },
});
if (existsSync("src/export/runtimes")) cpSync("src/export/runtimes", "dist/export/runtimes", { recursive: true });
// setup.mjs compares this file's time with the sources'.
writeFileSync("dist/.built", "");
