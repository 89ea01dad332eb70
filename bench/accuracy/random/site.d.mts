export interface LogLine {
  readonly url: string;
  readonly status: number;
  readonly bytes: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** A site with known truth. */
export interface Site {
  readonly origins: readonly string[];
  readonly log: readonly LogLine[];
  /** What the server says the `look`-th time that it is asked anything. */
  answer(url: string, look: number): Answer;
  /** The identity of the page that this URL shows; null where it shows none. */
  truth(url: string): string | null;
}

/** `quiet`: without what changes at every look. */
export function randomSite(seed: number, options?: { readonly lines?: number; readonly quiet?: boolean }): Site;
