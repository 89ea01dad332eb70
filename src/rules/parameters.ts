import { InterruptedError } from "../errors.js";
import type { JobContext, ParameterPlace, UrlList } from "../model.js";
import { compareCodePoints } from "../url/tokenize.js";
import { ByteTable, compareBytes } from "./byte-table.js";
import { kindMiners } from "./kinds.js";
import type { MinedRule } from "./mined-rule.js";
import { Mining, type ParameterMiningOptions } from "./parameters-mining.js";
import { collectNames, type NamedParameters } from "./parameters-names.js";
import { named, removeParameter, setParameter } from "./parameters-rewrite.js";
import type { UrlScanner } from "./parameters-scan.js";

/**
 * Likely rules about parameters (thesis 5.3), from the list alone: for every popular parameter the rule that removes it
 * and the rule that sets it to one value, and the kinds of kinds.ts. By support, then by name; `remove` before `set`.
 *
 * A `set` rule is there for the case that `remove` fails: it need not be tried where a valid rule removes the same
 * parameter in a scope that contains its own.
 */
export function mineParameterRules(list: UrlList, options: ParameterMiningOptions, context: JobContext): MinedRule[] {
  const mining = new Mining(list, options);
  const withQuery = mining.urlsWithQuery();
  const places = [
    collectNames(mining.scanner, withQuery, "query", options.minSupport),
    collectNames(mining.scanner, mining.urlsWithPathParameters(), "path", options.minSupport),
  ];
  const steps: (() => MinedRule[])[] = kindMiners(mining, withQuery);
  for (const names of places) {
    for (let n = 0; n < names.count; n++) steps.push(() => mineParameter(mining, names, n));
  }
  const rules: MinedRule[] = [];
  for (const [done, step] of steps.entries()) {
    if (context.signal.aborted) throw new InterruptedError("parameter rules: cancelled");
    context.onProgress({ step: "parameter rules", done, total: steps.length, unit: "parameters" });
    for (const rule of step()) rules.push(rule);
  }
  context.onProgress({ step: "parameter rules", done: steps.length, total: steps.length, unit: "parameters" });
  return rules.sort(compareRules);
}

/** The rules that remove or set one parameter, where they are likely. */
function mineParameter(mining: Mining, names: NamedParameters, n: number): MinedRule[] {
  const { scanner } = mining;
  const { place } = names;
  const bytes = scanner.bytes.subarray(names.nameStart[n]!, names.nameEnd[n]!);
  const name = new TextDecoder().decode(bytes);
  const isNamed = named(scanner.bytes, [bytes]);
  const members = names.urls.subarray(names.rows[n]!, names.rows[n + 1]!);
  const allValues = new Values(scanner, members, place, isNamed);
  const valuesOf = (some: Uint32Array) => (some === members ? allValues : new Values(scanner, some, place, isNamed));

  const removal = mining.likelyRules(members, (some) => {
    const values = valuesOf(some);
    return {
      action: { kind: "parameter", name, place, action: "remove" },
      candidate: { members: some, rewrite: removeParameter(scanner, place, isNamed), isBetter: values.isBefore },
    };
  });
  const setting = mining.likelyRules(members, (some) => {
    const values = valuesOf(some);
    const value = values.mostFrequent();
    return {
      action: { kind: "parameter", name, place, action: "set", value: new TextDecoder().decode(value) },
      candidate: { members: some, rewrite: setParameter(scanner, place, isNamed, value), isBetter: values.isBefore },
    };
  });
  return [...removal, ...setting];
}

/** By support; then by kind and name, `remove` before `set`, then by scope: an order that the list's order has no part in. */
function compareRules(a: MinedRule, b: MinedRule): number {
  return b.support - a.support || compareCodePoints(sortKey(a), sortKey(b));
}

function sortKey(rule: MinedRule): string {
  const { host = "", path = "", script = "" } = rule.scope;
  const name = "name" in rule ? rule.name : "";
  const action = rule.kind === "parameter" ? rule.action : "";
  return [name, rule.kind, action, host, path, script].join("\0");
}

/** The values of a parameter in the URLs that have it; where a URL repeats it, its first counts. */
class Values {
  readonly #bytes: Uint8Array;
  readonly #table: ByteTable;
  readonly #valueOf: Uint32Array;
  readonly #frequency: Uint32Array;

  constructor(
    scanner: UrlScanner,
    members: Uint32Array,
    place: ParameterPlace,
    isNamed: (start: number, end: number) => boolean,
  ) {
    this.#bytes = scanner.bytes;
    this.#table = new ByteTable(scanner.bytes);
    this.#valueOf = new Uint32Array(members.length);
    for (const [m, url] of members.entries()) {
      scanner.open(url);
      if (place === "query") scanner.query();
      else scanner.path();
      let p = 0;
      while (!isNamed(scanner.nameStart[p]!, scanner.nameEnd[p]!)) p++;
      this.#valueOf[m] = this.#table.intern(scanner.valueStart[p]!, scanner.valueEnd[p]!);
    }
    this.#frequency = new Uint32Array(this.#table.count);
    for (const value of this.#valueOf) this.#frequency[value] = this.#frequency[value]! + 1;
  }

  /** v_p: the most frequent value, then the smallest. */
  mostFrequent(): Uint8Array {
    let best = 0;
    for (let value = 1; value < this.#table.count; value++) if (this.#compareValues(value, best) < 0) best = value;
    return this.#bytes.slice(this.#table.starts[best]!, this.#table.ends[best]!);
  }

  /** Is the value of members[a] more frequent than that of members[b], or else smaller? */
  readonly isBefore = (a: number, b: number): boolean => this.#compareValues(this.#valueOf[a]!, this.#valueOf[b]!) < 0;

  #compareValues(a: number, b: number): number {
    if (a === b) return 0;
    const { starts, ends } = this.#table;
    return (
      this.#frequency[b]! - this.#frequency[a]! || compareBytes(this.#bytes, starts[a]!, ends[a]!, starts[b]!, ends[b]!)
    );
  }
}
