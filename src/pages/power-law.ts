/** A discrete power law fitted to sizes: P(size = x) is proportional to x^-exponent for x >= smallest. */
export interface PowerLaw {
  /** By maximum likelihood (Clauset, Shalizi and Newman 2009), not by the trend line that the paper draws. */
  readonly exponent: number;
  /** Standard error of the exponent. */
  readonly error: number;
  /** Where the law begins: the size from which on the fit is closest (Kolmogorov-Smirnov distance). */
  readonly smallest: number;
  readonly distance: number;
  /** How many clusters the fit rests on. */
  readonly clusters: number;
}

/** How many clusters (or mirrors) have a size; ascending. */
export interface SizeCount {
  readonly size: number;
  readonly count: number;
}

/** A fit needs this many clusters, of this many sizes: two sizes fit some law as well as two points fit a line. */
const FEWEST_CLUSTERS = 50;
/** And this share of all clusters: a law about the few largest says nothing about the sizes of all. */
const LEAST_SHARE = 0.1;
const FEWEST_SIZES = 5;
/** Tried as `smallest`; a law that begins later says nothing about the bulk. */
const MOST_STARTS = 50;

/** The law that fits best, if it fits: there is none where samples of the law are hardly ever this far from their own fit. */
export function fitPowerLaw(distribution: readonly SizeCount[]): PowerLaw | undefined {
  const best = closestLaw(distribution);
  return best !== undefined && best.distance <= largestDistance(best) ? best : undefined;
}

function closestLaw(distribution: readonly SizeCount[]): PowerLaw | undefined {
  const all = distribution.reduce((sum, { count }) => sum + count, 0);
  let best: PowerLaw | undefined;
  for (let start = 0; start < Math.min(distribution.length - FEWEST_SIZES + 1, MOST_STARTS); start++) {
    const tail = distribution.slice(start);
    const clusters = tail.reduce((sum, { count }) => sum + count, 0);
    if (clusters < Math.max(FEWEST_CLUSTERS, LEAST_SHARE * all)) break;
    const smallest = tail[0]!.size;
    const exponent = mostLikelyExponent(tail, clusters, smallest);
    const distance = farthest(tail, clusters, smallest, exponent);
    if (best === undefined || distance < best.distance) {
      best = { exponent, error: standardError(clusters, smallest, exponent), smallest, distance, clusters };
    }
  }
  return best;
}

const SAMPLES = 100;
/** Samples that are farther from their own law than the sizes seen; a law that fewer are is refused (Clauset et al. 2009). */
const LEAST_CHANCE = 0.1;
/** Larger samples would say the same: distances fall with the root of their number. */
const MOST_DRAWN = 10_000;

/** How far from its law a sample of it may be: all but a tenth of samples drawn from it and fitted again are closer. */
function largestDistance({ exponent, smallest, clusters }: PowerLaw): number {
  const drawn = Math.min(clusters, MOST_DRAWN);
  const draw = drawSizes(exponent, smallest);
  const distances = Array.from({ length: SAMPLES }, () => {
    const counts = new Map<number, number>();
    for (let one = 0; one < drawn; one++) {
      const size = draw();
      counts.set(size, (counts.get(size) ?? 0) + 1);
    }
    const sample = [...counts].map(([size, count]) => ({ size, count })).sort((a, b) => a.size - b.size);
    return farthest(sample, drawn, smallest, mostLikelyExponent(sample, drawn, smallest));
  });
  distances.sort((a, b) => a - b);
  return distances[Math.floor((1 - LEAST_CHANCE) * SAMPLES)]! * Math.sqrt(drawn / clusters);
}

/** Sizes drawn from the law, the same ones each time. */
function drawSizes(exponent: number, smallest: number): () => number {
  const whole = zeta(exponent, smallest);
  const tabled = 2000;
  // The law's share of sizes up to each.
  const upTo: number[] = [];
  let share = 0;
  for (let size = smallest; size < smallest + tabled; size++) {
    share += size ** -exponent / whole;
    upTo.push(share);
  }
  let state = 0x9e3779b9;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const wanted = (state + 0.5) / 2 ** 32;
    if (wanted > share) {
      // Beyond the table sizes are practically continuous.
      return Math.floor((smallest + tabled) * ((1 - wanted) / (1 - share)) ** (-1 / (exponent - 1)));
    }
    let low = 0;
    let high = tabled - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (upTo[middle]! < wanted) low = middle + 1;
      else high = middle;
    }
    return smallest + low;
  };
}

/** The log-likelihood -n ln zeta(a, smallest) - a sum ln x is concave in a: golden-section search. */
function mostLikelyExponent(tail: readonly SizeCount[], clusters: number, smallest: number): number {
  const meanLog = tail.reduce((sum, { size, count }) => sum + count * Math.log(size), 0) / clusters;
  const loss = (exponent: number) => Math.log(zeta(exponent, smallest)) + exponent * meanLog;
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = 1.0001;
  let high = 20;
  while (high - low > 1e-7) {
    const left = high - ratio * (high - low);
    const right = low + ratio * (high - low);
    if (loss(left) < loss(right)) high = right;
    else low = left;
  }
  return (low + high) / 2;
}

/** From the curvature of the log-likelihood, by differences. */
function standardError(clusters: number, smallest: number, exponent: number): number {
  const step = 1e-3;
  const at = (shift: number) => Math.log(zeta(Math.max(1.00001, exponent + shift), smallest));
  const curvature = (at(step) - 2 * at(0) + at(-step)) / step ** 2;
  return 1 / Math.sqrt(clusters * curvature);
}

function farthest(tail: readonly SizeCount[], clusters: number, smallest: number, exponent: number): number {
  const whole = zeta(exponent, smallest);
  let seen = 0;
  let distance = 0;
  for (const { size, count } of tail) {
    // The law's share below this size, then up to it, each against what was seen.
    distance = Math.max(distance, Math.abs(1 - zeta(exponent, size) / whole - seen / clusters));
    seen += count;
    distance = Math.max(distance, Math.abs(1 - zeta(exponent, size + 1) / whole - seen / clusters));
  }
  return distance;
}

/** Hurwitz zeta, the sum of k^-exponent for k >= from: the first terms, the rest by Euler-Maclaurin. */
export function zeta(exponent: number, from: number): number {
  const terms = 12;
  let sum = 0;
  for (let k = from; k < from + terms; k++) sum += k ** -exponent;
  const n = from + terms;
  const tail = n ** (1 - exponent) / (exponent - 1) + 0.5 * n ** -exponent;
  const first = (exponent / 12) * n ** (-exponent - 1);
  const third = ((exponent * (exponent + 1) * (exponent + 2)) / 720) * n ** (-exponent - 3);
  return sum + tail + first - third;
}
