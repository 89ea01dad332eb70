/** What a crawl still has to ask for: each canonical URL once, hosts taking turns. */
import type { AvoidMatcher, AvoidReason } from "../url/avoid-list.js";
import { hostIn } from "../url/parse.js";

export interface FrontierOptions {
  /** The URL to ask for instead of this one; itself where no rule says otherwise. */
  readonly canon: (url: string) => string;
  /** Finds the entry because of which a URL is left out. */
  readonly avoids: AvoidMatcher;
  /** May it be asked for at all, by its host and by what it looks like? */
  readonly isAllowed: (url: string) => boolean;
}

/** A URL that needs no request, and what is asked for instead. */
export interface LeftOut {
  readonly url: string;
  /** The avoid-list's reason, "listed" where that gives none, or the rules: they name another URL for the same page. */
  readonly why: AvoidReason | "listed" | "rules";
  readonly keep?: string;
}

interface Queue {
  urls: string[];
  /** Those before it were taken. */
  head: number;
}

/**
 * URLs that wait to be fetched, breadth first, host by host. What it holds depends on nothing but the order of the calls,
 * so a crawl that was killed has the same frontier again once its answers are read from the journal.
 */
export class Frontier {
  /** Every URL that was found and may be asked for, and those of them that are left out. */
  readonly #found = new Set<string>();
  readonly #leftOut: LeftOut[] = [];
  #avoided = 0;
  /** Asked for, waiting, or answered by a redirect. */
  readonly #known = new Set<string>();
  #asked = 0;
  /** Known by a redirect alone. */
  readonly #redirectTargets = new Set<string>();
  readonly #queues = new Map<string, Queue>();
  #waiting = 0;
  readonly #options: FrontierOptions;

  constructor(options: FrontierOptions) {
    this.#options = options;
  }

  get found(): number {
    return this.#found.size;
  }

  get avoided(): number {
    return this.#avoided;
  }

  /** Found URLs that need no request, because the request for their canonical form serves them. */
  get spared(): number {
    return this.#found.size - this.#avoided - this.#asked;
  }

  /** What was found and is not asked for, and why. */
  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  get waiting(): number {
    return this.#waiting;
  }

  add(url: string): void {
    if (this.#found.has(url) || !this.#options.isAllowed(url)) return;
    this.#found.add(url);
    const canonical = this.#options.canon(url);
    const avoided = this.#options.avoids(canonical);
    if (avoided !== undefined) {
      this.#avoided++;
      const { keep, why = "listed" } = avoided;
      this.#leftOut.push({ url, why, ...(keep !== undefined && { keep }) });
      return;
    }
    if (canonical !== url) this.#leftOut.push({ url, why: "rules", keep: canonical });
    if (this.#known.has(canonical)) {
      // Answered when another URL was redirected there: no request of its own, but not thanks to a rule either.
      if (this.#redirectTargets.delete(canonical)) this.#asked++;
      return;
    }
    this.#known.add(canonical);
    this.#asked++;
    const host = hostIn(canonical);
    const queue = this.#queues.get(host);
    if (queue === undefined) this.#queues.set(host, { urls: [canonical], head: 0 });
    else queue.urls.push(canonical);
    this.#waiting++;
  }

  /** It has been answered, perhaps on the way from another URL: it need not be asked for. */
  answer(url: string): void {
    if (this.#known.has(url)) return;
    this.#known.add(url);
    this.#redirectTargets.add(url);
  }

  /** The next URL of a host that is not busy; hosts take turns. */
  next(busy: ReadonlySet<string>): { readonly url: string; readonly host: string } | undefined {
    for (const [host, queue] of this.#queues) {
      if (busy.has(host)) continue;
      // To the end of the line.
      this.#queues.delete(host);
      if (queue.head === queue.urls.length) continue;
      this.#queues.set(host, queue);
      this.#waiting--;
      return { url: queue.urls[queue.head++]!, host };
    }
    return undefined;
  }

  /** Takes the next URL of this one's host, which it must be: the answer to it is known. */
  skip(url: string): boolean {
    const queue = this.#queues.get(hostIn(url));
    if (queue === undefined || queue.urls[queue.head] !== url) return false;
    queue.head++;
    this.#waiting--;
    return true;
  }
}
