/**
 * Which rules can change a URL, in one pass over its text, however many rules there are.
 *
 * Every rule has a trigger: a condition that holds for each URL that the rule changes, and for few others. For most it
 * is a literal (the string to replace, the parameter's name) between token boundaries. The literals are in one trie,
 * which is walked from each token boundary: a walk ends at the first character that no literal has, mostly at once,
 * so Aho-Corasick's failure links would cost more to build than they would ever save.
 */
import type { RuleAction } from "../model.js";
import { isTokenBoundary } from "../url/tokenize.js";

/** Rule numbers, ascending, each once. Reused from URL to URL: nothing is allocated where nothing applies. */
export class Candidates {
  readonly rules: Int32Array;
  count = 0;
  /** stamps[rule] is the generation in which the rule was added last. */
  private readonly stamps: Int32Array;
  private generation = 1;

  constructor(ruleCount: number) {
    this.rules = new Int32Array(ruleCount);
    this.stamps = new Int32Array(ruleCount);
  }

  clear(): void {
    this.count = 0;
    this.generation = (this.generation + 1) | 0;
  }

  add(rule: number): void {
    if (this.stamps[rule] === this.generation) return;
    this.stamps[rule] = this.generation;
    const rules = this.rules;
    let at = this.count++;
    for (; at > 0 && rules[at - 1]! > rule; at--) rules[at] = rules[at - 1]!;
    rules[at] = rule;
  }
}

// What a character is. The bits of all characters of a URL together decide triggers that have no literal.
const ALPHANUMERIC = 1;
const UPPER = 2;
const QUESTION_MARK = 4;
const CLASSES = new Uint8Array(128);
for (let code = 48; code <= 57; code++) CLASSES[code] = ALPHANUMERIC;
for (let code = 65; code <= 90; code++) CLASSES[code] = ALPHANUMERIC | UPPER;
for (let code = 97; code <= 122; code++) CLASSES[code] = ALPHANUMERIC;
CLASSES[0x3f] = QUESTION_MARK;

// What must hold around a literal.
const AT_BOUNDARY = 0;
const AT_END = 1;
const QUERY_NAME = 2;
const PATH_NAME = 3;

interface Trigger {
  /** Without a literal, all bits of `classes` must occur in the URL. */
  readonly literal: string;
  readonly atStart: boolean;
  readonly check: number;
  readonly classes: number;
}

function triggerOf(action: RuleAction): Trigger {
  const any = { literal: "", atStart: false, check: AT_BOUNDARY, classes: 0 };
  switch (action.kind) {
    case "substring":
      return { ...any, literal: action.from, atStart: action.start, check: action.end ? AT_END : AT_BOUNDARY };
    case "parameter":
      return { ...any, literal: action.name, check: action.place === "query" ? QUERY_NAME : PATH_NAME };
    case "repeatedParameter":
    case "emptyParameter":
      return { ...any, literal: action.name ?? "", check: QUERY_NAME, classes: QUESTION_MARK };
    case "parameterOrder":
      return { ...any, classes: QUESTION_MARK };
    case "case":
      return { ...any, classes: UPPER };
  }
}

const ROOT = 1;
const START_ROOT = 2;

export class TriggerIndex {
  // Children: an open hash table from (node, character) to node. Node 0 is none.
  private readonly parents: Int32Array;
  private readonly codes: Uint16Array;
  private readonly children: Int32Array;
  private readonly mask: number;
  /** Children of the root, by ASCII character. */
  private readonly first = new Int32Array(128);
  private readonly hasStart: boolean;
  // Node n's rules are outputs[outputStart[n] .. outputStart[n + 1]), with what must hold around their literals.
  private readonly outputStart: Int32Array;
  private readonly outputs: Int32Array;
  private readonly checks: Uint8Array;
  private readonly withoutLiteral: readonly { readonly rule: number; readonly classes: number }[];

  constructor(rules: readonly { readonly rule: number; readonly action: RuleAction }[]) {
    const nodes: { children: Map<number, number>; outputs: { rule: number; check: number }[] }[] = [];
    const newNode = (): number => nodes.push({ children: new Map(), outputs: [] }) - 1;
    newNode();
    newNode();
    newNode();
    const withoutLiteral: { rule: number; classes: number }[] = [];
    let edges = 0;
    for (const { rule, action } of rules) {
      const { literal, atStart, check, classes } = triggerOf(action);
      if (literal === "") {
        withoutLiteral.push({ rule, classes });
        continue;
      }
      let node = atStart ? START_ROOT : ROOT;
      for (let i = 0; i < literal.length; i++) {
        const code = literal.charCodeAt(i);
        let child = nodes[node]!.children.get(code);
        if (child === undefined) {
          child = newNode();
          nodes[node]!.children.set(code, child);
          edges++;
        }
        node = child;
      }
      nodes[node]!.outputs.push({ rule, check });
    }

    // At most half full: a miss, the common answer, then takes one or two looks.
    let size = 16;
    while (size < 2 * edges) size *= 2;
    this.mask = size - 1;
    this.parents = new Int32Array(size);
    this.codes = new Uint16Array(size);
    this.children = new Int32Array(size);
    this.outputStart = new Int32Array(nodes.length + 1);
    this.outputs = new Int32Array(rules.length);
    this.checks = new Uint8Array(rules.length);
    let output = 0;
    for (const [node, { children, outputs }] of nodes.entries()) {
      for (const [code, child] of children) {
        let slot = this.slotOf(node, code);
        while (this.parents[slot] !== 0) slot = (slot + 1) & this.mask;
        this.parents[slot] = node;
        this.codes[slot] = code;
        this.children[slot] = child;
        if (node === ROOT && code < 128) this.first[code] = child;
      }
      this.outputStart[node] = output;
      for (const { rule, check } of outputs) {
        this.outputs[output] = rule;
        this.checks[output++] = check;
      }
    }
    this.outputStart[nodes.length] = output;
    this.hasStart = nodes[START_ROOT]!.children.size > 0;
    this.withoutLiteral = withoutLiteral;
  }

  /**
   * Adds every rule whose trigger holds for the text. `atStart` and `atEnd` say whether the text begins and ends where
   * the URL does.
   */
  collect(text: string, candidates: Candidates, atStart = true, atEnd = true): void {
    const first = this.first;
    let seen = 0;
    let isInWord = false;
    if (this.hasStart && atStart && text.length > 0) {
      const node = this.childOf(START_ROOT, text.charCodeAt(0));
      if (node !== 0) this.walk(text, 0, node, candidates, atEnd);
    }
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      let node: number;
      if (code < 128) {
        const bits = CLASSES[code]!;
        seen |= bits;
        if ((bits & ALPHANUMERIC) === 0) isInWord = false;
        else if (isInWord) continue;
        else isInWord = true;
        node = first[code]!;
      } else {
        isInWord = false;
        node = this.childOf(ROOT, code);
      }
      if (node !== 0) this.walk(text, i, node, candidates, atEnd);
    }
    for (const { rule, classes } of this.withoutLiteral) if ((seen & classes) === classes) candidates.add(rule);
  }

  /** Follows the text from the character at `start`, which leads to `node`, and adds the rules of all nodes on the way. */
  private walk(text: string, start: number, node: number, candidates: Candidates, atEnd: boolean): void {
    for (let end = start + 1, at = node; ; end++) {
      const last = this.outputStart[at + 1]!;
      for (let output = this.outputStart[at]!; output < last; output++) {
        if (holds(this.checks[output]!, text, start, end, atEnd)) candidates.add(this.outputs[output]!);
      }
      if (end === text.length) return;
      at = this.childOf(at, text.charCodeAt(end));
      if (at === 0) return;
    }
  }

  private childOf(node: number, code: number): number {
    for (let slot = this.slotOf(node, code); ; slot = (slot + 1) & this.mask) {
      const parent = this.parents[slot]!;
      if (parent === 0) return 0;
      if (parent === node && this.codes[slot] === code) return this.children[slot]!;
    }
  }

  private slotOf(node: number, code: number): number {
    const hash = Math.imul(node ^ (code << 20), 0x9e3779b1);
    return (hash ^ (hash >>> 15)) & this.mask;
  }
}

function holds(check: number, text: string, start: number, end: number, atEnd: boolean): boolean {
  switch (check) {
    case AT_END:
      return atEnd && end === text.length;
    case QUERY_NAME: {
      const before = text.charCodeAt(start - 1);
      if (before !== 0x3f && before !== 0x26 && before !== 0x3b) return false;
      if (end === text.length) return true;
      const after = text.charCodeAt(end);
      return after === 0x3d || after === 0x26 || after === 0x3b || after === 0x23;
    }
    case PATH_NAME:
      return text.charCodeAt(start - 1) === 0x3b && text.charCodeAt(end) === 0x3d;
    default:
      return isTokenBoundary(text, end);
  }
}
