import type { ParameterPlace } from "../model.js";
import { ByteTable, enlarged } from "./byte-table.js";
import type { UrlScanner } from "./parameters-scan.js";

/** Parameter names of one place and the URLs that have them. */
export interface NamedParameters {
  readonly place: ParameterPlace;
  readonly count: number;
  /** Name n is bytes[nameStart[n] .. nameEnd[n]) of the list's bytes. */
  readonly nameStart: Uint32Array;
  readonly nameEnd: Uint32Array;
  /** URLs with name n, ascending: urls[rows[n] .. rows[n + 1]). */
  readonly rows: Uint32Array;
  readonly urls: Uint32Array;
}

/**
 * The names that at least `atLeast` of these URLs have, in the order of their first appearance; nameless parameters are
 * left out.
 */
export function collectNames(
  scanner: UrlScanner,
  among: Uint32Array,
  place: ParameterPlace,
  atLeast: number,
): NamedParameters {
  const table = new ByteTable(scanner.bytes);
  // One entry for each name and URL, in the order of the list: which URL follows from `perUrl`.
  let occurrences = new Uint32Array(1024);
  let occurrenceCount = 0;
  const perUrl = new Uint32Array(among.length);
  let lastUrl = new Uint32Array(1024);
  let urlsWithName = new Uint32Array(1024);
  for (let i = 0; i < among.length; i++) {
    if (!scanner.open(among[i]!)) continue;
    if (place === "query") scanner.query();
    else scanner.path();
    for (let p = 0; p < scanner.count; p++) {
      if (scanner.nameEnd[p] === scanner.nameStart[p]) continue;
      const name = table.intern(scanner.nameStart[p]!, scanner.nameEnd[p]!);
      if (name >= lastUrl.length) {
        lastUrl = enlarged(lastUrl, 2 * lastUrl.length);
        urlsWithName = enlarged(urlsWithName, 2 * urlsWithName.length);
      }
      if (lastUrl[name] === i + 1) continue;
      lastUrl[name] = i + 1;
      urlsWithName[name] = urlsWithName[name]! + 1;
      if (occurrenceCount === occurrences.length) occurrences = enlarged(occurrences, 2 * occurrences.length);
      occurrences[occurrenceCount++] = name;
      perUrl[i] = perUrl[i]! + 1;
    }
  }

  const kept: number[] = [];
  const numberOf = new Int32Array(table.count).fill(-1);
  for (let name = 0; name < table.count; name++) {
    if (urlsWithName[name]! >= atLeast) numberOf[name] = kept.push(name) - 1;
  }
  const rows = new Uint32Array(kept.length + 1);
  for (const [n, name] of kept.entries()) rows[n + 1] = rows[n]! + urlsWithName[name]!;
  const urls = new Uint32Array(rows[kept.length]!);
  const next = rows.slice();
  for (let i = 0, o = 0; i < among.length; i++) {
    for (const end = o + perUrl[i]!; o < end; o++) {
      const n = numberOf[occurrences[o]!]!;
      if (n < 0) continue;
      urls[next[n]!] = among[i]!;
      next[n] = next[n]! + 1;
    }
  }
  return {
    place,
    count: kept.length,
    nameStart: Uint32Array.from(kept, (name) => table.starts[name]!),
    nameEnd: Uint32Array.from(kept, (name) => table.ends[name]!),
    rows,
    urls,
  };
}
