/** What validations drew and saw, for people to look at. */
import type { SeenPage } from "../../model.js";
import type { Draw } from "../../validate/try-rule.js";
import { cutPage, type Page } from "../browse/page.js";
import type { DuckDBValue } from "../duckdb.js";
import type { Workspace } from "../workspace.js";

/** A URL that validation drew for a rule, and what came of it. */
export interface DrawnPair {
  readonly run: number;
  readonly number: number;
  readonly direction: string;
  readonly from: string;
  readonly to: string;
  readonly outcome: Draw["outcome"];
  readonly why: string;
}

/** What the latest finished validation drew for the rule, in its order. */
export async function listDraws(
  workspace: Workspace,
  rule: string,
  query: { readonly outcome?: string; readonly after?: number; readonly limit: number },
): Promise<Page<DrawnPair>> {
  return workspace.read(async (connection) => {
    const values: DuckDBValue[] = [rule, query.after ?? -1, ...(query.outcome === undefined ? [] : [query.outcome])];
    const found = await connection.runAndReadAll(
      `SELECT run, number, direction, source_url, target_url, outcome, why FROM draws
       WHERE rule = $1 AND run = (SELECT max(run) FROM draws WHERE rule = $1) AND number > $2
       ${query.outcome === undefined ? "" : "AND outcome = $3"} ORDER BY number LIMIT ${query.limit + 1}`,
      values,
    );
    return cutPage(found.getRows().map(asDraw), query.limit, ({ number }) => String(number));
  });
}

export async function findDraw(workspace: Workspace, run: number, number: number): Promise<DrawnPair | undefined> {
  return workspace.read(async (connection) => {
    const found = await connection.runAndReadAll(
      `SELECT run, number, direction, source_url, target_url, outcome, why FROM draws WHERE run = $1 AND number = $2`,
      [run, number],
    );
    return found.getRows().map(asDraw)[0];
  });
}

const asDraw = ([run, number, direction, from, to, outcome, why]: readonly DuckDBValue[]): DrawnPair => ({
  run: Number(run),
  number: Number(number),
  direction: String(direction),
  from: String(from),
  to: String(to),
  outcome: String(outcome) as Draw["outcome"],
  why: String(why),
});

/** The latest look at the URL: of a validation, else of a crawl or an archive; with a snapshot, the page that is in it. */
export async function readSeenPage(workspace: Workspace, url: string, snapshot?: string): Promise<SeenPage> {
  return workspace.read(async (connection) => {
    const time = "strftime(fetched, '%Y-%m-%dT%H:%M:%SZ')";
    const fetched = await connection.runAndReadAll(
      `SELECT ${time}, status, why, title, body_bytes::DOUBLE, redirect, canonical, text FROM fetches
       WHERE url = $1 AND $2 IS NULL ORDER BY run DESC, attempt DESC LIMIT 1`,
      [url, snapshot ?? null],
    );
    const crawled =
      fetched.currentRowCount > 0
        ? fetched
        : await connection.runAndReadAll(
            `SELECT ${time}, p.status, NULL, title, body_bytes::DOUBLE, r.url, c.url, text
             FROM pages p LEFT JOIN urls r ON r.id = p.redirect LEFT JOIN urls c ON c.id = p.canonical
             WHERE p.url = (SELECT id FROM urls WHERE url = $1)
               AND ($2 IS NULL OR p.snapshot = (SELECT id FROM snapshots WHERE name = $2))
             ORDER BY text IS NULL, fetched DESC NULLS LAST LIMIT 1`,
            [url, snapshot ?? null],
          );
    const row = crawled.getRows()[0];
    if (row === undefined) return { url };
    const [when, status, why, title, bytes, redirect, canonical, text] = row;
    const given = (name: string, value: DuckDBValue | undefined) => (value == null ? {} : { [name]: value });
    return {
      url,
      ...given("fetched", when),
      ...given("status", status),
      ...given("why", why),
      ...given("title", title),
      ...given("bytes", bytes),
      ...given("redirect", redirect),
      ...given("canonical", canonical),
      ...given("text", text),
    };
  });
}
