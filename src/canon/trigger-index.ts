/**
 * Which rules can change a URL, in one pass over its text, however many rules there are.
 *
 * Every rule has a trigger: a condition that holds for each URL that the rule changes, and for few others. For most it
 * is a literal (the string to replace, the parameter's name) between token boundaries. The literals are in one trie,
 * which is walked from each token boundary: a walk ends at the first byte that no literal has, mostly at once, so
 * Aho-Corasick's failure links would cost more than they would ever save.
 */

import type { RuleAction, Scope } from "../model.js";
import { HashSlots } from "../tables/hash-slots.js";
import { lowerAscii } from "../url/normalize.js";
import { addOutputs, alphanumericBytes, type Candidates } from "./candidates.js";
import {
  EIGHT_BEGIN,
  EIGHT_TELL,
  FIRST_BYTE,
  FOUR_TELL,
  HAS_CHILD,
  HAS_MORE_CHILDREN,
  HAS_RULES,
  HASH_FACTOR,
  IN_ORIGIN,
  LITERAL,
  NAME,
  QUERY,
  QUERY_SHAPES,
  SHORT,
} from "./constants.js";
import { HostIndex } from "./host-index.js";
import { triggerOf } from "./kinds.js";
import { SHORT_LITERAL } from "./occurrences.js";
import type { Output, Outputs, Scanner, TriggerRoot, TriggerTables } from "./trigger.js";
import type { UrlBytes } from "./url-bytes.js";

const separators = ["?", "&", ";"] as const;

interface Shaped {
  readonly rule: number;
  readonly shape: number;
}

/** What a rule looks for, before there is a trie. */
interface Literal {
  /** One character for each byte, so that literals sort by their bytes. */
  readonly bytes: string;
  readonly host: number;
  readonly output: Output;
}

const ANY_HOST = -1;
/** A node's number and a byte are 31 bits. Very many literals are cut short, so that they need no more nodes than that. */
const MAX_NODES = 1 << 22;

export class TriggerIndex {
  // Nodes are numbered in depth-first order, so that a node's first child is the number after its own. Node 0 is none.
  readonly #nodes: Uint16Array;
  /** Other children, by the hash of (node << 8 | byte): no two of these have one hash, so that it need not be compared again. */
  readonly #children: HashSlots;
  /** Children of the roots by byte: of literals anywhere, of those at the URL's start, and of parameters' names. */
  readonly #roots = new Int32Array(256);
  readonly #startRoots = new Int32Array(256);
  readonly #nameRoots = new Int32Array(256);
  /** What begins at two bytes, the first in the low half of the index: LITERAL, NAME, SHORT, QUERY, IN_ORIGIN. */
  readonly #pairs = new Uint8Array(1 << 16);
  /** By hashes of the first four and eight bytes of literals, and of names with the separator before them. */
  readonly #beginnings = new Uint8Array(1 << 16);
  readonly #outputs: (Outputs | undefined)[];
  /** Rules that go by the URL's shape, and not by a literal in it: those of any host, and the others by their host's id. */
  readonly #shaped: Shaped[] = [];
  readonly #shapedByHost = new Map<number, Shaped[]>();
  readonly #wantedShapes: number;
  readonly tables: TriggerTables;
  scanner: Scanner | undefined;
  readonly #hosts: HostIndex;
  #areHostsKnown = false;
  /** Where the first "?" is, or -1; only where some rule asks for the query's shape. */
  #question = -1;

  constructor(rules: readonly (RuleAction & { readonly scope: Scope })[]) {
    const hostIds = new Map<string, number>();
    const literals: Record<TriggerRoot, Literal[]> = { anywhere: [], start: [], name: [] };
    const maxBytes = Math.min(SHORT_LITERAL, Math.ceil(MAX_NODES / rules.length));
    const shapes = new Set<number>();
    let wantedShapes = 0;
    // As many as if no literal began as another does.
    let maxNodes = 1;
    for (const [rule, action] of rules.entries()) {
      const name = action.scope.host === undefined ? undefined : lowerAscii(action.scope.host);
      const host = name === undefined ? ANY_HOST : (hostIds.get(name) ?? hostIds.size);
      if (name !== undefined) hostIds.set(name, host);
      const trigger = triggerOf(action);
      if ("shape" in trigger) {
        const shaped = { rule, shape: trigger.shape };
        if (host === ANY_HOST) this.#shaped.push(shaped);
        else pushTo(this.#shapedByHost, host, shaped);
        shapes.add(trigger.shape);
        wantedShapes |= trigger.shape;
        continue;
      }
      const whole = byteText(trigger.literal);
      const bytes = whole.slice(0, maxBytes);
      if (trigger.root === "anywhere") this.#addBeginning(bytes, trigger.isAfterHost ? LITERAL : LITERAL | IN_ORIGIN);
      if (trigger.root === "name") {
        for (const separator of separators) this.#addBeginning(separator + bytes, NAME);
      }
      const path = action.scope.path === undefined ? undefined : encoder.encode(action.scope.path);
      const check = bytes.length < whole.length ? "isLong" : trigger.check;
      maxNodes += bytes.length;
      literals[trigger.root].push({ bytes, host, output: { rule, check, path } });
    }
    this.#hosts = new HostIndex([...hostIds.keys()]);
    this.#wantedShapes = wantedShapes;

    // Of children that are not a node's first there are fewer than literals. At most half full: a miss, the common
    // answer, then takes one or two looks.
    this.#nodes = new Uint16Array(maxNodes);
    this.#outputs = new Array(maxNodes);
    this.#children = HashSlots.ofSize(Math.max(16, 2 * rules.length));
    let next = this.#addLiterals(literals.anywhere, this.#roots, 1);
    next = this.#addLiterals(literals.start, this.#startRoots, next);
    this.#addLiterals(literals.name, this.#nameRoots, next);
    if ((wantedShapes & QUERY_SHAPES) !== 0) {
      for (let next = 0; next < 256; next++) this.#pairs[0x3f | (next << 8)]! |= QUERY;
    }
    this.tables = {
      starts: this.#startRoots,
      pairs: this.#pairs,
      beginnings: this.#beginnings,
      shapes,
      roots: this.#roots,
      nameRoots: this.#nameRoots,
      nodes: this.#nodes,
      children: this.#children.cells,
      outputs: this.#outputs,
    };
  }

  /**
   * Adds every rule whose trigger holds for the text. `atStart` and `atEnd` say whether the text begins and ends where
   * the URL does.
   */
  collect(url: UrlBytes, candidates: Candidates, atStart = true, atEnd = true): void {
    const { bytes, view, start, end } = url;
    const pairs = this.#pairs;
    this.#areHostsKnown = false;
    this.#question = -1;
    if (this.scanner !== undefined && this.#scan(this.scanner, url, candidates)) return;
    if (atStart && start < end) this.#walk(url, start, this.#startRoots[bytes[start]!]!, candidates, atEnd);
    // Two pairs of bytes at a time, and one branch that is rarely taken; after the end there is room for one pair more.
    for (let i = start; i < end; i += 2) {
      const four = view.getUint32(i, true);
      const first = pairs[four & 0xffff]!;
      const second = pairs[(four >>> 8) & 0xffff]!;
      if ((first | second) === 0) continue;
      if (first !== 0) this.#begin(url, i, first, candidates, atStart, atEnd);
      if (second !== 0) this.#begin(url, i + 1, second, candidates, atStart, atEnd);
    }
    this.#addShaped(url, candidates);
  }

  /** The same of a whole URL with a scanner's help; false where that cannot tell. */
  #scan(scanner: Scanner, url: UrlBytes, candidates: Candidates): boolean {
    const { bytes, start } = url;
    const count = scanner.find(url);
    if (count < 0) return false;
    this.#walk(url, start, this.#startRoots[bytes[start]!]!, candidates, true);
    const { places } = scanner;
    for (let i = 0; i < count; i++) {
      const at = places[i]! - bytes.byteOffset;
      // The scanner has seen to it that nothing begins too early.
      this.#begin(url, at, this.#pairs[bytes[at]! | (bytes[at + 1]! << 8)]!, candidates, false, true);
    }
    if (!scanner.hasShape(url)) return true;
    const question = (this.#wantedShapes & QUERY_SHAPES) === 0 ? -1 : bytes.indexOf(0x3f, start);
    this.#question = question < url.end ? question : -1;
    this.#addShaped(url, candidates);
    return true;
  }

  /** Something may begin at the byte `at`. */
  #begin(url: UrlBytes, at: number, what: number, candidates: Candidates, atStart: boolean, atEnd: boolean): void {
    const { bytes, start, end } = url;
    if (at === end) return;
    if ((what & QUERY) !== 0 && this.#question < 0) this.#question = at;
    if ((what & IN_ORIGIN) === 0 && atStart && at < url.pathStart()) return;
    if ((what & SHORT) === 0 && !this.#mayBegin(url.view, at)) return;
    if ((what & LITERAL) !== 0) {
      const isInside = at > start && (alphanumericBytes[bytes[at - 1]!]! & alphanumericBytes[bytes[at]!]!) !== 0;
      if (!isInside) this.#walk(url, at, this.#roots[bytes[at]!]!, candidates, atEnd);
    }
    if ((what & NAME) !== 0 && at + 1 < end) {
      this.#walk(url, at + 1, this.#nameRoots[bytes[at + 1]!]!, candidates, atEnd);
    }
  }

  /** Do the next bytes begin a literal, or a name with the separator before it? */
  #mayBegin(view: DataView, at: number): boolean {
    const four = view.getUint32(at, true);
    const told = this.#beginnings[hashOf(four)]!;
    if ((told & FOUR_TELL) !== 0) return true;
    if ((told & EIGHT_TELL) === 0) return false;
    return (this.#beginnings[hashOfBoth(four, view.getUint32(at + 4, true))]! & EIGHT_BEGIN) !== 0;
  }

  /** Notes how the literal, or the name with the separator before it, begins. */
  #addBeginning(literal: string, what: number): void {
    const byte = (at: number) => literal.charCodeAt(at);
    if (literal.length >= 4) {
      const four = fourAt(literal, 0);
      this.#pairs[four & 0xffff]! |= what;
      this.#beginnings[hashOf(four)]! |= literal.length < 8 ? FOUR_TELL : EIGHT_TELL;
      if (literal.length >= 8) this.#beginnings[hashOfBoth(four, fourAt(literal, 4))]! |= EIGHT_BEGIN;
    } else if (literal.length > 1) {
      this.#pairs[byte(0) | (byte(1) << 8)]! |= what | SHORT;
    } else {
      for (let next = 0; next < 256; next++) this.#pairs[byte(0) | (next << 8)]! |= what | SHORT;
    }
  }

  /**
   * Sorts literals and gives their nodes numbers, from `number` on, and writes them into the tables: what a literal
   * has beyond the one before it are new nodes, each the child of the last.
   */
  #addLiterals(literals: Literal[], roots: Int32Array, number: number): number {
    // The nodes that lead to the end of the last literal.
    const way: number[] = [];
    let next = number;
    let last = "";
    for (const { bytes, host, output } of literals.sort((a, b) => (a.bytes < b.bytes ? -1 : 1))) {
      let common = 0;
      while (common < last.length && bytes[common] === last[common]) common++;
      last = bytes;
      way.length = common;
      for (let at = common; at < bytes.length; at++) {
        const byte = bytes.charCodeAt(at);
        if (at === 0) roots[byte] = next;
        else this.#addChild(way[at - 1]!, byte, next);
        way.push(next++);
      }
      const node = way.at(-1)!;
      this.#nodes[node]! |= HAS_RULES;
      this.#outputs[node] ??= { anywhere: [] };
      const outputs = this.#outputs[node];
      if (host === ANY_HOST) {
        outputs.anywhere.push(output);
        continue;
      }
      outputs.byHost ??= new Map();
      pushTo(outputs.byHost, host, output);
    }
    return next;
  }

  #addChild(node: number, byte: number, child: number): void {
    if ((this.#nodes[node]! & HAS_CHILD) === 0) {
      this.#nodes[node]! |= HAS_CHILD | byte;
      return;
    }
    this.#nodes[node]! |= HAS_MORE_CHILDREN;
    this.#children.insert(child, childHash((node << 8) | byte));
  }

  /**
   * Follows the text from the byte at `start`, which leads to `node` (0: to none), and adds the rules of all nodes on
   * the way.
   */
  #walk(url: UrlBytes, start: number, node: number, candidates: Candidates, atEnd: boolean): void {
    const { bytes, end } = url;
    const nodes = this.#nodes;
    for (let next = start + 1, at = node; at !== 0; next++) {
      const kind = nodes[at]!;
      if ((kind & HAS_RULES) !== 0) this.#addRules(url, start, next, at, candidates, atEnd);
      if (next === end || (kind & HAS_CHILD) === 0) return;
      const byte = bytes[next]!;
      if ((kind & FIRST_BYTE) === byte) at++;
      else if ((kind & HAS_MORE_CHILDREN) === 0) return;
      else at = this.#otherChildOf((at << 8) | byte);
    }
  }

  #otherChildOf(key: number): number {
    const children = this.#children;
    const hash = childHash(key);
    for (let slot = children.first(hash); ; slot = children.next(slot)) {
      const child = children.entry(slot);
      if (child < 0) return 0;
      if (children.hash(slot) === hash) return child;
    }
  }

  #addRules(url: UrlBytes, start: number, end: number, node: number, candidates: Candidates, atEnd: boolean): void {
    const { anywhere, byHost } = this.#outputs[node]!;
    addOutputs(anywhere, url, start, end, candidates, atEnd);
    if (byHost === undefined) return;
    this.#findHosts(url);
    for (let i = 0; i < this.#hosts.count; i++) {
      const own = byHost.get(this.#hosts.found[i]!);
      if (own !== undefined) addOutputs(own, url, start, end, candidates, atEnd);
    }
  }

  #addShaped(url: UrlBytes, candidates: Candidates): void {
    if (this.#shaped.length === 0 && this.#shapedByHost.size === 0) return;
    const shapes = this.#wantedShapes === 0 ? 0 : url.shapes(this.#wantedShapes, this.#question);
    for (const { rule, shape } of this.#shaped) if ((shapes & shape) === shape) candidates.add(rule);
    if (this.#shapedByHost.size === 0) return;
    this.#findHosts(url);
    for (let i = 0; i < this.#hosts.count; i++) {
      for (const { rule, shape } of this.#shapedByHost.get(this.#hosts.found[i]!) ?? []) {
        if ((shapes & shape) === shape) candidates.add(rule);
      }
    }
  }

  /** Only where a rule of some host would otherwise be a candidate: most URLs never get here. */
  #findHosts(url: UrlBytes): void {
    if (!this.#areHostsKnown) this.#hosts.find(url);
    this.#areHostsKnown = true;
  }
}

const encoder = new TextEncoder();

/** Four bytes of such a text as a number, the first in its lowest bits. */
function fourAt(bytes: string, at: number): number {
  const byte = (after: number) => bytes.charCodeAt(at + after) << (8 * after);
  return (byte(0) | byte(1) | byte(2) | byte(3)) >>> 0;
}

/** One character for each byte of the text's UTF-8. */
function byteText(text: string): string {
  return /^[\0-\x7f]*$/.test(text)
    ? text
    : Array.from(encoder.encode(text), (byte: number) => String.fromCharCode(byte)).join("");
}

/** Adds to the list of that key. */
export function pushTo<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  if (!lists.has(key)) lists.set(key, []);
  lists.get(key)!.push(item);
}

/** One to one, and as little as will do: most bytes of most URLs lead here. */
function childHash(key: number): number {
  const hash = Math.imul(key, 0x9e3779b1);
  return hash ^ (hash >>> 16);
}

function hashOf(four: number): number {
  return Math.imul(four, HASH_FACTOR) >>> 16;
}

function hashOfBoth(four: number, next: number): number {
  return hashOf(Math.imul(four, HASH_FACTOR) ^ next);
}
