/** Rows as a spreadsheet that the report carries with it. */
import type { DustRow, SaidLink } from "./data.js";
import { type Html, html } from "./html.js";

/** With quotes, and with an apostrophe before what a spreadsheet would take for a formula. */
function cell(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

/** A link that saves the rows as a file; the report needs no other file and asks for nothing. */
export function spreadsheet(
  name: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): Html | false {
  if (rows.length === 0) return false;
  const data = Buffer.from(`\ufeff${csvOf([head, ...rows])}`, "utf8").toString("base64");
  return html`<p class="screen"><a download="${name}.csv" href="data:text/csv;charset=utf-8;base64,${data}">${name}.csv</a> <span class="faint">a spreadsheet: ${head.join(", ")}</span></p>`;
}

/** The columns of a spreadsheet of URLs. */
export const urlHead = ["URL", "canonical URL", "rule", "requests"] as const;

/** And of a spreadsheet of the URLs that rules change. */
export const dustHead = [...urlHead, "canonical URL seen"] as const;

export function dustCells({ url, canonical, rule, requests, isSeen }: DustRow): (string | number)[] {
  return [url, canonical, rule, requests, isSeen ? "seen" : "unseen"];
}

export function dustSheet(name: string, rows: readonly DustRow[]): Html | false {
  return spreadsheet(name, dustHead, rows.map(dustCells));
}

export function saidSheet(name: string, links: readonly SaidLink[]): Html | false {
  return spreadsheet(
    name,
    urlHead,
    links.map(({ url, target, kind, problem, requests }) => [
      url,
      target,
      `${kind === "redirect" ? "redirect" : "rel=canonical"}${problem === "" ? "" : `, ${problem}`}`,
      requests,
    ]),
  );
}
