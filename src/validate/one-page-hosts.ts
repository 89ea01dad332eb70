/**
 * Hosts that answer everything with one page: an application that needs a browser, a notice, a wall in words that
 * nobody knows. Probes for soft 404s do not tell where only names that exist are answered so, and every rule would be
 * proven. As long as all pages of a host are alike, a few of its other URLs are looked at, under paths of their own.
 */
import { serverIn } from "../url/parse.js";

/** Alike pages of a host, under different URLs, before others are looked at; and others that must be alike too. */
const PAGES_ENOUGH = 5;
/** Others that are asked for: some of them will be missing. */
const LOOKS_ELSEWHERE = 10;

export interface OnePageOptions<P> {
  readonly similar: (a: P, b: P) => boolean;
  /** The page that this URL shows, "none", or undefined where no more can be looked at. */
  readonly look: (url: string) => Promise<P | "none" | undefined>;
  /** URLs of the list, in the order in which they are drawn. */
  readonly listed: () => readonly string[];
}

interface HostTexts<P> {
  readonly first: P;
  readonly urls: Set<string>;
  /** A page that is unlike the first. */
  other?: P;
  /** Undefined until others were looked at. */
  isOne: boolean | undefined;
}

export class OnePageHosts<P> {
  readonly #hosts = new Map<string, HostTexts<P>>();
  readonly #options: OnePageOptions<P>;

  constructor(options: OnePageOptions<P>) {
    this.#options = options;
  }

  /** Hosts that answer everything with one page. */
  get hosts(): string[] {
    return [...this.#hosts].flatMap(([host, { isOne }]) => (isOne === true ? [host] : []));
  }

  /** Is this page what its host answers everything with? Undefined where no more can be looked at. */
  async isOnePage(url: string, page: P): Promise<boolean | undefined> {
    const host = serverIn(url);
    const texts = this.#hosts.get(host) ?? { first: page, urls: new Set(), isOne: undefined };
    this.#hosts.set(host, texts);
    if (texts.other !== undefined) return false;
    if (!this.#options.similar(texts.first, page)) {
      texts.other = page;
      texts.isOne = false;
      return false;
    }
    texts.urls.add(url);
    if (texts.isOne !== undefined || texts.urls.size < PAGES_ENOUGH) return texts.isOne ?? false;
    texts.isOne = await this.#lookElsewhere(host, texts);
    return texts.isOne;
  }

  async #lookElsewhere(host: string, texts: HostTexts<P>): Promise<boolean | undefined> {
    const paths = new Set([...texts.urls].map(pathOf));
    let looks = 0;
    let alike = 0;
    for (const url of this.#options.listed()) {
      if (serverIn(url) !== host || paths.has(pathOf(url))) continue;
      paths.add(pathOf(url));
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

const pathOf = (url: string) => url.replace(/[?#;].*/s, "");
