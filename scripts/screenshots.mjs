// Makes the README's screenshots from the example: node scripts/screenshots.mjs (after a build; needs Chromium).
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const main = "dist/cli/main.js";
const folder = mkdtempSync(path.join(tmpdir(), "dustpan-screenshots-"));
spawnSync(process.execPath, [main, "demo", "--folder", folder, "--quiet"], { stdio: ["ignore", "ignore", "inherit"] });
const workspace = path.join(folder, "dustpan.duckdb");
const server = spawn(process.execPath, [main, "serve", "--port", "0", "-w", workspace], {
  stdio: ["ignore", "pipe", "inherit"],
});
const address = await new Promise((resolve) => {
  server.stdout.on("data", (text) => {
    const found = /http:\/\/\S+/.exec(String(text))?.[0];
    if (found !== undefined) resolve(found);
  });
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
  ],
});
mkdirSync("docs/images", { recursive: true });
try {
  const page = await browser.newPage({ viewport: { width: 1200, height: 760 } });
  await page.goto(pathToFileURL(path.join(folder, "dustpan-report.html")).href);
  await page.screenshot({ path: "docs/images/report.png" });
  await page.goto(address);
  await page.goto(new URL("/rules", address).href);
  await page.getByText("valid", { exact: true }).first().waitFor();
  await page.screenshot({ path: "docs/images/serve.png" });
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
