/** Which copies are copies by their whole text, and not only by chunks that a menu or a licence may be. */
import type { Replicas } from "./replicas.js";
import type { SimilarClusters } from "./similar-clusters.js";
import type { TrivialClusters } from "./trivial.js";
import { NONE } from "./web-graph.js";

/**
 * For each page 1 where it is a near-duplicate of the page that stands for its position (that of the principal copy, or of
 * the first replica that has one), and another page is too: what a search may show as one. `sketched` are the
 * near-duplicate clusters of the pages.
 */
export function confirmCopies(
  trivial: TrivialClusters,
  clusters: SimilarClusters,
  replicas: Replicas,
  sketched: TrivialClusters,
): Uint8Array {
  const { replicaOf } = clusters;
  const confirmed = new Uint8Array(trivial.of.length);
  for (let position = 0; position < trivial.count; position++) {
    const cluster = clusters.clusterOf[position]!;
    if (cluster === NONE) continue;
    const pages = trivial.pages
      .subarray(trivial.offsets[position]!, trivial.offsets[position + 1]!)
      .filter((page) => replicaOf[page] !== NONE);
    const kept = pages.find((page) => replicaOf[page] === replicas.principal[cluster]) ?? pages[0]!;
    const alike = pages.filter((page) => sketched.of[page] === sketched.of[kept]);
    if (alike.length > 1) for (const page of alike) confirmed[page] = 1;
  }
  return confirmed;
}
