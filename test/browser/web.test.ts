import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRulesFile } from "#src/rules/rules-file.js";
import { sidId, startTestSite, storyId, type TestSite } from "../web/site.js";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let browser: Browser;
let site: TestSite;

beforeAll(async () => {
  site = await startTestSite();
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
  await site?.close();
});

const sizes = { laptop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const address = (view: string) => `http://127.0.0.1:${site.server.port}${view}`;
const rulesOnDisk = () => parseRulesFile(readFileSync(path.join(site.folder, "dustpan.rules.json"), "utf8")).rules;
const ruleOnDisk = (id: string) => rulesOnDisk().find((rule) => rule.id === id);

/** A tab that is let in, and what it complains about: errors, and requests to anywhere else. */
async function open(view: string, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: sizes.laptop, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address("/"))) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(site.server.url);
  await show(page, view);
  return { page, complaints };
}

async function show(page: Page, view: string): Promise<void> {
  await page.goto(address(view));
  await page.waitForLoadState("networkidle");
}

const views = () => [
  "/rules",
  `/rules/${storyId}?pair=1-1`,
  "/rules/new",
  `/rules/new?edit=${sidId}`,
  "/urls",
  "/urls?sort=url&host=forum.test",
  "/urls/3",
  "/urls?url=http://www.forum.test/a%3Fsid%3Dsecret5abcdef",
  "/search?q=story",
  "/clusters",
  "/clusters/0",
  "/mirrors",
  "/collections",
  "/snapshots",
  "/figures",
  "/jobs",
  "/downloads",
];

describe("the web app", () => {
  it.each([
    ["laptop, light", { viewport: sizes.laptop, colorScheme: "light" as const }],
    ["phone, dark", { viewport: sizes.phone, colorScheme: "dark" as const }],
  ])(
    "shows every view without an error or a serious accessibility fault, hostile texts included: %s",
    async (_, options) => {
      const { page, complaints } = await open("/rules", options);
      for (const view of views()) {
        await show(page, view);
        expect(await page.locator("h1").count(), view).toBeGreaterThan(0);
        expect(await page.locator(".failure").allTextContents(), view).toEqual([]);
        expect(await page.title(), view).not.toContain("owned");
        expect(await page.locator("img[src='x']").count(), view).toBe(0);
        const width = await page.evaluate("document.documentElement.scrollWidth");
        expect(width, `${view} is wider than the window`).toBeLessThanOrEqual(options.viewport.width);
        // The page's policy allows no script of ours to be added; axe runs from outside of it.
        await page.evaluate(axe);
        const faults = await page.evaluate(
          "axe.run().then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html))",
        );
        expect(faults, view).toEqual([]);
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );

  it("is refused without the token", async () => {
    const page = await (await browser.newContext()).newPage();
    const response = await page.goto(address("/rules"));
    expect(response?.status()).toBe(401);
    await page.context().close();
  });

  it("sorts, filters and pages, with its state in the address", async () => {
    const { page, complaints } = await open("/rules");
    await page.getByRole("button", { name: "Support" }).click();
    await page.waitForURL(/sort=support/);
    await expect.poll(() => page.locator("tbody tr").first().textContent()).toContain("?sid");
    await page.getByLabel("Find").fill("story");
    await page.waitForURL(/q=story/);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);

    await show(page, "/urls?sort=url");
    const first = await page.locator("tbody tr").first().textContent();
    await page.getByRole("link", { name: "Next page" }).click();
    await page.waitForURL(/after=/);
    await expect.poll(() => page.locator("tbody tr").first().textContent()).not.toBe(first);
    await page.goBack();
    await expect.poll(() => page.locator("tbody tr").first().textContent()).toBe(first);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("goes by keyboard: / to the search field, j and Enter into a row", async () => {
    const { page } = await open("/rules");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.matches('[data-search]')")).toBe(true);
    await page.keyboard.press("Tab");
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/rules\/r-/);
    await page.context().close();
  });

  it("accepts, rejects and resets a rule, and shows what it merges and compares", async () => {
    const { page, complaints } = await open(`/rules/${storyId}`);
    await expect.poll(() => page.textContent("main")).toContain("Known sketches contradict 1.");
    for (const [button, decision] of [
      ["Accept", "accepted"],
      ["Reject", "rejected"],
      ["Reset", null],
    ] as const) {
      await page.getByRole("button", { name: button, exact: true }).click();
      await expect.poll(() => ruleOnDisk(storyId)?.decision).toBe(decision);
    }
    await page.getByLabel("Outcome").selectOption("negative");
    await expect.poll(() => page.locator("button.pair").count()).toBe(1);
    await page.locator("button.pair").first().click();
    await expect.poll(() => page.locator("table.diff tr.different").count()).toBe(1);
    expect(await page.locator("table.diff del").textContent()).toBe("other");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("writes a rule by hand with a preview, and validates it", async () => {
    const { page, complaints } = await open("/rules/new");
    await page.getByRole("textbox", { name: "Replace" }).fill("http://forum.test/story_");
    await page.getByLabel("by", { exact: true }).fill("http://forum.test/story?id=");
    await expect.poll(() => page.textContent("main")).toContain("100 URLs");
    await page.getByRole("button", { name: "Save and accept" }).click();
    await page.waitForURL(/\/rules\/r-/);
    const id = page.url().split("/").at(-1)!;
    expect(ruleOnDisk(id)).toMatchObject({ source: "hand", decision: "accepted" });
    await page.getByRole("button", { name: "Start" }).click();
    await expect.poll(() => page.locator(".job").textContent(), { timeout: 20_000 }).toContain("done");
    expect(ruleOnDisk(id)?.evidence).toBeDefined();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("drills down from a size class to a cluster to a page", async () => {
    const { page, complaints } = await open("/clusters");
    await page.getByRole("link", { name: "2-10" }).click();
    await page.waitForURL(/sizes=2-10/);
    await page.locator("a[data-row]").first().click();
    await page.waitForURL(/\/clusters\/\d+/);
    await page.locator("a[data-row]").first().click();
    await page.waitForURL(/\/urls\/\d+/);
    await expect.poll(() => page.textContent("main")).toContain("one of 4 pages");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("masks secrets until they are asked for", async () => {
    const { page } = await open("/urls?host=www.forum.test");
    expect(await page.textContent("main")).not.toContain("secret");
    await page.getByRole("button", { name: "Show secrets" }).click();
    await expect.poll(() => page.textContent("main")).toContain("secret");
    await page.context().close();
  });

  it("downloads the rules file, a table and a figure", async () => {
    const { page } = await open("/downloads");
    const download = async (name: string, click: () => Promise<void>) => {
      const [file] = await Promise.all([page.waitForEvent("download"), click()]);
      expect(file.suggestedFilename()).toBe(name);
      return readFileSync(await file.path(), "utf8");
    };
    const rules = await download("dustpan.rules.json", () =>
      page.getByRole("link", { name: "dustpan.rules.json" }).click(),
    );
    expect(parseRulesFile(rules).rules).toEqual(rulesOnDisk());
    const row = page.getByRole("row", { name: /^urls / });
    expect(await download("urls.csv", () => row.getByRole("link", { name: "CSV" }).click())).toMatch(/^id,url,host\n/);
    expect(await download("urls.parquet", () => row.getByRole("link", { name: "Parquet" }).click())).toMatch(/^PAR1/);
    await show(page, "/clusters");
    const svg = await download("cluster-sizes.svg", () => page.getByRole("link", { name: "SVG" }).click());
    expect(svg).toMatch(/^<svg /);
    await page.context().close();
  });
});
