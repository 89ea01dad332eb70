/** Documents of sketch files as records of numbers, and which of them repeat or share something with others. */
import { InvariantError } from "../../errors.js";
import { SUPERSHINGLES } from "../../sketch/sketch.js";
import { HashSlots } from "../../tables/hash-slots.js";
import { numbersOf, readChunks } from "../columns.js";
import { supershingleColumns } from "../schema.js";
import type { Connection } from "../workspace.js";
import { HASH_WORD, RECORD_WORDS } from "./record.js";

/** Rows of files with a sketch, in their order: a row is known by its place. */
export interface GivenDocuments {
  readonly documents: number;
  /** RECORD_WORDS for each. */
  readonly records: Uint32Array;
  /** When it was fetched, in milliseconds; NaN where that is not known. */
  readonly times: Float64Array;
}

/** What a query with `url`, the supershingles and `time` gives. */
export async function readGiven(connection: Connection, rows: string, documents: number): Promise<GivenDocuments> {
  const records = new Uint32Array(documents * RECORD_WORDS);
  const times = new Float64Array(documents);
  let at = 0;
  await readChunks(
    connection,
    // MD5, since hashes are kept: the engine's own may be another in its next version.
    `SELECT ${supershingleColumns.join(", ")}, md5_number_lower(url), coalesce(epoch_ms(time)::DOUBLE, 'NaN'::DOUBLE) FROM (${rows})`,
    [],
    (chunk, count) => {
      for (let column = 0; column <= SUPERSHINGLES; column++) {
        const values = numbersOf<BigUint64Array>(chunk.getColumnVector(column));
        const words = new Uint32Array(values.buffer, values.byteOffset, 2 * count);
        for (let row = 0; row < count; row++) {
          const place = (at + row) * RECORD_WORDS + 2 * column;
          records[place] = words[2 * row]!;
          records[place + 1] = words[2 * row + 1]!;
        }
      }
      times.set(numbersOf<Float64Array>(chunk.getColumnVector(SUPERSHINGLES + 1)).subarray(0, count), at);
      at += count;
    },
  );
  if (at !== documents) throw new InvariantError(`${at} rows were read of ${documents}`);
  return { documents, records, times };
}

/** The records of those that are not left out. */
export function comingRecords({ records, documents }: GivenDocuments, leftOut: Uint8Array, added: number): Uint32Array {
  if (added === documents) return records;
  const coming = new Uint32Array(added * RECORD_WORDS);
  let at = 0;
  for (let row = 0; row < documents; row++) {
    if (leftOut[row] === 1) continue;
    coming.set(records.subarray(row * RECORD_WORDS, (row + 1) * RECORD_WORDS), at);
    at += RECORD_WORDS;
  }
  return coming;
}

/** Finds documents by the hashes of their URLs. */
export class HashIndex {
  /** Documents whose hash another one has, too, ascending. */
  readonly repeated: readonly number[];
  readonly #slots: HashSlots;
  readonly #records: Uint32Array;

  constructor({ records, documents }: GivenDocuments) {
    this.#records = records;
    this.#slots = HashSlots.ofSize(2 * documents + 1);
    const repeated = new Set<number>();
    for (let document = 0; document < documents; document++) {
      const place = document * RECORD_WORDS + HASH_WORD;
      this.each(records, place, (other) => repeated.add(other).add(document));
      this.#slots.insert(document, records[place]!);
    }
    this.repeated = [...repeated].sort((a, b) => a - b);
  }

  /** Calls `take` with the documents whose hash is that in the words at `place`. */
  each(words: Uint32Array, place: number, take: (document: number) => void): void {
    const low = words[place]!;
    const high = words[place + 1]!;
    for (let slot = this.#slots.first(low); ; slot = this.#slots.next(slot)) {
      const document = this.#slots.entry(slot);
      if (document < 0) return;
      if (this.#slots.hash(slot) !== (low | 0)) continue;
      if (this.#records[document * RECORD_WORDS + HASH_WORD + 1] === high) take(document);
    }
  }
}
