/** What a rule does to a URL as one of a few operations, for runtimes in other languages. */
export type Operation =
  /** The first occurrence of `first`, in whole tokens, becomes `second`. */
  | "replace"
  /** Parameters named `first` go, or get the value `second`. */
  | "remove"
  | "remove-path"
  | "set"
  | "set-path"
  /** Query parameters by name, or all where `first` is absent. */
  | "keep-first"
  | "keep-last"
  | "drop-empty"
  | "sort"
  | "lower-path";

export interface Edit {
  readonly operation: Operation;
  readonly first?: string | undefined;
  readonly second?: string;
  /** Anchored at the URL's first token, at its last. */
  readonly start?: boolean;
  readonly end?: boolean;
}
