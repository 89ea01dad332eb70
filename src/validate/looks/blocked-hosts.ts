/**
 * Hosts that begin to answer everything with one page while they are looked at, in words that are not recognised as a wall:
 * every rule would be proven from then on. Where several URLs in a row show much the same text, a page that is known to say
 * something else is looked at once more. If it says hardly anything any more of what it said at every look before, and is
 * more like them by now than like itself, nothing more is learned from this host. Being more like them is not enough: where
 * pages are mostly menu, and change at every look, that happens by chance.
 */
import { serverIn } from "../../url/parse.js";
import { shinglesOf, wordsOf } from "./align-words.js";
import { jaccard } from "./common-text.js";

/** Fewer than the pairs that make a verdict have pages. */
const ALIKE_IN_A_ROW = 6;
/** Where pages of a site are alike, as a look at another showed, more of them in a row are waited for: up to this many. */
const MOST_ALIKE_IN_A_ROW = 24;
/** What a block page says besides (whom it is for, the number of the request) is no more than the rest of this. */
const MUCH_THE_SAME = 0.8;
/** A page that still says this much of what it alone said before is what it was. */
const STILL_ITSELF = 0.5;

type Said = ReadonlySet<string>;

interface Seen {
  /** What the first of the last URLs in a row said, which the others are like, and these URLs. */
  said: Said;
  readonly urls: Set<string>;
  /** This many in a row are a reason to look. */
  enough: number;
  /** By URL, what pages said before anything was tried. */
  readonly controls: Map<string, Said>;
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

  /** A page as it was at the beginning: what it said at each of these looks. */
  addControl(url: string, texts: readonly string[]): void {
    const [first, ...later] = texts.map((text) => said(url, text));
    const stable = [...(first ?? [])].filter((shingle) => later.every((look) => look.has(shingle)));
    this.#seenOn(url).controls.set(url, new Set(stable));
  }

  /** A fresh look showed this text. Is it what the host answers everything with now? */
  async add(url: string, text: string): Promise<boolean> {
    const seen = this.#seenOn(url);
    const own = said(url, text);
    if (likeness(own, seen.said) < MUCH_THE_SAME) {
      seen.said = own;
      seen.urls.clear();
    }
    seen.urls.add(url);
    if (seen.urls.size < seen.enough) return false;
    const control = controlBeside(own, seen.controls);
    if (control === undefined) return false;
    seen.urls.clear();
    const { asked, before, alone } = control;
    const shown = await this.#look(asked);
    const now = shown === undefined ? undefined : said(asked, shown);
    seen.isBlocked =
      now !== undefined &&
      alone.filter((shingle) => now.has(shingle)).length < STILL_ITSELF * alone.length &&
      likeness(now, own) > likeness(now, before);
    seen.enough = Math.min(2 * seen.enough, MOST_ALIKE_IN_A_ROW);
    return seen.isBlocked;
  }

  #seenOn(url: string): Seen {
    const host = serverIn(url);
    const seen = this.#hosts.get(host) ?? {
      ...{ said: new Set<string>(), urls: new Set<string>(), controls: new Map<string, Said>() },
      ...{ enough: ALIKE_IN_A_ROW, isBlocked: false },
    };
    this.#hosts.set(host, seen);
    return seen;
  }
}

/** The page that says most of what is not said here. */
function controlBeside(own: Said, controls: ReadonlyMap<string, Said>) {
  let best: { asked: string; before: Said; alone: string[] } | undefined;
  for (const [asked, before] of controls) {
    const alone = [...before].filter((shingle) => !own.has(shingle));
    if (alone.length > (best?.alone.length ?? 0)) best = { asked, before, alone };
  }
  return best;
}

/** Its shingles, without numbers, and without what the page says of its own URL. */
function said(url: string, text: string): Said {
  const echoes = new Set(wordsOf(url));
  return new Set(shinglesOf(wordsOf(text).filter((word) => !/^\p{N}+$/u.test(word) && !echoes.has(word))));
}

/** Pages without a word are alike. */
const likeness = (a: Said, b: Said) => (a.size + b.size === 0 ? 1 : jaccard(a, b));
