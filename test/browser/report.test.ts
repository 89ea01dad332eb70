import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { collectReport } from "#src/jobs/report.js";
import { packExports } from "#src/report/exports-html.js";
import { renderReport } from "#src/report/page.js";
import { sampleFigures } from "../report/sample-figures.js";
import { sampleRules, sampleWorkspace } from "../report/sample-report.js";
import { expectSound, laptop, launch, openTab, phone, type Tab } from "./tab.js";

const folder = mkdtempSync(path.join(tmpdir(), "dustpan-report-"));
const file = path.join(folder, "report.html");
let browser: Browser;

beforeAll(async () => {
  const context = { onProgress: () => {}, signal: new AbortController().signal };
  const options = { unmask: false, rulesFile: "dustpan.rules.json" };
  const data = await collectReport(await sampleWorkspace(), { settings: {}, rules: sampleRules }, options, context);
  writeFileSync(
    file,
    renderReport({ ...data, figures: sampleFigures }, packExports({ settings: {}, rules: sampleRules })),
  );
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: BrowserContextOptions = laptop): Promise<Tab> {
  const tab = await openTab(browser, "file://", options);
  await tab.show(pathToFileURL(file).href);
  return tab;
}

const openAll = (page: Page) =>
  page.evaluate(`document.querySelectorAll("details").forEach((details) => { details.open = true; })`);

describe("the report in a browser", () => {
  it.each([
    ["a laptop in the light", laptop],
    ["a laptop in the dark", { ...laptop, colorScheme: "dark" }],
    ["a phone", { ...phone, colorScheme: "light" }],
  ] as const)("is accessible and fits on %s, and neither runs nor fetches what inputs say", async (name, options) => {
    const { page, complaints, close } = await open(options);
    await openAll(page);
    await expectSound(page, name);
    expect(complaints).toEqual([]);
    await close();
  });

  it("hands out the rules for other programs as the command writes them", async () => {
    const { page, complaints, close } = await open();
    await openAll(page);
    const link = page.getByRole("row", { name: /export --to go$/ }).getByRole("link");
    const [saved] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const target = findTarget("go");
    expect(saved.suggestedFilename()).toBe(target.file);
    expect(readFileSync(await saved.path(), "utf8")).toBe(exportRules(sampleRules, target).text);
    expect(complaints.filter((text) => !text.startsWith("asked for blob:"))).toEqual([]);
    await close();
  });

  it("opens a rule from the keyboard", async () => {
    const { page, close } = await open();
    await page.locator(".rules summary").first().focus();
    await page.keyboard.press("Enter");
    expect(await page.locator(".rules .evidence").first().isVisible()).toBe(true);
    await close();
  });

  it("prints what is folded, and folds it again", async () => {
    const { page, close } = await open();
    const opened = () => page.evaluate(`document.querySelectorAll("details[open]").length`);
    await page.evaluate(`dispatchEvent(new Event("beforeprint"))`);
    expect(await opened()).toBeGreaterThan(5);
    await page.evaluate(`dispatchEvent(new Event("afterprint"))`);
    expect(await opened()).toBe(0);
    expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(10_000);
    await close();
  });
});
