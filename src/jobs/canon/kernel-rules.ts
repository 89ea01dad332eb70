/** The rules that the kernel applies itself, as its memory holds them. */
import type { Canonizer } from "../../canon/compile.js";
import { shrinks } from "../../canon/kinds.js";
import { SHORT_LITERAL } from "../../canon/occurrences.js";
import type { Rule } from "../../model.js";
import {
  AT_END,
  BYTES,
  FIRST_LENGTH,
  FLAGS,
  IS_REPEATED,
  NUMBER,
  OPERATION,
  REMOVE,
  REMOVE_FROM_PATH,
  REPLACE,
  SECOND_LENGTH,
} from "./constants.js";

interface KernelRule {
  readonly number: number;
  readonly operation: number;
  readonly flags: number;
  readonly first: string;
  readonly second: string;
}

/** A table with the place of each node's list of rules, then the lists, then the rules. */
export class KernelRules {
  readonly #rules = new Map<number, KernelRule>();
  readonly #lists = new Map<number, readonly number[]>();
  readonly #nodeCount: number;
  readonly byteLength: number;

  constructor({ rules, recipe, triggers }: Canonizer) {
    for (const [number, rule] of recipe.plan === "ours" ? rules.entries() : []) {
      const known = kernelRule(number, rule);
      if (known !== undefined) this.#rules.set(number, known);
    }
    this.#nodeCount = triggers.nodes.length;
    let length = 4 * this.#nodeCount;
    for (const [node, outputs] of triggers.outputs.entries()) {
      if (outputs === undefined || outputs.byHost !== undefined) continue;
      const list = outputs.anywhere.map(({ rule }) => rule);
      if (!list.every((rule) => this.#rules.has(rule))) continue;
      this.#lists.set(node, list);
      length += 4 + 4 * list.length;
    }
    for (const { first, second } of this.#rules.values()) length += roundUp(BYTES + first.length + second.length);
    this.byteLength = length;
  }

  write(buffer: ArrayBuffer, start: number): void {
    const bytes = Buffer.from(buffer, start, this.byteLength);
    let at = 4 * this.#nodeCount;
    const places = new Map<number, number>();
    for (const { number, operation, flags, first, second } of this.#rules.values()) {
      places.set(number, start + at);
      bytes.writeUInt32LE(number, at + NUMBER);
      bytes.writeUInt32LE(operation, at + OPERATION);
      bytes.writeUInt32LE(flags, at + FLAGS);
      bytes.writeUInt32LE(first.length, at + FIRST_LENGTH);
      bytes.writeUInt32LE(second.length, at + SECOND_LENGTH);
      bytes.write(first + second, at + BYTES, "latin1");
      at += roundUp(BYTES + first.length + second.length);
    }
    for (const [node, list] of this.#lists) {
      bytes.writeUInt32LE(start + at, 4 * node);
      bytes.writeUInt32LE(list.length, at);
      for (const [i, rule] of list.entries()) bytes.writeUInt32LE(places.get(rule)!, at + 4 + 4 * i);
      at += 4 + 4 * list.length;
    }
  }
}

/** Undefined where the kernel does not know such rules. */
function kernelRule(number: number, rule: Rule): KernelRule | undefined {
  if (Object.keys(rule.scope).length > 0) return undefined;
  const flags = shrinks(rule) ? IS_REPEATED : 0;
  if (rule.kind === "parameter" && rule.action === "remove" && isPlain(rule.name) && /^[^&;=?#/]+$/.test(rule.name)) {
    const operation = rule.place === "query" ? REMOVE : REMOVE_FROM_PATH;
    return { number, operation, flags, first: rule.name, second: "" };
  }
  if (rule.kind !== "substring" || rule.start || !isPlain(rule.from) || !isPlain(rule.to)) return undefined;
  const { from, to, end } = rule;
  // What was replaced must not be taken for what is to be replaced.
  if (from === "" || (end ? to.length >= from.length : to.includes(from))) return undefined;
  return { number, operation: REPLACE, flags: end ? flags | AT_END : flags, first: from, second: to };
}

function isPlain(text: string): boolean {
  return text.length <= SHORT_LITERAL && /^[\x21-\x7e]*$/.test(text);
}

function roundUp(bytes: number): number {
  return 4 * Math.ceil(bytes / 4);
}
