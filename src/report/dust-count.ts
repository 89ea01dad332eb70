import type { Canonizer } from "../canon/compile.js";
import type { Rule } from "../model.js";
import type { DustColumns } from "../store/browse/report-data.js";
import type { UrlTraffic } from "../store/urls/traffic.js";
import type { Amount } from "./data.js";

/** What a canonizer changes of some URLs, and which of its rules do it. Memory grows with the dust, not with the URLs. */
export class DustCount {
  readonly #targets = new Map<string, number>();
  readonly #ids: number[] = [];
  readonly #targetOf: number[] = [];
  /** Per dust URL the number of the set of rules that changed it, in the order of their first use. */
  readonly #setOf: number[] = [];
  readonly #requests: number[] = [];
  readonly #bytes: number[] = [];
  readonly #copyBytes: number[] = [];
  readonly #sets = new Map<string, number>();
  readonly #rulesOfSet: Rule[][] = [];
  readonly #numberOf: Map<Rule, number>;

  constructor(private readonly canon: Canonizer) {
    this.#numberOf = new Map(canon.rules.map((rule, i) => [rule, i]));
  }

  take({ id, url, requests, bytes, copyBytes }: UrlTraffic): void {
    const target = this.canon(url);
    if (target === url) return;
    let number = this.#targets.get(target);
    if (number === undefined) {
      number = this.#targets.size;
      this.#targets.set(target, number);
    }
    this.#ids.push(id);
    this.#targetOf.push(number);
    this.#setOf.push(this.#ruleSet(url));
    this.#requests.push(requests);
    this.#bytes.push(bytes);
    this.#copyBytes.push(copyBytes);
  }

  #ruleSet(url: string): number {
    const rules = [...new Set(this.canon.explain(url).steps.map(({ rule }) => rule))];
    const key = rules.map((rule) => this.#numberOf.get(rule)).join();
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = this.#sets.size;
      this.#sets.set(key, set);
      this.#rulesOfSet.push(rules);
    }
    return set;
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
    const dust = { urls: 0, requests: 0, bytes: 0 };
    const saved = { urls: 0, requests: 0, bytes: 0 };
    const sets = this.#rulesOfSet.map(() => ({ urls: 0, requests: 0, bytes: 0 }));
    let savedCopyBytes = 0;
    let next = 0;
    for (let row = 0; row < this.#ids.length; row++) {
      const one = { urls: 1, requests: this.#requests[row]!, bytes: this.#bytes[row]! };
      add(dust, one);
      if (kept[next] === row) {
        next++;
        continue;
      }
      add(saved, one);
      add(sets[this.#setOf[row]!]!, one);
      savedCopyBytes += this.#copyBytes[row]!;
    }
    const byRule = new Map<Rule, Amount>(this.canon.rules.map((rule) => [rule, { urls: 0, requests: 0, bytes: 0 }]));
    const byFirst = new Map<Rule, number>();
    sets.forEach((amount, set) => {
      const rules = this.#rulesOfSet[set]!;
      for (const rule of rules) add(byRule.get(rule)!, amount);
      byFirst.set(rules[0]!, (byFirst.get(rules[0]!) ?? 0) + amount.urls);
    });
    return { dust, saved, savedCopyBytes, byRule, byFirst, unsettled: this.canon.unsettled.count };
  }
}

export interface CountedDust {
  readonly dust: Amount;
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
