import { readFileSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRulesFile } from "#src/canon/file/rules-file.js";
import type { Rule } from "#src/model.js";
import { launch, openTab, phone, sweep, type Tab } from "./tab.js";
import { type Served, serveExample } from "./workspaces.js";

let served: Served;
let browser: Browser;
beforeAll(async () => {
  served = await serveExample();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

const rulesOnDisk = () =>
  parseRulesFile(readFileSync(path.join(served.folder, "dustpan.rules.json"), "utf8")).rules as Rule[];
const withStatus = (status: Rule["status"]) => rulesOnDisk().find((rule) => rule.status === status)!;

async function open(view: string, options?: Parameters<typeof openTab>[2]): Promise<Tab> {
  const tab = await openTab(browser, served.home, options);
  await tab.show(served.server.url);
  await tab.show(view);
  return tab;
}

const main = (tab: Tab) => tab.page.textContent("main");

describe("the web app on the example site", () => {
  it("shows every view on a phone in the dark", async () => {
    const tab = await open("/", phone);
    await sweep(tab, [
      "/",
      "/rules",
      "/rules?group=out",
      `/rules/${withStatus("valid").id}`,
      `/rules/${withStatus("refuted").id}?outcome=negative`,
      `/rules/new?edit=${withStatus("valid").id}`,
      "/urls",
      "/urls/5",
      "/search?q=forum",
      "/clusters",
      "/clusters?level=identical",
      "/mirrors",
      "/collections",
      "/snapshots",
      "/figures",
      "/jobs",
      "/downloads",
    ]);
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("shows a session rule with its proof, and no session id until asked", async () => {
    const sid = rulesOnDisk().find((rule) => rule.kind === "parameter" && rule.name === "sid")!;
    expect(sid.status).toBe("valid");
    const tab = await open(`/rules/${sid.id}`);
    await expect.poll(() => main(tab)).toMatch(/Changes \d/);
    await tab.page.locator("button.pair").first().click();
    await tab.page.waitForURL(/pair=/);
    await expect.poll(() => tab.page.locator("table.diff").count()).toBe(1);
    const ids = /sid=[0-9a-f]{8}/;
    expect(await main(tab)).toContain("sid=");
    expect(await main(tab)).not.toMatch(ids);
    // What is open is in the address: another tab shows the same.
    const other = await open(tab.page.url());
    await expect.poll(() => other.page.locator("table.diff").count()).toBe(1);
    await other.page.getByRole("button", { name: "Show secrets" }).click();
    await expect.poll(() => main(other)).toMatch(ids);
    expect([...tab.complaints, ...other.complaints]).toEqual([]);
    await tab.close();
    await other.close();
  });

  it("takes a URL through its rules to its canonical form, and finds its aliases", async () => {
    const tab = await open("/urls");
    const [origin] = /http:\/\/forum\.test:\d+/.exec((await main(tab)) ?? "") ?? [];
    await tab.page.getByLabel("Explain a URL").fill(`${origin}/index.html?sid=0123456789abcdef`);
    await tab.page.getByRole("button", { name: "Explain" }).click();
    await tab.page.waitForURL(/url=/);
    await expect.poll(() => tab.page.locator(".steps li").count()).toBeGreaterThan(0);
    await expect.poll(() => tab.page.locator("main strong.url").textContent()).not.toContain("sid");
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("sorts, filters, pages and drills down, by hand and by keyboard", async () => {
    const tab = await open("/urls?sort=url");
    const first = () => tab.page.locator("tbody tr a").first().textContent();
    const before = await first();
    await tab.page.getByRole("button", { name: "Requests" }).click();
    await tab.page.waitForURL(/sort=hits/);
    await expect.poll(first).not.toBe(before);
    await tab.show("/clusters");
    await tab.page.getByRole("link", { name: "2-10" }).click();
    await tab.page.waitForURL(/sizes=2-10/);
    await tab.page.keyboard.press("j");
    await tab.page.keyboard.press("Enter");
    await tab.page.waitForURL(/\/clusters\/\d+/);
    await tab.page.locator("a[data-row]").first().click();
    await tab.page.waitForURL(/\/urls\/\d+/);
    await expect.poll(() => main(tab)).toContain("similar: one of");
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("accepts and rejects rules in the rules file", async () => {
    const { id } = withStatus("undecided");
    const tab = await open(`/rules/${id}`);
    for (const [button, decision] of [
      ["Accept", "accepted"],
      ["Reject", "rejected"],
      ["Reset", null],
    ] as const) {
      await tab.page.getByRole("button", { name: button, exact: true }).click();
      await expect.poll(() => rulesOnDisk().find((rule) => rule.id === id)?.decision).toBe(decision);
    }
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("starts a validation on the live site, watches it, cancels it, and lets another one end", async () => {
    const tab = await open("/jobs");
    await tab.page.getByLabel("Pause (s)").fill("30");
    await tab.page.getByRole("button", { name: "Prove the rules" }).click();
    const job = tab.page.locator(".job").first();
    await expect.poll(() => job.textContent()).toMatch(/running.*validating \d+ rules on http:\/\/forum\.test/);
    expect(await job.getByRole("progressbar").count()).toBe(1);
    await job.getByRole("button", { name: "Cancel" }).click();
    await expect.poll(() => job.textContent(), { timeout: 20_000 }).toContain("cancelled");
    const valid = withStatus("valid");
    await tab.show(`/rules/${valid.id}`);
    await tab.page.getByRole("button", { name: "Prove this rule" }).click();
    await expect.poll(() => tab.page.locator(".job").textContent(), { timeout: 60_000 }).toMatch(/done.*requests/);
    const after = rulesOnDisk().find(({ id }) => id === valid.id)!;
    expect(Date.parse(after.evidence!.checkedAt)).toBeGreaterThan(Date.parse(valid.evidence!.checkedAt));
    expect(tab.complaints).toEqual([]);
    await tab.close();
  });

  it("draws the figures about rules and dust, and hands everything out", async () => {
    const tab = await open("/figures");
    await tab.page.getByRole("button", { name: "Draw those about rules and dust" }).click();
    await expect
      .poll(() => tab.page.locator("figure h2").allTextContents(), { timeout: 30_000 })
      .toContain("Where the dust comes from");
    const download = async (click: () => Promise<void>) => {
      const [file] = await Promise.all([tab.page.waitForEvent("download"), click()]);
      return `${file.suggestedFilename()} ${readFileSync(await file.path(), "utf8").slice(0, 5)}`;
    };
    const figure = tab.page.locator("figure").first();
    expect(await download(() => figure.getByRole("link", { name: "SVG" }).click())).toMatch(/^[\w-]+\.svg <svg $/);
    await tab.show("/downloads");
    const row = tab.page.getByRole("row", { name: /^draws / });
    expect(await download(() => row.getByRole("link", { name: "CSV" }).click())).toBe("draws.csv run,n");
    expect(await download(() => row.getByRole("link", { name: "Parquet" }).click())).toMatch(/^draws\.parquet PAR1/);
    await tab.close();
  });
});
