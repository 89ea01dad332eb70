/** `dustpan/crawlee`: requests of Crawlee with the canonical URL as their unique key. Needs nothing of Crawlee. */
import { rulesInUse } from "../canon/cycles.js";
import { parseRulesFile } from "../canon/file/rules-file.js";
import type { Rule } from "../model.js";
import { canonizer } from "./javascript-runtime.js";
import { type KeyRequest, keyRequests } from "./request-keys.js";

/**
 * A function for `transformRequestFunction`, and for requests that are added by hand: two requests whose URLs have one
 * canonical URL get one unique key, so that the queue takes one of them. URLs are requested as they are.
 *
 * `rules` is a rules file's text, or its rules; those in use are used, as `dustpan canon` does.
 */
export function uniqueKeys(rules: string | readonly Rule[]): KeyRequest {
  const list = typeof rules === "string" ? parseRulesFile(rules).rules : rules;
  return keyRequests(canonizer(rulesInUse(list).rules));
}
