/** What exported JavaScript carries: canonization itself, bundled by scripts/build.mjs into one script. */
import type { Rule } from "../model.js";
import { asTheyAre, compile } from "../rules/compile.js";
import { normalize } from "../url/normalize.js";

/** Safe normalization, then the rules. Text that is no http(s) URL comes back as it was. */
export function canonizer(rules: readonly Rule[]): (url: string) => string {
  const canon = compile(rules, { use: asTheyAre });
  return (url) => canon(normalize(url).url);
}
