import type { Draw } from "../rules/validate.js";
import { stageTable } from "./columns.js";
import type { Connection, Workspace } from "./workspace.js";

/** What one fetch showed, as it is kept: enough to compare pages again without the network. */
export interface StoredFetch {
  readonly url: string;
  /** 0 the first look in this run, 1 the second. */
  readonly attempt: number;
  readonly timeMs: number;
  /** Kind of the fetch's outcome ("ok", "httpError", "disallowed", ...). */
  readonly kind: string;
  readonly why?: string;
  readonly status?: number;
  readonly mediaType?: string;
  readonly bodyBytes?: number;
  /** Where a redirect led. */
  readonly redirect?: string;
  readonly canonical?: string;
  readonly digest?: string;
  readonly title?: string;
  readonly text?: string;
}

/** The unfinished run with these settings, with all that it fetched; or a new one. */
export async function openRun(
  workspace: Workspace,
  settings: Readonly<Record<string, unknown>>,
): Promise<{ readonly run: number; readonly fetches: StoredFetch[] }> {
  const described = JSON.stringify(settings);
  return workspace.write(async (connection) => {
    const found = await connection.runAndReadAll(
      "SELECT id FROM runs WHERE finished IS NULL AND settings::VARCHAR = $1 ORDER BY id DESC LIMIT 1",
      [described],
    );
    const id = found.getRows()[0]?.[0];
    if (typeof id === "number") return { run: id, fetches: await readFetches(connection, id) };
    const next = Number(
      (await connection.runAndReadAll("SELECT coalesce(max(id), 0) + 1 FROM runs")).getRows()[0]?.[0],
    );
    await connection.run("INSERT INTO runs VALUES ($1, now(), NULL, $2)", [next, described]);
    return { run: next, fetches: [] };
  });
}

async function readFetches(connection: Connection, run: number): Promise<StoredFetch[]> {
  const found = await connection.runAndReadAll(
    `SELECT url, attempt, epoch_ms(fetched)::DOUBLE AS time_ms, kind, why, status, media_type, body_bytes::DOUBLE AS body_bytes,
       redirect, canonical, digest, title, text FROM fetches WHERE run = $1`,
    [run],
  );
  return found.getRowObjects().map((row) => {
    const text = (name: string) => (row[name] === null ? {} : { [camel(name)]: String(row[name]) });
    const number = (name: string) => (row[name] === null ? {} : { [camel(name)]: Number(row[name]) });
    return {
      url: String(row.url),
      attempt: Number(row.attempt),
      timeMs: Number(row.time_ms),
      kind: String(row.kind),
      ...text("why"),
      ...number("status"),
      ...text("media_type"),
      ...number("body_bytes"),
      ...text("redirect"),
      ...text("canonical"),
      ...text("digest"),
      ...text("title"),
      ...text("text"),
    };
  });
}

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** One fetch, committed before the next one is sent: a killed run loses the request in flight at most. */
export async function addFetch(workspace: Workspace, run: number, fetch: StoredFetch): Promise<void> {
  const optional = (value: string | number | undefined) => value ?? null;
  await workspace.write((connection) =>
    connection.run(
      "INSERT INTO fetches VALUES ($1, $2, $3, make_timestamp_ms($4::BIGINT), $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)",
      [
        run,
        fetch.url,
        fetch.attempt,
        fetch.timeMs,
        fetch.kind,
        optional(fetch.why),
        optional(fetch.status),
        optional(fetch.mediaType),
        optional(fetch.bodyBytes),
        optional(fetch.redirect),
        optional(fetch.canonical),
        optional(fetch.digest),
        optional(fetch.title),
        optional(fetch.text),
      ],
    ),
  );
}

/** Ends a run with all that it drew. A resumed run draws the same again from its fetches, so draws come once. */
export async function finishRun(workspace: Workspace, run: number, draws: readonly Draw[]): Promise<void> {
  await workspace.write(async (connection) => {
    await stageTable(connection, "drawn", {
      number: Uint32Array.from({ length: draws.length }, (_, i) => i),
      rule: draws.map(({ rule }) => rule),
      direction: draws.map(({ direction }) => direction),
      source_url: draws.map(({ from }) => from),
      target_url: draws.map(({ to }) => to),
      outcome: draws.map(({ outcome }) => outcome),
      why: draws.map(({ why }) => why),
    });
    await connection.run(`INSERT INTO draws SELECT ${run}, * FROM drawn`);
    await connection.run(`UPDATE runs SET finished = now() WHERE id = ${run}`);
  });
}
