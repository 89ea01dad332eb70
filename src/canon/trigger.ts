/** What a URL must have for a rule to be able to change it: how a kind of rules tells the index when to try one. */
import type { UrlBytes } from "./url-bytes.js";

/** Where the literal may stand: anywhere, at the URL's start, or as a parameter's name. */
export type TriggerRoot = "anywhere" | "start" | "name";

/** What must hold around a literal. */
export type TriggerCheck = "atBoundary" | "atEnd" | "queryName" | "pathName";

/** "isLong": only the beginning of a long literal is looked for, since walks that start one token apart read the same text again. */
export type OutputCheck = TriggerCheck | "isLong";

export type Trigger =
  /** A text between token boundaries. */
  | {
      readonly literal: string;
      readonly root: TriggerRoot;
      readonly check: TriggerCheck;
      /** Of one that may stand anywhere: does the rule leave scheme and host alone? */
      readonly isAfterHost?: boolean;
    }
  /** The URL must have all of these shapes (url-bytes.ts); 0: any URL. */
  | { readonly shape: number };

/** Rules about a query parameter, or about any of them. */
export function nameOrShape(name: string | undefined, shape: number): Trigger {
  return name === undefined ? { shape } : { literal: name, root: "name", check: "queryName" };
}

/** Finds where triggers may begin in URLs of memory that is its own, faster than it can be done here. */
export interface Scanner {
  /** For the text of URLs: at its own place in memory, with room after it. */
  readonly memory: Uint8Array;
  /** How many places were found, which are then in `places`, as indices into `memory`'s buffer; -1 where it cannot tell. */
  find(url: UrlBytes): number;
  readonly places: Uint32Array;
  /** May the URL that was looked at last have the shapes that some rule asks for? */
  hasShape(url: UrlBytes): boolean;
}

/** A rule that a literal leads to, what must hold around the literal, and how the path must begin. */
export interface Output {
  readonly rule: number;
  readonly check: OutputCheck;
  readonly path: Uint8Array | undefined;
}

/** The rules without a host in their scope, and the others by their host's id. */
export interface Outputs {
  readonly anywhere: Output[];
  byHost?: Map<number, Output[]>;
}

/** What tells, from the bytes of a URL alone, that no trigger holds for it. */
export interface TriggerTables {
  /** Indexed by the URL's first byte: not 0 where a rule looks for something at its start. */
  readonly starts: Int32Array;
  readonly pairs: Uint8Array;
  readonly beginnings: Uint8Array;
  /** Sets of shapes: a URL that has all of one may be a rule's. */
  readonly shapes: ReadonlySet<number>;
  /** The trie of all that rules look for: nodes under its roots by the first byte, and the cells of other children than a node's first. */
  readonly roots: Int32Array;
  readonly nameRoots: Int32Array;
  readonly nodes: Uint16Array;
  readonly children: Uint32Array;
  /** The rules of each node that has some. */
  readonly outputs: readonly (Outputs | undefined)[];
}
