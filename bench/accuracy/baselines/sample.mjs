// What both baselines learn from: URLs of the log drawn at random, fetched for a given number of requests, and put into classes by
// equal content (all four shingles of the text equal, as the 2007 paper compares; no second looks), or, where `isTold`, by the truth:
// then nothing that changes by itself on a page is in their way.
import { randomNumbers } from "#src/demo/text.js";
import { parseHtml, textShingles } from "#src/sketch/index.js";

/** By URL: the name of its class. Redirects are followed, each a request; what shows no page is left out. */
export function fetchClasses(site, urls, budget, isTold, seed = 1) {
  const next = randomNumbers(seed);
  const order = urls.map((url) => ({ url, key: next() })).sort((a, b) => a.key - b.key);
  const classes = new Map();
  let requests = 0;
  for (const { url } of order) {
    let at = url;
    for (let hop = 0; hop < 5 && requests < budget; hop++) {
      const { status, headers, html } = site.answer(at, requests++);
      if (status >= 300 && status < 400 && headers.location !== undefined) {
        at = new URL(headers.location, at).href;
        continue;
      }
      const shingles = status === 200 ? textShingles(parseHtml(html).text) : undefined;
      const name = isTold ? site.truth(url) : shingles?.join(" ");
      if (shingles !== undefined && name != null) classes.set(url, name);
      break;
    }
    if (requests >= budget) break;
  }
  return { classes, requests };
}

/** URLs by class, those with two or more only. */
export function duplicatesOf(classes) {
  const groups = new Map();
  for (const [url, name] of classes) groups.set(name, [...(groups.get(name) ?? []), url]);
  return [...groups.values()].filter((urls) => urls.length > 1);
}
