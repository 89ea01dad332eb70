import { GroupSlots } from "../tables/group-slots.js";
import { hashWords } from "../tables/hashes.js";

/**
 * For each value the index of the first one equal to it, so result[i] <= i. Values are first dealt into parts small
 * enough for the processor's cache, by a hash, and each part has an open-addressing table of its own: a group-by in
 * two passes over memory, where sorting 64-bit values takes six.
 */
export function firstEqual(values: BigUint64Array | Uint32Array): Uint32Array {
  const count = values.length;
  const wide = values instanceof BigUint64Array;
  const words = wide ? new Uint32Array(values.buffer, values.byteOffset, 2 * count) : values;
  const partBits = Math.max(0, 32 - Math.clz32(count >>> 15));
  const ends = new Uint32Array(1 << partBits);
  const hashOf = wide
    ? (index: number) => hashWords(words[2 * index]!, words[2 * index + 1]!)
    : (index: number) => hashWords(words[index]!, 0);

  // A shift by 32 would be one by 0, hence in two steps.
  for (let index = 0; index < count; index++) ends[(hashOf(index) >>> 1) >>> (31 - partBits)]!++;
  let total = 0;
  for (let part = 0; part < ends.length; part++) {
    const size = ends[part]!;
    ends[part] = total;
    total += size;
  }
  const order = new Uint32Array(count);
  const low = new Uint32Array(count);
  const high = new Uint32Array(wide ? count : 0);
  for (let index = 0; index < count; index++) {
    const place = ends[(hashOf(index) >>> 1) >>> (31 - partBits)]!++;
    order[place] = index;
    low[place] = wide ? words[2 * index]! : words[index]!;
    if (wide) high[place] = words[2 * index + 1]!;
  }

  const first = new Uint32Array(count);
  const slots = new GroupSlots();
  let start = 0;
  for (const end of ends) {
    slots.reset(end - start);
    for (let place = start; place < end; place++) {
      let slot = slots.first(hashWords(low[place]!, wide ? high[place]! : 0));
      let other = slots.entry(slot);
      while (other >= 0 && !(low[other] === low[place] && (!wide || high[other] === high[place]))) {
        slot = slots.next(slot);
        other = slots.entry(slot);
      }
      if (other < 0) {
        slots.set(slot, place);
        other = place;
      }
      first[order[place]!] = order[other]!;
    }
    start = end;
  }
  return first;
}
