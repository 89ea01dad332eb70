/** What a URL must have so that a rule can change it: how a kind of rules tells the index when it is worth a try. */

/** Where the literal may stand: anywhere, at the URL's start, or as a parameter's name. */
export type TriggerRoot = "anywhere" | "start" | "name";

/** What must hold around a literal. */
export type TriggerCheck = "atBoundary" | "atEnd" | "queryName" | "pathName";

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
