import { existsSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { RulesFile } from "../../canon/file/rules-file.js";
import type { Job } from "../../documents.js";
import { EngineError } from "../../errors.js";
import type { FetcherOptions } from "../../fetch/fetcher.js";
import type { Certificate, Rule } from "../../model.js";
import { readRulesFile, writeRulesFile } from "../../store/rules-on-disk.js";
import { isOrdered, orderFile, orderUrls, readStamp } from "../../store/urls/url-order.js";
import type { Workspace } from "../../store/workspace.js";
import { Jobs } from "./jobs.js";
import { Uploads } from "./uploads.js";

export interface AppOptions {
  readonly workspace: Workspace;
  readonly rulesFile: string;
  /** How validations that are started in the browser fetch; its `sites` are what the form begins with. */
  readonly fetch: Omit<FetcherOptions, "signal">;
  /** Show session ids and tokens as they are. */
  readonly unmask: boolean;
  /** Files of this machine may be named: only where nobody else can reach the server. */
  readonly takesPaths?: boolean;
}

/** What the handlers share. It holds neither the workspace nor the rules file open: both are read for each request. */
export class App {
  readonly jobs = new Jobs();
  readonly uploads = new Uploads(() => this.workspace.scratch());
  /** Time and size of the workspace file whose URLs were found to be in order: unchanged, it need not be opened. */
  #ordered = "";

  constructor(readonly options: AppOptions) {}

  get workspace(): Workspace {
    return this.options.workspace;
  }

  /** A workspace without rules yet has none. */
  readRules(): RulesFile {
    const { rulesFile } = this.options;
    return existsSync(rulesFile) ? readRulesFile(rulesFile) : { settings: {}, rules: [] };
  }

  /** Reads, changes and writes the rules file without letting anything of ours in between. New certificates replace the old. */
  changeRules(
    change: (rules: readonly Rule[]) => readonly Rule[],
    certificates: readonly Certificate[] = [],
  ): RulesFile {
    const file = this.readRules();
    const changed = { ...file, rules: change(file.rules), ...(certificates.length > 0 && { certificates }) };
    writeRulesFile(this.options.rulesFile, changed);
    return changed;
  }

  /** Waits a moment for the URLs to be in order; the job where they are not yet. */
  async orderUrls(patienceMs = 1000): Promise<Job | undefined> {
    const running = this.jobs.running("order");
    if (running !== undefined) return running;
    const state = this.#workspaceState();
    if (state !== "" && state === this.#ordered && existsSync(orderFile(this.workspace))) return undefined;
    const stamp = await readStamp(this.workspace);
    if (!(await isOrdered(this.workspace, stamp))) {
      const job =
        this.jobs.running("order") ??
        this.jobs.start("order", "putting the URLs in order", async (context) => {
          await orderUrls(this.workspace, stamp, context);
          return {};
        });
      await Promise.race([this.jobs.ended(job.id), sleep(patienceMs, undefined, { ref: false })]);
      if (job.state === "running") return job;
      if (job.state === "failed") throw new EngineError(job.error ?? "failed", "putting the URLs in order");
    }
    this.#ordered = state;
    return undefined;
  }

  readonly #remembered = new Map<string, { readonly state: string; readonly value: Promise<unknown> }>();

  /** What `make` made last, as long as workspace and rules stay as they were. */
  remember<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#remembered.get(name);
    return known?.state === this.#state() ? (known.value as Promise<T>) : this.replace(name, make);
  }

  replace<T>(name: string, make: () => Promise<T>): Promise<T> {
    const value = make();
    this.#remembered.set(name, { state: this.#state(), value });
    // What failed is tried again.
    value.catch(() => this.#remembered.delete(name));
    return value;
  }

  #state(): string {
    return `${this.#workspaceState()} ${stateOf(this.options.rulesFile)}`;
  }

  #workspaceState(): string {
    return stateOf(this.workspace.file);
  }
}

/** Changes whenever the file does. Looking does not open it, which would drop our own lock on it. */
function stateOf(file: string): string {
  if (!existsSync(file)) return "";
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs} ${size}`;
}
