/** Which given rows say nothing new: those of a URL that comes twice, or that is known already. */
import { stageTable } from "../columns.js";
import type { Connection } from "../workspace.js";
import type { Encounter } from "./encounter.js";
import type { GivenDocuments, HashIndex } from "./given-documents.js";
import { urlsOfRows } from "./given-rows.js";
import { HASH_WORD, RECORD_WORDS } from "./record.js";
import type { ValueFile } from "./value-file.js";

/** Of several rows of a URL the latest counts, as in any run. */
export async function dropRepeated(
  connection: Connection,
  given: GivenDocuments,
  hashes: HashIndex,
  rows: string,
  leftOut: Uint8Array,
): Promise<void> {
  const latest = new Map<string, number>();
  for (const [row, url] of await urlsOfRows(connection, rows, hashes.repeated)) {
    const other = latest.get(url);
    if (other !== undefined) leftOut[isLater(given.times[row]!, given.times[other]!) ? other : row] = 1;
    if (other === undefined || leftOut[other] === 1) latest.set(url, row);
  }
}

/** Marks rows of known URLs as left out; those with a later and other sketch are returned by document. */
export async function compareMet(
  connection: Connection,
  values: ValueFile,
  given: GivenDocuments,
  met: Encounter["met"],
  rows: string,
  leftOut: Uint8Array,
): Promise<{ known: number; changed: Map<number, number> }> {
  const changed = new Map<number, number>();
  const asked = met.filter(([, row]) => leftOut[row] === 0);
  if (asked.length === 0) return { known: 0, changed };
  const urls = new Map(
    await urlsOfRows(
      connection,
      rows,
      asked.map(([, row]) => row),
    ),
  );
  await stageTable(connection, "wanted", { document: Uint32Array.from(asked, ([document]) => document) });
  const found = await connection.runAndReadAll(
    "SELECT document, url, time FROM documents WHERE document IN (SELECT document FROM wanted)",
  );
  const old = new Map(found.getRows().map(([document, url, time]) => [Number(document), { url, time: Number(time) }]));
  let known = 0;
  const same = await sameValues(values, given, asked);
  for (const [at, [document, row]] of asked.entries()) {
    const { url, time } = old.get(document)!;
    if (url !== urls.get(row)) continue;
    leftOut[row] = 1;
    if (same[at] === 1 || !isLater(given.times[row]!, time)) known++;
    else changed.set(document, row);
  }
  return { known, changed };
}

async function sameValues(values: ValueFile, given: GivenDocuments, asked: Encounter["met"]): Promise<Uint8Array> {
  const same = new Uint8Array(asked.length);
  const order = asked.map((_, at) => at).sort((a, b) => asked[a]![0] - asked[b]![0]);
  let next = 0;
  for await (const { records, first, documents } of values.blocks()) {
    for (; next < order.length && asked[order[next]!]![0] < first + documents; next++) {
      const [document, row] = asked[order[next]!]!;
      const at = (document - first) * RECORD_WORDS;
      let isSame = 1;
      for (let word = 0; word < HASH_WORD; word++) {
        if (records[at + word] !== given.records[row * RECORD_WORDS + word]) isSame = 0;
      }
      same[order[next]!] = isSame;
    }
  }
  return same;
}

/** Whether what comes later in the files was also fetched later, as far as that is known (NaN where it is not). */
function isLater(time: number, other: number): boolean {
  return Number.isNaN(other) || time >= other;
}
