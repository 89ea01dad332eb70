/** What exported JavaScript carries: canonization itself, bundled by scripts/build.mjs into one script. */
import { asTheyAre, compile } from "../canon/compile.js";
import type { Rule } from "../model.js";
import { normalize } from "../url/normalize.js";

export { keyRequests } from "./request-keys.js";

/** Safe normalization, then the rules. Text that is not an http(s) URL comes back as it was. */
export function canonizer(rules: readonly Rule[]): (url: string) => string {
  const canon = compile(rules, { use: asTheyAre });
  return (url) => canon(normalize(url).url);
}
