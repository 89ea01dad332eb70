import { readFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import { exportRules } from "#src/export/export-rules.js";
import { findTarget } from "#src/export/targets.js";
import { sidId, startTestSite, storyId, type TestSite } from "../web/site.js";
import { laptop, launch, openTab, phone, sweep, type Tab } from "./tab.js";

let browser: Browser;
let site: TestSite;

beforeAll(async () => {
  site = await startTestSite();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const address = (view: string) => `http://127.0.0.1:${site.server.port}${view}`;
const rulesOnDisk = () => parseRulesFile(readFileSync(path.join(site.folder, "dustpan.rules.json"), "utf8")).rules;
const ruleOnDisk = (id: string) => rulesOnDisk().find((rule) => rule.id === id);

/** A tab that is let in. */
async function open(view: string, device: typeof laptop | typeof phone = laptop): Promise<Tab> {
  const tab = await openTab(browser, address("/"), device);
  await tab.show(site.server.url);
  await tab.show(view);
  return tab;
}

const views = () => [
  "/",
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

describe("the web app on texts that mean harm", () => {
  it("shows every view, and runs nothing of them", async () => {
    const tab = await open("/rules");
    await sweep(tab, views(), async (view) => {
      expect(await tab.page.title(), view).not.toBe("owned");
      expect(await tab.page.locator("img[src='x']").count(), view).toBe(0);
    });
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("is refused without the token", async () => {
    const { page, close } = await openTab(browser, address("/"), laptop);
    await page.goto(address("/rules"));
    await expect.poll(() => page.locator(".failure").first().textContent()).toContain("dustpan serve printed");
    await close();
  });

  it("sorts, filters and pages, with its state in the address", async () => {
    const { page, complaints, show, close } = await open("/rules?group=all");
    await page.getByRole("button", { name: "Pairs" }).click();
    await page.waitForURL(/sort=support/);
    await expect.poll(() => page.locator("tbody tr").first().textContent()).toContain("?sid");
    await page.getByLabel("Find").fill("story");
    await page.waitForURL(/q=story/);
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);
    await page.reload();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(1);

    await show("/urls?sort=url");
    const first = await page.locator("tbody tr").first().textContent();
    await page.getByRole("link", { name: "Next page" }).click();
    await page.waitForURL(/after=/);
    await expect.poll(() => page.locator("tbody tr").first().textContent()).not.toBe(first);
    await page.goBack();
    await expect.poll(() => page.locator("tbody tr").first().textContent()).toBe(first);
    expect(complaints).toEqual([]);
    await close();
  });

  it("lists what is proven apart from what is not, with a legend", async () => {
    const { page, close } = await open("/rules");
    const rows = page.locator("tbody tr");
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringMatching(/sid.*valid/)]);
    expect(await page.locator(".legend dt").allTextContents()).toContain("Merges");
    await page.getByRole("link", { name: /^Likely/ }).click();
    await page.waitForURL(/group=likely/);
    await expect.poll(() => rows.count()).toBe(2);
    expect((await rows.allTextContents()).join()).not.toContain("valid");
    await close();
  });

  it("has an overview with what is there and what was found, each with its view", async () => {
    const { page, complaints, close } = await open("/");
    expect(await page.title()).toBe("Overview – dustpan");
    await expect
      .poll(() => page.locator(".tile").allTextContents())
      .toContainEqual(expect.stringMatching(/^1 rule in use.*save/));
    const tiles = (await page.locator(".tile").allTextContents()).join("\n");
    expect(tiles).toMatch(/2 inputs[\s\S]*302 URLs[\s\S]*100 pages[\s\S]*25 clusters[\s\S]*1 mirrored pair/);
    expect(tiles).toMatch(/\d+% of \d+ pages are near-duplicates: \d+ in 25 clusters, one of each not counted/);
    expect(tiles).toMatch(/collections\s*not looked for yet/);
    await page.getByRole("link", { name: "25 clusters" }).click();
    await page.waitForURL(/clusters/);
    expect(complaints).toEqual([]);
    await close();
  });

  it("shows the pages of a cluster side by side with what differs", async () => {
    const { page, complaints, close } = await open("/clusters");
    await page.locator("a[data-row]").first().click();
    await page.waitForURL(/\/clusters\/0/);
    await expect.poll(() => page.locator("table.diff caption").textContent()).toContain("texts are the same");
    expect(await page.locator("table.diff tbody").textContent()).toMatch(/^\d+ equal lines$/);
    await page
      .getByRole("row", { name: /story_1/ })
      .getByRole("button", { name: "Compare" })
      .click();
    await page.waitForURL(/with=3/);
    await expect.poll(() => page.locator("table.diff del").allTextContents()).toContain("0");
    expect(await page.locator("table.diff tr.different td").allTextContents()).toContain("story 0");
    expect(complaints).toEqual([]);
    await close();
  });

  it("goes by keyboard: / to the search field, j and Enter into a row", async () => {
    const { page, close } = await open("/rules");
    await page.keyboard.press("/");
    expect(await page.evaluate("document.activeElement.matches('[data-search]')")).toBe(true);
    await page.keyboard.press("Tab");
    await page.evaluate("document.activeElement.blur()");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/rules\/r-/);
    await close();
  });

  it("has the current view among those that a phone shows of the navigation", async () => {
    const { page, show, close } = await open("/rules", phone);
    const links = page.locator("header nav a");
    const current = page.locator("header nav [aria-current]");
    const isShown = async (link: typeof current) => {
      const [own, nav] = [(await link.boundingBox())!, (await page.locator("header nav").boundingBox())!];
      // A window scrolls by whole pixels, and texts end between two.
      return own.x >= nav.x - 1 && own.x + own.width <= nav.x + nav.width + 1;
    };
    expect(await isShown(links.last())).toBe(false);
    for (const view of ["/downloads", "/collections", "/clusters/0", "/rules", "/"]) {
      await show(view);
      expect(await isShown(current), view).toBe(true);
    }
    for (const title of await links.allTextContents()) {
      await links.getByText(title, { exact: true }).click();
      await expect.poll(() => current.textContent()).toBe(title);
      expect(await isShown(current), title).toBe(true);
    }
    await close();
  });

  it("accepts, rejects and resets a rule, and shows what it merges and compares", async () => {
    const { page, complaints, close } = await open(`/rules/${storyId}`);
    await expect.poll(() => page.textContent("main")).toContain("1 showed different texts");
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
    await close();
  });

  it("writes a rule by hand with a preview, and validates it", async () => {
    const { page, complaints, close } = await open("/rules/new");
    await page.getByRole("textbox", { name: "Replace" }).fill("http://forum.test/story_");
    await page.getByLabel("by", { exact: true }).fill("http://forum.test/story?id=");
    await expect.poll(() => page.textContent("main")).toContain("100 URLs");
    await page.getByRole("button", { name: "Save and accept" }).click();
    await page.waitForURL(/\/rules\/r-/);
    const id = page.url().split("/").at(-1)!;
    expect(ruleOnDisk(id)).toMatchObject({ source: "hand", decision: "accepted" });
    await page.getByRole("button", { name: "Prove this rule" }).click();
    await expect.poll(() => page.locator(".job").textContent(), { timeout: 20_000 }).toContain("done");
    expect(ruleOnDisk(id)?.evidence).toBeDefined();
    expect(complaints).toEqual([]);
    await close();
  });

  it("masks secrets until they are asked for", async () => {
    const { page, close } = await open("/urls?host=www.forum.test");
    expect(await page.textContent("main")).not.toContain("secret");
    await page.getByRole("button", { name: "Show secrets" }).click();
    await expect.poll(() => page.textContent("main")).toContain("secret");
    await close();
  });

  it("offers the rules in use for every program, on a rule's page and among the downloads", async () => {
    const { page, show, complaints, close } = await open(`/rules/${sidId}`);
    const download = async (click: () => Promise<void>) => {
      const [file] = await Promise.all([page.waitForEvent("download"), click()]);
      return `${file.suggestedFilename()}: ${readFileSync(await file.path(), "utf8")}`;
    };
    await expect.poll(() => page.title()).toContain("drop ?sid");
    const program = page.getByLabel("Program");
    expect(await program.locator("option").count()).toBeGreaterThan(20);
    await program.selectOption("python");
    const section = page.locator("section", { hasText: "Use it in another program" });
    await expect.poll(() => section.textContent()).toMatch(/(\d) of \1 rules?, this one among them/);
    const python = exportRules(rulesOnDisk(), findTarget("python")).text;
    const link = section.getByRole("link", { name: /\.py/ });
    expect(await download(() => link.click())).toBe(`${findTarget("python").file}: ${python}`);
    await show(`/rules/${storyId}`);
    expect(await page.textContent("main")).toContain("has to be proven or accepted first");
    await show("/downloads");
    const row = page.getByRole("row", { name: /^nginx/ });
    const redirects = exportRules(rulesOnDisk(), findTarget("nginx"), { use: "redirect" }).text;
    expect(await download(() => row.getByRole("link").last().click())).toBe(
      `${findTarget("nginx").file}: ${redirects}`,
    );
    expect(complaints).toEqual([]);
    await close();
  });

  it("downloads the rules file, a table and a figure", async () => {
    const { page, show, close } = await open("/downloads");
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
    await show("/clusters");
    const svg = await download("cluster-sizes.svg", () => page.getByRole("link", { name: "SVG" }).click());
    expect(svg).toMatch(/^<svg /);
    await close();
  });
});
