/** Akamai: an EdgeWorker that puts the canonical query into the cache key instead of the query. */
import { canonicalQueryScript, EDGE_EXPRESSES, refuseInEdgeQuery } from "../edge-query.js";
import { commented, type Target } from "../target.js";

/**
 * All variables of a property share 1,024 characters; some are left for other variables. A longer query stays in the
 * key as it is.
 */
export const AKAMAI_CHARS = 800;

export const akamai: Target = {
  name: "akamai",
  title: "Akamai: an EdgeWorker for the cache key (main.js)",
  expresses: `${EDGE_EXPRESSES}; a URL whose canonical query has more than ${AKAMAI_CHARS} characters keeps its own key`,
  uses: ["key"],
  file: "main.js",
  noTable: "host and path are always a part of the key there",
  refuse: refuseInEdgeQuery,
  write: (rules, notes) => `${commented("//", [
    ...notes,
    'The code of an EdgeWorker; next to it belongs a bundle.json: { "edgeworker-version": "1", "description": "dustpan" }',
    `The property declares a variable PMUSER_CANONICAL_QUERY; where all its variables have 1,024 characters, others may have ${1024 - AKAMAI_CHARS}.`,
  ])}
${canonicalQueryScript(rules)}
export function onClientRequest(request) {
const at = request.url.indexOf("?");
const path = at < 0 ? request.url : request.url.slice(0, at);
const query = canonicalQuery(request.host, path, at < 0 ? "" : request.url.slice(at));
if (query.length > ${AKAMAI_CHARS}) return;
request.setVariable("PMUSER_CANONICAL_QUERY", query);
request.cacheKey.excludeQueryString();
request.cacheKey.includeVariable("PMUSER_CANONICAL_QUERY");
}
`,
};
