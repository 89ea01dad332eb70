/** The instance table IT of figure 1, as rows of ../instances.ts: one for each pair of URLs that share an envelope, by core. */
import { CONFIRMED, UNLIKELY } from "../../likeness";
import { CHUNK_WORDS, END, FLAGS, KNOWN_SIMILAR, ROW_WORDS } from "../constants";
import { Bytes, Words } from "./arrays";
import { addChunk, likeness } from "./imports";
import { lengthOf, starts, tokens } from "./list";

/** The distinct tokens' texts: see TokenTable. */
export let text = changetype<Bytes>(0);
export let textStarts = changetype<Words>(0);

/** Rows are distributed by the leading bits of the hash: how far to shift it for them. */
export let partitionShift: i32 = 0;
/** By partition: the address of the chunk that is written to, and the words that are used of it. */
export let partitions = changetype<Words>(0);

/** Line 15 for rows u and v that share their first c and last e tokens. */
export function addInstance(u: i32, v: i32, c: i32, e: i32, flags: i32): void {
  const known = likeness(u, v);
  if (known === UNLIKELY) return;
  const alpha = isAlpha(u, v, c) ? u : v;
  const beta = u + v - alpha;
  const hash = coreHash(alpha, beta, c, e);
  const partition: i32 = hash >> partitionShift;
  if (partitions[2 * partition + 1] === CHUNK_WORDS) addChunk(partition);
  const used = partitions[2 * partition + 1];
  const row = changetype<Words>((partitions[2 * partition] as usize) + (used << 2));
  row[0] = alpha;
  row[1] = beta;
  row[2] = c * FLAGS + flags + (known === CONFIRMED ? KNOWN_SIMILAR : 0);
  row[3] = e;
  row[4] = hash;
  partitions[2 * partition + 1] = used + ROW_WORDS;
}

/** Is it alpha > beta with u as alpha? More tokens, else the larger first token of the core. */
function isAlpha(u: i32, v: i32, c: i32): bool {
  const longer = lengthOf(u) - lengthOf(v);
  return longer === 0 ? isLarger(tokens[starts[u] + c], tokens[starts[v] + c]) : longer > 0;
}

/** compareTokens of ../tokens.ts: is token a the larger one? */
function isLarger(a: i32, b: i32): bool {
  if (a <= END || b <= END) return a > b;
  let i = textStarts[a];
  let k = textStarts[b];
  const endOfA = textStarts[a + 1];
  const endOfB = textStarts[b + 1];
  for (; i < endOfA && k < endOfB; i++, k++) if (text[i] !== text[k]) return text[i] > text[k];
  return endOfA - i > endOfB - k;
}

function coreHash(alpha: i32, beta: i32, c: i32, e: i32): u32 {
  let hash = addTokens(0, starts[alpha] + c, starts[alpha + 1] - e, 0x9e3779b1);
  hash = addTokens(~hash, starts[beta] + c, starts[beta + 1] - e, 0x85ebca6b);
  hash = (hash ^ (hash >> 15)) * 0x2c1b3c6d;
  return hash ^ (hash >> 13);
}

function addTokens(hash: u32, from: i32, to: i32, factor: u32): u32 {
  for (let i = from; i < to; i++) hash = ((hash << 5) ^ (hash >> 3) ^ tokens[i]) * factor;
  return hash;
}
