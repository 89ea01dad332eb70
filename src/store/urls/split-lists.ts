/** A URL list divided into three, to detect, to validate and to canonize. */
import { UserError } from "../../errors.js";
import { pickCaptures } from "../../mine/reduce-list.js";
import type { StringColumn, UrlList } from "../../model.js";
import { orderKey } from "../../validate/draws.js";
import { toStrings } from "../columns.js";

/** How a URL list is divided into three: by the time URLs were first seen, at random, or by time where it is known. */
export type Split = "auto" | "time" | "random";

/** Rows of the lists to detect, to validate and to canonize: disjoint, each in the order of the list. */
export interface ThreeLists {
  readonly detect: Uint32Array;
  readonly validate: Uint32Array;
  readonly canonize: Uint32Array;
  readonly by: "time" | "random";
}

/** Most URLs find the rules: a rule needs both of its URLs in one list. */
const DETECT_SHARE = 0.5;
const VALIDATE_SHARE = 0.25;
/** So that the lists do not follow the order in which validation draws. */
const SPLIT_SALT = 0x3c6ef372;

export function splitUrls(urls: StringColumn, firstMs: Float64Array, split: Split, seed: number): ThreeLists {
  const known = firstMs.reduce((count, ms) => count + Number(!Number.isNaN(ms)), 0);
  if (split === "time" && known === 0) {
    throw new UserError("--split time: the inputs do not say when URLs were asked for; choose --split random");
  }
  const by = split === "auto" ? (known > urls.count / 2 ? "time" : "random") : split;
  return { by, ...(by === "time" ? splitByTime(firstMs) : splitAtRandom(urls, seed)) };
}

/** Ties stay in the order of the list; URLs without a time come last. */
function splitByTime(firstMs: Float64Array) {
  const order = Uint32Array.from(firstMs, (_, i) => i).sort((a, b) => {
    const [first, second] = [firstMs[a]!, firstMs[b]!];
    if (Number.isNaN(first) || Number.isNaN(second))
      return Number(Number.isNaN(first)) - Number(Number.isNaN(second)) || a - b;
    return first - second || a - b;
  });
  const detected = Math.round(DETECT_SHARE * order.length);
  const validated = detected + Math.round(VALIDATE_SHARE * order.length);
  return {
    detect: order.slice(0, detected).sort(),
    validate: order.slice(detected, validated).sort(),
    canonize: order.slice(validated).sort(),
  };
}

function splitAtRandom(urls: StringColumn, seed: number) {
  const lists: [number[], number[], number[]] = [[], [], []];
  toStrings(urls).forEach((url, i) => {
    const share = orderKey(url, seed ^ SPLIT_SALT) / 2 ** 32;
    lists[share < DETECT_SHARE ? 0 : share < DETECT_SHARE + VALIDATE_SHARE ? 1 : 2].push(i);
  });
  const [detect, validate, canonize] = lists.map((rows) => Uint32Array.from(rows));
  return { detect: detect!, validate: validate!, canonize: canonize! };
}

/** The list of these rows alone. */
export function pickUrls(list: UrlList, rows: Uint32Array): UrlList {
  const { sizes, sketches } = list;
  const urls = pickStrings(list.urls, rows);
  const picked: { -readonly [K in keyof UrlList]: UrlList[K] } = { urls };
  if (sizes !== undefined) {
    const starts = new Uint32Array(rows.length + 1);
    rows.forEach((row, i) => {
      starts[i + 1] = starts[i]! + sizes.rows[row + 1]! - sizes.rows[row]!;
    });
    const source = new Uint32Array(starts[rows.length]!);
    const minBytes = new Float64Array(source.length);
    const maxBytes = new Float64Array(source.length);
    rows.forEach((row, i) => {
      const [from, to] = [sizes.rows[row]!, sizes.rows[row + 1]!];
      source.set(sizes.source.subarray(from, to), starts[i]!);
      minBytes.set(sizes.minBytes.subarray(from, to), starts[i]!);
      maxBytes.set(sizes.maxBytes.subarray(from, to), starts[i]!);
    });
    picked.sizes = { rows: starts, source, minBytes, maxBytes };
  }
  if (sketches !== undefined) {
    const captures: number[] = [];
    const owner: number[] = [];
    rows.forEach((row, i) => {
      for (let capture = sketches.rows[row]!; capture < sketches.rows[row + 1]!; capture++) {
        captures.push(capture);
        owner.push(i);
      }
    });
    picked.sketches = pickCaptures(sketches, Uint32Array.from(captures), Uint32Array.from(owner), rows.length);
  }
  return picked;
}

function pickStrings({ bytes, offsets }: StringColumn, rows: Uint32Array): StringColumn {
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    starts[i + 1] = starts[i]! + offsets[row + 1]! - offsets[row]!;
  });
  const picked = new Uint8Array(starts[rows.length]!);
  rows.forEach((row, i) => {
    picked.set(bytes.subarray(offsets[row]!, offsets[row + 1]!), starts[i]!);
  });
  return { count: rows.length, bytes: picked, offsets: starts };
}
