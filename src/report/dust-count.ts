/** The count of dust: what rules change of a workspace's URLs. The report, the savings and `check` all rest on it. */

import { asTheyAre, type Canonizer, compile } from "../canon/compile.js";
import { rulesInUse } from "../canon/cycles.js";
import type { JobContext, Rule } from "../model.js";
import { stopIfAborted } from "../progress.js";
import type { DustColumns, DustSource } from "../store/browse/report-data.js";
import type { UrlTraffic } from "../store/urls/traffic.js";
import type { Amount } from "./data.js";

/** Does the site itself redirect, or name one canonical URL for, most of what this rule merges in the direction of its use? */
export function isHandledBySite({ evidence }: Rule): boolean {
  return evidence !== undefined && evidence.redirected + evidence.canonicalised > evidence.positive / 2;
}

/** The rules in use, divided into those that save something and those whose work the site does itself. */
export class DustCounts {
  readonly used: readonly Rule[];
  /** Left out because together with others they would go round in circles. */
  readonly dropped: readonly Rule[];
  /** Those that save something. */
  readonly proven: readonly Rule[];
  /** Those that the site makes unnecessary, and those that were proven only after one of them. */
  readonly handled: readonly Rule[];
  /** What `proven` changes, and what all of them would. */
  readonly ours: DustCount;
  readonly all: DustCount;

  constructor(rules: readonly Rule[]) {
    ({ rules: this.used, dropped: this.dropped } = rulesInUse(rules));
    const canon = compile(
      this.used.filter((rule) => !isHandledBySite(rule)),
      { use: asTheyAre },
    );
    this.proven = canon.rules;
    this.handled = this.used.filter((rule) => !this.proven.includes(rule));
    this.all = new DustCount(this.handled.length === 0 ? canon : compile(this.used, { use: asTheyAre }));
    this.ours = this.handled.length === 0 ? this.all : new DustCount(canon);
  }

  /** Canonizes every URL once, and once more where the site makes rules unnecessary. */
  read(source: DustSource, context: JobContext): Promise<void> {
    return countDust([...new Set([this.ours, this.all])], source, context);
  }
}

const PROGRESS_EVERY = 1 << 16;

/** Shows every URL to the counts. */
export async function countDust(counts: readonly DustCount[], source: DustSource, context: JobContext): Promise<void> {
  let urls = 0;
  await source.readTraffic((traffic) => {
    for (const count of counts) count.take(traffic);
    if (++urls % PROGRESS_EVERY === 0) context.onProgress({ step: "counting dust", done: urls, unit: "URLs" });
    stopIfAborted(context, "the dust was not counted");
  });
}

/** What a rule changes, whether or not that saves a fetch. */
export interface DustCause {
  readonly rule: Rule;
  readonly urls: number;
  readonly requests: number;
  /** The URL with most requests among those that it changes. */
  readonly example: { readonly from: string; readonly to: string; readonly requests: number };
}

/** A URL that is not canonical, with what it becomes and by which rules. */
export interface DustUrl {
  readonly url: string;
  readonly canonical: string;
  readonly rules: readonly Rule[];
  readonly requests: number;
}

/** What a canonizer changes of some URLs, and which of its rules do it. Memory grows with the dust, not with the URLs. */
export class DustCount {
  readonly #canon: Canonizer;
  readonly #total = { urls: 0, requests: 0, bytes: 0 };
  readonly #dust = { urls: 0, requests: 0, bytes: 0 };
  #copyBytes = 0;
  readonly #targets = new Map<string, number>();
  readonly #ids: number[] = [];
  readonly #targetOf: number[] = [];
  /** Per dust URL the number of the set of rules that changed it, in the order of their first use. */
  readonly #setOf: number[] = [];
  readonly #requests: number[] = [];
  readonly #bytes: number[] = [];
  readonly #copyBytesOf: number[] = [];
  readonly #sets = new Map<string, number>();
  readonly #rulesOfSet: Rule[][] = [];
  readonly #causes = new Map<Rule, DustCause>();
  readonly #numberOf: Map<Rule, number>;

  constructor(canon: Canonizer) {
    this.#canon = canon;
    this.#numberOf = new Map(canon.rules.map((rule, i) => [rule, i]));
  }

  /** All URLs that were taken. */
  get total(): Amount {
    return this.#total;
  }

  /** One copy of each URL's response. */
  get copyBytes(): number {
    return this.#copyBytes;
  }

  /** URLs that are not canonical. */
  get dust(): Amount {
    return this.#dust;
  }

  take({ id, url, requests, bytes, copyBytes }: UrlTraffic): void {
    const one = { urls: 1, requests, bytes };
    add(this.#total, one);
    this.#copyBytes += copyBytes;
    const target = this.#canon(url);
    if (target === url) return;
    add(this.#dust, one);
    let number = this.#targets.get(target);
    if (number === undefined) {
      number = this.#targets.size;
      this.#targets.set(target, number);
    }
    this.#ids.push(id);
    this.#targetOf.push(number);
    const rules = this.#rulesOf(url);
    for (const rule of rules) this.#addCause(rule, url, target, requests);
    this.#setOf.push(this.#numberOfSet(rules));
    this.#requests.push(requests);
    this.#bytes.push(bytes);
    this.#copyBytesOf.push(copyBytes);
  }

  #rulesOf(url: string): Rule[] {
    return [...new Set(this.#canon.explain(url).steps.map(({ rule }) => rule))];
  }

  /** Shows every URL that is not canonical. */
  async list(source: DustSource, context: JobContext, show: (dust: DustUrl) => void): Promise<void> {
    await source.readTraffic(({ url, requests }) => {
      const canonical = this.#canon(url);
      if (canonical !== url) show({ url, canonical, rules: this.#rulesOf(url), requests });
      stopIfAborted(context, "nothing was written");
    });
  }

  /** Canonical URLs that the input has not. `kept`: as for `finish`, one row for each of them. */
  missingTargets(kept: Uint32Array): Set<string> {
    const targets = [...this.#targets.keys()];
    return new Set(Array.from(kept, (row) => targets[this.#targetOf[row]!]!));
  }

  #addCause(rule: Rule, from: string, to: string, requests: number): void {
    const cause = this.#causes.get(rule);
    const isBusiest = cause === undefined || requests > cause.example.requests;
    this.#causes.set(rule, {
      rule,
      urls: (cause?.urls ?? 0) + 1,
      requests: (cause?.requests ?? 0) + requests,
      example: isBusiest ? { from, to, requests } : cause.example,
    });
  }

  #numberOfSet(rules: Rule[]): number {
    const key = rules.map((rule) => this.#numberOf.get(rule)).join();
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = this.#sets.size;
      this.#sets.set(key, set);
      this.#rulesOfSet.push(rules);
    }
    return set;
  }

  /** The rules that change URLs, most URLs first. Several may change one URL, so these add up to more than the dust. */
  causes(): DustCause[] {
    return [...this.#causes.values()].sort((a, b) => b.urls - a.urls || b.requests - a.requests);
  }

  columns(): DustColumns {
    return {
      ids: Uint32Array.from(this.#ids),
      targetOf: Uint32Array.from(this.#targetOf),
      targets: [...this.#targets.keys()],
    };
  }

  /** `kept`: rows of `columns` that still have to be fetched, ascending. */
  finish(kept: Uint32Array): CountedDust {
    const saved = { urls: 0, requests: 0, bytes: 0 };
    const sets = this.#rulesOfSet.map(() => ({ urls: 0, requests: 0, bytes: 0 }));
    let savedCopyBytes = 0;
    let next = 0;
    for (let row = 0; row < this.#ids.length; row++) {
      const one = { urls: 1, requests: this.#requests[row]!, bytes: this.#bytes[row]! };
      if (kept[next] === row) {
        next++;
        continue;
      }
      add(saved, one);
      add(sets[this.#setOf[row]!]!, one);
      savedCopyBytes += this.#copyBytesOf[row]!;
    }
    const byRule = new Map<Rule, Amount>(this.#canon.rules.map((rule) => [rule, { urls: 0, requests: 0, bytes: 0 }]));
    const byFirst = new Map<Rule, number>();
    sets.forEach((amount, set) => {
      const rules = this.#rulesOfSet[set]!;
      for (const rule of rules) add(byRule.get(rule)!, amount);
      byFirst.set(rules[0]!, (byFirst.get(rules[0]!) ?? 0) + amount.urls);
    });
    return { saved, savedCopyBytes, byRule, byFirst, unsettled: this.#canon.unsettled.count };
  }
}

export interface CountedDust {
  readonly saved: Amount;
  readonly savedCopyBytes: number;
  /** URLs that a rule has a part in saving; with several rules in one URL these add up to more than `saved`. */
  readonly byRule: ReadonlyMap<Rule, Amount>;
  /** URLs saved, each counted for the first rule that changes it. */
  readonly byFirst: ReadonlyMap<Rule, number>;
  readonly unsettled: number;
}

type Sum = { -readonly [Field in keyof Amount]: number };

function add(sum: Amount, { urls, requests, bytes }: Amount): void {
  const own = sum as Sum;
  own.urls += urls;
  own.requests += requests;
  own.bytes += bytes;
}
