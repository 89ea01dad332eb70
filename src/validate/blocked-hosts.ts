/**
 * Hosts that begin to answer everything with one page while they are looked at, in words that nobody knows for a wall: every
 * rule would be proven from then on. Where several URLs in a row show one text, a page that is known to say something
 * else is looked at once more; if it says the same too, nothing more is learned from this host.
 */
import { serverIn } from "../url/parse.js";
import { wordsOf } from "./align-words.js";

/** Fewer than the pairs that make a verdict have pages. */
const ALIKE_IN_A_ROW = 6;

interface Seen {
  /** What the last URLs in a row said, and these URLs. */
  said: string;
  readonly urls: Set<string>;
  /** By URL, what pages said before anything was tried. */
  readonly controls: Map<string, string>;
  isBlocked: boolean;
}

export class BlockedHosts {
  readonly #hosts = new Map<string, Seen>();
  /** The text that a URL shows now; undefined where it shows none. */
  readonly #look: (url: string) => Promise<string | undefined>;

  constructor(look: (url: string) => Promise<string | undefined>) {
    this.#look = look;
  }

  has(url: string): boolean {
    return this.#hosts.get(serverIn(url))?.isBlocked ?? false;
  }

  /** A page as it was at the beginning. */
  addControl(url: string, text: string): void {
    this.#seenOn(url).controls.set(url, said(url, text));
  }

  /** A fresh look showed this text. Is it what the host answers everything with now? */
  async add(url: string, text: string): Promise<boolean> {
    const seen = this.#seenOn(url);
    const own = said(url, text);
    if (own !== seen.said) {
      seen.said = own;
      seen.urls.clear();
    }
    seen.urls.add(url);
    const control = [...seen.controls].find(([, before]) => before !== own);
    if (seen.urls.size < ALIKE_IN_A_ROW || control === undefined) return false;
    seen.urls.clear();
    const now = await this.#look(control[0]);
    seen.isBlocked = now !== undefined && said(control[0], now) === own;
    return seen.isBlocked;
  }

  #seenOn(url: string): Seen {
    const host = serverIn(url);
    const seen = this.#hosts.get(host) ?? { said: "", urls: new Set(), controls: new Map(), isBlocked: false };
    this.#hosts.set(host, seen);
    return seen;
  }
}

/** Without numbers, and without what the page says of its own URL. */
function said(url: string, text: string): string {
  const echoes = new Set(wordsOf(url));
  return wordsOf(text)
    .filter((word) => !/^\p{N}+$/u.test(word) && !echoes.has(word))
    .join(" ");
}
