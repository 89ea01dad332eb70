import type { ParameterPlace } from "../../model.js";
import { compareBytes, RangeTable } from "../byte-ranges.js";
import type { IsNamed } from "./rewrite.js";
import type { UrlScanner } from "./scan.js";

/** The values of a parameter in the URLs that have it; where a URL repeats it, its first counts. */
export class Values {
  readonly #members: Uint32Array;
  readonly #table: RangeTable;
  readonly #bytes: Uint8Array;
  readonly #frequency: Uint32Array;
  /** By position among the members. */
  readonly #valueAt: Uint32Array;

  private constructor(
    bytes: Uint8Array,
    members: Uint32Array,
    table: RangeTable,
    frequency: Uint32Array,
    valueAt: Uint32Array,
  ) {
    this.#bytes = bytes;
    this.#members = members;
    this.#table = table;
    this.#frequency = frequency;
    this.#valueAt = valueAt;
  }

  static of(scanner: UrlScanner, members: Uint32Array, place: ParameterPlace, isNamed: IsNamed): Values {
    const table = new RangeTable(scanner.bytes);
    const valueAt = new Uint32Array(members.length);
    for (let m = 0; m < members.length; m++) {
      scanner.open(members[m]!);
      if (place === "query") scanner.query();
      else scanner.path();
      let p = 0;
      while (!isNamed(scanner.nameStart[p]!, scanner.nameEnd[p]!)) p++;
      valueAt[m] = table.intern(scanner.valueStart[p]!, scanner.valueEnd[p]!);
    }
    const frequency = new Uint32Array(table.count);
    for (const value of valueAt) frequency[value] = frequency[value]! + 1;
    return new Values(scanner.bytes, members, table, frequency, valueAt);
  }

  /** v_p: the most frequent value, then the smallest. */
  mostFrequent(): Uint8Array {
    let best = 0;
    for (let value = 1; value < this.#table.count; value++) if (this.#compare(value, best) < 0) best = value;
    return this.#bytes.subarray(this.#table.starts[best]!, this.#table.ends[best]!);
  }

  /** Is the value of member a more frequent than that of member b, or else smaller? */
  readonly isBefore = (a: number, b: number): boolean => this.#compare(this.#valueAt[a]!, this.#valueAt[b]!) < 0;

  /** The same values with their frequencies for some of the members, ascending like these: a and b are then positions there. */
  among(some: Uint32Array): Values {
    const valueAt = new Uint32Array(some.length);
    for (let s = 0, m = 0; s < some.length; s++, m++) {
      while (this.#members[m] !== some[s]) m++;
      valueAt[s] = this.#valueAt[m]!;
    }
    return new Values(this.#bytes, some, this.#table, this.#frequency, valueAt);
  }

  #compare(a: number, b: number): number {
    if (a === b) return 0;
    const { starts, ends } = this.#table;
    return (
      this.#frequency[b]! - this.#frequency[a]! || compareBytes(this.#bytes, starts[a]!, ends[a]!, starts[b]!, ends[b]!)
    );
  }
}
