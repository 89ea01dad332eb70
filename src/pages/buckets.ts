/**
 * Finds the documents that share two supershingles, the buckets of the paper's 15 hash tables (Fetterly et al. 2004,
 * section 2), from one column of supershingles at a time.
 *
 * A megashingle (s_i, s_j) is shared only by documents that share s_i. So instead of filling 15 tables with every
 * document, six group-bys find who shares s_i with anybody, and only those groups are split by the five other columns.
 * What a group-by leaves behind is exact: leader[d] is the smallest document with d's value, and comparing leaders is
 * comparing values. Hashes choose partitions and slots, never which are equal.
 *
 * The group-by of one column has three phases, each of which threads share: count how many documents fall into each
 * partition of the hashes, scatter documents and values to their partitions, group within each partition.
 */
import { GroupSlots } from "../tables/group-slots.js";
import { grown } from "../tables/grown.js";
import { hashWords } from "../tables/hashes.js";

/** In a column of leaders: nobody shares this document's value. In a column of roots: no document. */
export const NOBODY = 0xffff_ffff;

/** In `state`: no sketch, so never clustered. */
export const UNSKETCHED = 0;
export const SKETCHED = 1;

/** A group is split by hand up to this size, which most groups have, and with a table beyond. */
const SMALL_GROUP = 4;

/** All the state of one clustering, on shared memory, so that a worker thread gets it in one message. */
export interface BucketTables {
  readonly documents: number;
  readonly partitionBits: number;
  readonly threads: number;
  /** Per document: UNSKETCHED or SKETCHED. */
  readonly state: Uint8Array;
  /** The current column of supershingles: two words per document, in either order. */
  readonly words: Uint32Array;
  /**
   * The leaders of each document side by side, leaderColumns of them: a group is split by one column after the other, and
   * its documents are far apart, so that each costs one cache line instead of five.
   */
  readonly leaders: Uint32Array;
  readonly leaderColumns: number;
  /** Scattered by partition, ascending within each: document numbers and their two words. */
  readonly scattered: Uint32Array;
  readonly scatteredWords: Uint32Array;
  /** Per thread and partition: a count, then the place where the thread writes next. */
  readonly places: Uint32Array;
  /** Per partition its start in `scattered`, and one entry more for the end. */
  readonly starts: Uint32Array;
  /** One entry: the next partition that nobody has taken yet. */
  readonly nextPartition: Int32Array;
}

/** Sees every pair (first document of a bucket, another of its documents), both ascending within a run. */
export interface BucketVisitor {
  /** Another group or another pair of columns begins: `first` names a bucket only within a run. */
  beginRun(): void;
  pair(first: number, document: number): void;
  /** True if pairs inside a group that one bucket has already joined as a whole may be left out. */
  readonly skipsJoined: boolean;
}

function shared(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes);
}

/** About 2^15 documents a partition, so that its table stays in the second-level cache; at most 2^11 write streams. */
function choosePartitionBits(documents: number): number {
  let bits = 0;
  while (bits < 11 && documents >>> bits > 1 << 15) bits++;
  return bits;
}

export function makeTables(documents: number, threads: number, leaderColumns: number): BucketTables {
  const partitionBits = choosePartitionBits(documents);
  const partitions = 1 << partitionBits;
  const column = () => new Uint32Array(shared(4 * documents));
  return {
    documents,
    partitionBits,
    threads,
    state: new Uint8Array(shared(documents)),
    words: new Uint32Array(shared(8 * documents)),
    leaders: new Uint32Array(shared(4 * documents * leaderColumns)).fill(NOBODY),
    leaderColumns,
    scattered: column(),
    scatteredWords: new Uint32Array(shared(8 * documents)),
    places: new Uint32Array(shared(4 * threads * partitions)),
    starts: new Uint32Array(shared(4 * (partitions + 1))),
    nextPartition: new Int32Array(shared(4)),
  };
}

/** Supershingles are fingerprints, but another program's may be worse: all bits of the result depend on all three words. */
function hashKey(low: number, high: number, extra: number): number {
  return hashWords(low ^ Math.imul(extra, 0x85ebca77), high);
}

/** One column's group-by: who takes part, what they must share besides the value, and what comes of it. */
export interface Pass {
  /** Leave out documents that share no earlier column with anybody. */
  readonly sharingOnly: boolean;
  /** Group only what this column of leaders already groups; documents that it leaves alone stay out. */
  readonly within: number | undefined;
  /** Column of leaders to fill. */
  readonly leader: number | undefined;
  /** Columns of leaders to search for buckets: 0 ... earlier - 1. */
  readonly earlier: number;
}

/** True if every document with a sketch takes part, with nothing but its value: most passes, and these are fast. */
function takesEverybody(pass: Pass): boolean {
  return pass.within === undefined && !pass.sharingOnly;
}

/** What a document's key has besides the value in any other pass: 0, or a leader; NOBODY if the document stays out. */
function extraKey(tables: BucketTables, pass: Pass, document: number): number {
  const { leaders, leaderColumns } = tables;
  const row = document * leaderColumns;
  if (pass.within !== undefined) return leaders[row + pass.within]!;
  for (let column = 0; column < leaderColumns; column++) if (leaders[row + column] !== NOBODY) return 0;
  return NOBODY;
}

function range(tables: BucketTables, thread: number): [number, number] {
  const { documents, threads } = tables;
  return [Math.floor((documents * thread) / threads), Math.floor((documents * (thread + 1)) / threads)];
}

export function countPartitions(tables: BucketTables, thread: number, pass: Pass): void {
  const { words, state, places, partitionBits } = tables;
  const takesAll = takesEverybody(pass);
  const base = thread << partitionBits;
  places.fill(0, base, base + (1 << partitionBits));
  const [from, to] = range(tables, thread);
  for (let document = from; document < to; document++) {
    if (state[document] === UNSKETCHED) continue;
    const extra = takesAll ? 0 : extraKey(tables, pass, document);
    if (extra === NOBODY) continue;
    const hash = hashKey(words[2 * document]!, words[2 * document + 1]!, extra);
    // A shift by 32 would be one by 0.
    places[base + ((hash >>> 1) >>> (31 - partitionBits))]!++;
  }
}

/** Between the phases, on one thread: counts become places, partition by partition, thread by thread. */
export function placePartitions(tables: BucketTables): void {
  const { places, starts, partitionBits, threads } = tables;
  const partitions = 1 << partitionBits;
  let place = 0;
  for (let partition = 0; partition < partitions; partition++) {
    starts[partition] = place;
    for (let thread = 0; thread < threads; thread++) {
      const cell = (thread << partitionBits) + partition;
      const count = places[cell]!;
      places[cell] = place;
      place += count;
    }
  }
  starts[partitions] = place;
  tables.nextPartition[0] = 0;
}

export function scatterDocuments(tables: BucketTables, thread: number, pass: Pass): void {
  const { words, state, places, scattered, scatteredWords, partitionBits } = tables;
  const takesAll = takesEverybody(pass);
  const base = thread << partitionBits;
  const [from, to] = range(tables, thread);
  for (let document = from; document < to; document++) {
    if (state[document] === UNSKETCHED) continue;
    const extra = takesAll ? 0 : extraKey(tables, pass, document);
    if (extra === NOBODY) continue;
    const low = words[2 * document]!;
    const high = words[2 * document + 1]!;
    const place = places[base + ((hashKey(low, high, extra) >>> 1) >>> (31 - partitionBits))]!++;
    scattered[place] = document;
    scatteredWords[2 * place] = low;
    scatteredWords[2 * place + 1] = high;
  }
}

/** Groups one partition after the other until none is left; keeps its scratch memory from partition to partition. */
export class PartitionGrouper {
  readonly #slots = new GroupSlots();
  /** Per group: place of its first document, later the end of its members; how many documents. */
  #first = new Uint32Array(1 << 9);
  #count = new Uint32Array(1 << 9);
  /** Per place in the partition. */
  #groupOf = new Uint32Array(0);
  #members = new Uint32Array(0);
  /** For splitting one group. */
  readonly #split = new GroupSlots();

  constructor(readonly tables: BucketTables) {}

  /** Fills the pass' column of leaders, if any, and shows `visitor` the buckets of this column with each earlier one. */
  groupPartitions(pass: Pass, visitor: BucketVisitor): void {
    const { nextPartition, starts, partitionBits } = this.tables;
    const partitions = 1 << partitionBits;
    for (;;) {
      const partition = Atomics.add(nextPartition, 0, 1);
      if (partition >= partitions) return;
      const from = starts[partition]!;
      const to = starts[partition + 1]!;
      const groups = this.#group(from, to, pass.within);
      const gathered = this.#gather(from, to, groups);
      if (pass.leader !== undefined) this.#writeLeaders(pass.leader, gathered);
      if (pass.earlier > 0) this.#visitBuckets(gathered, pass.earlier, visitor);
    }
  }

  /** Numbers the distinct keys of a partition in order of appearance. */
  #group(from: number, to: number, within: number | undefined): number {
    const { scattered, scatteredWords, leaders, leaderColumns } = this.tables;
    if (this.#groupOf.length < to - from) {
      this.#groupOf = new Uint32Array(to - from);
      this.#members = new Uint32Array(to - from);
    }
    const groupOf = this.#groupOf;
    const slots = this.#slots;
    slots.reset(this.#first.length);
    let first = this.#first;
    let count = this.#count;
    let groups = 0;
    for (let place = from; place < to; place++) {
      const low = scatteredWords[2 * place]!;
      const high = scatteredWords[2 * place + 1]!;
      const extra = within === undefined ? 0 : leaders[scattered[place]! * leaderColumns + within]!;
      let slot = slots.first(hashKey(low, high, extra));
      for (;;) {
        const group = slots.entry(slot);
        if (group < 0) {
          first[groups] = place;
          count[groups] = 1;
          slots.set(slot, groups);
          groupOf[place - from] = groups++;
          if (groups === first.length) {
            this.#grow(groups, within);
            first = this.#first;
            count = this.#count;
          }
          break;
        }
        const other = first[group]!;
        if (
          scatteredWords[2 * other] === low &&
          scatteredWords[2 * other + 1] === high &&
          (within === undefined || leaders[scattered[other]! * leaderColumns + within] === extra)
        ) {
          count[group]!++;
          groupOf[place - from] = group;
          break;
        }
        slot = slots.next(slot);
      }
    }
    return groups;
  }

  /** Sized by distinct keys, not by documents: one key that everybody shares needs one slot. */
  #grow(groups: number, within: number | undefined): void {
    const { scattered, scatteredWords, leaders, leaderColumns } = this.tables;
    this.#first = grown(this.#first, 2 * groups);
    this.#count = grown(this.#count, 2 * groups);
    this.#slots.reset(2 * groups);
    for (let group = 0; group < groups; group++) {
      const place = this.#first[group]!;
      const extra = within === undefined ? 0 : leaders[scattered[place]! * leaderColumns + within]!;
      this.#slots.insert(group, hashKey(scatteredWords[2 * place]!, scatteredWords[2 * place + 1]!, extra));
    }
  }

  /**
   * Puts the documents of groups of two and more side by side, in #members, ascending within a group. Afterwards group
   * k has its members at #first[k] - #count[k] ... #first[k], for k below the returned number.
   */
  #gather(from: number, to: number, groups: number): number {
    const { scattered } = this.tables;
    const groupOf = this.#groupOf;
    const first = this.#first;
    const count = this.#count;
    const members = this.#members;
    let end = 0;
    // `first` becomes where the group's next member goes; a group of one goes nowhere.
    for (let group = 0; group < groups; group++) {
      const size = count[group]!;
      first[group] = size > 1 ? end : NOBODY;
      if (size > 1) end += size;
    }
    for (let place = from; place < to; place++) {
      const group = groupOf[place - from]!;
      const next = first[group]!;
      if (next === NOBODY) continue;
      members[next] = scattered[place]!;
      first[group] = next + 1;
    }
    let kept = 0;
    for (let group = 0; group < groups; group++) {
      if (first[group] === NOBODY) continue;
      first[kept] = first[group]!;
      count[kept++] = count[group]!;
    }
    return kept;
  }

  #writeLeaders(column: number, groups: number): void {
    const { leaders, leaderColumns } = this.tables;
    const members = this.#members;
    for (let group = 0; group < groups; group++) {
      const end = this.#first[group]!;
      const start = end - this.#count[group]!;
      const smallest = members[start]!;
      for (let place = start; place < end; place++) leaders[members[place]! * leaderColumns + column] = smallest;
    }
  }

  #visitBuckets(groups: number, earlier: number, visitor: BucketVisitor): void {
    for (let group = 0; group < groups; group++) {
      const end = this.#first[group]!;
      const size = this.#count[group]!;
      for (let column = 0; column < earlier; column++) {
        visitor.beginRun();
        const pairs =
          size <= SMALL_GROUP
            ? this.#splitSmall(end - size, end, column, visitor)
            : this.#splitLarge(end - size, end, column, visitor);
        if (pairs === size - 1 && visitor.skipsJoined) break;
      }
    }
  }

  /** Splits a group by another column's leaders; returns how many pairs there were. */
  #splitSmall(start: number, end: number, column: number, visitor: BucketVisitor): number {
    const { leaders, leaderColumns } = this.tables;
    const members = this.#members;
    let pairs = 0;
    for (let place = start + 1; place < end; place++) {
      const value = leaders[members[place]! * leaderColumns + column]!;
      if (value === NOBODY) continue;
      for (let other = start; other < place; other++) {
        if (leaders[members[other]! * leaderColumns + column] === value) {
          visitor.pair(members[other]!, members[place]!);
          pairs++;
          break;
        }
      }
    }
    return pairs;
  }

  #splitLarge(start: number, end: number, column: number, visitor: BucketVisitor): number {
    const { leaders, leaderColumns } = this.tables;
    const members = this.#members;
    const split = this.#split;
    split.reset(end - start);
    let pairs = 0;
    for (let place = start; place < end; place++) {
      const value = leaders[members[place]! * leaderColumns + column]!;
      if (value === NOBODY) continue;
      let slot = split.first(hashWords(value, 0));
      for (;;) {
        const entry = split.entry(slot);
        if (entry < 0) {
          split.set(slot, place - start);
          break;
        }
        const first = members[start + entry]!;
        if (leaders[first * leaderColumns + column] === value) {
          visitor.pair(first, members[place]!);
          pairs++;
          break;
        }
        slot = split.next(slot);
      }
    }
    return pairs;
  }
}
