import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectSound, launch, openTab, sweep, type Tab } from "./tab.js";
import { hasRealData, realData, type Served, serveRealData } from "./workspaces.js";

if (!hasRealData) console.log(`skipped: no real data at ${path.relative(process.cwd(), realData)}`);

describe.skipIf(!hasRealData)("the web app on real logs and crawls", () => {
  let served: Served;
  let browser: Browser;
  beforeAll(async () => {
    served = await serveRealData();
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });

  async function open(view: string): Promise<Tab> {
    const tab = await openTab(browser, served.home);
    await tab.show(served.server.url);
    await tab.show(view);
    return tab;
  }

  it("shows every view", async () => {
    const tab = await open("/");
    await sweep(tab, [
      "/",
      "/rules",
      "/urls?sort=url",
      "/clusters?snapshot=guides",
      "/mirrors",
      "/collections",
      "/snapshots",
      "/figures",
      "/downloads",
    ]);
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("drills down from mirrors to a host, and from collections to a page with its collection, mirrors and clusters", async () => {
    const tab = await open("/mirrors?sort=size");
    await tab.page.locator("a[data-row]").first().click();
    await tab.page.waitForURL(/host=/);
    await expect.poll(() => tab.page.locator("tbody tr").count()).toBeGreaterThan(10);
    await tab.show("/collections?sort=size");
    await tab.page.locator("a[data-row]").first().click();
    await tab.page.waitForURL(/\/collections\/\d+/);
    await tab.page.getByRole("table", { name: "Pages that correspond" }).getByRole("link").first().click();
    await tab.page.waitForURL(/\/urls\/\d+/);
    for (const heading of ["Near-duplicate clusters", "Replicated collection", "Mirrors of its host"]) {
      await expect.poll(() => tab.page.locator("h2").allTextContents()).toContain(heading);
    }
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("searches with one line for all copies, with Collection and Replica", async () => {
    const tab = await open("/search?q=partition");
    await expect.poll(() => tab.page.locator("ol.results > li").count(), { timeout: 110_000 }).toBeGreaterThan(3);
    const replicas = tab.page.locator("summary", { hasText: "Replica" }).first();
    await replicas.click();
    await expect.poll(() => tab.page.locator("details[open] li").count()).toBeGreaterThan(1);
    await expectSound(tab.page, "search");
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("opens the report of the same workspace from disk", async () => {
    const tab = await openTab(browser, "file://");
    await tab.show(pathToFileURL(path.join(served.folder, "dustpan-report.html")).href);
    await tab.page.evaluate(`document.querySelectorAll("details").forEach((details) => { details.open = true; })`);
    expect(await tab.page.locator("figure svg").count()).toBeGreaterThan(8);
    await expectSound(tab.page, "the report");
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });
});
