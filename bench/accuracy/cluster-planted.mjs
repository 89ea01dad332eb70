// Documents with known clusters: sketches of 84 features, made directly instead of from text.

/** A small, fast generator of 32-bit numbers (Numerical Recipes' xorshift-multiply), so that runs repeat. */
export function randomNumbers(seed) {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.imul(state, 0x9e3779b1) >>> 0;
  };
}

/** A size from a discrete power law P(x) ~ x^-exponent for x >= 2, by inverting the continuous one. */
export function drawSize(random, exponent, largest) {
  const share = (random() + 0.5) / 2 ** 32;
  return Math.min(largest, Math.floor(1.5 * (1 - share) ** (-1 / (exponent - 1)) + 0.5));
}

/** Probability that two documents of resemblance p share at least two of six supershingles of 14 features. */
export function joinProbability(p) {
  const one = p ** 14;
  return 1 - (1 - one) ** 6 - 6 * one * (1 - one) ** 5;
}

/**
 * `sizes[c]` documents for cluster c. Its first has features of its own; each other one keeps each of them with
 * probability `resemblances[c]`, or has another of its own. Documents are numbered in a shuffled order.
 */
export function plantClusters({ sizes, resemblances, seed = 1 }) {
  const random = randomNumbers(seed);
  const documents = sizes.reduce((sum, size) => sum + size, 0);
  const order = Uint32Array.from({ length: documents }, (_, document) => document);
  for (let last = documents - 1; last > 0; last--) {
    const other = random() % (last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  const features = new BigUint64Array(84 * documents);
  const words = new Uint32Array(features.buffer);
  const planted = new Uint32Array(documents);
  let next = 0;
  sizes.forEach((size, cluster) => {
    const keep = resemblances[cluster] * 2 ** 32;
    const base = 168 * order[next];
    for (let member = 0; member < size; member++) {
      const document = order[next++];
      planted[document] = cluster;
      for (let word = 168 * document, from = base; word < 168 * (document + 1); word += 2, from += 2) {
        const own = member === 0 || random() >= keep;
        words[word] = own ? random() : words[from];
        words[word + 1] = own ? random() : words[from + 1];
      }
    }
  });
  return { documents, planted, features, supershingles: superimpose(words, documents) };
}

/** Six columns; a supershingle is a 64-bit mixture of 14 adjacent features. */
function superimpose(words, documents) {
  const columns = new BigUint64Array(6 * documents);
  const out = new Uint32Array(columns.buffer);
  for (let document = 0; document < documents; document++) {
    for (let column = 0; column < 6; column++) {
      let low = 0x243f6a88;
      let high = 0x85a308d3;
      const start = 168 * document + 28 * column;
      for (let word = start; word < start + 28; word++) {
        low = Math.imul(low ^ words[word], 0x9e3779b1);
        low ^= low >>> 15;
        high = Math.imul(high ^ words[word], 0x85ebca77) + low;
        high ^= high >>> 13;
      }
      out[2 * (column * documents + document)] = low;
      out[2 * (column * documents + document) + 1] = high;
    }
  }
  return columns;
}

/** Slow and obvious: within every planted cluster, all pairs of documents that share two supershingles are joined. */
export function bruteForceRoots({ documents, planted, supershingles }) {
  const members = new Map();
  planted.forEach((cluster, document) => {
    if (!members.has(cluster)) members.set(cluster, []);
    members.get(cluster).push(document);
  });
  const root = Uint32Array.from({ length: documents }, (_, document) => document);
  for (const list of members.values()) {
    const edges = new Map(list.map((document) => [document, []]));
    for (const left of list) {
      for (const right of list) {
        if (left >= right) continue;
        let common = 0;
        for (let column = 0; column < 6; column++) {
          if (supershingles[column * documents + left] === supershingles[column * documents + right]) common++;
        }
        if (common < 2) continue;
        edges.get(left).push(right);
        edges.get(right).push(left);
      }
    }
    // Ascending, so that a component is first reached from its smallest document.
    const reached = new Set();
    for (const start of list) {
      if (reached.has(start)) continue;
      const stack = [start];
      reached.add(start);
      while (stack.length > 0) {
        const document = stack.pop();
        root[document] = start;
        for (const other of edges.get(document)) {
          if (reached.has(other)) continue;
          reached.add(other);
          stack.push(other);
        }
      }
    }
  }
  return root;
}
