/** Two texts side by side: a row has both lines where they are the same, or what stands in their places. */
export interface DiffRow {
  readonly left?: string;
  readonly right?: string;
  readonly same: boolean;
}

/** Texts that differ in more lines than this are shown as different from the first difference to the last. */
const MAX_EDITS = 1500;

/** The shortest edit of one list of lines into the other (Myers 1986), lines taken out beside those put in. */
export function diffLines(left: readonly string[], right: readonly string[]): DiffRow[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  ) {
    end++;
  }
  const kept = commonPairs(left.slice(start, left.length - end), right.slice(start, right.length - end));
  const rows: DiffRow[] = left.slice(0, start).map(both);
  let i = start;
  let j = start;
  const different = (toI: number, toJ: number) => {
    for (; i < toI || j < toJ; ) {
      const from = i < toI ? { left: left[i++]! } : {};
      const to = j < toJ ? { right: right[j++]! } : {};
      rows.push({ ...from, ...to, same: false });
    }
  };
  for (const [a, b] of kept) {
    different(start + a, start + b);
    rows.push(both(left[i++]!));
    j++;
  }
  different(left.length - end, right.length - end);
  for (; i < left.length; i++) rows.push(both(left[i]!));
  return rows;
}

const both = (line: string): DiffRow => ({ left: line, right: line, same: true });

/** Pairs of indexes of a longest common subsequence; none where the texts are too different to be worth it. */
function commonPairs(a: readonly string[], b: readonly string[]): [number, number][] {
  // furthest[k] is how far into `a` one gets on diagonal k (index in a minus index in b) with the edits made so far.
  const furthest = new Map<number, number>([[1, 0]]);
  const history: Map<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(a.length + b.length, MAX_EDITS); edits++) {
    history.push(new Map(furthest));
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
      let x = down ? (furthest.get(k + 1) ?? 0) : (furthest.get(k - 1) ?? 0) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      furthest.set(k, x);
      if (x >= a.length && x - k >= b.length) return backtrack(history, a.length, b.length);
    }
  }
  return [];
}

function backtrack(history: readonly Map<number, number>[], lengthA: number, lengthB: number): [number, number][] {
  const pairs: [number, number][] = [];
  let x = lengthA;
  let y = lengthB;
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const furthest = history[edits]!;
    const k = x - y;
    const down = k === -edits || (k !== edits && (furthest.get(k - 1) ?? -1) < (furthest.get(k + 1) ?? -1));
    const previous = down ? k + 1 : k - 1;
    const fromX = furthest.get(previous) ?? 0;
    const fromY = fromX - previous;
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0)) pairs.push([--x, --y]);
    x = fromX;
    y = fromY;
  }
  return pairs.reverse();
}
