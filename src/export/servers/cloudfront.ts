/** CloudFront: a function that gives each request the canonical query in a header, for the cache key. */
import { canonicalQueryScript, EDGE_EXPRESSES, refuseInEdgeQuery } from "../edge-query.js";
import { commented, type Target } from "../target.js";

/** What CloudFront takes for a function, comments included. */
export const CLOUDFRONT_BYTES = 10_240;
const FOR_NOTES = 1000;

const HANDLER = `function handler(event) {
var request = event.request;
var raw = request.rawQueryString();
var host = request.headers.host ? request.headers.host.value : "";
var query = canonicalQuery(host, request.uri, raw === undefined ? "" : "?" + raw);
request.headers["x-canonical-query"] = { value: query === "" ? "none" : query };
return request;
}
`;

export const cloudfront: Target = {
  name: "cloudfront",
  title: "CloudFront: a function for viewer requests (JavaScript runtime 2.0)",
  expresses: `${EDGE_EXPRESSES}; a function has at most 10 kB`,
  uses: ["key"],
  file: "dustpan-function.js",
  noTable: "host and path are always a part of the key there",
  refuse: (rule, taken) => {
    const reason = refuseInEdgeQuery(rule);
    if (reason !== undefined) return reason;
    return bytesOf(scriptOf([...taken, rule])) > CLOUDFRONT_BYTES - FOR_NOTES
      ? "a function of CloudFront has at most 10 kB"
      : undefined;
  },
  write: (rules, notes) => {
    const script = scriptOf(rules);
    const all = [
      ...notes,
      "Attach it to viewer requests. Cache policy: the header x-canonical-query, no query strings.",
      "Origin request policy: all query strings, so that the origin is asked as before.",
    ];
    // The list of what was left out may be longer than a function may be; the command prints it too.
    const text = `${commented("//", all)}\n${script}`;
    return bytesOf(text) <= CLOUDFRONT_BYTES
      ? text
      : `${commented("//", [...all.slice(0, 2), ...all.slice(-2)])}\n${script}`;
  },
};

function scriptOf(rules: Parameters<typeof canonicalQueryScript>[0]): string {
  return `${canonicalQueryScript(rules)}\n${HANDLER}`;
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
