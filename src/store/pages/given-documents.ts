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

/** Finds documents by the hashes of their URLs. */
export class HashIndex {
  readonly #slots: HashSlots;
  readonly #records: Uint32Array;

  constructor({ records, documents }: GivenDocuments) {
    this.#records = records;
    this.#slots = HashSlots.ofSize(2 * documents + 1);
    for (let document = 0; document < documents; document++) {
      this.#slots.insert(document, records[document * RECORD_WORDS + HASH_WORD]!);
    }
  }

  /** Calls `take` with the documents whose hash is that in the words at `place`. */
  each(words: Uint32Array, place: number, take: (document: number) => void): void {
    const [low, high] = [words[place]!, words[place + 1]!];
    for (let slot = this.#slots.first(low); ; slot = this.#slots.next(slot)) {
      const document = this.#slots.entry(slot);
      if (document < 0) return;
      if (this.#slots.hash(slot) !== (low | 0)) continue;
      if (this.#records[document * RECORD_WORDS + HASH_WORD + 1] === high) take(document);
    }
  }
}
