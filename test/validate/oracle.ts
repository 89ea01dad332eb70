import { applyRule } from "#src/canon/apply.js";
import { reverse } from "#src/canon/kinds.js";
import { refines } from "#src/canon/refine-pairs.js";
import type { Rule } from "#src/model.js";
import type { Direction } from "#src/validate/try-rule.js";

/** Figures 3 and 4 of the 2007 paper, line by line, for substring rules. The random URLs are given from outside. */
export interface PaperWorld {
  readonly count: number;
  readonly epsilon: number;
  /** The next random URL for this rule and direction (figure 3, line 5). */
  readonly draw: (rule: Rule, direction: Direction) => string;
  /** DocSketch of what is fetched; undefined where fetching fails. */
  readonly fetch: (url: string) => string | undefined;
}

type SubstringRule = Extract<Rule, { kind: "substring" }>;

export function validateRule(rule: SubstringRule, direction: Direction, world: PaperWorld): boolean {
  const { count: N, epsilon } = world;
  let positive = 0;
  let negative = 0;
  while (positive < (1 - epsilon) * N && negative < epsilon * N) {
    const u = world.draw(rule, direction);
    const v = applyRule(direction === "forward" ? rule : reverse(rule)!, u)!;
    const sketch = world.fetch(u);
    if (sketch === undefined) continue;
    const other = world.fetch(v);
    if (other === undefined || sketch !== other) negative = negative + 1;
    else positive = positive + 1;
  }
  return !(negative >= epsilon * N);
}

/** The valid rules, by id and direction, in the list's order. */
export function validate(R: readonly SubstringRule[], world: PaperWorld): { id: string; direction: Direction }[] {
  const LR: { id: string; direction: Direction }[] = [];
  const eliminated = R.map(() => false);
  const pair = (rule: SubstringRule) => ({ alpha: rule.from, beta: rule.to, start: rule.start, end: rule.end });
  for (let i = 0; i < R.length; i++) {
    for (let j = 0; j < i; j++) {
      if (!eliminated[j] && refines(pair(R[i]!), pair(R[j]!))) {
        eliminated[i] = true;
        break;
      }
    }
    if (eliminated[i]) continue;
    if (validateRule(R[i]!, "forward", world)) LR.push({ id: R[i]!.id, direction: "forward" });
    else if (validateRule(R[i]!, "opposite", world)) LR.push({ id: R[i]!.id, direction: "opposite" });
    else eliminated[i] = true;
  }
  return LR;
}
