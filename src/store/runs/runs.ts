/** Validations in the workspace: what they fetched and drew, to go on from. */
import type { Sketch } from "../../model.js";
import { decodeSketch } from "../../sketch/sketch.js";
import type { Draw } from "../../validate/try-rule.js";
import { known, knownTime, stageTable } from "../columns.js";
import { DuckDBBlobValue } from "../duckdb.js";
import { type AsJson, asShingles, toJson } from "../pages/page-json.js";
import type { Connection, Workspace } from "../workspace.js";
import { Journal } from "./journal.js";

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
  /** Where redirects led in the end. */
  readonly redirect?: string;
  readonly canonical?: string;
  readonly isOwnLanguage?: boolean;
  readonly digest?: string;
  readonly title?: string;
  readonly shingles?: BigUint64Array;
  readonly sketch?: Sketch;
  readonly text?: string;
  /** What the page shows besides text (`fetch/shown.ts`), one a line. */
  readonly media?: string;
}

/** What a validation on the live site was started with. */
export interface ValidationSettings {
  readonly plan: string;
  readonly count: number;
  readonly epsilon: number;
  readonly seed: number;
  readonly similarity: string;
  readonly sites: readonly string[];
  /** Ids of the rules that it began with, in their order. */
  readonly rules: readonly string[];
}

/** What identifies a run: of a validation or, with `eval`, of an evaluation. */
export type RunSettings = ValidationSettings | { readonly eval: object; readonly sites: readonly string[] };

/** The unfinished run with these settings, else one with fewer of the rules, with all that it fetched; or a new one. */
export async function openRun(
  workspace: Workspace,
  settings: RunSettings,
): Promise<{ readonly run: number; readonly fetches: StoredFetch[] }> {
  const described = JSON.stringify(settings);
  const opened = await workspace.write(async (connection) => {
    await moveJournal(connection, workspace);
    const unfinished = await connection.runAndReadAll(
      "SELECT id, settings::VARCHAR FROM runs WHERE finished IS NULL ORDER BY id DESC",
    );
    const known = unfinished.getRows().map(([id, earlier]) => ({ id, earlier: JSON.parse(String(earlier)) }));
    const id = (
      known.find(({ earlier }) => JSON.stringify(earlier) === described) ??
      known.find(({ earlier }) => isGoneOnWith(earlier, settings))
    )?.id;
    if (typeof id === "number") return { run: id, fetches: await readFetches(connection, id) };
    const next = Number(
      (await connection.runAndReadAll("SELECT coalesce(max(id), 0) + 1 FROM runs")).getRows()[0]?.[0],
    );
    await connection.run("INSERT INTO runs VALUES ($1, now(), NULL, $2)", [next, described]);
    return { run: next, fetches: [] };
  });
  journalOf(workspace).remove();
  return opened;
}

function isGoneOnWith(earlier: RunSettings, settings: RunSettings): boolean {
  const [ours, theirs] = [settings, earlier].map((all) => {
    const { rules = [], ...others } = { rules: undefined, ...all };
    return { rules, others: JSON.stringify(others) };
  }) as [{ rules: readonly string[]; others: string }, { rules: readonly string[]; others: string }];
  const known = new Set(ours.rules);
  return ours.others === theirs.others && theirs.rules.every((id) => known.has(id));
}

/** An unfinished run goes on, once it is opened with these settings. */
export async function goOnWith(workspace: Workspace, run: number, settings: RunSettings): Promise<void> {
  await workspace.write(async (connection) => {
    await connection.run("UPDATE runs SET settings = $2 WHERE id = $1", [run, JSON.stringify(settings)]);
  });
}

async function readFetches(connection: Connection, run: number): Promise<StoredFetch[]> {
  const found = await connection.runAndReadAll(
    `SELECT url, attempt, epoch_ms(fetched)::DOUBLE AS "timeMs", kind, why, status, media_type AS "mediaType",
       body_bytes::DOUBLE AS "bodyBytes", redirect, canonical, is_own_language AS "isOwnLanguage", digest, title, shingles,
       sketch, text, media FROM fetches WHERE run = $1`,
    [run],
  );
  return found.getRowObjects().map((row) => {
    const text = (name: keyof StoredFetch) => (row[name] === null ? {} : { [name]: String(row[name]) });
    const number = (name: keyof StoredFetch) => (row[name] === null ? {} : { [name]: Number(row[name]) });
    return {
      url: String(row.url),
      attempt: Number(row.attempt),
      timeMs: Number(row.timeMs),
      kind: String(row.kind),
      ...text("why"),
      ...number("status"),
      ...text("mediaType"),
      ...number("bodyBytes"),
      ...text("redirect"),
      ...text("canonical"),
      ...(row.isOwnLanguage === true && { isOwnLanguage: true }),
      ...text("digest"),
      ...text("title"),
      ...(row.shingles instanceof DuckDBBlobValue && { shingles: asShingles(row.shingles.bytes) }),
      ...(row.sketch instanceof DuckDBBlobValue && { sketch: decodeSketch(row.sketch.bytes) }),
      ...text("text"),
      ...text("media"),
    };
  });
}

/**
 * Fetches on their way into the workspace. Each is in the journal before the next request is sent, so that a killed run
 * loses the request in flight at most. It is moved into the workspace now and then, at the end, and when the next run
 * is opened.
 */
export class FetchJournal {
  #movedMs = Date.now();
  readonly #workspace: Workspace;
  readonly #run: number;

  constructor(workspace: Workspace, run: number) {
    this.#workspace = workspace;
    this.#run = run;
  }

  async append(fetch: StoredFetch): Promise<void> {
    journalOf(this.#workspace).append({ run: this.#run, ...toJson(fetch) });
    if (Date.now() - this.#movedMs > MOVE_EVERY_MS) await this.move();
  }

  async move(): Promise<void> {
    await this.#workspace.write((connection) => moveJournal(connection, this.#workspace));
    journalOf(this.#workspace).remove();
    this.#movedMs = Date.now();
  }
}

const MOVE_EVERY_MS = 10_000;

type JournalRow = AsJson<StoredFetch> & { run: number };

/** Beside the workspace; that of a workspace in memory, which no other process goes on with, has a name of its own. */
function journalOf(workspace: Workspace): Journal<JournalRow> {
  const { isInMemory, file } = workspace;
  const journal = inMemory.get(workspace) ?? new Journal(isInMemory ? workspace.scratch() : `${file}.fetches`);
  if (isInMemory) inMemory.set(workspace, journal);
  return journal;
}

const inMemory = new WeakMap<Workspace, Journal<JournalRow>>();

/** Moves what the journal holds into the table. Rows that a killed move had already brought there are left out. */
async function moveJournal(connection: Connection, workspace: Workspace): Promise<void> {
  const rows: JournalRow[] = [];
  for await (const row of journalOf(workspace).rows()) rows.push(row);
  if (rows.length === 0) return;
  const text = (pick: (row: JournalRow) => string | undefined) => rows.map((row) => pick(row) ?? null);
  const number = (pick: (row: JournalRow) => number | undefined) =>
    Float64Array.from(rows, (row) => pick(row) ?? Number.NaN);
  const blob = (pick: (row: JournalRow) => string | undefined) => ({
    blobs: rows.map((row) => {
      const value = pick(row);
      return value === undefined ? null : Buffer.from(value, "base64");
    }),
  });
  await stageTable(connection, "journal", {
    run: Int32Array.from(rows, ({ run }) => run),
    url: text(({ url }) => url),
    attempt: Uint8Array.from(rows, ({ attempt }) => attempt),
    fetched: number(({ timeMs }) => timeMs),
    kind: text(({ kind }) => kind),
    why: text(({ why }) => why),
    status: number(({ status }) => status),
    media_type: text(({ mediaType }) => mediaType),
    body_bytes: number(({ bodyBytes }) => bodyBytes),
    redirect: text(({ redirect }) => redirect),
    canonical: text(({ canonical }) => canonical),
    is_own_language: Uint8Array.from(rows, ({ isOwnLanguage }) => Number(isOwnLanguage ?? false)),
    digest: text(({ digest }) => digest),
    title: text(({ title }) => title),
    shingles: blob(({ shingles }) => shingles),
    sketch: blob(({ sketch }) => sketch),
    text: text((row) => row.text),
    media: text(({ media }) => media),
  });
  await connection.run(
    `INSERT INTO fetches
     SELECT run, url, attempt, ${knownTime("fetched")}, kind, why, ${known("status")}, media_type, ${known("body_bytes")},
       redirect, canonical, is_own_language <> 0, digest, title, shingles, sketch, text, media
     FROM journal ANTI JOIN fetches USING (run, url, attempt)`,
  );
}

/**
 * Ends a run with all that it drew. A resumed run draws the same again from its fetches, so draws come once. The pages'
 * texts and what they say to scripts, which a resumed run needs, stay only where `keepText` says so.
 */
export async function finishRun(
  workspace: Workspace,
  run: number,
  draws: readonly Draw[],
  keepText: boolean,
): Promise<void> {
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
    if (!keepText) await connection.run(`UPDATE fetches SET text = NULL, media = NULL WHERE run = ${run}`);
    await connection.run(`UPDATE runs SET finished = now() WHERE id = ${run}`);
  });
}
