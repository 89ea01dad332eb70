/** The rules that may apply to a URL: those whose literal occurs in it, where what must hold around the literal does. */
import { isAlphanumeric } from "../url/tokenize.js";
import type { Output, OutputCheck } from "./trigger.js";
import type { UrlBytes } from "./url-bytes.js";

/** Rule numbers, ascending, each once. Reused from URL to URL: nothing is allocated where nothing applies. */
export class Candidates {
  readonly rules: Int32Array;
  count = 0;
  /** stamps[rule] is the generation in which the rule was added last. */
  readonly #stamps: Int32Array;
  #generation = 1;

  constructor(ruleCount: number) {
    this.rules = new Int32Array(ruleCount);
    this.#stamps = new Int32Array(ruleCount);
  }

  clear(): void {
    this.count = 0;
    this.#generation = (this.#generation + 1) | 0;
  }

  add(rule: number): void {
    if (this.#stamps[rule] === this.#generation) return;
    this.#stamps[rule] = this.#generation;
    const rules = this.rules;
    let at = this.count++;
    for (; at > 0 && rules[at - 1]! > rule; at--) rules[at] = rules[at - 1]!;
    rules[at] = rule;
  }
}

export const alphanumericBytes = Uint8Array.from({ length: 256 }, (_, byte) => (isAlphanumeric(byte) ? 1 : 0));

/** Adds the rules of a literal that stands at bytes[start .. end), as far as what must hold around it does. */
export function addOutputs(
  outputs: readonly Output[],
  url: UrlBytes,
  start: number,
  end: number,
  candidates: Candidates,
  atEnd: boolean,
): void {
  for (const { rule, check, path } of outputs) {
    if (holds(check, url, start, end, atEnd) && (path === undefined || url.hasPathPrefix(path))) candidates.add(rule);
  }
}

/** Does what must hold around the literal bytes[start .. end) hold? */
function holds(check: OutputCheck, url: UrlBytes, start: number, end: number, atEnd: boolean): boolean {
  const { bytes } = url;
  const isLast = end === url.end;
  switch (check) {
    case "atEnd":
      return atEnd && isLast;
    case "queryName": {
      if (isLast) return true;
      const after = bytes[end];
      return after === 0x3d || after === 0x26 || after === 0x3b || after === 0x23;
    }
    case "isLong":
      return true;
    case "pathName":
      return bytes[start - 1] === 0x3b && !isLast && bytes[end] === 0x3d;
    case "atBoundary":
      return isLast || (alphanumericBytes[bytes[end - 1]!]! & alphanumericBytes[bytes[end]!]!) === 0;
  }
}
