/** The report as a site's owner reads it: before anything is proven, and afterwards. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Folder } from "./folder.js";

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => folder.remove());

const bot = '"-" "Mozilla/5.0 (compatible; Googlebot/2.1)"';
const line = (url: string, status = 200, size = 500) =>
  `shop.test 192.0.2.1 - - [10/Oct/2025:13:55:36 +0000] "GET ${url} HTTP/1.1" ${status} ${size} ${bot}`;

/** A shop with a session, a campaign, both spellings of a folder, and pages that a crawl saw redirect. */
function writeInputs(): void {
  const products = Array.from({ length: 12 }, (_, i) => [
    line(`/product/${i}`, 200, 500 + i),
    line(`/product/${i}?sid=${1000 + 7 * i}`, 200, 500 + i),
    line(`/product/${i}?utm_source=mail&sid=${2000 + 7 * i}`, 200, 500 + i),
  ]).flat();
  writeFileSync(folder.at("access.log"), `${[...products, line("/about"), line("/about/")].join("\n")}\n`);
  const pages = [
    { url: "http://shop.test/old", status: 301, redirectTo: "http://shop.test/older" },
    { url: "http://shop.test/older", status: 301, redirectTo: "http://shop.test/about" },
    { url: "http://shop.test/ring", status: 302, redirectTo: "http://shop.test/gnir" },
    { url: "http://shop.test/gnir", status: 302, redirectTo: "http://shop.test/ring" },
    { url: "http://shop.test/print", status: 200, canonical: "http://shop.test/old", text: "a page to print" },
    { url: "http://shop.test/=cmd", status: 200, canonical: "http://shop.test/about", text: "another page" },
  ];
  writeFileSync(folder.at("crawl.jsonl"), `${pages.map((page) => JSON.stringify(page)).join("\n")}\n`);
}

const sectionOf = (html: string, id: string) => new RegExp(`<h2 id="${id}">[\\s\\S]*?</section>`).exec(html)?.[0] ?? "";

function sheetOf(html: string, name: string): string {
  const data = new RegExp(`download="${name}\\.csv" href="data:text/csv;charset=utf-8;base64,([^"]*)"`).exec(html)?.[1];
  return Buffer.from(data ?? "", "base64")
    .toString("utf8")
    .replace("\ufeff", "");
}

describe("the report", () => {
  it("leads on where nothing is proven: what is likely, what the site says, what to do next", async () => {
    writeInputs();
    const run = await folder.run(["run", "access.log", "crawl.jsonl"]);
    expect(run.status, run.stderr).toBe(0);
    const html = readFileSync(folder.at("dustpan-report.html"), "utf8");
    expect(html).toContain("No dust is proven on shop.test");
    expect(sectionOf(html, "likely")).toMatch(/drop.*sid/);
    expect(sectionOf(html, "next")).toContain("dustpan validate --site shop.test");
    expect(sectionOf(html, "parameters")).toMatch(/<code>sid<\/code>.*may go: likely, not tried/);
    expect(sectionOf(html, "parameters")).toMatch(/<h3>Tracking<\/h3>[\s\S]*<code>utm_source<\/code>/);
    const said = sectionOf(html, "said");
    for (const problem of [
      "redirects: leads to a redirect",
      "redirects: goes round in a circle",
      "canonical: leads to a redirect",
    ]) {
      expect(said).toContain(problem);
    }
    expect(sectionOf(html, "spellings")).toContain("with and without a slash at the end");
    expect(sectionOf(html, "directories")).toContain("shop.test/product/");
    expect(sectionOf(html, "crawlers")).toContain("Googlebot");
    // No tables of zeros, and nothing that says what is not there.
    expect(sectionOf(html, "crawlers")).not.toContain("On dust");
    expect(sectionOf(html, "directories")).not.toContain("Saved");
    expect(html).not.toContain("certified");
    expect(sheetOf(html, "parameters")).toMatch(
      /^parameter,URLs,requests,by crawlers,verdict,an example\r\nsid,24,24,24,/,
    );
    expect(sheetOf(html, "redirects-and-canonical")).toMatch(
      /^URL,canonical URL,rule,requests\r\n(?:.*\r\n)*http:\/\/shop\.test\/old,http:\/\/shop\.test\/older,"redirect, leads to a redirect",1\r\n/,
    );
  });

  it("has spreadsheets of what rules change, whole with --table, and no formula in them", async () => {
    writeInputs();
    await folder.run(["add", "access.log", "crawl.jsonl"]);
    const rule = { kind: "parameter", name: "sid", action: "remove", decision: "accepted" };
    writeFileSync(
      folder.at("dustpan.rules.json"),
      JSON.stringify({ format: "dustpan-rules", version: 2, rules: [rule] }),
    );
    const made = await folder.run(["report", "--table", "dust.csv", "--unmask"]);
    expect(made.status, made.stderr).toBe(0);
    const html = readFileSync(folder.at("dustpan-report.html"), "utf8");
    expect(html).toContain("it was accepted by a person, and no pages were compared");
    expect(html).toContain("Not certified: the rules in use were never tried together");
    expect(html).not.toMatch(/with its proof|Each was tried/);
    const whole = readFileSync(folder.at("dust.csv"), "utf8").split("\r\n");
    expect(whole[0]).toBe("URL,canonical URL,rule,requests,canonical URL seen");
    expect(whole.length).toBe(1 + 24 + 1);
    expect(whole).toContain("http://shop.test/product/3?sid=1021,http://shop.test/product/3,drop ?sid,1,seen");
    const campaign = "http://shop.test/product/3?utm_source=mail";
    expect(whole).toContain(`${campaign}&sid=2021,${campaign},drop ?sid,1,unseen`);
    expect(sheetOf(html, "parameters-urls").split("\r\n").sort()).toEqual(whole.sort());
    expect(sectionOf(html, "directories")).toContain("Saved");
    expect(sectionOf(html, "next")).toContain("dustpan export --to nginx");
  });
});
