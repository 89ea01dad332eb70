/** Crawlee: a module whose function gives requests their unique key. */
import { canonicalAsJavaScript } from "../javascript-module.js";
import type { Target } from "../target.js";

export const crawlee: Target = {
  name: "crawlee",
  title: "Crawlee: unique keys for requests, as a module without dependencies",
  expresses: "every rule; requests are sent as they are (the same from code: dustpan/crawlee)",
  uses: ["key"],
  file: "unique-key.mjs",
  refuse: () => undefined,
  write: (rules, notes, _use, aliases) =>
    [
      canonicalAsJavaScript(rules, notes, aliases),
      "/** For transformRequestFunction of enqueueLinks, and for requests added by hand: requests.map(withUniqueKey). */",
      "const withUniqueKey = dustpan.keyRequests(canonical);",
      "",
      "export { canonical, withUniqueKey };",
      "",
    ].join("\n"),
};
