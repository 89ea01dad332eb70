import type { Comparison } from "./looks/same-page.js";

/** What a look at a URL showed. `P` is whatever the similarity test compares. */
export type PageView<P> =
  | { readonly seen: "page"; readonly page: P }
  /** The URL names nothing: 4xx, or a page, which is given, that is known for an error by its text. */
  | { readonly seen: "missing"; readonly why: string; readonly errorPage?: P }
  /** A page that stands in for the one that was asked for: a login, a consent form, a challenge. */
  | { readonly seen: "wall"; readonly why: string }
  /** Nothing was learned: robots, throttling, time-out, 5xx, or an address that must not be fetched. */
  | { readonly seen: "unavailable"; readonly why: string }
  /** No more looks: the budget is used up, or the work was cancelled. */
  | { readonly seen: "stopped" };

/** Where pages come from: the live site, or pages already in the workspace. */
export interface Pages<P> {
  /** Only where nothing can be fetched, as from an archive: looks cost nothing, but most URLs cannot be looked at. */
  readonly known?: KnownOnlyPages;
  /** How many more requests may be sent; absent where looks cost nothing. */
  readonly requestsLeft?: number;
  /** The URLs of the site that is looked at from here on, in the order in which they are drawn. */
  expect?(urls: readonly string[]): void;
  /**
   * Are most pages of these URLs of another size at a second look, so that the sizes in a log tell nothing? Undefined where
   * no more can be looked at.
   */
  sizesVary?(urls: readonly string[]): Promise<boolean | undefined>;
  /** Why a look at this URL would show nothing, where that is known without one: another host, an action. */
  leftAlone(url: string): string | undefined;
  /**
   * Look 0 is the first; a higher number asks for one more, fresh look at a URL seen before. `later`: not within the same
   * second as the first.
   */
  view(url: string, look: number, later?: boolean): Promise<PageView<P>>;
  /** All looks so far at a URL that showed a page; absent where there is never more than one. */
  looksAt?(url: string): readonly P[];
  /** Are they one page, by all looks at each of them? `whole`: by all their text, also what other pages have. */
  compare(a: readonly P[], b: readonly P[], whole?: boolean): PageComparison;
  /**
   * Does the page say what this error page says, and nothing else, by all looks at both? "partly": another look may tell. Absent
   * where error pages are not known by their text.
   */
  likenessToError?(page: P, errorPage: P): "same" | "partly" | "other";
  /** Was this URL only led to the site's front page, as servers do with what is gone? */
  isLedHome?(page: P): boolean;
  /** What the site itself says about the two: evidence in addition to the text, which never overrides it. */
  declared(a: P, b: P): Declared;
}

export interface PageComparison extends Comparison {
  /** A difference that no advertisement and no time between the looks explains: it refutes by itself. */
  readonly certain: boolean;
  /** Why they cannot be compared. */
  readonly why?: string;
  /** They cannot be compared since they are unequal, which may be by chance: equal ones would have been the same. */
  readonly isUnequal?: boolean;
}

export interface KnownOnlyPages {
  /** All URLs of which anything is known. */
  urls(): Iterable<string>;
  /** Do they show one page (true), or two, or a page and none (false)? Undefined where nothing can be said. */
  alike(a: string, b: string): boolean | undefined;
  /** Does the site redirect the first to the second? */
  leads(from: string, to: string): boolean;
  /**
   * The URL to compare `url` with, of which a rule makes `target`. That is `target` if both were seen at about the same
   * time, else the one of `others` that was seen nearest in time: the rule makes the same of these, so that their pages
   * have to be alike too.
   */
  partnerOf(url: string, target: string, others: readonly string[]): Partner;
}

export interface Partner {
  readonly url: string;
  /** Names the document of the URL that the rule is applied to, if it shows a page. */
  readonly document: string | undefined;
  /** Is a page known where the rule leads? */
  readonly targetIsPage: boolean;
}

/**
 * The first redirects to the second, or both to one place; the second redirects back to the first; both name one
 * canonical URL; both name the first as that; they name different ones; the second is where the page is in its language, and the first
 * is not; the other way round; nothing.
 */
export type Declared =
  | "redirect"
  | "back"
  | "canonical"
  | "canonicalBack"
  | "conflict"
  | "language"
  | "languageBack"
  | undefined;
