import type { MirrorPair } from "./find.js";

/** Mirrors of two snapshots side by side (Fetterly et al. 2004, figure 13): pairs are the same by their names. */
export interface MirrorChange {
  readonly kept: readonly { readonly a: string; readonly b: string; readonly before: number; readonly after: number }[];
  readonly ended: readonly MirrorPair[];
  readonly begun: readonly MirrorPair[];
  /** Of the pairs kept: as large as before, grown, shrunk. */
  readonly same: number;
  readonly grown: number;
  readonly shrunk: number;
}

export function compareMirrors(before: readonly MirrorPair[], after: readonly MirrorPair[]): MirrorChange {
  // The order of a pair depends on the hosts' numbers, which differ between snapshots.
  const nameOf = ({ a, b }: MirrorPair) => (a < b ? `${a} ${b}` : `${b} ${a}`);
  const earlier = new Map(before.map((pair) => [nameOf(pair), pair]));
  const later = new Set(after.map(nameOf));
  const kept = after.flatMap((pair) => {
    const old = earlier.get(nameOf(pair));
    const [a, b] = pair.a < pair.b ? [pair.a, pair.b] : [pair.b, pair.a];
    return old === undefined ? [] : [{ a, b, before: old.size, after: pair.size }];
  });
  return {
    kept,
    ended: before.filter((pair) => !later.has(nameOf(pair))),
    begun: after.filter((pair) => !earlier.has(nameOf(pair))),
    same: kept.filter((pair) => pair.after === pair.before).length,
    grown: kept.filter((pair) => pair.after > pair.before).length,
    shrunk: kept.filter((pair) => pair.after < pair.before).length,
  };
}
