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
  | "lower-path"
  /** In path and query, of the path: percent-encoded marks that need no encoding; slashes that follow each other. */
  | "decode-marks"
  | "single-slash"
  /** At the end of the path: the slash, a last segment named `first`, or the end `first` of its name. */
  | "drop-slash"
  | "add-slash"
  | "drop-name"
  | "drop-extension"
  | "add-extension"
  /** Before the host, and before that: the scheme `first`. */
  | "drop-www"
  | "add-www"
  | "scheme"
  /** Path and query that are `first` become `second`: texts with captures such as "{id:segment}", "{{" for a brace. */
  | "template";

export interface Edit {
  readonly operation: Operation;
  readonly first?: string | undefined;
  readonly second?: string;
  /** Anchored at the URL's first token, at its last. */
  readonly start?: boolean;
  readonly end?: boolean;
}
