/** What most pages of a site have, and what was seen to change on them: by some that were looked at twice. */
import { shinglesOf, wordsOf } from "./align-words.js";

/** Of fewer pages nothing can be said. */
const LEAST_PAGES = 5;
/** Two looks at a page that have less in common than this showed two pages; and as many pages make a site unsteady. */
const STEADY_RESEMBLANCE = 0.5;
const UNSTEADY_SHARE = 0.25;

/** The shingles of two looks at one page. */
type Looks = readonly [readonly string[], readonly string[]];

/** What most pages of a site have: menus, footers, notices. */
export class CommonText {
  readonly #pages = new Map<string, number>();
  readonly #changing = new Set<string>();
  #count = 0;
  /** What pages said that were looked at twice. */
  readonly #twice: Looks[] = [];
  #isUnsteady: boolean | undefined;

  add(text: string): void {
    this.#count++;
    for (const shingle of new Set(shinglesOf(wordsOf(text)))) {
      this.#pages.set(shingle, (this.#pages.get(shingle) ?? 0) + 1);
    }
    this.#isUnsteady = undefined;
  }

  has(shingle: string): boolean {
    return this.#count >= LEAST_PAGES && (this.#pages.get(shingle) ?? 0) > this.#count / 2;
  }

  /** What was seen to change on some page: a reason to look again at another one, never to leave anything out. */
  learnChanging(shingles: Iterable<string>): void {
    for (const shingle of shingles) this.#changing.add(shingle);
  }

  /** A page was looked at more than once. */
  addLookedTwice(first: string, second: string): void {
    this.#twice.push([shinglesOf(wordsOf(first)), shinglesOf(wordsOf(second))]);
    this.#isUnsteady = undefined;
  }

  get hasChanging(): boolean {
    return this.#changing.size > 0;
  }

  /** Pages were looked at twice, and nothing on them changed. */
  get isQuiet(): boolean {
    return this.#twice.length >= LEAST_PAGES && this.#changing.size === 0;
  }

  /** Many of the pages that were looked at twice were others at the second look. */
  get isUnsteady(): boolean {
    if (this.#isUnsteady === undefined) {
      const own = (shingles: readonly string[]) => new Set(shingles.filter((shingle) => !this.has(shingle)));
      const isOther = ([first, second]: Looks) => {
        const [a, b] = [own(first), own(second)];
        return Math.max(a.size, b.size) > 0 && jaccard(a, b) < STEADY_RESEMBLANCE;
      };
      this.#isUnsteady = this.#twice.filter(isOther).length > UNSTEADY_SHARE * this.#twice.length;
    }
    return this.#isUnsteady;
  }

  isChanging(shingle: string): boolean {
    return this.#changing.has(shingle);
  }
}

/** How much two sets have in common; nothing where both are empty. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const shingle of a) if (b.has(shingle)) both++;
  const either = a.size + b.size - both;
  return either === 0 ? 0 : both / either;
}
