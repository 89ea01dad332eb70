/**
 * Places that answer everything with one page: an application that needs a browser, a notice, a wall in unknown words.
 * Probes for soft 404s do not notice this where only existing names are answered so, and every rule would be proven. As
 * long as all pages of a place are alike, a few of its other URLs are looked at, under names of their own.
 */

/** Alike pages of a place, under different URLs, before others are looked at; and others that must be alike too. */
const PAGES_ENOUGH = 5;
/** Others that are asked for: some of them will be missing. */
const LOOKS_ELSEWHERE = 10;

export interface OnePageOptions<P> {
  readonly similar: (a: P, b: P) => boolean;
  /** The page that this URL shows, "none", or undefined where no more can be looked at. */
  readonly look: (url: string) => Promise<P | "none" | undefined>;
  /** URLs of a place, in the order in which they are drawn. */
  readonly listed: (place: string) => Iterable<string>;
  /** What a URL is called in its place: pages under one name are one, of whatever place. Several where it has several parts. */
  readonly namesOf: (url: string, place: string) => readonly string[];
}

interface PlaceTexts<P> {
  readonly first: P;
  readonly urls: Set<string>;
  /** By part of a name: those that were seen. */
  readonly names: Set<string>[];
  /** A page that is unlike the first. */
  other?: P;
  /** Undefined until others were looked at. */
  isOne: boolean | undefined;
}

export class OnePagePlaces<P> {
  readonly #places = new Map<string, PlaceTexts<P>>();
  readonly #options: OnePageOptions<P>;

  constructor(options: OnePageOptions<P>) {
    this.#options = options;
  }

  /** Those that answer everything with one page. */
  get places(): string[] {
    return [...this.#places].flatMap(([place, { isOne }]) => (isOne === true ? [place] : []));
  }

  /** Is this page what its place answers everything with? Undefined where no more can be looked at. */
  async isOnePage(place: string, url: string, page: P): Promise<boolean | undefined> {
    const texts = this.#places.get(place) ?? { first: page, urls: new Set(), names: [], isOne: undefined };
    this.#places.set(place, texts);
    if (texts.other !== undefined) return false;
    if (texts.first !== page && !this.#options.similar(texts.first, page)) {
      texts.other = page;
      texts.isOne = false;
      return false;
    }
    for (const [part, name] of this.#options.namesOf(url, place).entries()) {
      texts.names[part] = (texts.names[part] ?? new Set()).add(name);
    }
    texts.urls.add(url);
    if (texts.isOne !== undefined || texts.urls.size < PAGES_ENOUGH) return texts.isOne ?? false;
    texts.isOne = await this.#lookElsewhere(place, texts);
    return texts.isOne;
  }

  async #lookElsewhere(place: string, texts: PlaceTexts<P>): Promise<boolean | undefined> {
    let looks = 0;
    let alike = 0;
    for (const url of this.#options.listed(place)) {
      const names = this.#options.namesOf(url, place);
      if (names.some((name, part) => texts.names[part]?.has(name))) continue;
      for (const [part, name] of names.entries()) texts.names[part]?.add(name);
      const page = await this.#options.look(url);
      if (page === undefined) return undefined;
      if (page !== "none") {
        if (!this.#options.similar(texts.first, page)) {
          texts.other = page;
          return false;
        }
        if (++alike === PAGES_ENOUGH) return true;
      }
      if (++looks === LOOKS_ELSEWHERE) break;
    }
    // Too few other pages to tell: all that there is may well be one page.
    return false;
  }
}
