import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectSound, launch, openTab, phone, sweep, type Tab } from "./tab.js";
import { serveNothing } from "./workspaces.js";

let served: Awaited<ReturnType<typeof serveNothing>>;
let browser: Browser;
beforeAll(async () => {
  served = await serveNothing();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

async function open(view: string, options?: Parameters<typeof openTab>[2]): Promise<Tab> {
  const tab = await openTab(browser, served.home, options);
  await tab.show(served.server.url);
  await tab.show(view);
  return tab;
}

/** Waits for the job of that title to end, and gives what is said of it. */
async function ended({ page }: Tab, title: RegExp): Promise<string> {
  const card = page.locator(".job", { hasText: title }).first();
  await expect.poll(() => card.textContent(), { timeout: 60_000 }).toMatch(/^(?:done|failed|cancelled)/);
  return (await card.textContent())!;
}

describe("the web app from an empty folder on", () => {
  it("says in every view that there is nothing, and leads to where a file is added", async () => {
    const tab = await open("/", phone);
    await sweep(tab, [
      "/",
      "/rules",
      "/urls",
      "/search",
      "/clusters",
      "/mirrors",
      "/collections",
      "/snapshots",
      "/figures",
      "/downloads",
    ]);
    await tab.show("/clusters");
    await tab.page.getByRole("link", { name: "Add a file" }).click();
    await expect.poll(() => tab.page.getByText("Begin with a file").count()).toBe(1);
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("adds a chosen file, finds rules, proves them on the live site, and shows what they save", async () => {
    const tab = await open("/");
    await tab.page.locator("input[type=file]").setInputFiles(served.log);
    expect(await ended(tab, /adding access\.log/)).toMatch(/^done.*access\.log \([\w-]+\): [\d,]+ records/);
    const next = tab.page.locator("li.next");
    await expect.poll(() => next.locator("h3").textContent()).toBe("Find likely rules");
    await next.getByRole("button", { name: "Find likely rules" }).click();
    expect(await ended(tab, /looking for likely rules/)).toMatch(/^done.*likely rules among/);
    await expect.poll(() => next.locator("h3").textContent()).toBe("Prove the rules");
    expect(await tab.page.locator(".tile", { hasText: "rules in use" }).textContent()).toMatch(/^0 rules in use/);
    await next.getByRole("button", { name: "Prove the rules" }).click();
    // Wherever one is, the header tells what runs.
    await tab.page.getByRole("link", { name: "URLs", exact: true }).click();
    await expect.poll(() => tab.page.locator("header .running").textContent()).toContain("validating");
    await tab.page.getByRole("link", { name: "Overview" }).click();
    expect(await ended(tab, /validating/)).toMatch(/^done.*valid.*requests/);
    await expect
      .poll(() => tab.page.locator(".tile", { hasText: "in use" }).textContent())
      .toMatch(/^[1-9]\d* rules? in use.*\d% of the crawl is saved/);
    await expectSound(tab.page, "the overview");
    await tab.show("/search");
    await expect.poll(() => tab.page.locator(".empty").textContent()).toContain("No page has been read yet");
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("adds a crawl by its path, and the empty views have the button that fills them", async () => {
    const pages = ["a.test", "b.test"].flatMap((host) =>
      Array.from({ length: 12 }, (_, i) => {
        const words = Array.from({ length: 50 }, (_, word) => `word${(i * 89 + word * 7) % 900}`).join(" ");
        const html = `<title>Page ${i}</title><p>${words}</p><a href="/p${(i + 1) % 12}">next</a>`;
        return JSON.stringify({ url: `http://${host}/p${i}`, status: 200, html });
      }),
    );
    const file = path.join(served.folder, "crawl.jsonl");
    writeFileSync(file, pages.join("\n"));
    const tab = await open("/");
    await tab.page.locator("summary", { hasText: "Settings" }).click();
    await tab.page.getByLabel("Snapshot").fill("crawl");
    await tab.page.getByLabel("or a path on this machine").fill(`${file}x`);
    await tab.page.getByRole("button", { name: "Add", exact: true }).click();
    expect(await ended(tab, /adding crawl\.jsonlx/)).toMatch(/^failed.*crawl\.jsonlx/);
    await tab.page.getByLabel("or a path on this machine").fill(file);
    await tab.page.getByRole("button", { name: "Add", exact: true }).click();
    expect(await ended(tab, /adding crawl\.jsonl /)).toMatch(/^done.*24 pages/);
    for (const [view, button, row] of [
      ["/clusters", "Find near-duplicates", "a.test/p0"],
      ["/mirrors", "Find mirrors", "b.test"],
      ["/collections", "Find collections", "Page 0"],
    ] as const) {
      await tab.show(view);
      await tab.page.getByRole("button", { name: button }).click();
      await expect.poll(() => tab.page.locator("main").textContent(), { timeout: 60_000 }).toContain(row);
    }
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("cancels a job from the overview", async () => {
    const tab = await open("/");
    await tab.page.locator("summary", { hasText: "can be done again" }).click();
    const prove = tab.page.locator("li", { has: tab.page.getByRole("heading", { name: "Prove the rules" }) });
    await prove.getByLabel("Pause (s)").fill("30");
    await prove.getByRole("button", { name: "Prove the rules" }).click();
    const card = tab.page.locator(".job", { hasText: "validating" }).first();
    await expect.poll(() => card.getByRole("progressbar").count()).toBe(1);
    await card.getByRole("button", { name: "Cancel" }).click();
    expect(await ended(tab, /validating/)).toMatch(/^cancelled/);
    await tab.close();
  });
});
