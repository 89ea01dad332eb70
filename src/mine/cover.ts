/** Which of many likely rules add something: what others merge already needs no rule of its own. */
import { applyRule } from "../canon/apply.js";
import type { Rule } from "../model.js";
import { findRoot, makeSets, union } from "../pages/union-find.js";
import { stringAt } from "../string-column.js";
import { findApplicable } from "./applicable.js";
import type { ContentClasses } from "./content-classes.js";

export interface Coverable {
  readonly rule: Rule;
  /** May it be dropped? Others are kept, and cover. */
  readonly isOptional: boolean;
  /** Is it likely enough for what it merges to count as merged? */
  readonly isCovering: boolean;
}

/** URLs that are looked at. A list that has more supports its rules without them. */
const MOST_URLS = 50_000;

/**
 * The rules without the optional ones that merge fewer than `least` URLs with others of the same content which those before
 * them have not merged. Languages of which a manual has twelve are 66 pairs of folders, and eleven of these do.
 */
export function withoutCovered<C extends Coverable>(
  candidates: readonly C[],
  classes: ContentClasses,
  least: number,
): C[] {
  const count = Math.min(MOST_URLS, classes.urls.count);
  const texts = Array.from({ length: count }, (_, i) => stringAt(classes.urls, i));
  const rowOf = new Map(texts.map((text, i) => [text, i]));
  const applicable = findApplicable(
    candidates.map(({ rule }) => rule),
    texts,
  );
  const parent = new Uint32Array(count);
  makeSets(parent);
  return candidates.filter(({ rule, isOptional, isCovering }, c) => {
    const joined: [number, number][] = [];
    /** Rows that lead to one URL that the list does not have are joined with each other. */
    const leading = new Map<string, number>();
    for (const row of applicable[c]!) {
      const image = applyRule(rule, texts[row]!);
      if (image === undefined) continue;
      const key = `${classes.classOf[row]} ${image}`;
      const listed = rowOf.get(image);
      const target =
        listed !== undefined && classes.classOf[listed] === classes.classOf[row] ? listed : leading.get(key);
      if (target === undefined) leading.set(key, row);
      else if (findRoot(parent, target) !== findRoot(parent, row)) joined.push([row, target]);
    }
    const isKept = !isOptional || joined.length >= least;
    if (isKept && isCovering) for (const [a, b] of joined) union(parent, a, b);
    return isKept;
  });
}
