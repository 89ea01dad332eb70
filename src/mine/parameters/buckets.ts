import { InvariantError } from "../../errors.js";
import type { StringColumn, UrlList } from "../../model.js";
import { grown } from "../../tables/grown.js";
import { HashSlots } from "../../tables/hash-slots.js";
import { ByteHash } from "../../tables/hashes.js";
import { equalBytes } from "../byte-ranges.js";
import { type LikelySimilarOptions, type Likeness, likelySimilar, sizeGap } from "../likely-similar.js";
import { CONFIRMED, UNLIKELY } from "../likeness.js";
import { hashUrl, type ParameterTable } from "./table.js";

/** The URL that a rule makes of another, as bytes[0 .. length). Reused from URL to URL. */
export class Image {
  bytes = new Uint8Array(4096);
  length = 0;

  append(from: Uint8Array, start: number, end: number): void {
    const { length } = this;
    if (length + end - start > this.bytes.length) this.#grow(length + end - start);
    const { bytes } = this;
    const shift = length - start;
    for (let i = start; i < end; i++) bytes[i + shift] = from[i]!;
    this.length = length + end - start;
  }

  appendByte(byte: number): void {
    if (this.length === this.bytes.length) this.#grow(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  endsWith(suffix: Uint8Array): boolean {
    return (
      this.length >= suffix.length &&
      equalBytes(this.bytes, this.length - suffix.length, this.length, suffix, 0, suffix.length)
    );
  }

  #grow(atLeast: number): void {
    this.bytes = grown(this.bytes, 2 * atLeast);
  }
}

/** What a rule does to URL i of the list; false where it leaves the URL as it is (the image is then meaningless). */
export type Rewrite = (i: number, image: Image) => boolean;

/** A rule on a list: the URLs that it could change, and how. */
export interface Candidate {
  /** URLs of the list in ascending order: at least those that the rule changes. */
  readonly members: Uint32Array;
  readonly rewrite: Rewrite;
  /** hashUrl of the image where that is known without making it; the rule must then change every member. */
  readonly hashOf?: (i: number) => number;
  /** Is members[a] a better stand-in for its bucket than members[b]? The first of the list is where absent. */
  readonly isBetter?: (a: number, b: number) => boolean;
}

/**
 * The buckets of a rule that hold two URLs or more: the URLs that it maps onto one URL, and this one too where the list
 * has it. Row by row, so that scopes can be told apart.
 */
export interface Buckets {
  readonly count: number;
  /** The URLs in these buckets that the rule changes, ascending. */
  readonly merged: Uint32Array;
  /** One URL of the bucket that the rule changes. */
  readonly location: Uint32Array;
  /** URLs in the bucket, minus one. */
  readonly support: Uint32Array;
  /** URLs that are known to be like the bucket's reference, and that are known not to be. */
  readonly confirmed: Uint32Array;
  readonly unlikely: Uint32Array;
  /** Of the unlikely ones, those whose size is near the reference's. */
  readonly near: Uint32Array;
  /**
   * Buckets in which most URLs are nearer in size to their own reference than to another bucket's, and in which most are
   * farther. A bucket has one vote: the pages of one large bucket may well be alike and differ from everything else.
   */
  readonly nearer: number;
  readonly farther: number;
  /** URLs of the list that the rule maps onto another URL of the list, over all buckets. */
  readonly merges: number;
  /** A pair from the list, as its rows: one that the rule changes and its image where the list has it, else another of its bucket. */
  readonly example: readonly [from: number, to: number];
}

/** Sorts URLs into buckets by their images and compares each with its bucket's reference. */
export class BucketMaker {
  readonly #urls: StringColumn;
  /** The URLs of the list. */
  readonly #slots: HashSlots;
  readonly #likeness: (i: number, j: number) => Likeness;
  readonly #gap: (i: number, j: number) => number;
  readonly #hash = new ByteHash();
  readonly #image = new Image();
  readonly #other = new Image();

  constructor(list: UrlList, options: LikelySimilarOptions, query: ParameterTable) {
    this.#likeness = likelySimilar(list, options);
    this.#gap = sizeGap(list, options);
    this.#urls = list.urls;
    const { count, bytes, offsets } = list.urls;
    this.#slots = HashSlots.ofSize(2 * count + 1);
    for (let i = 0; i < count; i++) {
      const hash = query.hashOf(i);
      const slot = slotOf(this.#slots, hash, (url) => this.#isUrl(url, bytes, offsets[i]!, offsets[i + 1]!));
      if (this.#slots.entry(slot) >= 0) {
        throw new InvariantError(`URL list: row ${i} repeats an earlier URL, expected unique URLs`);
      }
      this.#slots.set(slot, i, hash);
    }
  }

  #isUrl(i: number, bytes: Uint8Array, start: number, end: number): boolean {
    const { offsets } = this.#urls;
    return equalBytes(this.#urls.bytes, offsets[i]!, offsets[i + 1]!, bytes, start, end);
  }

  make(candidate: Candidate): Buckets {
    const groups = this.#group(candidate);
    const references = this.#chooseReferences(candidate, groups);
    return this.#compare(candidate, groups, references);
  }

  #group({ members, rewrite, hashOf }: Candidate): Groups {
    const image = this.#image;
    const other = this.#other;
    let url = -1;
    let isImaged = false;
    const makeImage = () => {
      image.length = 0;
      isImaged = true;
      return rewrite(url, image);
    };
    const isTarget = (target: number) => {
      if (!isImaged) makeImage();
      return this.#isUrl(target, image.bytes, 0, image.length);
    };
    const isMate = (mate: number) => {
      if (!isImaged) makeImage();
      other.length = 0;
      rewrite(mate, other);
      return equalBytes(image.bytes, 0, image.length, other.bytes, 0, other.length);
    };

    const groupOf = new Int32Array(members.length).fill(-1);
    const first = new Uint32Array(members.length);
    const size = new Uint32Array(members.length);
    const target = new Int32Array(members.length);
    const slots = HashSlots.ofSize(2 * members.length + 1);
    const isOfGroup = (group: number) => isMate(first[group]!);
    let count = 0;
    for (let m = 0; m < members.length; m++) {
      url = members[m]!;
      isImaged = false;
      if (hashOf === undefined && !makeImage()) continue;
      const hash = hashOf === undefined ? hashUrl(this.#hash, image.bytes, 0, image.length) : hashOf(url);
      const slot = slotOf(slots, hash, isOfGroup);
      let group = slots.entry(slot);
      if (group < 0) {
        group = count++;
        slots.set(slot, group, hash);
        first[group] = url;
        target[group] = this.#slots.entry(slotOf(this.#slots, hash, isTarget));
        if (target[group]! >= 0) size[group] = 1;
      }
      groupOf[m] = group;
      size[group] = size[group]! + 1;
    }
    return { count, groupOf, first, size, target };
  }

  /**
   * What the others of a bucket are compared with: the image itself where the list has it, else the best member; but
   * one of which something is known before one of which nothing is, since comparing with that would tell nothing.
   */
  #chooseReferences({ members, isBetter }: Candidate, { count, groupOf, size, target }: Groups): Int32Array {
    const likeness = this.#likeness;
    const isKnown = (url: number) => likeness(url, url) === CONFIRMED;
    const best = new Int32Array(count).fill(-1);
    for (let m = 0; m < members.length; m++) {
      const group = groupOf[m]!;
      if (group < 0 || size[group]! < 2) continue;
      const rival = best[group]!;
      if (rival < 0) {
        best[group] = m;
        continue;
      }
      const known = isKnown(members[m]!);
      const rivalKnown = isKnown(members[rival]!);
      if (known === rivalKnown ? (isBetter?.(m, rival) ?? false) : known) best[group] = m;
    }
    for (let group = 0; group < count; group++) {
      if (size[group]! < 2) continue;
      const image = target[group]!;
      const member = members[best[group]!]!;
      best[group] = image >= 0 && (isKnown(image) || !isKnown(member)) ? image : member;
    }
    return best;
  }

  #compare({ members }: Candidate, groups: Groups, references: Int32Array): Buckets {
    const { groupOf, first, size, target } = groups;
    const likeness = this.#likeness;
    const rowOf = new Int32Array(groups.count).fill(-1);
    let count = 0;
    for (let group = 0; group < groups.count; group++) if (size[group]! >= 2) rowOf[group] = count++;
    const location = new Uint32Array(count);
    const support = new Uint32Array(count);
    const confirmed = new Uint32Array(count);
    const unlikely = new Uint32Array(count);
    const near = new Uint32Array(count);
    const stranger = new Int32Array(count);
    const lead = new Int32Array(count);
    for (let group = 0; group < groups.count; group++) {
      const row = rowOf[group]!;
      if (row < 0) continue;
      location[row] = first[group]!;
      support[row] = size[group]! - 1;
      // The reference of another bucket, half the list away: neighbours may well be of one page.
      stranger[(row + (count >> 1)) % count] = references[group]!;
    }
    const merged = members.filter((_, m) => groupOf[m]! >= 0 && rowOf[groupOf[m]!]! >= 0);
    let merges = 0;
    let example: readonly [number, number] = [-1, -1];
    let bestScore = -1;
    for (let m = 0; m < members.length; m++) {
      const group = groupOf[m]!;
      const row = group < 0 ? -1 : rowOf[group]!;
      if (row < 0) continue;
      const url = members[m]!;
      const image = target[group]!;
      const reference = references[group]!;
      if (image >= 0) merges++;
      if (url !== reference) {
        const answer = likeness(url, reference);
        if (answer === CONFIRMED) confirmed[row] = confirmed[row]! + 1;
        if (answer === UNLIKELY) unlikely[row] = unlikely[row]! + 1;
        const gap = this.#gap(url, reference);
        if (answer === UNLIKELY && gap >= 0 && gap <= NEAR) near[row] = near[row]! + 1;
        const strangerGap = count < 2 || gap < 0 ? -1 : this.#gap(url, stranger[row]!);
        if (strangerGap > gap) lead[row] = lead[row]! + 1;
        if (strangerGap >= 0 && strangerGap < gap) lead[row] = lead[row]! - 1;
        const score = 2 * answer + (image === reference ? 1 : 0);
        if (score > bestScore) {
          bestScore = score;
          example = [url, reference];
        }
      } else if (image >= 0 && bestScore < 1) {
        bestScore = 1;
        example = [url, image];
      }
    }
    let nearer = 0;
    let farther = 0;
    for (const votes of lead) {
      if (votes > 0) nearer++;
      if (votes < 0) farther++;
    }
    return { count, merged, location, support, confirmed, unlikely, near, nearer, farther, merges, example };
  }
}

/** Where the entry with this hash is that `isIt`, or where it would be. */
function slotOf(slots: HashSlots, hash: number, isIt: (entry: number) => boolean): number {
  let slot = slots.first(hash);
  for (let entry = slots.entry(slot); entry >= 0; entry = slots.entry(slot)) {
    if (slots.hash(slot) === hash && isIt(entry)) break;
    slot = slots.next(slot);
  }
  return slot;
}

/** The gap between two sizes that is still called near, as a share of the larger. */
const NEAR = 0.05;

/** URLs by equal image. Rows of `target`: the image's own row of the list, -1 where the list does not have it. */
interface Groups {
  readonly count: number;
  /** For each member its group, -1 where the rule does not change it. */
  readonly groupOf: Int32Array;
  readonly first: Uint32Array;
  /** Members, and the target. */
  readonly size: Uint32Array;
  readonly target: Int32Array;
}
