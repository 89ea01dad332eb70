import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

/** Debian's Chromium, or the one that CHROMIUM names; it asks nobody anything by itself. */
export function launch(): Promise<Browser> {
  return chromium.launch({
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
}

export const laptop = { viewport: { width: 1280, height: 800 }, colorScheme: "light" } as const;
export const phone = { viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;

export interface Tab {
  readonly page: Page;
  /** Errors, warnings, dialogs, and requests to anywhere but `home`. */
  readonly complaints: string[];
  /** Opens a view and waits until nothing is loading. */
  readonly show: (view: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** A tab for the pages of `home`, an origin or "file://". */
export async function openTab(browser: Browser, home: string, options: BrowserContextOptions = laptop): Promise<Tab> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(home)) complaints.push(`asked for ${request.url()}`);
  });
  const show = async (view: string) => {
    await page.goto(new URL(view, home).href);
    await page.waitForLoadState("networkidle");
  };
  return { page, complaints, show, close: () => context.close() };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Nothing is wider than the window, and axe finds no serious accessibility fault. */
export async function expectSound(page: Page, view: string): Promise<void> {
  const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  expect(wider, `${view} is wider than the window`).toBeLessThanOrEqual(0);
  // The page's policy allows no script of ours to be added; axe runs from outside of it.
  await page.evaluate(axe);
  const faults = await page.evaluate(
    "axe.run().then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html))",
  );
  expect(faults, view).toEqual([]);
}

/** Opens each view: it has a heading, says of no failure, and is sound. */
export async function sweep(
  { page, show }: Tab,
  views: readonly string[],
  check: (view: string) => Promise<void> = async () => {},
): Promise<void> {
  for (const view of views) {
    await show(view);
    // What has to be made ready once is waited for.
    await expect.poll(() => page.locator(".working").count(), { timeout: 60_000 }).toBe(0);
    expect(await page.locator("h1").count(), view).toBeGreaterThan(0);
    expect(await page.locator(".failure").allTextContents(), view).toEqual([]);
    await check(view);
    await expectSound(page, view);
  }
}
