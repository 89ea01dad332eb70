import { hashString } from "../tables/hashes.js";

/**
 * In which order URLs are drawn for a rule: at random, without replacement, and the same for every run with the same
 * seed. The order does not depend on the rule, so that rules that apply to the same URLs draw the same ones and share
 * the pages fetched for them.
 */
export function drawOrder(urls: readonly string[], seed: number): string[] {
  return urls
    .map((url) => ({ url, key: orderKey(url, seed) }))
    .sort((a, b) => a.key - b.key || (a.url < b.url ? -1 : 1))
    .map(({ url }) => url);
}

/** 32 bits. A fixed function, since the order is part of what a seed promises. */
export function orderKey(text: string, seed: number): number {
  return hashString(text, 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1));
}
