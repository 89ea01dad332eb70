import { count, counted, percent } from "../numbers.js";

/**
 * How many pages are near-duplicates, in the same words and with the same count wherever it is told: all in clusters, without
 * the one of each that would be kept.
 */
export function nearDuplicatesInWords(found: {
  readonly documents: number;
  readonly clustered: number;
  readonly clusters: number;
}): string {
  const { documents, clustered, clusters } = found;
  if (documents === 0) return "no page has text";
  if (clusters === 0) return `none of ${counted(documents, "page")} is a near-duplicate of another`;
  return `${percent((clustered - clusters) / documents)} of ${counted(documents, "page")} are near-duplicates: ${count(clustered)} in ${counted(clusters, "cluster")}, one of each not counted`;
}
