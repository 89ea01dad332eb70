import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectReport } from "#src/jobs/report.js";
import { renderReport } from "#src/report/page.js";
import { sampleFigures } from "../report/sample-figures.js";
import { sampleRules, sampleWorkspace } from "../report/sample-report.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-report-"));
const file = path.join(folder, "report.html");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser: Browser;

beforeAll(async () => {
  const context = { onProgress: () => {}, signal: new AbortController().signal };
  const options = { unmask: false, rulesFile: "dustpan.rules.json" };
  const data = await collectReport(await sampleWorkspace(), { settings: {}, rules: sampleRules }, options, context);
  writeFileSync(file, renderReport({ ...data, figures: sampleFigures }));
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The report in a tab of its own, with all that it complains about or asks for. */
async function open(options: BrowserContextOptions = {}): Promise<{ page: Page; remarks: string[] }> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options })).newPage();
  const remarks: string[] = [];
  page.on("console", (message) => remarks.push(message.text()));
  page.on("pageerror", (error) => remarks.push(error.message));
  page.on("dialog", (dialog) => remarks.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith("file:")) remarks.push(request.url());
  });
  await page.goto(pathToFileURL(file).href);
  return { page, remarks };
}

const openAll = (page: Page) =>
  page.evaluate(`document.querySelectorAll("details").forEach((details) => { details.open = true; })`);

describe("the report in a browser", () => {
  it.each([
    ["a laptop in the light", 1280, "light"],
    ["a laptop in the dark", 1280, "dark"],
    ["a phone", 390, "light"],
  ] as const)(
    "is accessible and fits on %s, and neither runs nor fetches what inputs say",
    async (_, width, colorScheme) => {
      const { page, remarks } = await open({ viewport: { width, height: 844 }, colorScheme });
      await openAll(page);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      await page.evaluate(axe);
      const faults = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ impact, id, nodes }) => [impact, id, nodes[0].html].join(" ")))',
      );
      expect(faults).toEqual([]);
      expect(remarks).toEqual([]);
      await page.context().close();
    },
  );

  it("opens a rule from the keyboard", async () => {
    const { page } = await open();
    await page.locator(".rules summary").first().focus();
    await page.keyboard.press("Enter");
    expect(await page.locator(".rules .evidence").first().isVisible()).toBe(true);
    await page.context().close();
  });

  it("prints what is folded, and folds it again", async () => {
    const { page } = await open();
    const opened = () => page.evaluate(`document.querySelectorAll("details[open]").length`);
    await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
    expect(await opened()).toBeGreaterThan(5);
    await page.evaluate(`dispatchEvent(new Event("afterprint"))`);
    expect(await opened()).toBe(0);
    expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
    await page.context().close();
  });
});
