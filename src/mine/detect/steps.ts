import type { SizeRanges, SketchColumn, UrlList } from "../../model.js";
import { type LikelySimilarOptions, type Likeness, likelySimilar } from "../likely-similar.js";
import { CONFIRMED, UNLIKELY } from "../likeness.js";
import {
  type BucketOptions,
  type BucketSizes,
  type Exceptions,
  emptySizes,
  joinBuckets,
  type SortedList,
} from "./buckets.js";
import { type InstancePartition, InstanceSink, partitionBits } from "./instances.js";
import type { Kernel } from "./kernel.js";
import { reorderTokens, type Sorted } from "./order.js";
import { countSupports, type SupportOptions } from "./supports.js";
import type { PairShare } from "./table.js";
import type { TokenTable } from "./tokens.js";

/**
 * The steps of detection. Their arguments and results cross to worker threads: shared memory and small objects.
 */
export type StepOptions = BucketOptions & SupportOptions & LikelySimilarOptions;

/** What the steps after sorting work on. */
export interface Prepared {
  readonly list: SortedList;
  /** Row -> index into the URL list. */
  readonly order: Uint32Array;
  readonly sizes: BucketSizes;
  readonly options: StepOptions;
  readonly sizeRanges: SizeRanges | undefined;
  readonly sketches: SketchColumn | undefined;
  /** Bytes of the URLs, one after the other. */
  readonly offsets: Uint32Array;
  /** Content class of each URL, where buckets are divided by it. */
  readonly classOf: Uint32Array | undefined;
}

/** Rows in forward order from here on, so that URLs with a common prefix are neighbours in memory. */
export function prepare(
  kernel: Kernel,
  table: TokenTable,
  forward: Sorted,
  backward: Sorted,
  urls: UrlList,
  options: StepOptions,
  classOf?: Uint32Array,
): Prepared {
  const rowOf = new Uint32Array(table.count);
  for (let row = 0; row < table.count; row++) rowOf[forward.order[row]!] = row;
  const { order } = backward;
  for (let i = 0; i < order.length; i++) order[i] = rowOf[order[i]!]!;
  reorderTokens(table, forward.order);
  const list: SortedList = {
    table,
    prefixes: forward.common,
    backward: order,
    suffixes: backward.common,
  };
  return {
    list,
    order: forward.order,
    sizes: emptySizes(kernel, table),
    options: plainOptions(options),
    sizeRanges: urls.sizes && {
      rows: toShared(urls.sizes.rows),
      source: toShared(urls.sizes.source),
      minBytes: toShared(urls.sizes.minBytes),
      maxBytes: toShared(urls.sizes.maxBytes),
    },
    sketches: urls.sketches && {
      rows: toShared(urls.sketches.rows),
      timeMs: toShared(urls.sketches.timeMs),
      kind: toShared(urls.sketches.kind),
      values: toShared(urls.sketches.values),
    },
    offsets: toShared(urls.urls.offsets),
    classOf,
  };
}

/** The steps' own options: the caller's may include functions, which cannot be sent to a thread. */
function plainOptions({
  maxTokens,
  lowBucket,
  highBucket,
  minSupport,
  likely,
  sketchMatches,
  plan,
}: StepOptions): StepOptions {
  return { maxTokens, lowBucket, highBucket, minSupport, likely, sketchMatches, plan };
}

function toShared<Column extends Uint8Array | Uint32Array | Float64Array | BigUint64Array>(column: Column): Column {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const buffer = new SharedArrayBuffer(column.byteLength);
  new Uint8Array(buffer).set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  return new (column.constructor as new (buffer: SharedArrayBuffer) => Column)(buffer);
}

export interface Joined {
  readonly instances: readonly InstancePartition[];
  readonly exceptions: Exceptions;
}

export function joinStep(kernel: Kernel, prepared: Prepared, share: number, shares: number): Joined {
  const { list, order, options, sizes } = prepared;
  const sink = new InstanceSink(partitionBits(list.table.count), kernel.heap);
  const likeness = likenessOf(prepared);
  const ofRows = (a: number, b: number) => likeness(order[a]!, order[b]!);
  const exceptions = joinBuckets(kernel, list, options, ofRows, sizes, sink, share, shares);
  return { instances: sink.partitions, exceptions };
}

function likenessOf({ options, sizeRanges, sketches, offsets, classOf }: Prepared): (i: number, j: number) => Likeness {
  if (classOf !== undefined) return (i, j) => (classOf[i] === classOf[j] ? CONFIRMED : UNLIKELY);
  const known: UrlList = {
    urls: { count: offsets.length - 1, bytes: new Uint8Array(0), offsets },
    ...(sizeRanges && { sizes: sizeRanges }),
    ...(sketches && { sketches }),
  };
  return likelySimilar(known, options);
}

export function supportStep(
  kernel: Kernel,
  prepared: Prepared,
  joined: readonly Joined[],
  share: number,
  shares: number,
): PairShare {
  return countSupports(
    kernel,
    prepared.list,
    prepared.order,
    prepared.options,
    prepared.sizes,
    joined.map(({ exceptions }) => exceptions),
    joined.map(({ instances }) => instances),
    share,
    shares,
  );
}
