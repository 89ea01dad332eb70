/** Cloudflare Workers and other edge runtimes: a module that carries its rules and answers from the cache by them. */
import { canonicalAsJavaScript } from "../javascript-module.js";
import type { Target } from "../target.js";

const AS_KEY = `
/** Answers from the cache of this place, under the canonical URL; the origin is asked for the URL as it came. */
async function respond(request, environment, context) {
  if (request.method !== "GET" || ["authorization", "range"].some((name) => request.headers.has(name))) return fetch(request);
  const key = new Request(canonical(request.url));
  const cached = await caches.default.match(key);
  if (cached !== undefined) return cached;
  const response = await fetch(request);
  if (mayBeKept(response)) context.waitUntil(caches.default.put(key, response.clone()));
  return response;
}

/** Only what the origin lets caches show to everybody, for a time that it says: this cache knows nothing of cookies and of Vary. */
function mayBeKept({ status, headers }) {
  const [control, varies] = ["cache-control", "vary"].map((name) => headers.get(name) ?? "");
  if (status !== 200 || headers.has("set-cookie") || !/^(?:accept-encoding)?$/i.test(varies)) return false;
  return /\\b(?:max-age|s-maxage)=[1-9]/i.test(control) && !/\\b(?:private|no-store|no-cache)\\b/i.test(control);
}
`;

const AS_REDIRECT = `
/** Sends clients to the canonical URL, which is its own: no loop, where every client asks for it as it is written. */
async function respond(request) {
  const isRead = request.method === "GET" || request.method === "HEAD";
  const target = isRead ? canonical(request.url) : request.url;
  const isElsewhere = target !== canonicalForm(request.url);
  const isSafe = target === canonicalForm(target) && URL.canParse(target) && target === new URL(target).href;
  return isElsewhere && isSafe ? Response.redirect(target, 301) : fetch(request);
}

/** The URL after safe normalization alone: a client that spells it otherwise is not sent anywhere for that. */
const canonicalForm = dustpan.canonizer([]);
`;

export const worker: Target = {
  name: "worker",
  title: "Cloudflare Workers and other edge runtimes: a module that carries its rules",
  expresses:
    "every rule; as key it answers GET from the cache under the canonical URL, where the origin lets caches keep a page",
  uses: ["key", "redirect"],
  file: "worker.mjs",
  refuse: () => undefined,
  write: (rules, notes, use, aliases) =>
    [
      canonicalAsJavaScript(rules, notes, aliases),
      (use === "redirect" ? AS_REDIRECT : AS_KEY).trim(),
      "",
      "export { canonical };",
      "export default { fetch: respond };",
      "",
    ].join("\n"),
};
