import {
  assemble,
  type Code,
  call,
  choose,
  define,
  type FunctionDefinition,
  get,
  i8x16,
  i32,
  i32x4,
  i64,
  ifElse,
  ifThen,
  type Local,
  set,
  tee,
  v128,
  whileDo,
} from "../wasm/assembler.js";
import { PAGE_BYTES, WORD_CHARACTER, WORD_OF_ITS_OWN } from "./alphanumerics.js";
import { type FunctionCount, mixFactors, SHINGLE_FACTOR, TEXT_FACTOR } from "./fingerprinter.js";

/** Shingles whose smallest images are kept together, so that the search for a pre-image need not look at all of them. */
export const BLOCK_SHINGLES = 32;
/** Shingles done at a time: their fingerprints and the blocks' minima stay in the processor's cache. */
export const SEGMENT_SHINGLES = 2048;
/** A block holds the low halves of its shingles, then the high halves: vectors of either load at once. */
const HIGH_HALVES = BLOCK_SHINGLES * 4;
const BLOCK_BYTES = BLOCK_SHINGLES * 8;

/** Where things are in the kernel's memory. */
export const memoryLayout = {
  /** CharacterClasses.pageOf, 0x1100 bytes, and .pages, at most 256 * 64 bytes. */
  pageOf: 0x0000,
  pages: 0x1200,
  /** 84 * 4 bytes each. */
  multipliers: 0x5200,
  minima: 0x5400,
  /** 84 * 8 bytes. */
  features: 0x5600,
  /** 4 * 4 bytes. */
  oldMinima: 0x5900,
  /** The blocks of a segment's shingles: 64 * 256 bytes. */
  blocks: 0x6000,
  /** For each block the smallest image of each function: 64 * 84 * 4 bytes. */
  blockMinima: 0xa000,
  /** Text, and after it the fingerprints of its words. */
  text: 0x10000,
} as const;
export const INITIAL_PAGES = 16;

/** The module's bytes. */
export function kernelCode(): Uint8Array<ArrayBuffer> {
  const functions = [
    searchBlockFunction,
    wordsFunction,
    fingerprintsFunction,
    shinglesFunction,
    blockMinimaFunction("blockMinima4", 4),
    blockMinimaFunction("blockMinima84", 84),
    preImagesFunction,
  ];
  return assemble({ memory: INITIAL_PAGES, functions });
}
const searchBlock = (functionIndex: Code, block: Code): Code => call(0, functionIndex, block);

const increase = (local: Local, by: number): Code => set(local, i32.add(get(local), i32.const(by)));
const times8 = (value: Code): Code => i32.shl(value, i32.const(3));
const times4 = (value: Code): Code => i32.shl(value, i32.const(2));

// ------------------------------------------------------------------------------------------ words and fingerprints

/** h = mix(h) of fingerprinter.ts. Written out wherever it is needed, as the fingerprint: engines do not inline calls. */
function mix(h: Local): Code {
  const shift = set(h, i64.xor(get(h), i64.shrU(get(h), i64.const(33n))));
  const times = (factor: bigint) => set(h, i64.mul(get(h), i64.const(factor)));
  return [shift, times(mixFactors[0]), shift, times(mixFactors[1]), shift].flat();
}

/** h = the fingerprint of the bytes from `at` to `end`, and at = end. Reads up to 7 bytes past the end. */
function fingerprint(h: Local, at: Local, end: Local, rest: Local): Code {
  const add = (value: Code): Code =>
    [
      set(h, i64.mul(i64.xor(get(h), value), i64.const(TEXT_FACTOR))),
      set(h, i64.xor(get(h), i64.shrU(get(h), i64.const(32n)))),
    ].flat();
  // The bytes past the end are shifted out, zeros in.
  const unused = i64.extendU(i32.sub(i32.const(64), times8(get(rest))));
  const lastBytes = i64.shrU(i64.shl(i64.load(get(at)), unused), unused);
  return [
    set(h, i64.extendU(tee(rest, i32.sub(get(end), get(at))))),
    whileDo(i32.leU(i32.const(8), get(rest)), add(i64.load(get(at))), increase(at, 8), increase(rest, -8)),
    ifThen(get(rest), add(lastBytes)),
    mix(h),
    set(at, get(end)),
  ].flat();
}

/** fingerprints(text, bounds, count, out): the fingerprints of pieces of the text. */
const fingerprintsFunction = define("fingerprints", ["i32", "i32", "i32", "i32"], undefined, (parameters, local) => {
  const [text, bounds, count, out] = parameters;
  const at = local("i32");
  const end = local("i32");
  const rest = local("i32");
  const h = local("i64");
  return [
    whileDo(
      get(count!),
      set(at, i32.add(get(text!), i32.load(get(bounds!)))),
      set(end, i32.add(get(text!), i32.load(get(bounds!), 4))),
      fingerprint(h, at, end, rest),
      i64.store(get(out!), get(h)),
      increase(out!, 8),
      increase(bounds!, 8),
      increase(count!, -1),
    ),
  ];
});

/**
 * words(start, end, out, ascii): stores the fingerprints of the words in the text from start to end; the end of them.
 * Zeros must follow the text.
 */
const wordsFunction = define("words", ["i32", "i32", "i32", "i32"], "i32", ([at, end, out, ascii], local) => {
  const start = local("i32");
  const run = local("i32");
  const byte = local("i32");
  const kind = local("i32");
  const size = local("i32");
  const codePoint = local("i32");
  const bytes = local("v128");
  const h = local("i64");
  const rest = local("i32");

  const endWord = ifThen(
    i32.ne(get(at!), get(start)),
    fingerprint(h, start, at!, rest),
    i64.store(get(out!), get(h)),
    increase(out!, 8),
  );

  // How many of the next 16 bytes are ASCII letters and digits before the first that is neither.
  const inRange = (value: Code, first: number, count: number): Code =>
    i8x16.ltU(i8x16.sub(value, i8x16.splat(first)), i8x16.splat(count));
  const letters = inRange(v128.or(tee(bytes, v128.load(get(at!))), i8x16.splat(0x20)), 0x61, 26);
  const digits = inRange(get(bytes), 0x30, 10);
  const alphanumerics = i32.ctz(i32.xor(i8x16.bitmask(v128.or(letters, digits)), i32.const(-1)));

  const tail = (offset: number, shift: number): Code =>
    i32.shl(i32.and(i32.load8u(get(at!), offset), i32.const(0x3f)), i32.const(shift));
  const head = (mask: number, shift: number): Code => i32.shl(i32.and(get(byte), i32.const(mask)), i32.const(shift));
  const readSequence = ifElse(
    i32.ltU(get(byte), i32.const(0xe0)),
    [set(size, i32.const(2)), set(codePoint, i32.or(head(0x1f, 6), tail(1, 0)))],
    [
      ifElse(
        i32.ltU(get(byte), i32.const(0xf0)),
        [set(size, i32.const(3)), set(codePoint, i32.or(head(0x0f, 12), i32.or(tail(1, 6), tail(2, 0))))],
        [
          set(size, i32.const(4)),
          set(codePoint, i32.or(i32.or(head(0x07, 18), tail(1, 12)), i32.or(tail(2, 6), tail(3, 0)))),
          ifThen(i32.ltU(i32.const(0x10ffff), get(codePoint)), set(codePoint, i32.const(0x10ffff))),
        ],
      ),
    ],
  );
  const page = i32.load8u(i32.shrU(get(codePoint), i32.const(8)), memoryLayout.pageOf);
  const inPage = i32.shrU(i32.and(get(codePoint), i32.const(0xff)), i32.const(2));
  const fourClasses = i32.load8u(i32.add(i32.mul(page, i32.const(PAGE_BYTES)), inPage), memoryLayout.pages);
  const bit = i32.shl(i32.and(get(codePoint), i32.const(3)), i32.const(1));
  const classOfCodePoint = i32.and(i32.shrU(fourClasses, bit), i32.const(3));

  return [
    set(start, get(at!)),
    whileDo(
      i32.ltU(get(at!), get(end!)),
      set(at!, i32.add(get(at!), tee(run, alphanumerics))),
      ifThen(
        // Else the run may go on; at the text's end there is a zero, which ends it.
        i32.and(i32.ltU(get(run), i32.const(16)), i32.ltU(get(at!), get(end!))),
        set(byte, i32.load8u(get(at!))),
        ifElse(
          choose(get(ascii!), i32.const(0), i32.ltU(i32.const(0xbf), get(byte))),
          [
            readSequence,
            set(kind, classOfCodePoint),
            ifThen(i32.ne(get(kind), i32.const(WORD_CHARACTER)), endWord),
            set(at!, i32.add(get(at!), get(size))),
            ifElse(
              i32.eq(get(kind), i32.const(WORD_OF_ITS_OWN)),
              [endWord],
              [ifThen(i32.ne(get(kind), i32.const(WORD_CHARACTER)), set(start, get(at!)))],
            ),
          ],
          [endWord, increase(at!, 1), set(start, get(at!))],
        ),
      ),
    ),
    endWord,
    get(out!),
  ];
});

// ------------------------------------------------------------------------------------------- shingles and features

/** shingles(words, count, length): fills the blocks with the fingerprints of `count` shingles, the first at `words`. */
const shinglesFunction = define("shingles", ["i32", "i32", "i32"], undefined, ([word, count, length], local) => {
  const sum = local("i64");
  const power = local("i64");
  const next = local("i32");
  const end = local("i32");
  const value = local("i64");
  const index = local("i32");
  const out = local("i32");
  const times = i64.mul(get(sum), i64.const(SHINGLE_FACTOR));
  // Index 0 to 31 in the block, 256 bytes from block to block.
  const place = i32.add(
    times8(i32.and(get(index), i32.const(-BLOCK_SHINGLES))),
    times4(i32.and(get(index), i32.const(BLOCK_SHINGLES - 1))),
  );
  const put = [
    set(out, place),
    i32.store(get(out), i32.wrap(get(value)), memoryLayout.blocks),
    i32.store(get(out), i32.wrap(i64.shrU(get(value), i64.const(32n))), memoryLayout.blocks + HIGH_HALVES),
    increase(index, 1),
  ].flat();
  return [
    set(power, i64.const(1n)),
    set(next, get(word!)),
    set(end, i32.add(get(word!), times8(get(length!)))),
    whileDo(
      i32.ltU(get(next), get(end)),
      set(sum, i64.add(times, i64.load(get(next)))),
      set(power, i64.mul(get(power), i64.const(SHINGLE_FACTOR))),
      increase(next, 8),
    ),
    whileDo(
      i32.ltU(get(index), get(count!)),
      set(value, get(sum)),
      mix(value),
      put,
      // The sum rolls on: without the shingle's first word, with the next one.
      set(sum, i64.add(i64.sub(times, i64.mul(i64.load(get(word!)), get(power))), i64.load(get(next)))),
      increase(word!, 8),
      increase(next, 8),
    ),
    // The last block is filled up with a shingle that is already there: the set stays the same.
    whileDo(i32.and(get(index), i32.const(BLOCK_SHINGLES - 1)), put),
  ];
});

/**
 * blockMinima(blocks): for each block of shingles and each function the smallest image's high half. Four functions a
 * vector; four shingles at a time share the loading and storing of the minima.
 */
function blockMinimaFunction(name: string, functions: FunctionCount): FunctionDefinition {
  return define(name, ["i32"], undefined, ([blocks], local) => {
    const block = local("i32");
    const shingle = local("i32");
    const end = local("i32");
    const minima = local("i32");
    const minimum = local("v128");
    const multiplier = local("v128");
    const quad = [0, 1, 2, 3].map((index) => ({ index, low: local("v128"), high: local("v128") }));
    const vectors = Array.from({ length: functions / 4 }, (_, vector) => vector * 16);
    return [
      set(block, i32.const(memoryLayout.blocks)),
      set(minima, i32.const(memoryLayout.blockMinima)),
      whileDo(
        get(blocks!),
        ...vectors.map((offset) => v128.store(get(minima), i8x16.splat(0xff), offset)),
        set(shingle, get(block)),
        set(end, i32.add(get(block), i32.const(HIGH_HALVES))),
        whileDo(
          i32.ltU(get(shingle), get(end)),
          ...quad.flatMap(({ index, low, high }) => [
            set(low, v128.load32Splat(get(shingle), index * 4)),
            set(high, v128.load32Splat(get(shingle), index * 4 + HIGH_HALVES)),
          ]),
          ...vectors.flatMap((offset) => [
            set(multiplier, v128.load(i32.const(memoryLayout.multipliers), offset)),
            set(minimum, v128.load(get(minima), offset)),
            ...quad.map(({ low, high }) =>
              set(minimum, i32x4.minU(get(minimum), i32x4.add(get(high), i32x4.mul(get(low), get(multiplier))))),
            ),
            v128.store(get(minima), get(minimum), offset),
          ]),
          increase(shingle, 16),
        ),
        increase(block, BLOCK_BYTES),
        increase(minima, functions * 4),
        increase(blocks!, -1),
      ),
    ];
  });
}

/**
 * preImages(blocks, functions): brings minima and features up to date with the blocks. Every shingle that attains a
 * minimum is seen, so that of equal high halves of images the smaller low half wins, whatever the order.
 */
const preImagesFunction = define("preImages", ["i32", "i32"], undefined, ([blocks, functions], local) => {
  const index = local("i32");
  const lastIndex = local("i32");
  const stride = local("i32");
  const at = local("i32");
  const end = local("i32");
  const block = local("i32");
  const minimum = local("v128");
  // Four functions at a time: `index` is the first of them, in loops over them the one.
  const firstBlock = i32.add(times4(get(index)), i32.const(memoryLayout.blockMinima));
  const minimumOf = times4(get(index));
  const featureOf = times8(get(index));
  const forFour = (...body: Code[]): Code =>
    [
      set(lastIndex, i32.add(get(index), i32.const(4))),
      whileDo(i32.ltU(get(index), get(lastIndex)), ...body, increase(index, 1)),
      increase(index, -4),
    ].flat();
  return [
    set(stride, times4(get(functions!))),
    whileDo(
      i32.ltU(get(index), get(functions!)),
      set(minimum, v128.load(minimumOf, memoryLayout.minima)),
      set(at, firstBlock),
      set(end, i32.add(get(at), i32.mul(get(blocks!), get(stride)))),
      whileDo(
        i32.ltU(get(at), get(end)),
        set(minimum, i32x4.minU(get(minimum), v128.load(get(at)))),
        set(at, i32.add(get(at), get(stride))),
      ),
      // A new minimum has no pre-image yet: all ones gives way to any.
      v128.store(i32.const(memoryLayout.oldMinima), v128.load(minimumOf, memoryLayout.minima)),
      v128.store(minimumOf, get(minimum), memoryLayout.minima),
      forFour(
        ifThen(
          i32.ne(
            i32.load(minimumOf, memoryLayout.minima),
            i32.load(times4(i32.and(get(index), i32.const(3))), memoryLayout.oldMinima),
          ),
          i64.store(featureOf, i64.const(-1n), memoryLayout.features),
        ),
      ),
      set(at, firstBlock),
      set(block, i32.const(memoryLayout.blocks)),
      whileDo(
        i32.ltU(get(at), get(end)),
        ifThen(
          v128.anyTrue(i32x4.eq(get(minimum), v128.load(get(at)))),
          forFour(
            ifThen(
              i32.eq(i32.load(minimumOf, memoryLayout.minima), i32.load(get(at))),
              searchBlock(get(index), get(block)),
            ),
            increase(at, 4),
          ),
          increase(at, -16),
        ),
        set(at, i32.add(get(at), get(stride))),
        increase(block, BLOCK_BYTES),
      ),
      increase(index, 4),
    ),
  ];
});

/** searchBlock(function, block): makes the function's feature the pre-image of its minimum in the block, if smaller. */
const searchBlockFunction = define("searchBlock", ["i32", "i32"], undefined, ([index, at], local) => {
  const end = local("i32");
  const endOfFour = local("i32");
  const minimum = local("i32");
  const multiplier = local("i32");
  const minima = local("v128");
  const multipliers = local("v128");
  const images = i32x4.add(v128.load(get(at!), HIGH_HALVES), i32x4.mul(v128.load(get(at!)), get(multipliers)));
  const image = i32.add(i32.load(get(at!), HIGH_HALVES), i32.mul(i32.load(get(at!)), get(multiplier)));
  const feature = times8(get(index!));
  return [
    set(minimum, i32.load(times4(get(index!)), memoryLayout.minima)),
    set(minima, i32x4.splat(get(minimum))),
    set(multiplier, i32.load(times4(get(index!)), memoryLayout.multipliers)),
    set(multipliers, i32x4.splat(get(multiplier))),
    set(end, i32.add(get(at!), i32.const(HIGH_HALVES))),
    whileDo(
      i32.ltU(get(at!), get(end)),
      ifThen(
        v128.anyTrue(i32x4.eq(images, get(minima))),
        set(endOfFour, i32.add(get(at!), i32.const(16))),
        whileDo(
          i32.ltU(get(at!), get(endOfFour)),
          ifThen(
            i32.and(i32.eq(image, get(minimum)), i32.leU(i32.load(get(at!)), i32.load(feature, memoryLayout.features))),
            i32.store(feature, i32.load(get(at!)), memoryLayout.features),
            i32.store(feature, i32.load(get(at!), HIGH_HALVES), memoryLayout.features + 4),
          ),
          increase(at!, 4),
        ),
        increase(at!, -16),
      ),
      increase(at!, 16),
    ),
  ];
});
